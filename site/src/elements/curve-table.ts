// The numbers behind a drawing: as a table for those who do not see the plot, and as a file.

import { html, type TemplateResult } from "lit";

import { readable } from "../chart/numbers.ts";
import type { Drawing, Line } from "./curve-views.ts";
import { csvFile } from "./export.ts";

/** Rows of the table: enough to follow a line by ear. The file has them all. */
const ROWS = 25;

export function curveTable(drawing: Drawing, lines: readonly Line[], name: string): TemplateResult {
  const { stops, quantity, names, home } = drawing;
  const step = Math.max(1, Math.ceil(stops.length / ROWS));
  const rows = stops.map((_, i) => i).filter((i) => i % step === 0 || i === home || i === stops.length - 1);
  return html`<div class="scroll" part="table" tabindex="0" role="region" aria-label=${name}>
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">${names.x}</th>
          ${lines.map((line) => html`<th scope="col" class="number">${names.y}, ${line.label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (i) => html`<tr>
            <th scope="row"><data value=${String(quantity[i])}>${readable(quantity[i]!)}</data></th>
            ${lines.map((line) => {
              const { text, value, lower } = drawing.read(line, i);
              return html`<td class="number">
                <data value=${Number.isNaN(value) ? "" : String(value)} data-lower=${Number.isNaN(lower) ? "" : String(lower)}>${line.priced?.rough ? `≈ ${text}` : text}</data>
              </td>`;
            })}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Every stop, with the certified lower (of a trade-off: upper) ends where there are any. */
export function curveCSV(drawing: Drawing, lines: readonly Line[]): string {
  const { stops, quantity, names } = drawing;
  const readings = lines.map((line) => stops.map((_, i) => drawing.read(line, i)));
  const ended = readings.map((column) => column.some(({ lower }) => !Number.isNaN(lower)));
  const cell = (value: number) => (Number.isNaN(value) ? "" : value);
  return csvFile([
    [names.x, ...lines.flatMap((line, j) => [`${names.y}: ${line.label}${line.priced?.rough ? " (estimate)" : ""}`, ...(ended[j] ? [`other certified end: ${line.label}`] : [])])],
    ...stops.map((_, i) => [quantity[i]!, ...readings.flatMap((column, j) => [cell(column[i]!.value), ...(ended[j] ? [cell(column[i]!.lower)] : [])])]),
  ]);
}
