// Times fits of large dense data sets: the same Go program natively and, compiled as the site's
// core is, in a worker of a page in Chromium.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run, top, wasmBuild } from "../check/process.mjs";
import { serve } from "../serve.mjs";
import { launch } from "../../site/test/harness/browser.mjs";

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
  const server = await serve();
  const browser = await launch();
  try {
    const page = await (await browser.newContext()).newPage();
    const answer = (path, contentType, body) =>
      page.route(new URL(path, server.url).href, (route) => route.fulfill({ contentType, body }));
    await answer("large.html", "text/html", "<!doctype html><title>large</title>");
    await answer("large.js", "text/javascript", `${glue}\n(${work.toString()})();`);
    await answer("large.wasm", "application/wasm", readFileSync(file));
    await page.goto(new URL("large.html", server.url).href);
    return await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker("/large.js");
          worker.onmessage = ({ data }) =>
            data.error === undefined ? resolve(data) : reject(new Error(data.error));
          worker.onerror = (event) => reject(new Error(event.message));
        }),
    );
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
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
