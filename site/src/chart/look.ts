// How a plot's shapes look, as presentation attributes. They need no style sheet, so they change
// no page's styles and no policy on styles stops them. Any style sheet overrides them, and custom
// properties theme them.
//
// Ink follows the text colour of the page, so a plot fits into any page, light or dark. Only the
// lines have colours of their own.

const tones = [
  ["light-dark(#1b5e59, #7fd0c4)", "none"],
  ["light-dark(#a8501a, #f0a36b)", "9 4"],
  ["light-dark(#6a4c93, #c9a4ef)", "2 3.5"],
  ["light-dark(#7b6410, #d9c25f)", "10 3 2 3"],
  ["light-dark(#a3255c, #f291b8)", "5 3"],
  ["light-dark(#2a5ea8, #8db8f5)", "14 4"],
] as const;

/** How many lines look different. */
export const TONES = tones.length;

/** The tone of the i-th line, from 1; they come round again. */
export const toneOf = (i: number): number => (i % TONES) + 1;

const soft = "var(--curve-soft, color-mix(in srgb, currentcolor 78%, transparent))";
const rule = "var(--curve-rule, color-mix(in srgb, currentcolor 15%, transparent))";
const paper = "var(--curve-paper, Canvas)";

type Attributes = Readonly<Record<string, string>>;

const plain: Readonly<Record<string, Attributes>> = {
  rule: { stroke: rule, "stroke-width": "1" },
  axis: { stroke: soft, "stroke-width": "1" },
  tick: { fill: soft, "font-size": "13" },
  title: { fill: soft, "font-size": "13" },
  note: { fill: "currentcolor", "font-size": "13", "font-weight": "600" },
  "mark-lines": { fill: "none", stroke: soft, "stroke-width": "1", "stroke-dasharray": "1 3" },
  cursor: { stroke: "currentcolor", "stroke-width": "1", "stroke-opacity": "0.5" },
  whole: { fill: "currentcolor", "fill-opacity": "0.12" },
  without: {
    fill: "none",
    stroke: "currentcolor",
    "stroke-width": "2.5",
    "stroke-dasharray": "8 4",
  },
  zero: { stroke: soft, "stroke-width": "1", "stroke-dasharray": "3 3" },
};

/**
 * The presentation attributes of a shape with these classes: what it is, then a tone or
 * "reference", then "rough".
 */
export function look(classes: string): Attributes {
  const names = classes.split(" ");
  const [kind = ""] = names;
  const fixed = plain[kind];
  if (fixed) return fixed;
  const number = Number(/tone-(\d+)/.exec(classes)?.[1] ?? 0);
  const tone = tones[number - 1];
  const colour = tone ? `var(--curve-${number}, ${tone[0]})` : soft;
  switch (kind) {
    case "line":
      return {
        fill: "none",
        stroke: colour,
        "stroke-width": number === 1 ? "2.75" : tone ? "2" : "1.25",
        "stroke-linejoin": "round",
        "stroke-dasharray": tone ? tone[1] : "3 3",
        "stroke-opacity": names.includes("rough") ? "0.7" : "1",
      };
    case "band":
      return { fill: colour, "fill-opacity": "0.2" };
    case "piece":
      return { fill: colour, "fill-opacity": "0.85" };
    case "name":
      return { fill: colour, "font-size": "13", "font-weight": "600" };
    case "mark":
      return { fill: paper, stroke: colour, "stroke-width": "2.5" };
    case "dot":
      return { fill: colour, stroke: paper, "stroke-width": "1.5" };
    case "point":
      return { fill: colour, "fill-opacity": "0.75" };
    case "cross":
      return { fill: "none", stroke: colour, "stroke-width": "1.5", "stroke-opacity": "0.75" };
    case "draw":
      return { fill: "none", stroke: colour, "stroke-width": "1.5", "stroke-opacity": "0.6" };
    case "chosen":
      return { fill: "none", stroke: colour, "stroke-width": "4" };
    default:
      return {};
  }
}
