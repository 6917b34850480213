import { browserHost } from "./browser-host.ts";
import { loaderOf } from "./loading.ts";
import { inOneCall, ReportReaderClient } from "./personal.ts";
import type { ReportReader } from "./types.ts";

/**
 * Loads `reader.wasm`, for people who read a privacy report: smaller, and it never sees more than a
 * row.
 */
export const loadReader = /* @__PURE__ */ (() =>
  loaderOf(
    { ...browserHost, wasmURL: new URL("reader.wasm", import.meta.url) },
    (engine): ReportReader => new ReportReaderClient(engine),
  ))();

/**
 * What a release cost one person, in one call: {@link ReportReader.open} and
 * {@link PersonalReport.bound}.
 */
export const myPrivacy = /* @__PURE__ */ inOneCall(loadReader);
