// A Go program of the benchmarks in a worker of a page in Chromium, compiled as the site's programs
// are, and with the kernel beside it.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run, top, wasmBuild } from "../check/process.mjs";
import { bound } from "../kernel/bound.mjs";
import { inPage } from "./page.mjs";

/** The Makefile's GO_WASM, but for names: these programs are read when they fail. */
const flags = ["-trimpath", "-ldflags=-w", "-gcflags=all=-l", "-gcflags=math/...="];
const build = { ...wasmBuild, GOEXPERIMENT: "nogreenteagc" };

/**
 * @param {string} program its folder, such as "./scripts/bench/large"
 * @returns {Promise<{printed: string, memory: number}>} what it printed, and its memory in MB
 */
export const inWorker = (program) => besideWorker(program, {}, ({ said }) => said);

/**
 * The same for a program that does not end: it posts a message when it is ready, and is then asked.
 * @template T
 * @param {string} program
 * @param {Record<string, string>} given global variables that it finds
 * @param {(worker: {said: any, ask(name: string, ...args: any[]): Promise<void>, spent():
 * Promise<number>}) => Promise<T>} use `ask` calls a global function of the program's; `spent` is
 * how many milliseconds of the processor all threads of the page have taken so far
 */
export async function besideWorker(program, given, use) {
  const folder = mkdtempSync(join(top, "build/bench-"));
  const file = join(folder, "program.wasm");
  const { code, output } = await run("go", ["build", ...flags, "-o", file, program], {
    env: { ...process.env, ...build },
  });
  if (code !== 0) throw new Error(output);
  const root = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
  const glue = readFileSync(join(root, "lib/wasm/wasm_exec.js"), "utf8");
  const globals = `Object.assign(globalThis, ${JSON.stringify(given)});`;
  const files = {
    "worker.js": ["text/javascript", `${glue}\n${globals}\n${bound}\n(${work})();`],
    "program.wasm": ["application/wasm", readFileSync(file)],
    "kernel.wasm": ["application/wasm", readFileSync(join(top, "build/kernel.wasm"))],
  };
  rmSync(folder, { recursive: true, force: true });
  return inPage(files, async (page) => {
    const said = await page.evaluate(start);
    const spent = await clockOf(page);
    return use({ said, spent, ask: (...call) => page.evaluate(ask, call) });
  });
}

/** How to ask for the milliseconds of the processor that all threads of the page have taken. */
export async function clockOf(page) {
  const session = await page.context().browser().newBrowserCDPSession();
  return async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo
      .filter(({ type }) => type === "renderer")
      .reduce((sum, { cpuTime }) => sum + 1000 * cpuTime, 0);
  };
}

/** Runs in the page: what the worker says first. */
function start() {
  return new Promise((resolve, reject) => {
    globalThis.worker = new Worker("/worker.js");
    worker.onmessage = ({ data }) =>
      data.error === undefined ? resolve(data) : reject(new Error(data.error));
    worker.onerror = (event) => reject(new Error(event.message));
  });
}

/** Runs in the page. */
function ask(call) {
  return new Promise((resolve) => {
    worker.onmessage = () => resolve();
    worker.postMessage(call);
  });
}

/** Runs in the worker, after Go's glue. */
async function work() {
  try {
    const lines = [];
    console.log = (line) => lines.push(line);
    const go = new Go();
    const [program, kernel] = await Promise.all(
      ["/program.wasm", "/kernel.wasm"].map((url) => WebAssembly.compileStreaming(fetch(url))),
    );
    const instance = await bound(program, kernel, go.importObject);
    onmessage = ({ data: [name, ...args] }) => {
      globalThis[name](...args);
      postMessage({});
    };
    await go.run(instance);
    const memory = instance.exports.mem.buffer.byteLength / 1e6;
    postMessage({ printed: lines.join("\n"), memory });
  } catch (error) {
    postMessage({ error: String(error) });
  }
}
