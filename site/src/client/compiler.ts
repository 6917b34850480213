/**
 * The script of a worker that fetches and compiles one binary: ten megabytes of it would keep the
 * page's own thread for a tenth of a second. Bundled into one classic script (see build.mjs).
 */
import { fetchProgram } from "./fetch-program.ts";
import type { FromCompiler, ToCompiler } from "./compiling.ts";

const host = globalThis as unknown as {
  postMessage(message: FromCompiler): void;
  addEventListener(type: "message", listener: (event: { data: ToCompiler }) => void): void;
};

host.addEventListener("message", async ({ data: { url, integrity } }) => {
  try {
    const module = await fetchProgram(url, integrity, () => host.postMessage({ type: "answered" }));
    host.postMessage({ type: "module", module });
  } catch (error) {
    host.postMessage({
      type: "failed",
      reason: error instanceof Error ? error.message : String(error),
    });
  }
});
