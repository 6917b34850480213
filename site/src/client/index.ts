/** The package, for browsers. `types.ts` documents it. */
import { blobWorker } from "./blob-worker.ts";
import { loader } from "./load.ts";

const host = {
  worker: blobWorker,
  async compile(url: string | URL, integrity: string | undefined, answered: () => void) {
    const response = await fetch(url, { credentials: "same-origin", ...(integrity !== undefined && { integrity }) });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    answered();
    if (response.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
  },
};

export const load = /* @__PURE__ */ loader({ ...host, wasmURL: new URL("cloister.wasm", import.meta.url) });

/** The laboratory is a binary of its own, `laboratory.wasm`: its client has `laboratory` and `experiment`, opens datasets, and makes no releases. */
export const loadLaboratory = /* @__PURE__ */ loader({ ...host, wasmURL: new URL("laboratory.wasm", import.meta.url) });

export { blobWorker };
export { SEAL, seal } from "./seal.ts";
export * from "./types.ts";
