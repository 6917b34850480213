// <attack-view>: what an attacker can and cannot tell. Beside each other, how outputs are
// distributed with and without a person, and how many members a test finds for its false alarms; a
// threshold that the reader moves links the two.
//
//   <attack-view mechanism="gaussian" adjacency="add-remove" sensitivity="1" sigma="1"
//   sliders="sigma 0.3..5"></attack-view>
//
// Attributes: attackAttributes. Parts and custom properties: as of <privacy-curve>. Events:
// `error`, and `change` when the reader has moved a slider.

import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from "lit";

import { percent, percentBound } from "../chart/numbers.ts";
import { type Ground, groundOf } from "../curves/attack.ts";
import {
  type AttackPlots,
  attackPlots,
  attackSentence,
  falseAlarms,
  first,
  last,
  within,
} from "./attack-plots.ts";
import { attackAttributes } from "./attack-view.attributes.ts";
import { baseStyles } from "./base.styles.ts";
import { attackStyles } from "./attack-view.styles.ts";
import { CurveElement } from "./curve-element.ts";
import { paint } from "../chart/paint.ts";
import { sliderRow } from "./slider-row.ts";
import { paragraph, type Place, type Room, sliderRows } from "./room.ts";
import { parseSliders } from "./sliders.ts";

export class AttackView extends CurveElement {
  static override properties: PropertyDeclarations = { threshold: { state: true } };
  static override styles = [baseStyles, attackStyles];

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...attackAttributes.map(({ name }) => name)];
  }

  /** The attacker's threshold, on the scale of outputs; NaN before there is one. */
  declare threshold: number;

  private ground: Ground | undefined;
  private plots: AttackPlots | undefined;

  constructor() {
    super();
    this.threshold = Number.NaN;
  }

  protected roomNeeded(place: Place): Room {
    const sliders = parseSliders(this.getAttribute("sliders") ?? "");
    const { width } = place;
    return {
      px: width >= 600 ? 280 : 571,
      rem:
        (width < 340 ? 7.2 : 5.75) +
        sliderRows(sliders.length, place) +
        paragraph("says", 235, place),
    };
  }

  protected begin(): void {
    const get = (name: string) =>
      name === "view" || name === "views" || name === "compare" ? null : this.getAttribute(name);
    const spec = this.read(get, 1);
    const alarms = falseAlarms(get);
    this.ground = groundOf(spec.curves[0]!.event);
    if (Number.isNaN(this.threshold)) this.threshold = within(this.ground.upperQuantile(alarms));
    this.start("tradeoff");
  }

  /** δ(0): by how much the best test finds more members than it raises false alarms. */
  get advantage(): number {
    const priced = this.model?.lines[0]?.priced;
    return priced ? Math.exp(priced.logDelta[0] ?? Number.NaN) : Number.NaN;
  }

  protected override willUpdate(_changed: PropertyValues): void {
    const priced = this.model?.lines[0]?.priced;
    const { ground } = this;
    if (!priced || !ground || this.width === 0) return;
    const wide = this.width >= 600;
    const size = {
      width: Math.max(280, wide ? Math.floor((this.width - 24) / 2) : this.width),
      height: 270,
    };
    this.plots = attackPlots(priced, ground, this.threshold, size, this.model!.lines[0]!.replaced);
  }

  protected content(): TemplateResult | typeof nothing {
    const { spec, model, plots } = this;
    const line = model?.lines[0];
    if (!spec || !model || !plots || !line?.priced) return nothing;
    const { alarms, found } = plots;
    const about = line.priced.rough ? "about" : "at most";
    return html`
      <figure aria-labelledby="says">
        <div class="pair">
          <div
            class="plot"
            part="plot"
            role="slider"
            tabindex="0"
            aria-label="The attacker’s threshold"
            aria-valuemin=${first}
            aria-valuemax=${last}
            aria-valuenow=${Math.round(this.threshold * 100) / 100}
            aria-valuetext=${`${percent(alarms)} false alarms, ${about} ${percentBound(found)} ${line.replaced ? "hits" : "of members found"}`}
            @keydown=${this.pressed}
            @pointerdown=${this.pointed}
            @pointermove=${this.pointed}
          >
            <svg
              class="drawing outputs"
              viewBox="0 0 ${plots.outputs.size.width} ${plots.outputs.size.height}"
              aria-hidden="true"
            ></svg>
          </div>
          <div class="plot still" part="plot">
            <svg
              class="drawing roc"
              viewBox="0 0 ${plots.roc.size.width} ${plots.roc.size.height}"
              aria-hidden="true"
            ></svg>
          </div>
        </div>
        <table class="legend" part="legend">
          <thead>
            <tr>
              <th scope="col">
                An attacker who ${line.replaced ? "says “the other record”" : "accuses everyone"}
                right of the line
              </th>
              <th scope="col" class="number">so often</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">
                <span class="key"
                  ><span class="box one"></span
                  >${line.replaced ? "takes the one record for the other" : "accuses people who are not in the data"}</span
                >
              </th>
              <td class="number"><data value=${String(alarms)}>${percent(alarms)}</data></td>
            </tr>
            <tr>
              <th scope="row">
                <span class="key"
                  ><span class="box two"></span
                  >${line.replaced ? "knows the other" : "finds people who are"}, ${about}</span
                >
              </th>
              <td class="number"><data value=${String(found)}>${percentBound(found)}</data></td>
            </tr>
          </tbody>
        </table>
        ${sliderRow(spec.sliders, model, (dragging) => {
          model.need("tradeoff", dragging);
          this.requestUpdate();
          if (!dragging) this.tell();
        })}
        <figcaption class="says" part="sentence" id="says">
          ${attackSentence(line.label, line.priced, line.replaced)}
        </figcaption>
      </figure>
    `;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { plots } = this;
    const outputs = this.renderRoot.querySelector("svg.outputs");
    const roc = this.renderRoot.querySelector("svg.roc");
    if (!plots || !outputs || !roc) return;
    paint(outputs, plots.outputs.shapes);
    paint(roc, plots.roc.shapes);
  }

  private readonly pointed = (event: PointerEvent): void => {
    if (
      !this.plots ||
      (event.pointerType === "mouse" && event.type === "pointermove" && event.buttons === 0)
    )
      return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const { x, size } = this.plots.outputs;
    this.threshold = within(x.scale.invert(((event.clientX - box.left) / box.width) * size.width));
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const step = 0.05;
    const moves: Record<string, number> = {
      ArrowRight: step,
      ArrowUp: step,
      ArrowLeft: -step,
      ArrowDown: -step,
      PageUp: 1,
      PageDown: -1,
      Home: -Infinity,
      End: Infinity,
    };
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    this.threshold = within(this.threshold + move);
    event.preventDefault();
  };
}
