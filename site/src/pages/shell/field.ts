// Form fields with their label, hint and error wired together for assistive technology.

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";

type Content = TemplateResult | string | typeof nothing;

/** DOM id of a field from its error key: "c3.min" is "c3-min". */
export const idOf = (key: string): string => key.replaceAll(".", "-");

export interface FieldOptions {
  /** Key of its errors, and, with a hyphen for the dot, its id. */
  readonly key: string;
  readonly label: Content;
  readonly hint?: Content;
  readonly error?: string | undefined;
}

function describedBy(o: FieldOptions): string | typeof nothing {
  const ids = [o.hint ? `${idOf(o.key)}-hint` : "", o.error ? `${idOf(o.key)}-error` : ""].filter(
    Boolean,
  );
  return ids.length > 0 ? ids.join(" ") : nothing;
}

function around(o: FieldOptions, control: TemplateResult): TemplateResult {
  const id = idOf(o.key);
  return html`<div class="field">
    <label for=${id}>${o.label}</label>
    ${o.hint ? html`<span class="hint" id="${id}-hint">${o.hint}</span>` : nothing} ${control}
    ${o.error ? html`<p class="field-error" id="${id}-error">${o.error}</p>` : nothing}
  </div>`;
}

export interface TextOptions extends FieldOptions {
  readonly value: string;
  readonly input: (value: string) => void;
  readonly left?: () => void;
  readonly short?: boolean;
  readonly numeric?: boolean;
  readonly required?: boolean;
}

export function textField(o: TextOptions): TemplateResult {
  return around(
    o,
    html`<input
      class="input ${o.short ? "input-short" : ""}"
      id=${idOf(o.key)}
      type="text"
      autocomplete="off"
      spellcheck="false"
      inputmode=${o.numeric ? "decimal" : nothing}
      .value=${live(o.value)}
      aria-describedby=${describedBy(o)}
      aria-invalid=${o.error ? "true" : nothing}
      aria-required=${o.required ? "true" : nothing}
      @input=${(e: Event) => o.input((e.target as HTMLInputElement).value)}
      @change=${() => o.left?.()}
    />`,
  );
}

export function areaField(
  o: Omit<TextOptions, "short" | "numeric"> & { readonly rows?: number },
): TemplateResult {
  return around(
    o,
    html`<textarea
      class="input"
      id=${idOf(o.key)}
      rows=${o.rows ?? 3}
      autocomplete="off"
      spellcheck="false"
      .value=${live(o.value)}
      aria-describedby=${describedBy(o)}
      aria-invalid=${o.error ? "true" : nothing}
      @input=${(e: Event) => o.input((e.target as HTMLTextAreaElement).value)}
      @change=${() => o.left?.()}
    ></textarea>`,
  );
}

export interface Choice {
  readonly value: string;
  readonly text: string;
}

export function selectField(
  o: FieldOptions & {
    readonly value: string;
    readonly choices: readonly Choice[];
    readonly choose: (value: string) => void;
  },
): TemplateResult {
  return around(
    o,
    html`<select
      class="input"
      id=${idOf(o.key)}
      aria-describedby=${describedBy(o)}
      aria-invalid=${o.error ? "true" : nothing}
      @change=${(e: Event) => o.choose((e.target as HTMLSelectElement).value)}
    >
      ${o.choices.map((c) => html`<option value=${c.value} .selected=${live(c.value === o.value)}>${c.text}</option>`)}
    </select>`,
  );
}

export function checkbox(o: {
  readonly id: string;
  readonly checked: boolean;
  readonly label: Content;
  readonly change: (checked: boolean) => void;
}): TemplateResult {
  return html`<label class="choice" for=${o.id}>
    <input
      id=${o.id}
      type="checkbox"
      .checked=${live(o.checked)}
      @change=${(e: Event) => o.change((e.target as HTMLInputElement).checked)}
    />
    <span>${o.label}</span>
  </label>`;
}

export function radios(o: {
  readonly name: string;
  readonly legend: Content;
  readonly value: string;
  readonly choices: readonly {
    readonly value: string;
    readonly label: Content;
    readonly id?: string;
    readonly disabled?: boolean;
  }[];
  readonly choose: (value: string) => void;
  /** Side by side instead of below each other. */
  readonly inline?: boolean;
}): TemplateResult {
  return html`<fieldset>
    <legend>${o.legend}</legend>
    <div class=${o.inline ? "choices-inline" : ""}>
      ${o.choices.map(
        (c) =>
          html`<label class="choice">
            <input
              type="radio"
              id=${c.id ?? nothing}
              name=${o.name}
              value=${c.value}
              ?disabled=${c.disabled}
              .checked=${live(c.value === o.value)}
              @change=${() => o.choose(c.value)}
            />
            <span>${c.label}</span>
          </label>`,
      )}
    </div>
  </fieldset>`;
}
