// What a browser does to run a binary: workers from blobs, of which one fetches and compiles it.

import { blobWorker } from "./blob-worker.ts";
import { compiled } from "./compiling.ts";
import type { Host } from "./loading.ts";

export const browserHost: Omit<Host, "wasmURL"> = {
  worker: blobWorker,
  compile: (url, integrity, ...more) => compiled(url, { integrity }, ...more),
};
