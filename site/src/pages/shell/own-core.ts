// The binaries of the pages. A page runs the one that it was built with, and no other: after an
// update of the host a browser's cache may have one of the two still, and a page must not charge by
// another core than its own. So the address has the binary's build in it, which caches keep apart,
// and the binary says its build itself, in case a host has another one at that address. An
// `integrity` would say the same, but with one a browser hands nothing out before all is there.

import { browserHost } from "../../client/browser-host.ts";
import { CloisterClient } from "../../client/client.ts";
import { compiled } from "../../client/compiling.ts";
import { loaderOf, type Host } from "../../client/loading.ts";
import { ReportReaderClient } from "../../client/personal.ts";
import type { Client, ReportReader } from "../../client/types.ts";

/** The builds of the binaries that were built with the page; put in by build.mjs. */
declare const CLOISTER_CORE_BUILD: string;
declare const CLOISTER_READER_BUILD: string;

function own(name: string, build: string): Host {
  return {
    ...browserHost,
    wasmURL: new URL(`${name}?v=${build}`, document.baseURI),
    compile: (url, integrity, ...more) => compiled(url, { integrity, build }, ...more),
  };
}

/** Loads the `cloister.wasm` that belongs to the page. */
export const loadCore = /* @__PURE__ */ (() =>
  loaderOf(
    own("cloister.wasm", CLOISTER_CORE_BUILD),
    (engine): Client => new CloisterClient(engine),
  ))();

/** Loads the `reader.wasm` that belongs to the page. */
export const loadReader = /* @__PURE__ */ (() =>
  loaderOf(
    own("reader.wasm", CLOISTER_READER_BUILD),
    (engine): ReportReader => new ReportReaderClient(engine),
  ))();
