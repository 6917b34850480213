// <attack-view>: what an attacker can and cannot tell. Beside each other, how outputs are distributed with and without a person, and how many members a test
// finds for its false alarms; a threshold that the reader moves links the two.
//
//   <attack-view mechanism="gaussian" adjacency="add-remove" sensitivity="1" sigma="1" sliders="sigma 0.3..5"></attack-view>
//
// Attributes: attackAttributes. Parts and custom properties: as of <privacy-curve>. Events: `error`, and `change` when the reader has moved a slider.

import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";

import { percent } from "../chart/numbers.ts";
import { type Plot, plot, type PlotLine } from "../chart/plot.ts";
import { alarmsAt, type Cut, cuts, type Ground, groundOf, lossAt } from "./attack.ts";
import { attackAttributes } from "./attack-view.attributes.ts";
import { AttributeError, numberOf } from "./attributes.ts";
import { baseStyles } from "./base.styles.ts";
import { attackStyles } from "./attack-view.styles.ts";
import { CurveElement } from "./curve-element.ts";
import { paint } from "./paint.ts";
import { sliderRow } from "./slider-row.ts";
import { missedAtLeast } from "./tradeoff.ts";

/** Places on the scale of outputs. */
const scale: readonly number[] = Array.from({ length: 161 }, (_, i) => -4 + i * 0.06);

export class AttackView extends CurveElement {
  static override properties: PropertyDeclarations = { threshold: { state: true } };
  static override styles = [baseStyles, attackStyles];

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...attackAttributes.map(({ name }) => name)];
  }

  /** The attacker's threshold, on the scale of outputs; NaN before there is one. */
  declare threshold: number;

  private tests: readonly Cut[] = [];
  private places: readonly number[] = [];
  private ground: Ground | undefined;
  private plots: { readonly outputs: Plot; readonly roc: Plot } | undefined;

  constructor() {
    super();
    this.threshold = Number.NaN;
  }

  protected begin(): void {
    const get = (name: string) => (name === "view" || name === "views" || name === "compare" ? null : this.getAttribute(name));
    const spec = this.read(get, 1);
    const alarms = numberOf(get, "false-alarms") ?? 0.05;
    if (!(alarms > 0 && alarms < 1)) throw new AttributeError("false-alarms", `is ${alarms}: it must lie between 0 and 1, such as 0.05.`);
    this.ground = groundOf(spec.curves[0]!.event);
    if (Number.isNaN(this.threshold)) this.threshold = within(this.ground.upperQuantile(alarms));
    this.start("tradeoff");
  }

  /** δ(0): by how much the best test finds more members than it raises false alarms. */
  get advantage(): number {
    const priced = this.model?.lines[0]?.priced;
    return priced ? Math.exp(priced.logDelta[0] ?? Number.NaN) : Number.NaN;
  }

  private get cut(): { readonly alarms: number; readonly found: number } {
    const priced = this.model?.lines[0]?.priced;
    const alarms = alarmsAt(this.ground!, this.threshold);
    return { alarms, found: priced ? 1 - missedAtLeast(alarms, priced.epsilon, priced.logDelta) : Number.NaN };
  }

  protected override willUpdate(_changed: PropertyValues): void {
    const priced = this.model?.lines[0]?.priced;
    const { ground } = this;
    if (!priced || !ground || this.width === 0) return;
    this.tests = cuts(priced.epsilon, priced.logDelta);
    this.places = this.tests.map(({ alarms }) => ground.upperQuantile(alarms));
    const wide = this.width >= 600;
    const size = { width: Math.max(280, wide ? Math.floor((this.width - 24) / 2) : this.width), height: 270 };
    const withPerson = (place: number) => ground.density(place) * Math.exp(lossAt(this.places, this.tests, place));
    const both = scale.map(withPerson);
    const right = [this.threshold, ...scale.filter((place) => place > this.threshold)];
    const rough = priced.rough;
    const lines: PlotLine[] = [
      { x: scale, y: scale.map(ground.density), tone: 1 },
      { x: scale, y: both, tone: 2, rough },
      { x: right, y: right.map(ground.density), other: right.map(() => 0), tone: 1, filled: true },
      { x: right, y: right.map(withPerson), other: right.map(() => 0), tone: 2, rough, filled: true },
    ];
    // Where each line is at two thirds of its height, on its outer side.
    const left = scale.find((place) => ground.density(place) > 0.66 * ground.density(0)) ?? 0;
    const beyond = Math.min(2.4, scale.findLast((place) => withPerson(place) > 0.66 * Math.max(...both)) ?? 0);
    const { alarms, found } = this.cut;
    const corners = [{ alarms: 0, found: Math.exp(priced.logDelta.at(-1) ?? -Infinity) }, ...this.tests, { alarms: 1, found: 1 }];
    this.plots = {
      outputs: plot({
        size,
        x: { kind: "linear", domain: [first, last], title: ground.title },
        y: { kind: "linear", domain: [0, Math.min(1, Math.max(0.45, 1.08 * Math.max(...both)))], title: "how likely" },
        lines,
        beside: [
          { x: left, y: ground.density(left), text: "without", anchor: "end", tone: 1 },
          { x: beyond, y: withPerson(beyond), text: "with", anchor: "start", tone: 2 },
        ],
      }),
      roc: plot({
        size,
        x: { kind: "linear", domain: [0, 1], title: "false alarms" },
        y: { kind: "linear", domain: [0, 1], title: "members found, at most" },
        lines: [
          { x: corners.map((one) => one.alarms), y: corners.map((one) => one.found), tone: 1, rough },
          { x: [0, 1], y: [0, 1], tone: 0, reference: true },
        ],
        mark: { x: alarms, y: found },
      }),
    };
  }

  protected content(): TemplateResult | typeof nothing {
    const { spec, model, plots } = this;
    const line = model?.lines[0];
    if (!spec || !model || !plots || !line?.priced) return nothing;
    const { alarms, found } = this.cut;
    const advantage = this.advantage;
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
            aria-valuetext=${`${percent(alarms)} false alarms, ${about} ${percent(found)} of members found`}
            @keydown=${this.pressed}
            @pointerdown=${this.pointed}
            @pointermove=${this.pointed}
          >
            <svg class="drawing outputs" viewBox="0 0 ${plots.outputs.size.width} ${plots.outputs.size.height}" aria-hidden="true"></svg>
          </div>
          <div class="plot still" part="plot"><svg class="drawing roc" viewBox="0 0 ${plots.roc.size.width} ${plots.roc.size.height}" aria-hidden="true"></svg></div>
        </div>
        <table class="legend" part="legend">
          <thead>
            <tr><th scope="col">An attacker who accuses everyone right of the line</th><th scope="col" class="number">so often</th></tr>
          </thead>
          <tbody>
            <tr><th scope="row"><span class="key"><span class="box one"></span>accuses people who are not in the data</span></th><td class="number"><data value=${String(alarms)}>${percent(alarms)}</data></td></tr>
            <tr><th scope="row"><span class="key"><span class="box two"></span>finds people who are, ${about}</span></th><td class="number"><data value=${String(found)}>${percent(found)}</data></td></tr>
          </tbody>
        </table>
        ${sliderRow(spec.sliders, model, (dragging) => {
          model.need("tradeoff", dragging);
          this.requestUpdate();
          if (!dragging) this.tell();
        })}
        <figcaption class="says" part="sentence" id="says">
          ${line.label}: whoever has to guess whether a person is in the data is right ${about} ${percent((1 + advantage) / 2)} of the time. Blind guessing is right
          half of the time; the difference between members found and false alarms is ${about} ${percent(advantage)}, whatever the attacker knows.
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
    const { frame, x, shapes } = plots.outputs;
    const line = Math.round(x.scale(this.threshold) * 100) / 100;
    paint(outputs, [...shapes, { tag: "line", is: { class: "cursor", x1: line, x2: line, y1: frame.top, y2: frame.bottom } }]);
    paint(roc, plots.roc.shapes);
  }

  private readonly pointed = (event: PointerEvent): void => {
    if (!this.plots || (event.pointerType === "mouse" && event.type === "pointermove" && event.buttons === 0)) return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const { x, size } = this.plots.outputs;
    this.threshold = within(x.scale.invert(((event.clientX - box.left) / box.width) * size.width));
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const step = 0.05;
    const moves: Record<string, number> = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step, PageUp: 1, PageDown: -1, Home: -Infinity, End: Infinity };
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    this.threshold = within(this.threshold + move);
    event.preventDefault();
  };
}

const [first, last] = [scale[0]!, scale.at(-1)!];
const within = (x: number): number => Math.max(first, Math.min(last, x));
