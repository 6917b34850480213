// A drawing as plain data. An element paints this list of shapes into its shadow tree, and a
// script prints the same list as a file.

import { escaped } from "./escaped.ts";
import { look } from "./look.ts";

/**
 * One SVG element. Colours and strokes come from its class, by look.ts. A shape with children is a
 * nested <svg>, which clips them to its box.
 */
export interface Shape {
  readonly tag: "path" | "line" | "rect" | "circle" | "text" | "svg";
  readonly is: Readonly<Record<string, string | number>>;
  readonly text?: string;
  readonly children?: readonly Shape[];
}

/**
 * A coordinate as it is written: hundredths of a pixel, and never further out than a renderer can
 * count.
 */
export const place = (value: number): number =>
  Math.round(Math.max(-1e5, Math.min(1e5, value)) * 100) / 100;

/** Path data of straight lines through points, begun anew after a point that is not a number. */
export function polyline(xs: ArrayLike<number>, ys: ArrayLike<number>): string {
  let path = "";
  let pen = "M";
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i]!;
    const y = ys[i]!;
    if (Number.isNaN(x) || Number.isNaN(y)) {
      pen = "M";
      continue;
    }
    path += `${pen}${place(x)},${place(y)}`;
    pen = "L";
  }
  return path;
}

/**
 * Path data of the area between two lines over the same xs; points where either is not a number are
 * left out.
 */
export function between(
  xs: ArrayLike<number>,
  upper: ArrayLike<number>,
  lower: ArrayLike<number>,
): string {
  const known: number[] = [];
  for (let i = 0; i < xs.length; i++)
    if (!Number.isNaN(upper[i]! + lower[i]! + xs[i]!)) known.push(i);
  if (known.length < 2) return "";
  const there = known.map((i) => `${place(xs[i]!)},${place(upper[i]!)}`);
  const back = known.reverse().map((i) => `${place(xs[i]!)},${place(lower[i]!)}`);
  return `M${there.join("L")}L${back.join("L")}Z`;
}

/** All attributes of a shape's element. */
export function attributesOf({ is }: Shape): Record<string, string> {
  const all: Record<string, string> = { ...look(String(is.class ?? "")) };
  for (const [name, value] of Object.entries(is)) all[name] = String(value);
  return all;
}

/** Shapes as the text of SVG. */
export function shapesToText(shapes: readonly Shape[], indent = ""): string {
  return shapes
    .map((shape) => {
      const { tag, text, children } = shape;
      const attributes = Object.entries(attributesOf(shape)).map(
        ([name, value]) => ` ${name}="${escaped(value)}"`,
      );
      const inside =
        text !== undefined
          ? escaped(text)
          : children?.length
            ? `\n${shapesToText(children, `${indent}  `)}\n${indent}`
            : "";
      return `${indent}<${tag}${attributes.join("")}${inside ? `>${inside}</${tag}>` : "/>"}`;
    })
    .join("\n");
}
