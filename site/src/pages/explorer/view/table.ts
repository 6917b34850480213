// The numbers behind the plot: as a table for those who do not see it, and as a file.

import type { TemplateResult } from "lit/html.js";

import { changed, numbersTable } from "../../../curves/table.ts";
import { csvFile } from "../../../chart/export.ts";
import type { Drawing } from "../drawing.ts";
import type { Picture } from "../lines.ts";

export function numbers(picture: Picture, drawing: Drawing): TemplateResult {
  const columns = picture.lines
    .filter(({ problem }) => !problem)
    .map((line) => ({
      label: line.name,
      read(stop: number) {
        const { text, value } = drawing.read(line, stop);
        return { text: line.rough ? `≈ ${text}` : text, value };
      },
    }));
  return numbersTable(drawing, columns, "Numbers of the plot");
}

/** Every stop. Of δ(ε), certified lower ends stand beside the upper ones where they are known. */
export function csv(picture: Picture, drawing: Drawing): string {
  const lines = picture.lines.filter(({ problem }) => !problem);
  const cell = (value: number | undefined) =>
    value === undefined || Number.isNaN(value) ? "" : value;
  const ended = (at: number) =>
    picture.state.view === "delta" ? lines[at]!.priced?.logDeltaLower : undefined;
  return csvFile([
    [
      drawing.names.x,
      ...lines.flatMap((line, at) => [
        `${drawing.names.y}${changed[picture.state.shared.adjacency]}: ${line.name}${line.rough ? " (estimate)" : ""}`,
        ...(ended(at) ? [`certified lower end: ${line.name}`] : []),
      ]),
    ],
    ...drawing.stops.map((_, i) => [
      drawing.quantity[i]!,
      ...lines.flatMap((line, at) => {
        const lower = ended(at);
        const place = line.priced?.epsilon.indexOf(drawing.quantity[i]!) ?? -1;
        return [
          cell(drawing.read(line, i).value),
          ...(lower ? [cell(Math.exp(lower[place] ?? Number.NaN))] : []),
        ];
      }),
    ]),
  ]);
}
