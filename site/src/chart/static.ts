// A privacy curve as the text of an SVG, for files that run no script. The same figure as the page
// draws; colours and strokes come from classes.

import type { CurveFigure } from "./curve.ts";
import { escaped } from "./escaped.ts";

/** The figure as an <svg> element; `label` is what it shows, in a sentence. */
export function curveSVG(figure: CurveFigure, label: string): string {
  const { size, frame, x, y, lines, promise } = figure;
  const n = (value: number): string => String(Math.round(value * 100) / 100);
  return [
    `<svg viewBox="0 0 ${n(size.width)} ${n(size.height)}" width="${n(size.width)}" height="${n(size.height)}" role="img" aria-label="${escaped(label)}">`,
    ...y.ticks.map(
      (t) =>
        `<line class="rule" x1="${n(frame.left)}" x2="${n(frame.right)}" y1="${n(t.at)}" y2="${n(t.at)}"/>` +
        `<text class="tick" x="${n(frame.left - 8)}" y="${n(t.at)}" dy="0.32em" text-anchor="end">${escaped(t.label)}</text>`,
    ),
    ...x.ticks.map(
      (t) =>
        `<line class="rule" x1="${n(t.at)}" x2="${n(t.at)}" y1="${n(frame.bottom)}" y2="${n(frame.bottom + 5)}"/>` +
        `<text class="tick" x="${n(t.at)}" y="${n(frame.bottom + 19)}" text-anchor="middle">${escaped(t.label)}</text>`,
    ),
    `<line class="axis" x1="${n(frame.left)}" x2="${n(frame.right)}" y1="${n(frame.bottom)}" y2="${n(frame.bottom)}"/>`,
    `<text class="title" x="${n(frame.right)}" y="${n(size.height - 4)}" text-anchor="end">ε, the privacy loss →</text>`,
    `<text class="title" x="4" y="13">↑ δ, on a logarithmic scale</text>`,
    ...(promise
      ? [
          `<path class="promise-lines" d="M${n(frame.left)},${n(promise.y)}H${n(promise.x)}V${n(frame.bottom)}"/>`,
        ]
      : []),
    ...lines.map((l, i) => `<path class="line line-${i + 1}" d="${l.path}"/>`).reverse(),
    ...(promise
      ? [`<circle class="promise" cx="${n(promise.x)}" cy="${n(promise.y)}" r="6"/>`]
      : []),
    "</svg>",
  ].join("\n");
}
