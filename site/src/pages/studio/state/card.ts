// What follows for a scorecard from what the page knows.

import type { CardSchema, ScorecardRequest } from "../../../client/types.ts";
import { checkBudget } from "../account/budget.ts";
import { cardOf, cardUnconfirmed, makesCard } from "../draft/card.ts";
import { checkCard } from "../draft/card-check.ts";
import { unconfirmed } from "../draft/learnt.ts";
import { parseNumber } from "../draft/number.ts";
import type { FieldError } from "../draft/check.ts";
import type { CardResult } from "./card-state.ts";
import { adjacencyOf, type State } from "./state.ts";

/** Whether the next thing to be made is a scorecard. */
export const makingCard = ({ draft }: State): boolean => makesCard(draft);

/** The card that the result step shows; null where it shows a model. */
export const shownCard = ({ card, result, looking }: State): CardResult | null =>
  looking === "card" || !result ? card.result : null;

/** Whether that is noisy counts, to explore many on. */
export const exploring = (state: State): boolean =>
  makingCard(state) && state.draft !== null && cardOf(state.draft).many === true;

/** ε as it is typed; null if it cannot be one. */
export function epsilonOf({ budget }: State): number | null {
  const epsilon = parseNumber(budget.epsilon);
  return epsilon !== null && epsilon > 0 ? epsilon : null;
}

/** What is wrong with the budget of what is made: a scorecard has no δ, and no proof to choose. */
export function budgetErrors(state: State): readonly FieldError[] {
  const { errors } = checkBudget(state.budget);
  return makingCard(state) ? errors.filter(({ field }) => field === "epsilon") : errors;
}

/** What of the description stands as read from the file, and will be published. */
export const notCovered = ({ draft }: State): string[] =>
  draft === null ? [] : makesCard(draft) ? cardUnconfirmed(draft) : unconfirmed(draft);

/** The scorecard as it is asked for, but for its data; null if some of it is wrong. */
export function cardAskedOf(
  state: State,
): (ScorecardRequest & { readonly schema: CardSchema }) | null {
  const { draft } = state;
  const epsilon = epsilonOf(state);
  const schema = draft && checkCard(draft).schema;
  if (!schema || epsilon === null) return null;
  return {
    schema,
    adjacency: adjacencyOf(state),
    epsilon,
    points: cardOf(draft).points,
  };
}

/** Everything that a card depends on, as one text. */
export const cardKey = (state: State): string =>
  JSON.stringify([state.source?.id, cardAskedOf(state), exploring(state)]);
