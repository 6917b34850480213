import type { AnyLabel, PrivacyEvent, Release } from "../../client/types.ts";

/** What a private choice of a setting is from; nothing for another event. */
export function candidatesOf(event: PrivacyEvent): readonly PrivacyEvent[] {
  if (event.mechanism !== "poisson-selection" || event.base.mechanism !== "composition") return [];
  const among = event.base.parts[0]?.event;
  return among?.mechanism === "one-of" ? among.events : [];
}

/**
 * The mechanism that made the coefficients, or the first vector of several classes: where the rows
 * chose a setting, the one that is chosen.
 */
export function fitOf({ event, model }: Release<AnyLabel>): PrivacyEvent | undefined {
  const { selected } = model;
  const fit = selected ? candidatesOf(event)[selected.candidate] : event;
  return fit?.mechanism === "composition" ? fit.parts[0]?.event : fit;
}
