// One reader of reports for all elements of a page: reader.wasm in a worker, shared by every copy
// of this script that has the same version.

import inlined from "cloister:reader";
import { ReportReaderClient } from "../../client/personal.ts";
import type { ReportReader } from "../../client/types.ts";
import { engine, version } from "../../curves/engine.ts";

declare const CLOISTER_READER_INTEGRITY: string;

const program = { name: "reader of reports", inlined, integrity: CLOISTER_READER_INTEGRITY };

/** Where reader.wasm is, unless an element says otherwise: inside this script or beside it. */
export const defaultWasm = inlined ? "inside" : new URL("reader.wasm", import.meta.url).href;

const registry = Symbol.for("cloister.readers");
const shared = ((globalThis as { [registry]?: Map<string, Promise<ReportReader>> })[registry] ??=
  new Map());

/**
 * The reader of this page; its worker is not yet started. If a fetch failed, the next call tries
 * again.
 */
export function readerOf(wasm: string = defaultWasm): Promise<ReportReader> {
  const key = `${version} ${wasm}`;
  let found = shared.get(key);
  if (!found) {
    found = engine(program, wasm).then((one) => new ReportReaderClient(one));
    shared.set(key, found);
    found.catch(() => shared.delete(key));
  }
  return found;
}
