// What a <noise-chooser> says, and its numbers as people write and read them.

import { powerOfTen, readable } from "../chart/numbers.ts";
import type { Size } from "../chart/curve.ts";
import type { Shape } from "../chart/shape.ts";
import { between } from "../curves/views.ts";
import type { Question } from "./noise-questions.ts";

export const names: Readonly<Record<Question["mechanism"], string>> = {
  gaussian: "Gaussian noise",
  laplace: "Laplace noise",
  "subsampled-gaussian": "DP-SGD",
  "objective-perturbation": "Objective perturbation, logistic loss",
};

const equals = "\u00a0=\u00a0";

/** As a reader would type it. */
export const written = (x: number): string => (x > 0 && x < 1e-3 ? x.toExponential() : String(x));

/** With all its digits: an answer was rounded to be safe, and what was typed is meant. */
export function shown(x: number): string {
  if (!Number.isFinite(x) || x === 0) return readable(x);
  if (x >= 1e-3 && x < 1e6) return x.toLocaleString("en", { maximumSignificantDigits: 15 });
  const [digits, power] = x.toExponential().split("e");
  return (digits === "1" ? "" : `${digits}\u00a0×\u00a0`) + powerOfTen(Number(power));
}

export function noiseSentence(
  question: Question,
  find: string,
  epsilon: number,
  delta: number,
  answer: number,
): string {
  const one = question.quantities.find(({ name }) => name === find)!;
  const text = `${one.label.split(",")[0]}${equals}${shown(answer)}`;
  const at = `δ${equals}${shown(delta)}`;
  const neighbours = between(question.adjacency);
  switch (find) {
    case "epsilon":
      return answer === Infinity
        ? `No ε holds at ${at}. ${neighbours}`
        : `It is (ε, δ)-differentially private with ${text} at ${at}. ${neighbours}`;
    case "delta":
      return `It is (ε, δ)-differentially private with ε${equals}${shown(epsilon)} and ${text}. ${neighbours}`;
    default:
      return `${text} or ${one.up ? "more" : "less"} gives ε${equals}${shown(epsilon)} at ${at}. ${neighbours}`;
  }
}

/** The numbers as rows of a picture, the one that was looked for in bold. */
export function noiseRows(
  question: Question,
  answer: number,
  width: number,
): { readonly shapes: readonly Shape[]; readonly size: Size } {
  const step = 30;
  const rows = question.quantities.flatMap((one, i): Shape[] => {
    const y = 20 + (i + 1) * step;
    const sought = one.name === question.find;
    const kind = sought ? "note" : "tick";
    return [
      { tag: "text", is: { class: kind, x: 0, y }, text: one.label },
      {
        tag: "text",
        is: { class: kind, x: width, y, "text-anchor": "end" },
        text: shown(sought ? answer : question.values[one.name]!),
      },
      { tag: "line", is: { class: "rule", x1: 0, x2: width, y1: y + 9.5, y2: y + 9.5 } },
    ];
  });
  return {
    shapes: [
      { tag: "text", is: { class: "title", x: 0, y: 20 }, text: names[question.mechanism] },
      ...rows,
    ],
    size: { width, height: 32 + question.quantities.length * step },
  };
}
