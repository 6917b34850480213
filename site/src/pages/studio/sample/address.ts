// The part of an address that names a made-up table: `?sample=wages`. It stands before the step,
// which is the fragment, so that the page's own links to steps keep it.

import { firstSample, type SampleName, samples } from "./samples.ts";

const parameter = "sample";

/** What an address asks for, and what it names if there is no such table. */
export interface Asked {
  readonly sample: SampleName;
  readonly unknown: string | null;
}

/** @param search the part of the address from the question mark on */
export function askedIn(search: string): Asked {
  const name = new URLSearchParams(search).get(parameter);
  if (name === null) return { sample: firstSample, unknown: null };
  return Object.hasOwn(samples, name)
    ? { sample: name as SampleName, unknown: null }
    : { sample: firstSample, unknown: name };
}

/** Where a table is opened, as a link from the page itself. */
export const linkTo = (sample: SampleName): string => `?${parameter}=${sample}#data`;

/** Puts the open table into an address; null, for a file of the person's own, takes it out. */
export function putIn(address: URL, sample: SampleName | null): void {
  const { searchParams } = address;
  if (sample === null) searchParams.delete(parameter);
  else if (sample !== firstSample || searchParams.has(parameter))
    searchParams.set(parameter, sample);
}
