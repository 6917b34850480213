// What `cloister scorecard` prints for people: a plan, and a card.

import { answerRows, figureRows } from "../chart/figures.ts";
import { changeOf } from "../chart/meaning.ts";
import { standsFor } from "../scorecard/stands-for.ts";
import { points, totals } from "../scorecard/totals.ts";
import { leftUncovered } from "./guarantee-lines.mjs";

/** What a purchase would cost and give. */
export function planned({ epsilon, event, levels, cells, cards, excess, deviation, caveats }) {
  const charged = `It would be charged for ${event.mechanism} at epsilon = ${epsilon}, delta = 0, ${event.adjacency}.`;
  if (deviation !== undefined)
    return [
      charged,
      `${cells} combinations of levels, two counts for each.`,
      `How many records a card gets wrong is then known with a standard deviation of ${deviation.toFixed(1)}.`,
      ...caveats,
    ].join("\n");
  return [
    charged,
    `${levels} levels, ${cells} combinations of them, ${cards.toPrecision(3)} cards to choose from.`,
    excess === undefined
      ? "How far from the best card it may be, no bound says."
      : `With probability 95 % it gets at most ${Math.ceil(excess)} records more wrong than the best of these cards.`,
    ...caveats,
  ].join("\n");
}

/** The card for people. */
export function printed(release, figures) {
  const { guarantee, card, schema, library } = release;
  const width = Math.max(
    ...card.attributes.flatMap((a) => [a.name.length, ...a.levels.map((l) => l.name.length + 2)]),
  );
  return [
    `Scorecard for ${schema.label.name} with epsilon = ${guarantee.epsilon}, delta = 0, ${guarantee.adjacency}`,
    `  (${changeOf(guarantee.adjacency)}; cloister ${library})`,
    ...leftUncovered(guarantee),
    "",
    ...card.attributes.flatMap((a, g) => [
      a.name,
      ...a.levels.map((level, l) =>
        `  ${level.name.padEnd(width)}  ${points(level.points).padStart(3)}   ${standsFor(release, g, l)}`.trimEnd(),
      ),
    ]),
    "",
    `Add one line of each. It says ${schema.label.positive[0]} from a total of ${card.threshold} on:`,
    ...totals(release).map(
      ({ text, yes }) => `  ${text.padStart(5)}  ${schema.label[yes ? "positive" : "negative"][0]}`,
    ),
    "",
    ...(figures ? [...measured(figures, schema.label), ""] : []),
  ].join("\n");
}

/** What its evaluation says. */
function measured(figures, label) {
  const rows = [...figureRows(figures), ...answerRows(figures, label)];
  const width = Math.max(...rows.map(({ name }) => name.length));
  return [
    `On held-out records, with ${figures.epsilon}-differential privacy of their own, ${figures.adjacency}:`,
    ...rows.map(({ name, estimate, range }) => `  ${name.padEnd(width)}  ${estimate}, ${range}`),
  ];
}
