// Compiling a binary in a worker of its own, beside the page's thread.

import compilerScript from "cloister:compiler";
import { blobWorker } from "./blob-worker.ts";
import { fetchProgram, type Wanted } from "./fetch-program.ts";
import type { WorkerPort } from "./types.ts";

export interface ToCompiler extends Wanted {
  readonly url: string;
}

/** What the worker says: that the server has answered, and then the module or why there is none. */
export type FromCompiler =
  | { readonly type: "answered" }
  | { readonly type: "module"; readonly module: WebAssembly.Module }
  | { readonly type: "failed"; readonly reason: string };

/**
 * The module at `url`. Where a page brings its own kind of worker (`beside` is false), or none
 * starts, the page's thread fetches and compiles: what is in the way of workers is said by the one
 * that will run the module.
 */
export async function compiled(
  url: string | URL,
  wanted: Wanted,
  answered: () => void,
  beside: boolean,
): Promise<WebAssembly.Module> {
  const absolute = new URL(url, globalThis.location.href).href;
  const said = beside ? await inWorker({ url: absolute, ...wanted }, answered) : null;
  if (said === null) return fetchProgram(absolute, wanted, answered);
  if (said.type === "failed") throw new Error(said.reason);
  return said.module;
}

type LastWord = Exclude<FromCompiler, { type: "answered" }>;

/** The worker's last word; null where it could not be started. */
function inWorker(asked: ToCompiler, answered: () => void): Promise<LastWord | null> {
  return new Promise((resolve) => {
    let worker: WorkerPort;
    try {
      worker = blobWorker(compilerScript);
    } catch {
      return resolve(null); // the page's policy forbids it
    }
    const end = (said: LastWord | null): void => {
      worker.terminate();
      resolve(said);
    };
    worker.listen(
      (message) => {
        const said = message as FromCompiler;
        if (said.type === "answered") answered();
        else end(said);
      },
      () => end(null),
    );
    worker.post(asked);
  });
}
