// <private-fit-demo>: made-up points in the plane, the line that is fitted to them without privacy,
// and the private lines that draws of the noise give, as ε moves.
//
//   <private-fit-demo adjacency="add-remove" epsilon="0.5" sliders="epsilon 0.05..10, n
//   100..5000"></private-fit-demo>
//
// The fits are the library's own; only their noise can be drawn again, which is right for points of
// nobody. Attributes: fitDemoAttributes. Parts: plot, legend, sliders, sentence, table, bar, error,
// and each shape of the drawing by its class (point, cross, draw, without, chosen, tick, title,
// rule, axis). Events: `error`, and `change` when the reader has moved a slider.

import type { Plot } from "../chart/plot.ts";
import type { Ask } from "../curves/engine.ts";
import { baseStyles } from "./base.styles.ts";
import { DrawsElement } from "./draws-element.ts";
import type { Told } from "./draws-model.ts";
import { drawsStyles } from "./draws.styles.ts";
import { FitModel, type Fitted } from "./fit-demo-model.ts";
import { fitDemoAttributes, fitSpec, type FitSpec } from "./fit-demo-spec.ts";
import { fitView } from "./fit-demo-view.ts";

export class PrivateFitDemo extends DrawsElement<FitSpec, Fitted, Plot> {
  static override styles = [baseStyles, drawsStyles];

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...fitDemoAttributes.map(({ name }) => name)];
  }

  protected readonly view = fitView;

  protected read(): FitSpec {
    return fitSpec((name) => this.getAttribute(name));
  }

  protected modelOf(spec: FitSpec, ask: Promise<Ask>, told: Told): FitModel {
    return new FitModel(spec, ask, told);
  }

  /** Points and lines as they are now; for programs. */
  get fitted(): Fitted | undefined {
    return this.model?.picture;
  }
}
