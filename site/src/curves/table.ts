// The numbers behind a drawing: as a table for those who do not see the plot, and as a file.

import { html, nothing, type TemplateResult } from "lit/html.js";

import type { Adjacency } from "../client/types.ts";
import { readable, readableBound } from "../chart/numbers.ts";
import type { Drawing, Line } from "./views.ts";
import { csvFile } from "../chart/export.ts";

/** Rows of the table: enough to follow a line by ear. The file has them all. */
const ROWS = 25;

export interface Column {
  readonly label: string;
  /** What stands in the row of a stop; NaN where there is no number. */
  read(stop: number): { readonly text: string; readonly value: number; readonly lower?: number };
}

/**
 * The table: a row for evenly spaced stops, and for the place where the read-out stands at first.
 */
export function numbersTable(
  { stops, quantity, names, home }: Pick<Drawing, "stops" | "quantity" | "names" | "home">,
  columns: readonly Column[],
  name: string,
): TemplateResult {
  const step = Math.max(1, Math.ceil(stops.length / ROWS));
  const rows = stops
    .map((_, i) => i)
    .filter((i) => i % step === 0 || i === home || i === stops.length - 1);
  const number = (value: number) => (Number.isNaN(value) ? "" : String(value));
  // δ holds at any larger ε, and an ε at any larger δ.
  const shown = names.x === "ε" || names.x === "δ" ? readableBound : readable;
  return html`<div class="scroll" part="table" tabindex="0" role="region" aria-label=${name}>
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">${names.x}</th>
          ${columns.map(({ label }) => html`<th scope="col" class="number">${names.y}, ${label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (i) =>
            html`<tr>
              <th scope="row">
                <data value=${String(quantity[i])}>${shown(quantity[i]!)}</data>
              </th>
              ${columns.map((column) => {
                const { text, value, lower } = column.read(i);
                return html`<td class="number">
                  <data
                    value=${number(value)}
                    data-lower=${lower === undefined ? nothing : number(lower)}
                    >${text}</data
                  >
                </td>`;
              })}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export function curveTable(drawing: Drawing, lines: readonly Line[], name: string): TemplateResult {
  const column = (line: Line): Column => ({
    label: line.label,
    read(stop) {
      const reading = drawing.read(line, stop);
      return line.priced?.rough ? { ...reading, text: `≈ ${reading.text}` } : reading;
    },
  });
  return numbersTable(drawing, lines.map(column), name);
}

/** What is written behind a quantity in a file: it holds between data sets that differ so. */
export const changed: Readonly<Record<Adjacency, string>> = {
  "add-remove": ", a record added or removed",
  "replace-one": ", a record replaced",
};

/** Every stop, with the certified lower (of a trade-off: upper) ends where there are any. */
export function curveCSV(drawing: Drawing, lines: readonly Line[]): string {
  const { stops, quantity, names } = drawing;
  const readings = lines.map((line) => stops.map((_, i) => drawing.read(line, i)));
  const ended = readings.map((column) => column.some(({ lower }) => !Number.isNaN(lower)));
  const cell = (value: number) => (Number.isNaN(value) ? "" : value);
  // Of both kinds of neighbours, the labels say which is which.
  const replaced = lines.filter((line) => line.replaced).length;
  const change =
    replaced === 0
      ? changed["add-remove"]
      : replaced === lines.length
        ? changed["replace-one"]
        : "";
  return csvFile([
    [
      names.x,
      ...lines.flatMap((line, j) => [
        `${names.y}${change}: ${line.label}${line.priced?.rough ? " (estimate)" : ""}`,
        ...(ended[j] ? [`other certified end: ${line.label}`] : []),
      ]),
    ],
    ...stops.map((_, i) => [
      quantity[i]!,
      ...readings.flatMap((column, j) => [
        cell(column[i]!.value),
        ...(ended[j] ? [cell(column[i]!.lower)] : []),
      ]),
    ]),
  ]);
}
