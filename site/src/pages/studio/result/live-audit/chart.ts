// The measured curve and its band under the promised one.

import type { AttackResult } from "../../../../client/types.ts";
import { paint } from "../../../../chart/paint.ts";
import { type Plot, plot } from "../../../../chart/plot.ts";

/** Draws into the figure's drawing, as wide as that is, and again whenever that changes. */
export function drawing(svg: SVGSVGElement, found: AttackResult): void {
  watched.get(svg)?.disconnect();
  const draw = () => {
    const width = Math.round(svg.parentElement?.clientWidth ?? 0);
    if (width === 0) return; // folded
    const picture = curves(found, Math.min(width, 720));
    svg.setAttribute("width", String(picture.size.width));
    svg.setAttribute("height", String(picture.size.height));
    paint(svg, picture.shapes);
  };
  const observer = new ResizeObserver(draw);
  if (svg.parentElement) observer.observe(svg.parentElement);
  watched.set(svg, observer);
  draw();
}

const watched = new WeakMap<SVGSVGElement, ResizeObserver>();

/** The picture: δ on a logarithmic scale, down to half of the least that is promised. */
export function curves({ points }: AttackResult, width: number): Plot {
  const x = points.map((p) => p.epsilon);
  const least = Math.min(...points.map((p) => p.promised).filter((d) => d > 0));
  const floor = Math.log10(Math.max(1e-12, least)) - 0.5;
  const log = (delta: number) => (delta > 0 ? Math.log10(delta) : Number.NaN);
  const seen = points.map((p) => log(p.seen));
  // Where nothing is proved, the band reaches to the bottom.
  const lower = points.map((p) => (p.lower > 0 ? log(p.lower) : floor - 1));
  return plot({
    size: { width, height: Math.min(340, Math.max(260, 0.55 * width)) },
    x: { kind: "linear", domain: [0, x.at(-1)!], title: "ε" },
    y: { kind: "log", domain: [floor, 0], title: "δ" },
    lines: [
      { x, y: points.map((p) => log(p.promised)), tone: 1 },
      { x, y: seen, other: lower, tone: 2 },
    ],
  });
}
