// From private scorecards to a picture, a sentence, a table and a file.

import type { Size } from "../chart/curve.ts";
import { csvFile } from "../chart/export.ts";
import { count, percent, readable } from "../chart/numbers.ts";
import { place, type Shape } from "../chart/shape.ts";
import type { CardPicture, DrawnCard } from "./card-demo-model.ts";
import type { DrawsView, Layout } from "./draws-element.ts";

/** All points that a level can have. */
const POINTS = [-1, 0, 1] as const;

const ROW = 25;
const HEAD = 24;
const TOP = 22;

/** What the patients are: four attributes with ten levels. */
const LINES = { attributes: 4, levels: 10 } as const;

/** Where the boxes stand. */
export interface CardLayout extends Layout {
  readonly left: number;
  readonly right: number;
}

export function cardLayout(picture: CardPicture, size: Size, chosen = -1): CardLayout {
  const { attributes, plain, cards } = picture;
  const left = Math.min(150, Math.round(size.width * 0.42));
  const right = size.width - 2;
  const wide = (right - left) / POINTS.length;
  const shapes: Shape[] = POINTS.map((points, i) => ({
    tag: "text",
    is: { class: "tick", x: place(left + (i + 0.5) * wide), y: 14, "text-anchor": "middle" },
    text: pointsText(points),
  }));
  const marks: Shape[] = [];
  let y = TOP;
  let level = 0;
  for (const { name, levels } of attributes) {
    shapes.push({ tag: "text", is: { class: "note", x: 0, y: y + 17 }, text: name });
    y += HEAD;
    for (const one of levels) {
      shapes.push({ tag: "text", is: { class: "tick", x: 12, y: y + 16 }, text: one });
      POINTS.forEach((points, i) => {
        const share = cards.filter((card) => card.points[level] === points).length / cards.length;
        const box = { x: place(left + i * wide + 2), y: y + 2, height: ROW - 4 };
        const width = place(wide - 4);
        shapes.push(
          { tag: "rect", is: { class: "whole", ...box, width } },
          { tag: "rect", is: { class: "piece tone-1", ...box, width: place(share * (wide - 4)) } },
        );
        if (plain.points[level] === points)
          marks.push({ tag: "rect", is: { class: "without", ...box, width } });
        if (cards[chosen]?.points[level] === points)
          marks.push({
            tag: "circle",
            is: {
              class: "dot tone-2",
              "data-cursor": "",
              cx: place(left + (i + 0.5) * wide),
              cy: y + ROW / 2,
              r: 6.5,
            },
          });
      });
      y += ROW;
      level++;
    }
  }
  return { size, left, right, shapes: [...shapes, ...marks] };
}

const signed = (points: number): string =>
  points === 0 ? "0" : `${points < 0 ? "−" : "+"}${Math.abs(points)}`;

const pointsText = (points: number): string => (points === 0 ? "0 points" : signed(points));

const worth = ({ plain, cards }: CardPicture) => ({
  plain: plain.right,
  mean: cards.reduce((sum, { right }) => sum + right, 0) / cards.length,
  worst: Math.min(...cards.map(({ right }) => right)),
});

const nbsp = "\u00a0";

/** How many draws give the card that is best without privacy. */
const agreeing = ({ plain, cards }: CardPicture): number =>
  cards.filter(({ points }) => points.every((one, level) => one === plain.points[level])).length;

export function cardSentence(picture: CardPicture): string {
  const { question, cards } = picture;
  const { plain, mean, worst } = worth(picture);
  const several = cards.length > 1;
  const same = agreeing(picture);
  const noise = `the noise at ε${nbsp}=${nbsp}${readable(question.epsilon)} (δ${nbsp}=${nbsp}0)`;
  const whom = `for ${count(question.n)} made-up patients`;
  const best = "the best card without privacy";
  return [
    several
      ? `Bars show how many of ${cards.length} draws of ${noise} give a level these points, ${whom}; dashed boxes are ${best}, which ${same === 0 ? "none" : same === cards.length ? "all" : count(same)} of them ${same <= 1 ? "gives" : "give"}.`
      : `Full boxes are the card that one draw of ${noise} gives, ${whom}; dashed boxes are ${best}.`,
    several
      ? `The private cards are right for ${percent(mean)} of new patients on average, ${percent(worst)} at worst, the best for ${percent(plain)}.`
      : `It is right for ${percent(mean)} of new patients, the best for ${percent(plain)}.`,
  ].join(" ");
}

const points = ({ points }: DrawnCard): string => points.map(signed).join(", ");

const names = ({ attributes }: CardPicture): string[] =>
  attributes.flatMap(({ name, levels }) => levels.map((level) => `${name}: ${level}`));

export const cardView: DrawsView<CardPicture, CardLayout> = {
  reads: "Read the private cards one by one",
  names: {
    plain: "best card without privacy",
    draws: "private cards",
    right: "new patients right",
  },
  marks: { plain: "without", draws: "piece tone-1" },
  file: "private-scorecards",
  letters: { says: 330, kinds: 215 },
  width: (element) =>
    Math.max(270, Math.min(560, element >= 720 ? Math.floor((element - 24) * 0.6) : element)),
  height: () => TOP + LINES.attributes * HEAD + LINES.levels * ROW + 4,
  layout: cardLayout,
  /** From the left edge of the boxes to the right one, draw by draw. */
  at: ({ cards }, { left, right }, x) =>
    x < left || x >= right ? -1 : Math.floor(((x - left) / (right - left)) * cards.length),
  count: ({ cards }) => cards.length,
  worth,
  said: (picture, draw) => {
    const card = picture.cards[draw];
    if (!card) return "no draw";
    return `draw ${draw + 1} of ${picture.cards.length}: ${percent(card.right)} of new patients right, points ${points(card)}`;
  },
  sentence: cardSentence,
  kinds: ({ back }) =>
    `The card says that a patient comes back within a month if the points add up to 1 or more; ${count(back)} did. Patients are made up and the noise can be drawn again: an experiment, not a release.`,
  table: (picture) => ({
    head: ["Card", "new patients right", ...names(picture)],
    rows: [
      { name: "without privacy", right: picture.plain.right, numbers: picture.plain.points },
      ...picture.cards.map((card, i) => ({
        name: `draw ${i + 1}`,
        right: card.right,
        numbers: card.points,
      })),
    ],
  }),
  csv: (picture) =>
    csvFile([
      ["card", "share of new patients right", ...names(picture)],
      ["without privacy", picture.plain.right, ...picture.plain.points],
      ...picture.cards.map((card, i) => [`draw ${i + 1}`, card.right, ...card.points]),
    ]),
};
