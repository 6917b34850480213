import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

import { buyingMore, waitsForMore } from "../state.ts";
import type { Studio } from "../studio.ts";

/** Every model of this visit, and which of them is looked at, once there are two. */
export function releases({ state, publisher, shelf }: Studio): TemplateResult | undefined {
  return state.results.length < 2 ? undefined : publisher?.releases({ html, nothing, live, show: (number) => shelf.show(number), waits: buyingMore(state) ? waitsForMore : "" }, state);
}
