/** The package, for browsers. `types.ts` documents it. */
import { blobWorker } from "./blob-worker.ts";
import { loader } from "./load.ts";
import { loaderOf } from "./loading.ts";
import { ReportReaderClient } from "./personal.ts";
import type { BoundFor, OwnRow, PersonalBound, ReportReader } from "./types.ts";

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

// A bundler leaves out those that a page does not use: the calls are marked pure, with all that they are given inside.

export const load = /* @__PURE__ */ (() => loader({ ...host, wasmURL: new URL("cloister.wasm", import.meta.url) }))();

/** The laboratory is a binary of its own, `laboratory.wasm`: its client has `laboratory` and `experiment`, opens datasets, and makes no releases. */
export const loadLaboratory = /* @__PURE__ */ (() => loader({ ...host, wasmURL: new URL("laboratory.wasm", import.meta.url) }))();

/** The binary of who reads a privacy report, `reader.wasm`: smaller, and it never sees more than a row. */
export const loadReader = /* @__PURE__ */ (() => loaderOf({ ...host, wasmURL: new URL("reader.wasm", import.meta.url) }, (engine): ReportReader => new ReportReaderClient(engine)))();

/** What a release cost one person, in one call: {@link ReportReader.open} and {@link PersonalReport.bound}. */
export async function myPrivacy(release: unknown, report: unknown, row: OwnRow, options: BoundFor = {}): Promise<PersonalBound> {
  const opened = await (await loadReader()).open(release, report, options);
  return opened.bound(row, options).finally(() => opened.close());
}

export { blobWorker };
export { SEAL, seal } from "./seal.ts";
export * from "./types.ts";
