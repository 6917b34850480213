/** The package, for browsers. `types.ts` documents it. */
import { blobWorker } from "./blob-worker.ts";
import { loader } from "./load.ts";

export const load = loader({
  worker: blobWorker,
  wasmURL: new URL("cloister.wasm", import.meta.url),
  async compile(url, integrity) {
    const response = await fetch(url, { credentials: "same-origin", ...(integrity !== undefined && { integrity }) });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    if (response.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
  },
});

export { blobWorker };
export { SEAL, seal } from "./seal.ts";
export * from "./types.ts";
