// A plot of one or several lines with bands, laid out as shapes. It knows nothing of privacy and
// nothing of the DOM.

import { type AxisOptions, plotAxis, type PlotAxis } from "./plot-axis.ts";
import { between, place, polyline, type Shape, shapesToText } from "./shape.ts";
import { escaped } from "./escaped.ts";
import type { Frame, Size } from "./curve.ts";

/** Points in the axes' own space: log₁₀ where an axis is logarithmic. NaN is a gap. */
export interface PlotLine {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** The other edge of a band that ends at y. */
  readonly other?: ArrayLike<number>;
  /** Only the area up to there is drawn. */
  readonly filled?: boolean;
  /** Which colour and dash pattern, from 1. */
  readonly tone: number;
  /** Not certified: drawn paler. */
  readonly rough?: boolean;
  /** A thin line for comparison, without a colour of its own. */
  readonly reference?: boolean;
}

export interface PlotOptions {
  readonly size: Size;
  readonly x: AxisOptions;
  readonly y: AxisOptions;
  readonly lines: readonly PlotLine[];
  /** A point with lines to both axes. */
  /** Names of lines, beside a place of theirs. */
  readonly beside?: readonly {
    readonly x: number;
    readonly y: number;
    readonly text: string;
    readonly anchor: "start" | "end";
    readonly tone: number;
  }[];
  readonly mark?: { readonly x: number; readonly y: number; readonly label?: string };
}

export interface Plot {
  readonly size: Size;
  readonly frame: Frame;
  readonly x: PlotAxis;
  readonly y: PlotAxis;
  readonly shapes: readonly Shape[];
}

/** Room for the longest label of the y axis, at 13 px a line of tabular figures. */
function room(labels: readonly string[]): number {
  return Math.max(
    34,
    14 +
      7.2 *
        Math.max(
          ...labels.map(
            (label) =>
              [...label.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]/gu, "")].length +
              0.72 * (label.match(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]/gu)?.length ?? 0),
          ),
        ),
  );
}

export function plot(options: PlotOptions): Plot {
  const { size, lines, mark } = options;
  const top = 30;
  const bottom = Math.max(top + 60, size.height - 44);
  const y = plotAxis(options.y, [bottom, top], 42);
  const left = Math.round(room(y.ticks.map((tick) => tick.label)));
  const right = Math.max(left + 60, size.width - 14);
  const x = plotAxis(options.x, [left, right], 76);
  const frame: Frame = { left, top, right, bottom };

  // The nested svg clips what leaves the frame; a line along its edge keeps its full width by a
  // margin of 2 px.
  const inside = (shapes: Shape[]): Shape => ({
    tag: "svg",
    is: {
      class: "data",
      x: left - 2,
      y: top - 2,
      width: right - left + 4,
      height: bottom - top + 4,
      viewBox: `${left - 2} ${top - 2} ${right - left + 4} ${bottom - top + 4}`,
      overflow: "hidden",
    },
    children: shapes,
  });
  const data: Shape[] = [];
  for (const line of [...lines].reverse()) {
    const xs = Array.from(line.x, x.scale);
    const ys = Array.from(line.y, y.scale);
    const tone = line.reference ? "reference" : `tone-${line.tone}`;
    if (line.other)
      data.push({
        tag: "path",
        is: { class: `band ${tone}`, d: between(xs, ys, Array.from(line.other, y.scale)) },
      });
    if (!line.filled)
      data.push({
        tag: "path",
        is: { class: `line ${tone}${line.rough ? " rough" : ""}`, d: polyline(xs, ys) },
      });
  }
  const marked =
    mark && within(mark.x, x) && within(mark.y, y)
      ? { x: x.scale(mark.x), y: y.scale(mark.y) }
      : undefined;
  // Beside the mark, where a falling line leaves room: above it and to the right, or to the left of
  // it and below where the frame ends.
  const wide = 7.4 * (mark?.label?.length ?? 0);
  const outside = marked !== undefined && marked.x + 10 + wide > right;
  const shapes: Shape[] = [
    ...y.ticks.flatMap((tick): Shape[] => [
      {
        tag: "line",
        is: { class: "rule", x1: left, x2: right, y1: place(tick.at), y2: place(tick.at) },
      },
      {
        tag: "text",
        is: { class: "tick", x: left - 8, y: place(tick.at), dy: "0.32em", "text-anchor": "end" },
        text: tick.label,
      },
    ]),
    ...x.ticks.flatMap((tick): Shape[] => [
      {
        tag: "line",
        is: { class: "rule", x1: place(tick.at), x2: place(tick.at), y1: bottom, y2: bottom + 5 },
      },
      {
        tag: "text",
        is: {
          class: "tick",
          x: place(Math.min(tick.at, size.width - 4 - 3.6 * tick.label.length)),
          y: bottom + 19,
          "text-anchor": "middle",
        },
        text: tick.label,
      },
    ]),
    { tag: "line", is: { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom } },
    {
      tag: "text",
      is: { class: "title", x: right, y: size.height - 5, "text-anchor": "end" },
      text: `${options.x.title} →`,
    },
    { tag: "text", is: { class: "title", x: 2, y: 13 }, text: `↑ ${options.y.title}` },
    ...(marked
      ? [
          {
            tag: "path",
            is: {
              class: "mark-lines",
              d: `M${left},${place(marked.y)}H${place(marked.x)}V${bottom}`,
            },
          } as const,
        ]
      : []),
    inside(data),
    ...(options.beside ?? []).map((name): Shape => ({
      tag: "text",
      is: {
        class: `name tone-${name.tone}`,
        x: place(x.scale(name.x) + (name.anchor === "end" ? -8 : 8)),
        y: place(y.scale(name.y)),
        "text-anchor": name.anchor,
      },
      text: name.text,
    })),
    ...(marked
      ? [
          {
            tag: "circle",
            is: { class: "mark tone-1", cx: place(marked.x), cy: place(marked.y), r: 5 },
          } as const,
        ]
      : []),
    ...(marked && mark?.label
      ? [
          {
            tag: "text",
            is: {
              class: "note",
              x: place(outside ? marked.x - 10 : marked.x + 10),
              y: place(outside ? marked.y + 18 : marked.y - 8),
              "text-anchor": outside ? "end" : "start",
            },
            text: mark.label,
          } as const,
        ]
      : []),
  ];
  return { size, frame, x, y, shapes };
}

const within = (value: number, axis: PlotAxis): boolean =>
  value >= axis.domain[0] - 1e-9 && value <= axis.domain[1] + 1e-9;

/** The line and the dots of a read-out at x (in the axis's space). */
export function cursorShapes(
  plot: Plot,
  x: number,
  dots: readonly { readonly y: number; readonly tone: number }[],
): Shape[] {
  if (!within(x, plot.x)) return [];
  const at = place(plot.x.scale(x));
  return [
    {
      tag: "line",
      is: { class: "cursor", x1: at, x2: at, y1: plot.frame.top, y2: plot.frame.bottom },
    },
    ...dots
      .filter((dot) => within(dot.y, plot.y))
      .map((dot): Shape => ({
        tag: "circle",
        is: { class: `dot tone-${dot.tone}`, cx: at, cy: place(plot.y.scale(dot.y)), r: 4 },
      })),
  ];
}

/**
 * The plot as the text of an <svg> that can stand in any page without a script: its ink follows the
 * page's. `label` is what it shows, in a sentence.
 */
export function plotText(plot: Pick<Plot, "size" | "shapes">, label: string): string {
  const { width, height } = plot.size;
  return [
    `<svg viewBox="0 0 ${width} ${height}" width="100%" role="img" aria-label="${escaped(label)}" font-family="system-ui, sans-serif">`,
    shapesToText(plot.shapes, "  "),
    "</svg>",
  ].join("\n");
}
