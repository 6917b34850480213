/**
 * The script of a worker that fetches and compiles one binary: ten megabytes of it would keep the
 * page's own thread for a tenth of a second. It is older than the page's seal and may fetch, so it
 * hears the first message alone. Bundled into one classic script (see build.mjs).
 */
import { fetchProgram } from "./fetch-program.ts";
import type { FromCompiler, ToCompiler } from "./compiling.ts";

const host = globalThis as unknown as {
  postMessage(message: FromCompiler): void;
  addEventListener(
    type: "message",
    listener: (event: { data: ToCompiler }) => void,
    options: { once: true },
  ): void;
};

const compile = async ({ data: { url, ...wanted } }: { data: ToCompiler }): Promise<void> => {
  try {
    const module = await fetchProgram(url, wanted, () => host.postMessage({ type: "answered" }));
    host.postMessage({ type: "module", module });
  } catch (error) {
    host.postMessage({
      type: "failed",
      reason: error instanceof Error ? error.message : String(error),
    });
  }
};
host.addEventListener("message", compile, { once: true });
