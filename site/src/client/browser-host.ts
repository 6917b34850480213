// What a browser does to run a binary: a worker from a blob, and a fetch that is compiled as it
// comes.

import { blobWorker } from "./blob-worker.ts";
import type { Host } from "./loading.ts";

export const browserHost: Omit<Host, "wasmURL"> = {
  worker: blobWorker,
  async compile(url: string | URL, integrity: string | undefined, answered: () => void) {
    const response = await fetch(url, {
      credentials: "same-origin",
      ...(integrity !== undefined && { integrity }),
    });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    answered();
    if (response.headers.get("content-type")?.startsWith("application/wasm"))
      return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
  },
};
