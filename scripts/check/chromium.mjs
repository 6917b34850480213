// Finds Chromium, or installs one of Debian's packages where it is missing and that can be done
// without asking anybody: the headless shell, or, where Debian has none, the whole browser.

import { findChromium } from "../../site/test/harness/browser.mjs";
import { run } from "./process.mjs";

/** @returns {Promise<{ok: boolean, say: string[]}>} */
export async function ensureChromium() {
  if (findChromium()) return { ok: true, say: [] };
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const say = ["Chromium was not found in PATH: installing it with apt-get."];
  const apt = async (...args) => {
    const [command, ...rest] = [...sudo, "apt-get", ...args];
    return run(command, rest, { env });
  };
  const install = (name) => apt("install", "-y", "--no-install-recommends", name);
  let last = await apt("update");
  for (const name of ["chromium-headless-shell", "chromium"]) {
    if (findChromium()) break;
    last = await install(name);
  }
  if (!findChromium()) {
    say.push(...last.output.trimEnd().split("\n").slice(-5));
    say.push(
      "That did not work. Install Chromium or Chrome by hand, or say where it is with CHROMIUM=…",
    );
    return { ok: false, say };
  }
  return { ok: true, say };
}
