// What becomes of a fit whose method is not named, and what is said of it before it is paid for.

import { usualFitMethod } from "../client/usual.ts";
import { defaultFitMethod } from "../client/wire/methods.ts";

/** The request, by the method that reports are made of if one is asked for and none is named. */
export function forReport({ records, ...request }) {
  return request.method === undefined
    ? { ...request, method: defaultFitMethod }
    : { ...request, ...(records !== undefined && { records }) };
}

/**
 * What to say to someone who named neither a method nor a number of records; undefined where the
 * number would change nothing.
 */
export function askForRecords({ label }, request) {
  const { method, records } = request;
  if (method !== undefined || records !== undefined) return undefined;
  if (usualFitMethod(label, { ...request, records: 1 }) === defaultFitMethod) return undefined;
  return [
    "About how many records there are is not said, so the fit is by a method that need not know.",
    "If that number is public, --records N (one digit will do) often gives a better model for the",
    "same epsilon. Do not count the file for it. --method amp keeps this method, without a word.",
    "",
  ].join("\n");
}
