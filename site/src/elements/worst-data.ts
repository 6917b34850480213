// <worst-data>: what one fit by objective perturbation costs at worst, and which data do it, while
// the reader moves λ and ε. The documentation alone has it.
//
//   <worst-data epsilon="1" share="0.5"></worst-data>
//
// Attributes: worstAttributes. Parts: plot, legend, sliders, sentence, error. Events: `error`, and
// `change` when the reader has moved a slider.

import { html, nothing, type PropertyDeclarations, type PropertyValues } from "lit";
import type { TemplateResult } from "lit";

import { probability, readableBound } from "../chart/numbers.ts";
import { paint } from "../chart/paint.ts";
import type { Plot } from "../chart/plot.ts";
import { Queue } from "../curves/queue.ts";
import type { Slider } from "../curves/slider.ts";
import { AccountantElement } from "./accountant-element.ts";
import { baseStyles } from "./base.styles.ts";
import { paragraph, type Place, type Room, sliderRows } from "./room.ts";
import { sliderRow } from "./slider-row.ts";
import { slider } from "./sliders.ts";
import { worstStyles } from "./worst-data.styles.ts";
import {
  type Asked,
  askedOf,
  type Ground,
  groundOf,
  type Multiples,
  multiplesAt,
  type Point,
  pointAt,
  proofs,
  shares,
  worstAttributes,
} from "./worst-model.ts";
import { multiple, noisePlot, reached, slopePlot, worstSentence } from "./worst-plots.ts";

const sliders: readonly Slider[] = [
  slider("share", shares[0]!, shares.at(-1)!, { label: "λ, as a share of λ₀", scale: "linear" }),
  slider("epsilon", 0.1, 8, { label: "ε", scale: "log" }),
];

export class WorstData extends AccountantElement {
  static override properties: PropertyDeclarations = {
    point: { state: true },
    multiples: { state: true },
    lines: { state: true },
    asked: { state: true },
  };
  static override styles = [baseStyles, worstStyles];

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...worstAttributes.map(({ name }) => name)];
  }

  /** What is known of where the sliders stand, or stood a moment ago. */
  declare point: Point | undefined;
  /** The noise at that λ; undefined while it is looked for. */
  declare multiples: Multiples | undefined;
  /** The noise at the first shares of λ₀. */
  declare lines: readonly Multiples[];
  declare asked: Asked;

  /** The lines of another ε, for as long as these are few. */
  private former: readonly Multiples[] = [];
  private ground: Ground | undefined;
  private plots: readonly [Plot, Plot] | undefined;
  private queue: Queue<Asked> | undefined;

  constructor() {
    super();
    this.lines = [];
    this.asked = { epsilon: 1, share: 0.5 };
  }

  protected roomNeeded(place: Place): Room {
    return {
      px: place.width >= 600 ? 280 : 571,
      rem: 15 + sliderRows(sliders.length, place) + paragraph("says", 260, place),
    };
  }

  protected begin(): void {
    this.asked = askedOf((name) => this.getAttribute(name));
    this.queue?.stop();
    this.queue = new Queue(
      (asked, moving) => this.answer(asked, moving),
      (error) => this.fail(error, true),
      150,
    );
    this.queue.ask(this.asked, false);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.queue?.stop();
  }

  /** All that is shown belongs to where the sliders stand. */
  get certified(): boolean {
    return this.ready && !this.failure && !!this.multiples && this.lines.length === shares.length;
  }

  /** The worst case at once; the noises, which take a search each, when the sliders rest. */
  private async answer({ epsilon, share }: Asked, moving: boolean): Promise<boolean> {
    const queue = this.queue!;
    const accountant = await this.accountant();
    const urgent = { urgent: true };
    const before = this.ground;
    const ground =
      before?.epsilon === epsilon ? before : await groundOf(accountant, epsilon, urgent);
    const point = await pointAt(accountant, ground, share, urgent);
    if (queue.stopped) return true;
    if (ground !== before) {
      if (this.lines.length >= this.former.length) this.former = this.lines;
      this.lines = [];
    }
    this.ground = ground;
    this.point = point;
    this.multiples = undefined;
    this.ready = true;
    this.failure = "";
    if (moving) return false;
    this.multiples = await multiplesAt(accountant, ground, share);
    while (this.lines.length < shares.length && !queue.outdated && !queue.stopped) {
      const next = await multiplesAt(accountant, ground, shares[this.lines.length]!);
      this.lines = [...this.lines, next];
    }
    return true;
  }

  private move(name: keyof Asked, value: number, dragging: boolean): void {
    this.asked = { ...this.asked, [name]: value };
    this.multiples = undefined;
    this.queue!.ask(this.asked, dragging);
    if (!dragging) this.dispatchEvent(new Event("change", { bubbles: true }));
  }

  protected override willUpdate(_changed: PropertyValues): void {
    const { point, width } = this;
    if (!point || width === 0) return;
    const each = width >= 600 ? Math.floor((width - 24) / 2) : width;
    const size = { width: Math.max(280, each), height: 270 };
    this.plots = [
      slopePlot(point, size),
      noisePlot(this.lines, this.former, point.share, this.multiples, size),
    ];
  }

  protected content(): TemplateResult | typeof nothing {
    const { plots, point, ground, asked } = this;
    if (!plots || !point || !ground) return nothing;
    let moved: keyof Asked = "share";
    return html`
      <figure aria-labelledby="says">
        <div class="pair">
          ${plots.map(
            ({ size }) =>
              html`<div class="plot" part="plot">
                <svg viewBox="0 0 ${size.width} ${size.height}" aria-hidden="true"></svg>
              </div>`,
          )}
        </div>
        ${sliderRow(
          sliders,
          {
            value: ({ field }) => asked[field as keyof Asked],
            set: ({ field }, value) => {
              moved = field as keyof Asked;
              this.asked = { ...asked, [moved]: value };
            },
          },
          (dragging) => this.move(moved, this.asked[moved], dragging),
        )}
        <figcaption class="says" part="sentence" id="says">
          ${worstSentence(ground.epsilon, point)}
        </figcaption>
        ${this.table(point)}
      </figure>
    `;
  }

  private table({ worst, logDelta }: Point): TemplateResult {
    const swatch = (tone: number) =>
      html`<svg class="swatch" width="26" height="8" aria-hidden="true">
        <g class="tone" data-tone=${tone}></g>
      </svg>`;
    const row = (name: string, tone: number, chance: string, noise: string) =>
      html`<tr>
        <th scope="row">
          <span class="key">${swatch(tone)}<span>${name}</span></span>
        </th>
        <td class="number">${chance}</td>
        <td class="number">${noise}</td>
      </tr>`;
    const found = this.multiples;
    return html`<table part="legend">
      <thead>
        <tr>
          <th scope="col">By</th>
          <th scope="col" class="number">δ, with one Gaussian’s noise</th>
          <th scope="col" class="number">noise for δ = 10⁻⁵, in one Gaussian’s</th>
        </tr>
      </thead>
      <tbody>
        ${proofs.map(({ bound, name, tone }) => {
          const log = logDelta[bound];
          const chance = log === undefined ? "says nothing" : readableBound(Math.exp(log));
          return row(name, tone, chance, found ? multiple(found[bound]) : "…");
        })}
        ${row("data, at least", 6, probability(reached(worst)), "")}
        ${row("one Gaussian: no proof can promise less", 0, probability(worst.logDeltaGaussian), "1")}
      </tbody>
    </table>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const drawings = this.renderRoot.querySelectorAll(".plot > svg");
    this.plots?.forEach(({ shapes }, i) => drawings[i] && paint(drawings[i], shapes));
    for (const group of this.renderRoot.querySelectorAll<SVGGElement>(".tone")) {
      const tone = Number(group.dataset["tone"]);
      const line = tone > 0 ? `line tone-${tone}` : "line reference";
      paint(group, [{ tag: "path", is: { class: line, d: "M0,4H26" } }]);
    }
  }
}
