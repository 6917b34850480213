// The form for one row, made from the schema. Its fields have no names, so that no browser offers
// to keep what was typed.

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

import { readable } from "../../chart/numbers.ts";
import { own } from "../../client/own.ts";
import type { AnyLabel, AnySchema, Feature } from "../../client/types.ts";

/** What is sent for a category that is none of those listed. */
const OTHER = "(another)";

export interface FormView {
  readonly schema: AnySchema;
  /** What was typed, by column. */
  readonly fields: Readonly<Record<string, string>>;
  /** The column that is at fault, and why. */
  readonly fault: { readonly column: string; readonly text: string } | undefined;
  readonly working: boolean;
  readonly answered: boolean;
  readonly change: (column: string, value: string) => void;
  readonly submit: () => void;
  readonly forget: () => void;
}

export function form(view: FormView): TemplateResult {
  const { schema } = view;
  const typed = Object.values(view.fields).some((value) => value !== "");
  return html`<form
    part="form"
    autocomplete="off"
    novalidate
    aria-labelledby="form-title"
    @submit=${(event: Event) => {
      event.preventDefault();
      view.submit();
    }}
  >
    <p class="form-title" id="form-title">Your own row</p>
    <p class="small soft">
      What you type is used here, in your browser. This form sends nothing and keeps nothing: it is
      forgotten when you leave.
    </p>
    <div class="fields">
      ${schema.features.map((feature, i) => field(view, feature.name, `f${i}`, ofFeature(feature)))}
      ${field(view, schema.label.name, "label", ofLabel(schema.label))}
    </div>
    <p class="actions">
      <button class="main" type="submit">
        ${view.answered ? "Work it out again" : "Work out my bound"}
      </button>
      ${typed ? html`<button class="quiet" type="button" @click=${view.forget}>Forget what I typed</button>` : nothing}
    </p>
  </form>`;
}

interface Field {
  readonly hint: string;
  /** Not there for a number. */
  readonly choices?: readonly { readonly value: string; readonly text: string }[];
}

function ofFeature(feature: Feature): Field {
  if (feature.type === "numeric") {
    const missing = feature.missing !== undefined && feature.missing !== "error";
    return {
      hint: `${readable(feature.min)} to ${readable(feature.max)}${missing ? ", or empty" : ""}`,
    };
  }
  const choices = feature.categories.map((c) => ({ value: c, text: c }));
  if (feature.unknown !== undefined && feature.unknown !== "error")
    choices.push({ value: OTHER, text: "(another)" });
  return { hint: "", choices: choicesOf(choices, feature.missing) };
}

function ofLabel(label: AnyLabel): Field {
  if (label.type === "numeric")
    return { hint: `what the model predicts; ${readable(label.min)} to ${readable(label.max)}` };
  const classes = label.type === "classes" ? label.classes : [label.negative, label.positive];
  return {
    hint: "what the model predicts",
    choices: choicesOf(
      classes.map(([name = ""]) => ({ value: name, text: name })),
      label.missing,
    ),
  };
}

function choicesOf(
  choices: { value: string; text: string }[],
  missing: unknown,
): { value: string; text: string }[] {
  const none = missing !== undefined && missing !== "error";
  return [{ value: "", text: none ? "(missing)" : "Choose…" }, ...choices];
}

function field(
  view: FormView,
  column: string,
  id: string,
  { hint, choices }: Field,
): TemplateResult {
  const fault = view.fault?.column === column ? view.fault.text : undefined;
  const value = own(view.fields, column) ?? "";
  const describedBy =
    [hint ? `${id}-hint` : "", fault ? `${id}-fault` : ""].filter(Boolean).join(" ") || nothing;
  const changed = (event: Event) =>
    view.change(column, (event.target as HTMLInputElement | HTMLSelectElement).value);
  return html`<div class="field">
    <label for=${id}>${column}</label>
    ${
      choices
        ? html`<select
            id=${id}
            autocomplete="off"
            aria-invalid=${fault ? "true" : nothing}
            aria-describedby=${describedBy}
            @change=${changed}
          >
            ${choices.map((c) => html`<option value=${c.value} .selected=${c.value === value}>${c.text}</option>`)}
          </select>`
        : html`<input
            id=${id}
            type="text"
            inputmode="decimal"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            aria-invalid=${fault ? "true" : nothing}
            aria-describedby=${describedBy}
            .value=${live(value)}
            @input=${changed}
          />`
    }
    ${hint ? html`<span class="hint" id="${id}-hint">${hint}</span>` : nothing}
    ${fault ? html`<span class="fault" id="${id}-fault">${fault}</span>` : nothing}
  </div>`;
}
