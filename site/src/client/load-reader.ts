import { browserHost } from "./browser-host.ts";
import { loaderOf } from "./loading.ts";
import { ReportReaderClient } from "./personal.ts";
import type { BoundFor, OwnRow, PersonalBound, ReportReader } from "./types.ts";

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
export async function myPrivacy(
  release: unknown,
  report: unknown,
  row: OwnRow,
  options: BoundFor = {},
): Promise<PersonalBound> {
  const opened = await (await loadReader()).open(release, report, options);
  return opened.bound(row, options).finally(() => opened.close());
}
