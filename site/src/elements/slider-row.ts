import { html, nothing, type TemplateResult } from "lit";

import { placeOf, shown, type Slider, TRACK, valueAt } from "../curves/slider.ts";

/** The sliders that the author exposes; `moved` is told whether the hand is still on one. */
export function sliderRow(
  sliders: readonly Slider[],
  model: { value(slider: Slider): number | undefined; set(slider: Slider, value: number): void },
  moved: (dragging: boolean) => void,
): TemplateResult | typeof nothing {
  if (sliders.length === 0) return nothing;
  return html`<div class="sliders" part="sliders">
    ${sliders.map((slider) => {
      const value = model.value(slider);
      if (value === undefined) return nothing;
      return html`<label>
        <span>${slider.label}</span><span class="value">${shown(value)}</span>
        <input
          type="range"
          min="0"
          max=${TRACK}
          step="1"
          .value=${String(placeOf(slider, value))}
          aria-label=${slider.label}
          aria-valuetext=${shown(value)}
          @input=${(event: Event) => {
            model.set(slider, valueAt(slider, Number((event.target as HTMLInputElement).value)));
            moved(true);
          }}
          @change=${() => moved(false)}
        />
      </label>`;
    })}
  </div>`;
}
