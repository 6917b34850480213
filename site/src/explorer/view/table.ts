// The numbers behind the plot: as a table for those who do not see it, and as a file.

import { html, type TemplateResult } from "lit";

import { readable } from "../../chart/numbers.ts";
import { csvFile } from "../../elements/export.ts";
import type { Drawing } from "../drawing.ts";
import type { Picture } from "../model.ts";

/** Rows of the table: enough to follow a line by ear. The file has them all. */
const ROWS = 25;

export function numbers(picture: Picture, drawing: Drawing): TemplateResult {
  const { stops, quantity, names, home } = drawing;
  const lines = picture.lines.filter(({ problem }) => !problem);
  const step = Math.max(1, Math.ceil(stops.length / ROWS));
  const rows = stops.map((_, i) => i).filter((i) => i % step === 0 || i === home || i === stops.length - 1);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Numbers of the plot">
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">${names.x}</th>
          ${lines.map((line) => html`<th scope="col" class="number">${names.y}, ${line.name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (i) => html`<tr>
            <th scope="row"><data value=${String(quantity[i])}>${readable(quantity[i]!)}</data></th>
            ${lines.map((line) => {
              const { text, value } = drawing.read(line, i);
              return html`<td class="number"><data value=${Number.isNaN(value) ? "" : String(value)}>${line.rough ? `≈ ${text}` : text}</data></td>`;
            })}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Every stop. Of δ(ε), certified lower ends stand beside the upper ones where they are known. */
export function csv(picture: Picture, drawing: Drawing): string {
  const lines = picture.lines.filter(({ problem }) => !problem);
  const cell = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? "" : value);
  const ended = (at: number) => (picture.state.view === "delta" ? lines[at]!.priced?.logDeltaLower : undefined);
  return csvFile([
    [drawing.names.x, ...lines.flatMap((line, at) => [`${drawing.names.y}: ${line.name}${line.rough ? " (estimate)" : ""}`, ...(ended(at) ? [`certified lower end: ${line.name}`] : [])])],
    ...drawing.stops.map((_, i) => [
      drawing.quantity[i]!,
      ...lines.flatMap((line, at) => {
        const lower = ended(at);
        const place = line.priced?.epsilon.indexOf(drawing.quantity[i]!) ?? -1;
        return [cell(drawing.read(line, i).value), ...(lower ? [cell(Math.exp(lower[place] ?? Number.NaN))] : [])];
      }),
    ]),
  ]);
}
