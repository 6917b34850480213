// How high an element is going to be, so that a page keeps its place when the element comes alive.
// It is said before anything is computed, from the attributes and the width alone. It is a little
// more than is needed rather than less: what is too little moves the page.

/** A height: pixels of drawings, and text in units of the root's font size. */
export interface Room {
  readonly px: number;
  readonly rem: number;
}

/** One line of text in these styles, and a letter's width on average, in rem. */
const text = {
  says: { margin: 0.7, line: 1.36, letter: 0.47 },
  theorem: { margin: 0.2, line: 1.18, letter: 0.4 },
} as const;

/** How wide an element is, in pixels, and how large a rem is there. */
export interface Place {
  readonly width: number;
  readonly rem: number;
}

/** A paragraph of about so many letters. */
export function paragraph(kind: keyof typeof text, letters: number, { width, rem }: Place): number {
  const { margin, line, letter } = text[kind];
  return margin + line * Math.ceil((letters * letter * rem) / width);
}

/** So many sliders, side by side where there is room. */
export function sliderRows(count: number, { width, rem }: Place): number {
  if (count === 0) return 0;
  const rows = Math.ceil(count / Math.max(1, Math.floor((width / rem + 1.5) / 16.5)));
  return 0.8 + 2.75 * rows + 0.6 * (rows - 1);
}

/** The row of buttons above a plot. */
export const switchRow = 1.9;

/** The row below it: numbers as a table, files to save. */
export const footRow = 2.15;

export const heightOf = ({ px, rem }: Room, root: number): number => Math.ceil(px + rem * root);
