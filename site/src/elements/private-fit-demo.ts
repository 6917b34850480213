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

import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from "lit";

import { look } from "../chart/look.ts";
import { percent, readable } from "../chart/numbers.ts";
import type { Plot } from "../chart/plot.ts";
import { CloisterElement } from "./base.ts";
import { baseStyles } from "./base.styles.ts";
import { pngFile, saveFile, svgFile } from "../chart/export.ts";
import { FitModel, type Fitted, type FittedLine } from "./fit-demo-model.ts";
import { fitDemoAttributes, fitSpec, type FitSpec } from "./fit-demo-spec.ts";
import {
  distance,
  fitCSV,
  fitKinds,
  fitPlot,
  fitSentence,
  heightFor,
  said,
  summary,
} from "./fit-demo-view.ts";
import { defaultWasm, fitters } from "./fitters.ts";
import { paint } from "../chart/paint.ts";
import { fitDemoStyles } from "./private-fit-demo.styles.ts";
import { sliderRow } from "./slider-row.ts";
import { footRow, paragraph, type Place, type Room, sliderRows } from "./room.ts";

const plotWidth = (width: number): number =>
  Math.max(280, Math.min(560, width >= 720 ? Math.floor((width - 24) * 0.6) : width));

export class PrivateFitDemo extends CloisterElement {
  static override properties: PropertyDeclarations = {
    chosen: { state: true },
    drawn: { state: true },
  };
  static override styles = [baseStyles, fitDemoStyles];

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...fitDemoAttributes.map(({ name }) => name)];
  }

  /** The draw that is read out; −1 for none. */
  declare chosen: number;
  /** Counts what the model has told. */
  declare drawn: number;

  /** The frame in which what was told is drawn; 0 for none. Answers come faster than frames. */
  private frame = 0;
  private spec: FitSpec | undefined;
  private model: FitModel | undefined;
  private plotted: Plot | undefined;
  private table: TemplateResult | undefined;

  constructor() {
    super();
    this.chosen = -1;
    this.drawn = 0;
  }

  protected roomNeeded(place: Place): Room {
    const { sliders } = fitSpec((name) => this.getAttribute(name));
    const { width, rem } = place;
    const beside = width >= 720;
    const plot = heightFor(plotWidth(width)) + (beside ? 0.6 * rem : 0);
    const list = 9.2 * rem;
    const moved = sliderRows(sliders.length, beside ? { rem, width: width * 0.4 } : place) * rem;
    return {
      px: beside ? Math.max(plot, 1.4 * rem + list + moved) : plot + list + moved,
      rem:
        paragraph("says", 337, place) +
        paragraph("theorem", sliders.length > 1 ? 160 : 117, place) +
        footRow,
    };
  }

  protected begin(): void {
    const spec = fitSpec((name) => this.getAttribute(name));
    this.spec = spec;
    this.model?.stop();
    this.model = new FitModel(spec, fitters(this.wasm(defaultWasm)), {
      drawn: () => {
        this.failure = "";
        if (!this.ready) this.ready = true;
        else this.frame ||= requestAnimationFrame(this.redraw);
      },
      failed: (error) => this.fail(error, spec.sliders.length > 0),
    });
    for (const slider of spec.sliders) {
      const given = Number(this.fragment?.get(slider.field) ?? Number.NaN);
      if (given >= slider.from && given <= slider.to) this.model.set(slider, given);
    }
    this.model.need(false);
  }

  private readonly redraw = (): void => {
    this.frame = 0;
    this.drawn++;
  };

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.model?.stop();
  }

  /** Whether all lines are shown, of the numbers that are shown. */
  get certified(): boolean {
    return this.ready && !this.failure && this.frame === 0 && (this.model?.settled ?? false);
  }

  /** Points and lines as they are now; for programs. */
  get fitted(): Fitted | undefined {
    return this.model?.fitted;
  }

  protected override willUpdate(_changed: PropertyValues): void {
    const fitted = this.model?.fitted;
    if (!fitted || this.width === 0) return;
    const width = plotWidth(this.width);
    this.plotted = fitPlot(fitted, { width, height: heightFor(width) }, this.chosen);
    if (this.model!.settled) this.table = numbers(fitted.plain, fitted.lines);
  }

  protected content(): TemplateResult | typeof nothing {
    const { spec, model, plotted, chosen } = this;
    const fitted = model?.fitted;
    if (!spec || !model || !plotted || !fitted) return nothing;
    const { width, height } = plotted.size;
    const { mean, worst } = summary(fitted);
    const right = (share: number) =>
      html`<td class="number"><data value=${String(share)}>${percent(share)}</data></td>`;
    return html`
      <figure aria-labelledby="says">
        <div class="sides">
          <div
            class="plot"
            part="plot"
            role="slider"
            tabindex="0"
            aria-label="Read the private lines one by one"
            aria-valuemin="0"
            aria-valuemax=${fitted.lines.length}
            aria-valuenow=${chosen + 1}
            aria-valuetext=${chosen < 0 ? `all ${fitted.lines.length} draws` : said(fitted, chosen)}
            @keydown=${this.pressed}
            @pointermove=${this.pointed}
            @pointerdown=${this.pointed}
            @pointerleave=${() => (this.chosen = -1)}
          >
            <svg
              class="drawing"
              viewBox="0 0 ${width} ${height}"
              width=${width}
              height=${height}
              aria-hidden="true"
            ></svg>
          </div>
          <div class="beside">
            <table class="legend" part="legend">
              <thead>
                <tr>
                  <th scope="col">At ε = ${readable(fitted.question.epsilon)}</th>
                  <th scope="col" class="number">new records right</th>
                </tr>
              </thead>
              <tbody>
                <tr>
                  <th scope="row">
                    <span class="key">${swatch("without")}<span>fit without privacy</span></span>
                  </th>
                  ${right(fitted.plain.right)}
                </tr>
                <tr>
                  <th scope="row">
                    <span class="key"
                      >${swatch("draw tone-1")}<span>private fits, on average</span></span
                    >
                  </th>
                  ${right(mean)}
                </tr>
                <tr>
                  <th scope="row">
                    <span class="key"
                      >${swatch("")}<span>the worst of ${fitted.lines.length}</span></span
                    >
                  </th>
                  ${right(worst)}
                </tr>
              </tbody>
            </table>
            <p class="read">${chosen < 0 ? nothing : sentenceCase(said(fitted, chosen))}</p>
            ${sliderRow(spec.sliders, model, (dragging) => {
              model.need(dragging);
              this.requestUpdate();
              if (!dragging) this.tell();
            })}
          </div>
        </div>
        <figcaption class="says" part="sentence" id="says">${fitSentence(fitted)}</figcaption>
        <p class="theorem">${fitKinds(fitted)}</p>
      </figure>
      <div class="foot bar">
        <details>
          <summary>Numbers as a table</summary>
          ${this.table}
        </details>
        ${spec.downloads.length > 0 ? html`<span>Save ${spec.downloads.map((kind) => html`<button type="button" @click=${() => this.save(kind)} aria-label=${`Save as ${kind.toUpperCase()}`}>${kind.toUpperCase()}</button>`)}</span>` : nothing}
      </div>
    `;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const svg = this.renderRoot.querySelector("svg.drawing");
    if (svg && this.plotted) paint(svg, this.plotted.shapes);
  }

  private tell(): void {
    this.fragment?.set(
      Object.fromEntries(
        this.spec!.sliders.map((slider) => [
          slider.field,
          this.model!.moved(slider) ? String(this.model!.value(slider)) : null,
        ]),
      ),
    );
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }

  private readonly pointed = (event: PointerEvent): void => {
    const fitted = this.model?.fitted;
    if (!this.plotted || !fitted) return;
    const { x, y, size } = this.plotted;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const scale = size.width / box.width;
    const [px, py] = [
      x.scale.invert((event.clientX - box.left) * scale),
      y.scale.invert((event.clientY - box.top) * scale),
    ];
    let [best, least] = [-1, 0.08]; // no further from the hand than this
    fitted.lines.forEach((line, i) => {
      const far = distance(line, px, py);
      if (far < least) [best, least] = [i, far];
    });
    this.chosen = best;
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const last = (this.model?.fitted?.lines.length ?? 0) - 1;
    const moves: Record<string, number> = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: 5,
      PageDown: -5,
      Home: -1e6,
      End: 1e6,
      Escape: -1e6,
    };
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    this.chosen = Math.max(-1, Math.min(last, this.chosen + move));
    event.preventDefault();
  };

  private async save(kind: string): Promise<void> {
    const svg = this.renderRoot.querySelector<SVGSVGElement>("svg.drawing");
    const fitted = this.model?.fitted;
    if (!svg || !fitted) return;
    const name = `private-fits.${kind}`;
    if (kind === "csv") saveFile(name, new Blob([fitCSV(fitted)], { type: "text/csv" }));
    else if (kind === "svg")
      saveFile(name, new Blob([svgFile(svg, fitSentence(fitted))], { type: "image/svg+xml" }));
    else saveFile(name, await pngFile(svg));
  }
}

const swatch = (classes: string): TemplateResult => {
  const {
    stroke = "none",
    "stroke-width": width = "0",
    "stroke-dasharray": dashes = "none",
  } = look(classes);
  return html`<svg class="swatch" width="26" height="8" aria-hidden="true">
    <path
      d="M1,4H25"
      fill="none"
      stroke=${stroke}
      stroke-width=${width}
      stroke-dasharray=${dashes}
    />
  </svg>`;
};

const sentenceCase = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function numbers(plain: FittedLine, lines: readonly FittedLine[]): TemplateResult {
  const row = (name: string, { a, b, c, right }: FittedLine) =>
    html`<tr>
      <th scope="row">${name}</th>
      <td class="number"><data value=${String(right)}>${percent(right)}</data></td>
      ${[a, b, c].map((value) => html`<td class="number"><data value=${String(value)}>${readable(value)}</data></td>`)}
    </tr>`;
  return html`<div
    class="scroll"
    part="table"
    tabindex="0"
    role="region"
    aria-label="Numbers of the lines"
  >
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">Fit</th>
          <th scope="col" class="number">new records right</th>
          <th scope="col" class="number">first number</th>
          <th scope="col" class="number">second number</th>
          <th scope="col" class="number">constant</th>
        </tr>
      </thead>
      <tbody>
        ${row("without privacy", plain)}${lines.map((line, i) => row(`draw ${i + 1}`, line))}
      </tbody>
    </table>
  </div>`;
}
