// Finds Chromium, or installs Debian's package where it is missing and that can be done without
// asking anybody.

import { findChromium } from "../../site/test/harness/browser.mjs";
import { run } from "./process.mjs";

/** @returns {Promise<{ok: boolean, say: string[]}>} */
export async function ensureChromium() {
  if (findChromium()) return { ok: true, say: [] };
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const say = ["Chromium was not found in PATH: installing the chromium package with apt-get."];
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
    const [command, ...rest] = [...sudo, "apt-get", ...args];
    const { code, output } = await run(command, rest, { env });
    if (code !== 0) {
      say.push(...output.trimEnd().split("\n").slice(-5));
      say.push(
        "That did not work. Install Chromium or Chrome by hand, or say where it is with CHROMIUM=…",
      );
      return { ok: false, say };
    }
  }
  return { ok: findChromium() !== undefined, say };
}
