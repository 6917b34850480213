// An element that draws what a CurveModel knows, with sliders: the reading of its attributes, the
// model's start, and what the reader chose in the address.

import type { PropertyDeclarations } from "lit";

import { AccountantElement } from "./accountant-element.ts";
import type { Get } from "./attributes.ts";
import { CurveModel } from "./curve-model.ts";
import type { View } from "../curves/curve.ts";
import { curveSpec, type CurveSpec } from "./curve-spec.ts";

export abstract class CurveElement extends AccountantElement {
  static override properties: PropertyDeclarations = { drawn: { state: true } };

  /** Counts what the model has told. */
  declare drawn: number;

  protected spec: CurveSpec | undefined;
  protected model: CurveModel | undefined;

  constructor() {
    super();
    this.drawn = 0;
  }

  /** Reads what is to be drawn; `only` some of its curves. */
  protected read(get: Get, only = Infinity): CurveSpec {
    const spec = curveSpec(get, this.json());
    return (this.spec = { ...spec, curves: spec.curves.slice(0, only) });
  }

  /** Starts a model of what was read, its sliders where the address says, and asks for a view. */
  protected start(view: View): void {
    const spec = this.spec!;
    this.model?.stop();
    this.model = new CurveModel(spec, this.accountant(), {
      drawn: () => {
        this.ready = true;
        this.failure = "";
        this.drawn++;
      },
      failed: (error) => this.fail(error, spec.sliders.length > 0),
    });
    for (const slider of spec.sliders) {
      const given = Number(this.fragment?.get(slider.field) ?? Number.NaN);
      if (given >= slider.from && given <= slider.to) this.model.set(slider, given);
    }
    this.model.need(view, false);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.model?.stop();
  }

  /** Writes the reader's choices into the address, where that was asked for, and tells the page. */
  protected tell(more: Readonly<Record<string, string | null>> = {}): void {
    const places = this.spec!.sliders.map((slider) => [
      slider.field,
      this.model!.moved(slider) ? String(this.model!.value(slider)) : null,
    ]);
    this.fragment?.set({
      ...more,
      ...(Object.fromEntries(places) as Record<string, string | null>),
    });
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** Whether everything that is shown is certified. */
  get certified(): boolean {
    return this.ready && !this.failure && (this.model?.settled ?? false);
  }
}
