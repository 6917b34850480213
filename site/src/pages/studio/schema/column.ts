import { html, nothing, type TemplateResult } from "lit/html.js";

import { type ColumnDraft, linesOf, type RuleDraft } from "../draft/draft.ts";
import { changeColumn, removeColumn } from "../draft/edit.ts";
import { hasSource, provenanceOf } from "../draft/source.ts";
import { leavesOut } from "./missing.ts";
import { placeField } from "./place.ts";
import type { ErrorOf, Studio } from "./studio.ts";
import {
  areaField,
  checkbox,
  type Choice,
  radios,
  selectField,
  textField,
} from "../../shell/field.ts";

/** Everything about one column: the form that opens under its row. */
export function columnForm(studio: Studio, c: ColumnDraft, errorOf: ErrorOf): TemplateResult {
  const change = (patch: Parameters<typeof changeColumn>[2]) =>
    studio.editor.edit((d) => changeColumn(d, c.id, patch));
  const text = (
    part: "name" | "min" | "max",
    label: string,
    hint: string | undefined,
    short: boolean,
  ) =>
    textField({
      key: `${c.id}.${part}`,
      label,
      ...(hint !== undefined && { hint }),
      value: c[part],
      short,
      numeric: part !== "name",
      error: errorOf(`${c.id}.${part}`),
      input: (value) => change({ [part]: value }),
      left: () => studio.editor.touch(`${c.id}.${part}`),
    });
  return html`
    ${c.added || (c.place === undefined && errorOf(`${c.id}.name`)) ? text("name", "Name", "As in the file’s first line.", false) : nothing}
    ${placeField(studio, c, (place) => change({ place }))}
    ${radios({
      name: `${c.id}-type`,
      inline: true,
      legend: "What it holds",
      value: c.type,
      choices: [
        { value: "numeric", label: "Numbers" },
        { value: "categorical", label: "Categories" },
      ],
      choose: (type) => change({ type: type as ColumnDraft["type"] }),
    })}
    ${c.type === "numeric" ? html`<div class="row row-short">${text("min", "Lowest value", undefined, true)} ${text("max", "Highest value", undefined, true)}</div>` : nothing}
    ${
      c.type === "numeric"
        ? checkbox({
            id: `${c.id}-log`,
            checked: c.log,
            label: html`Use a log scale: for values that spread over several powers of ten, such as
            laboratory values or
            money${c.proposed?.log ? html`<span class="hint" id=${`${c.id}-tail`}>${proposed(c)}</span>` : nothing}`,
            change: (log) => change({ log }),
          })
        : areaField({
            key: `${c.id}.categories`,
            label: "Categories",
            hint: "As the file spells them, one on each line.",
            rows: Math.min(8, Math.max(3, linesOf(c.categories).length)),
            value: c.categories,
            error: errorOf(`${c.id}.categories`),
            input: (categories) => change({ categories }),
            left: () => studio.editor.touch(`${c.id}.categories`),
          })
    }
    <div class="row row-wide rules">
      ${rule(studio, c, "missing", "If the value is missing", errorOf)}
      ${c.type === "categorical" ? rule(studio, c, "unknown", "If the category is not listed", errorOf) : nothing}
    </div>
    ${leavesOut(studio, c)}
    ${
      hasSource(c)
        ? studio.later?.purchase.provenance(studio, c.id, c)
        : c.added
          ? html`<p class="actions">
              <button
                class="button button-quiet"
                type="button"
                @click=${() => studio.editor.edit((d) => removeColumn(d, c.id))}
              >
                Remove this column
              </button>
            </p>`
          : nothing
    }
  `;
}

/** Of a log scale that the page proposed: that it was read from the rows. */
const proposed = (c: ColumnDraft): string =>
  provenanceOf(c) !== "suggested"
    ? "The page proposed it, from your rows. Choose it as you would without them."
    : c.log
      ? "The page proposes it, because most of your values are far below the largest. So it is read from your data, like the bounds."
      : "The page proposed it, because most of your values are far below the largest.";

function rule(
  studio: Studio,
  c: ColumnDraft,
  part: "missing" | "unknown",
  label: string,
  errorOf: ErrorOf,
): TemplateResult {
  const key = `${c.id}.${part}`;
  const current = c[part];
  const set = (next: RuleDraft) =>
    studio.editor.edit((d) => changeColumn(d, c.id, { [part]: next }));
  const stop: Choice = { value: "error", text: "Stop, and say in which row" };
  const drop: Choice = { value: "drop", text: "Leave the row out" };
  const indicator: Choice = {
    value: "indicator",
    text: "Give missing values a column of their own",
  };
  if (c.type === "numeric") {
    return html`${selectField({
      key,
      label,
      value: current.action,
      choices: [stop, drop, indicator, { value: "value", text: "Put a number in its place" }],
      choose: (action) => set({ action: action as RuleDraft["action"], value: current.value }),
      ...(current.action !== "value" && { error: errorOf(key) }),
    })}
    ${
      current.action === "value"
        ? textField({
            key: `${key}-value`,
            label: "Number in its place",
            value: current.value,
            short: true,
            numeric: true,
            error: errorOf(key),
            input: (value) => set({ action: "value", value }),
            left: () => studio.editor.touch(key),
          })
        : nothing
    }`;
  }
  return selectField({
    key,
    label,
    error: errorOf(key),
    value: current.action === "category" ? `=${current.value}` : current.action,
    choices: [
      stop,
      drop,
      ...(part === "missing" ? [indicator] : []),
      { value: "zero", text: "Treat it as none of the categories" },
      ...linesOf(c.categories).map((category) => ({
        value: `=${category}`,
        text: `Treat it as “${category}”`,
      })),
    ],
    choose: (value) =>
      set(
        value.startsWith("=")
          ? { action: "category", value: value.slice(1) }
          : { action: value as RuleDraft["action"], value: "" },
      ),
  });
}
