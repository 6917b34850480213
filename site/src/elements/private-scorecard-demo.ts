// <private-scorecard-demo>: made-up patients, the scorecard that is best for them without privacy,
// and how many of the private cards that draws of the noise give have which points, as ε moves.
//
//   <private-scorecard-demo adjacency="add-remove" epsilon="0.1" sliders="epsilon 0.01..3, n
//   100..5000"></private-scorecard-demo>
//
// The cards are chosen by the library's own search; only its noise can be drawn again, which is
// right for patients whom nobody has. Attributes: cardDemoAttributes. Parts: plot, legend, sliders,
// sentence, table, bar, error, and each shape of the drawing by its class (whole, piece, without,
// chosen, note, tick). Events: `error`, and `change` when the reader has moved a slider.

import type { Ask } from "../curves/engine.ts";
import { baseStyles } from "./base.styles.ts";
import { CardModel, type CardPicture } from "./card-demo-model.ts";
import { cardDemoAttributes, cardSpec, type CardSpec } from "./card-demo-spec.ts";
import { type CardLayout, cardView } from "./card-demo-view.ts";
import { DrawsElement } from "./draws-element.ts";
import type { Told } from "./draws-model.ts";
import { drawsStyles } from "./draws.styles.ts";

export class PrivateScorecardDemo extends DrawsElement<CardSpec, CardPicture, CardLayout> {
  static override styles = [baseStyles, drawsStyles];

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...cardDemoAttributes.map(({ name }) => name)];
  }

  protected readonly view = cardView;

  protected read(): CardSpec {
    return cardSpec((name) => this.getAttribute(name));
  }

  protected modelOf(spec: CardSpec, ask: Promise<Ask>, told: Told): CardModel {
    return new CardModel(spec, ask, told);
  }

  /** The cards as they are now; for programs. */
  get cards(): CardPicture | undefined {
    return this.model?.picture;
  }
}
