// From fits to a picture, a sentence, a table and a file.

import { count, percent, readable } from "../chart/numbers.ts";
import { type Plot, plot } from "../chart/plot.ts";
import type { Size } from "../chart/curve.ts";
import { place, type Shape } from "../chart/shape.ts";
import { csvFile } from "../chart/export.ts";
import type { DrawsView } from "./draws-element.ts";
import type { Fitted, FittedLine } from "./fit-demo-model.ts";

/** More points than this are not drawn, so that a picture stays light. */
const DRAWN = 400;

/** Half of what is seen of each axis; the unit disk holds all points. */
export const reach = { x: 1, y: 0.75 } as const;

/** The height at which both axes have one scale, for a drawing of this width. */
export const heightFor = (width: number): number =>
  Math.round((width - 60) * (reach.y / reach.x) + 74);

/** Where a line enters and leaves the picture; undefined where it does not touch it. */
export function ends({
  a,
  b,
  c,
}: FittedLine): readonly [readonly [number, number], readonly [number, number]] | undefined {
  const length = Math.hypot(a, b);
  if (!(length > 0) || !Number.isFinite(length)) return undefined;
  // From the line's point nearest to the middle, both ways along it.
  const [x, y, dx, dy] = [(-a * c) / length ** 2, (-b * c) / length ** 2, -b / length, a / length];
  let [from, to] = [-Infinity, Infinity];
  for (const [at, step, most] of [
    [x, dx, reach.x],
    [y, dy, reach.y],
  ] as const) {
    if (step === 0) {
      if (Math.abs(at) > most) return undefined;
      continue;
    }
    const [one, two] = [(-most - at) / step, (most - at) / step];
    from = Math.max(from, Math.min(one, two));
    to = Math.min(to, Math.max(one, two));
  }
  if (!(from < to)) return undefined;
  return [
    [x + from * dx, y + from * dy],
    [x + to * dx, y + to * dy],
  ];
}

/** How far a place is from a line. */
export const distance = ({ a, b, c }: FittedLine, x: number, y: number): number =>
  Math.abs(a * x + b * y + c) / Math.hypot(a, b);

/** The picture; `chosen` is the draw that is read out, −1 for none. */
export function fitPlot(fitted: Fitted, size: Size, chosen = -1): Plot {
  const bare = plot({
    size,
    x: { kind: "linear", domain: [-reach.x, reach.x], title: "first number" },
    y: { kind: "linear", domain: [-reach.y, reach.y], title: "second number" },
    lines: [],
  });
  const { frame, x, y } = bare;
  const path = (line: FittedLine): string => {
    const met = ends(line);
    return met
      ? `M${place(x.scale(met[0][0]))},${place(y.scale(met[0][1]))}L${place(x.scale(met[1][0]))},${place(y.scale(met[1][1]))}`
      : "";
  };
  const [dots, crosses] = marks(fitted.points, x.scale, y.scale, size.width < 400 ? 2 : 2.5);
  const data: Shape = {
    tag: "svg",
    is: {
      class: "data",
      x: frame.left,
      y: frame.top,
      width: frame.right - frame.left,
      height: frame.bottom - frame.top,
      viewBox: `${frame.left} ${frame.top} ${frame.right - frame.left} ${frame.bottom - frame.top}`,
      overflow: "hidden",
    },
    children: [
      { tag: "path", is: { class: "point tone-6", d: dots } },
      { tag: "path", is: { class: "cross tone-2", d: crosses } },
      ...fitted.lines.map((line): Shape => ({
        tag: "path",
        is: { class: "draw tone-1", d: path(line) },
      })),
      { tag: "path", is: { class: "without", d: path(fitted.plain) } },
      ...(fitted.lines[chosen]
        ? [
            {
              tag: "path",
              is: { class: "chosen tone-1", "data-cursor": "", d: path(fitted.lines[chosen]) },
            } as const,
          ]
        : []),
    ],
  };
  return {
    ...bare,
    shapes: bare.shapes.map((shape) => (shape.is.class === "data" ? data : shape)),
  };
}

let drawnLast:
  | {
      readonly of: ArrayLike<number>;
      readonly at: string;
      readonly paths: readonly [string, string];
    }
  | undefined;

/** The classes' points as two paths: dots, and crosses. While ε moves they stay as they are. */
function marks(
  points: ArrayLike<number>,
  x: (value: number) => number,
  y: (value: number) => number,
  r: number,
): readonly [string, string] {
  const at = [x(0), x(1), y(0), y(1), r].join();
  if (drawnLast?.of === points && drawnLast.at === at) return drawnLast.paths;
  const paths: [string, string] = ["", ""];
  for (let i = 0; i < Math.min(points.length / 2, DRAWN); i++) {
    const [px, py] = [x(points[2 * i]!), y(points[2 * i + 1]!)];
    paths[i % 2] +=
      i % 2 === 0
        ? `M${place(px - r)},${place(py)}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0`
        : `M${place(px - r)},${place(py - r)}l${2 * r},${2 * r}m0,${-2 * r}l${-2 * r},${2 * r}`;
  }
  drawnLast = { of: points, at, paths };
  return paths;
}

/** What the private lines get right. */
export interface Summary {
  readonly mean: number;
  readonly worst: number;
  /** Lines that the picture does not show. */
  readonly outside: number;
}

export function summary({ lines }: Fitted): Summary {
  return {
    mean: lines.reduce((sum, { right }) => sum + right, 0) / lines.length,
    worst: Math.min(...lines.map(({ right }) => right)),
    outside: lines.filter((line) => !ends(line)).length,
  };
}

const nbsp = "\u00a0";

/** What the picture shows. */
export function fitSentence(fitted: Fitted): string {
  const { question, plain, lines } = fitted;
  const { mean, worst, outside } = summary(fitted);
  const several = lines.length > 1;
  return [
    `Each thin line is what one draw of the noise at ε${nbsp}=${nbsp}${readable(question.epsilon)} would have released of these ${count(question.n)} made-up records; the dashed line is the fit without privacy.`,
    `How far the ${several ? `${lines.length} lines` : "line"} ${several ? "spread" : "strays"} is the price of privacy: ${several ? `they get ${percent(mean)} of new records right on average, ${percent(worst)} at worst` : `it gets ${percent(mean)} of new records right`}, the fit without privacy ${percent(plain.right)}.`,
    ...(outside > 0
      ? [`${outside === 1 ? "One line lies" : `${outside} lines lie`} outside the picture.`]
      : []),
    "The more records there are, the narrower it gets.",
  ].join(" ");
}

/** What the marks stand for, and what all of it is worth. */
export const fitKinds = ({ question: { n } }: Fitted): string =>
  `Dots and crosses are two kinds of records${n > DRAWN ? `, of which ${DRAWN} are drawn` : ""}. They are made up and the noise can be drawn again: an experiment, not a release.`;

/** What is said of one draw. */
export const said = (fitted: Fitted, draw: number): string => {
  const line = fitted.lines[draw];
  if (!line) return "no draw";
  return `draw ${draw + 1} of ${fitted.lines.length}: ${percent(line.right)} of new records right${ends(line) ? "" : ", the line lies outside the picture"}`;
};

export function fitCSV({ plain, lines }: Fitted): string {
  const row = (name: string, { a, b, c, right }: FittedLine) => [name, a, b, c, right];
  return csvFile([
    ["line", "first number", "second number", "constant", "share of new records right"],
    row("without privacy", plain),
    ...lines.map((line, i) => row(`draw ${i + 1}`, line)),
  ]);
}

/** The draw whose line is nearest to the hand, and no further than this; −1 for none. */
function nearest({ lines }: Fitted, x: number, y: number): number {
  let [best, least] = [-1, 0.08];
  lines.forEach((line, i) => {
    const far = distance(line, x, y);
    if (far < least) [best, least] = [i, far];
  });
  return best;
}

export const fitView: DrawsView<Fitted, Plot> = {
  reads: "Read the private lines one by one",
  names: {
    plain: "fit without privacy",
    draws: "private fits",
    right: "new records right",
  },
  marks: { plain: "without", draws: "draw tone-1" },
  file: "private-fits",
  letters: { says: 337, kinds: 160 },
  width: (element) =>
    Math.max(280, Math.min(560, element >= 720 ? Math.floor((element - 24) * 0.6) : element)),
  height: heightFor,
  layout: fitPlot,
  at: (fitted, { x, y }, px, py) => nearest(fitted, x.scale.invert(px), y.scale.invert(py)),
  count: ({ lines }) => lines.length,
  worth: (fitted) => ({ plain: fitted.plain.right, ...summary(fitted) }),
  said,
  sentence: fitSentence,
  kinds: fitKinds,
  table: ({ plain, lines }) => {
    const row = (name: string, { a, b, c, right }: FittedLine) => ({
      name,
      right,
      numbers: [a, b, c],
    });
    return {
      head: ["Fit", "new records right", "first number", "second number", "constant"],
      rows: [row("without privacy", plain), ...lines.map((line, i) => row(`draw ${i + 1}`, line))],
    };
  },
  csv: fitCSV,
};
