// Times fits of large dense data sets: the same Go program natively and, compiled as the site's
// core is, in a worker of a page in Chromium.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run, top, wasmBuild } from "../check/process.mjs";
import { inPage } from "./page.mjs";

const program = "./scripts/bench/large";

/**
 * @returns {Promise<Record<string, number>>} milliseconds by "large-fit-" and the rows;
 * "large-exponent"
 */
export async function largeNatively() {
  const { code, output } = await run("go", ["run", program]);
  if (code !== 0) throw new Error(output);
  return JSON.parse(output);
}

/**
 * @returns {Promise<Record<string, number>>} the same, and "large-memory": megabytes that the
 * worker's WebAssembly memory has grown to
 */
export async function largeInChromium() {
  const folder = join(top, "build/large");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "large.wasm");
  // The Makefile's GO_WASM: rows are crunched by inlined code, and nothing else is inlined.
  const flags = [
    "-trimpath",
    "-ldflags=-w",
    "-gcflags=all=-l",
    "-gcflags=math/...=",
    "-gcflags=cloister/core/...=",
    "-gcflags=cloister/core/account/...=-l",
  ];
  const { code, output } = await run("go", ["build", ...flags, "-o", file, program], {
    env: { ...process.env, ...wasmBuild },
  });
  if (code !== 0) throw new Error(output);
  const glue = readFileSync(
    join(
      execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim(),
      "lib/wasm/wasm_exec.js",
    ),
    "utf8",
  );
  const files = {
    "large.js": ["text/javascript", `${glue}\n(${work.toString()})();`],
    "large.wasm": ["application/wasm", readFileSync(file)],
  };
  rmSync(folder, { recursive: true, force: true });
  return inPage(files, (page) =>
    page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker("/large.js");
          worker.onmessage = ({ data }) =>
            data.error === undefined ? resolve(data) : reject(new Error(data.error));
          worker.onerror = (event) => reject(new Error(event.message));
        }),
    ),
  );
}

/** Runs in the worker, after Go's glue. */
async function work() {
  try {
    const lines = [];
    console.log = (line) => lines.push(line);
    const go = new Go();
    const { instance } = await WebAssembly.instantiateStreaming(
      fetch("/large.wasm"),
      go.importObject,
    );
    await go.run(instance);
    const figures = JSON.parse(lines.join("\n"));
    figures["large-memory"] = instance.exports.mem.buffer.byteLength / 1e6;
    postMessage(figures);
  } catch (error) {
    postMessage({ error: String(error) });
  }
}
