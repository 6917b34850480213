// Fields that more than one part of the page has.

import { html, nothing, type TemplateResult } from "lit/html.js";

import { readable } from "../../../chart/numbers.ts";
import { placeOf, type Slider, TRACK, valueAt } from "../../../curves/slider.ts";
import type { Explorer } from "../explorer.ts";
import { type ParameterName, parameters, wrong } from "../parameters.ts";

export interface NumberField {
  readonly id: string;
  readonly label: string | TemplateResult;
  /** For those who do not see where the field stands. */
  readonly spoken?: string;
  /** Empty where nothing is set. */
  readonly value: number | null;
  readonly empty?: string;
  /** What is wrong with a number; undefined if nothing is. */
  check(value: number): string | undefined;
  set(value: number | null): void;
}

/** A number that is taken when it is entered, and stays with its complaint where it cannot be. */
export function numberField(
  explorer: Explorer,
  { id, label, spoken, value, empty, check, set }: NumberField,
): TemplateResult {
  const mistake = explorer.mistakes.get(id);
  const entered = (event: Event) => {
    const { value: text } = event.target as HTMLInputElement;
    const trimmed = text.trim().replace(",", ".");
    const number = trimmed === "" ? Number.NaN : Number(trimmed);
    const complaint =
      trimmed === "" && empty !== undefined
        ? undefined
        : Number.isNaN(number)
          ? "Write a number, such as 0.5 or 1e-5."
          : check(number);
    if (complaint === undefined) {
      explorer.mistakes.delete(id);
      set(trimmed === "" ? null : number);
      explorer.touch();
    } else {
      explorer.mistakes.set(id, { text, complaint });
      explorer.touch();
    }
  };
  return html`<div class="number-field">
    <label for=${id}
      >${label}${spoken ? html`<span class="hidden"> ${spoken}</span>` : nothing}</label
    >
    <input
      class="input"
      id=${id}
      inputmode="decimal"
      autocomplete="off"
      .value=${mistake?.text ?? (value === null ? "" : String(value))}
      placeholder=${empty ?? ""}
      aria-invalid=${mistake === undefined ? "false" : "true"}
      aria-describedby=${mistake === undefined ? nothing : `${id}-mistake`}
      @change=${entered}
    />
    ${mistake === undefined ? nothing : html`<p class="field-error" id=${`${id}-mistake`}>${mistake.complaint}</p>`}
  </div>`;
}

const sliderOf = (name: ParameterName): Slider => {
  const { from, to, whole, label } = parameters[name];
  return { field: name, from, to, log: true, whole, label };
};

/** A shared parameter: a slider, and the number itself for what lies beyond it. */
export function parameterRow(
  explorer: Explorer,
  name: ParameterName,
  value: number,
  set: (value: number, dragging: boolean) => void,
): TemplateResult {
  const slider = sliderOf(name);
  return html`<div class="parameter">
    ${numberField(explorer, { id: `shared-${name}`, label: parameters[name].label, value, check: (one) => wrong(name, one), set: (one) => one !== null && set(one, false) })}
    <input
      type="range"
      min="0"
      max=${TRACK}
      step="1"
      aria-label=${parameters[name].label}
      aria-valuetext=${readable(value)}
      .value=${String(placeOf(slider, value))}
      @input=${(event: Event) => {
        explorer.mistakes.delete(`shared-${name}`);
        set(valueAt(slider, Number((event.target as HTMLInputElement).value)), true);
      }}
      @change=${(event: Event) => set(valueAt(slider, Number((event.target as HTMLInputElement).value)), false)}
    />
  </div>`;
}

export interface Choice<T extends string> {
  readonly id: string;
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  set(value: T): void;
}

export const choice = <T extends string>({
  id,
  label,
  value,
  options,
  set,
}: Choice<T>): TemplateResult =>
  html`<div class="number-field">
    <label for=${id}>${label}</label>
    <select
      class="input"
      id=${id}
      @change=${(event: Event) => set((event.target as HTMLSelectElement).value as T)}
    >
      ${options.map(([one, text]) => html`<option value=${one} ?selected=${one === value} .selected=${one === value}>${text}</option>`)}
    </select>
  </div>`;
