// One reader of reports for all elements of a page: reader.wasm in a worker, shared by every copy of this script that has the same version.

import inlined from "cloister:reader";
import workerScript from "cloister:worker";
import { blobWorker } from "../client/blob-worker.ts";
import { Engine } from "../client/engine.ts";
import { CloisterError, reason } from "../client/error.ts";
import { ReportReaderClient } from "../client/personal.ts";
import type { ReportReader } from "../client/types.ts";

declare const CLOISTER_VERSION: string;
declare const CLOISTER_READER_INTEGRITY: string;

/** Where reader.wasm is, unless an element says otherwise: inside this script or beside it. */
export const defaultWasm = inlined ? "inside" : new URL("reader.wasm", import.meta.url).href;

const registry = Symbol.for("cloister.readers");
const shared = ((globalThis as { [registry]?: Map<string, Promise<ReportReader>> })[registry] ??= new Map());

/** The reader of this page, its worker not yet started. A fetch that failed is tried anew by the next call. */
export function readerOf(wasm: string = defaultWasm): Promise<ReportReader> {
  const key = `${CLOISTER_VERSION} ${wasm}`;
  let found = shared.get(key);
  if (!found) {
    found = begin(wasm);
    shared.set(key, found);
    found.catch(() => shared.delete(key));
  }
  return found;
}

async function begin(wasm: string): Promise<ReportReader> {
  await mayCompile();
  try {
    return new ReportReaderClient(new Engine(await compile(wasm), workerScript, blobWorker));
  } catch (error) {
    throw new CloisterError("load", `What works the answer out could not be loaded from ${inlined ? "inside the script" : wasm}: ${reason(error)}`, {}, { cause: error });
  }
}

/** The smallest module that there is: whether it compiles says whether the page lets WebAssembly run at all. */
const nothing = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

async function mayCompile(): Promise<void> {
  if (typeof WebAssembly === "undefined") throw new CloisterError("load", "This browser has no WebAssembly, in which the answer is worked out.");
  try {
    await WebAssembly.compile(nothing);
  } catch (error) {
    throw new CloisterError("load", "This page’s content security policy does not let WebAssembly run. Its author can allow it with script-src 'wasm-unsafe-eval'.", {}, { cause: error });
  }
}

async function compile(wasm: string): Promise<WebAssembly.Module> {
  if (inlined) {
    const bytes = Uint8Array.from(atob(inlined), (c) => c.charCodeAt(0));
    return WebAssembly.compile(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  }
  const response = await fetch(wasm, { credentials: "same-origin", ...(CLOISTER_READER_INTEGRITY && { integrity: CLOISTER_READER_INTEGRITY }) }).catch((error: unknown) => {
    throw new Error(`${reason(error)} Either it cannot be had there, or it is of another version than the element (its hash is not the one that it knows).`);
  });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  if (response.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
