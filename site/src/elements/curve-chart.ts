// <curve-chart>: δ(ε) for one or several proofs of one mechanism, on a logarithmic axis, with a
// read-out that can be moved by mouse, finger or arrow keys, and the same numbers as a table. The
// drawing itself is ../chart/curve.ts.
//
//   chart.series  = [{ id, label, note, epsilon, logDelta }, …]   the first one is drawn strongest
//   chart.promise = { epsilon, delta }                            the marked point
//
// Custom properties: --curve-1 … --curve-5 (lines), --curve-ink, --curve-soft, --curve-rule,
// --curve-paper, --curve-focus.

import { html, LitElement, nothing, svg, type PropertyValues, type TemplateResult } from "lit";

import {
  curveFigure,
  type CurveFigure,
  epsilonAt,
  nearestIndex,
  type Series,
} from "../chart/curve.ts";
import { probability, probabilityBound, readable, readableBound } from "../chart/numbers.ts";
import { curveChartStyles } from "./curve-chart.styles.ts";

export interface ChartSeries extends Series {
  /** Whose proof it is: a theorem, cited for people. */
  readonly note: string;
  /**
   * ε at the promised δ, where the accountant was asked for it; Infinity if there is none.
   * Otherwise it is read off the points.
   */
  readonly reaches?: number;
}

/** Whether it is what no proof can go below, and not a promise. */
const isFloor = ({ id }: ChartSeries): boolean => id === "gaussian-lower";

export interface Promised {
  readonly epsilon: number;
  readonly delta: number;
}

export class CurveChart extends LitElement {
  static override properties = {
    series: { attribute: false },
    // A page hands in the same promise as a new object whenever it is drawn.
    promise: {
      attribute: false,
      hasChanged: (a?: Promised, b?: Promised) =>
        a?.epsilon !== b?.epsilon || a?.delta !== b?.delta,
    },
    width: { state: true },
    cursor: { state: true },
  };

  declare series: readonly ChartSeries[];
  declare promise: Promised | undefined;
  declare width: number;
  declare cursor: number;

  private readonly observer = new ResizeObserver(([entry]) => {
    if (entry) this.width = Math.round(entry.contentRect.width);
  });
  private figure: CurveFigure | undefined;

  constructor() {
    super();
    this.series = [];
    this.width = 640;
    this.cursor = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("series") || changed.has("promise")) this.cursor = this.promisedIndex();
    if (this.series.length === 0) return;
    const narrow = this.width < 480;
    this.figure = curveFigure(this.series, {
      size: { width: Math.max(260, this.width), height: narrow ? 280 : 340 },
      ...(this.promise && {
        promise: { epsilon: this.promise.epsilon, logDelta: Math.log(this.promise.delta) },
      }),
    });
  }

  private get epsilon(): readonly number[] {
    return this.series[0]?.epsilon ?? [];
  }

  private promisedIndex(): number {
    const grid = this.epsilon;
    const wanted = this.promise?.epsilon ?? (grid[grid.length - 1] ?? 0) / 2;
    let best = 0;
    grid.forEach((e, i) => {
      if (Math.abs(e - wanted) < Math.abs(grid[best]! - wanted)) best = i;
    });
    return best;
  }

  protected override render(): TemplateResult | typeof nothing {
    const figure = this.figure;
    if (!figure || this.series.length === 0) return nothing;
    const epsilon = this.epsilon[this.cursor] ?? 0;
    return html`
      <figure part="figure">
        ${this.drawing(figure, epsilon)}
        <label class="cursor">
          <span class="hidden">Read the curves at ε</span>
          <input
            type="range"
            min="0"
            max=${this.epsilon.length - 1}
            step="1"
            .value=${String(this.cursor)}
            aria-valuetext=${`ε ${readableBound(epsilon)}: ${this.spoken(epsilon)}`}
            @input=${(event: Event) => {
              this.cursor = Number((event.target as HTMLInputElement).value);
            }}
          />
        </label>
        <figcaption>${this.legend(epsilon)}</figcaption>
      </figure>
      ${this.numbers()}
    `;
  }

  private spoken(epsilon: number): string {
    return this.series.map((s) => `${s.label}, δ ${this.at(s, epsilon)}`).join("; ");
  }

  private at(series: ChartSeries, epsilon: number): string {
    const i = series.epsilon.indexOf(epsilon);
    const log = i < 0 ? Number.NaN : (series.logDelta[i] ?? Number.NaN);
    return Number.isNaN(log) || log === Infinity
      ? "no bound"
      : (isFloor(series) ? probability : probabilityBound)(log);
  }

  private drawing(figure: CurveFigure, epsilon: number): TemplateResult {
    const { frame, size, x, y } = figure;
    const at = x.scale(epsilon);
    const first = this.series[0]!;
    const sentence = `Privacy curves: δ, on a logarithmic axis from ${y.ticks.at(-1)?.label} to 1, falls as ε grows from 0 to ${readable(x.domain[1])}. ${this.summary(first)}`;
    return html`<svg
      viewBox="0 0 ${size.width} ${size.height}"
      width=${size.width}
      height=${size.height}
      role="img"
      aria-label=${sentence}
      @pointermove=${this.moved}
      @pointerdown=${this.moved}
    >
      <rect
        class="paper"
        x=${frame.left}
        y=${frame.top}
        width=${frame.right - frame.left}
        height=${frame.bottom - frame.top}
      />
      ${y.ticks.map(
        (t) => svg`<line class="rule" x1=${frame.left} x2=${frame.right} y1=${t.at} y2=${t.at} />
          <text class="tick" x=${frame.left - 8} y=${t.at} dy="0.32em" text-anchor="end">${t.label}</text>`,
      )}
      ${x.ticks.map(
        (
          t,
        ) => svg`<line class="rule" x1=${t.at} x2=${t.at} y1=${frame.bottom} y2=${frame.bottom + 5} />
          <text class="tick" x=${t.at} y=${frame.bottom + 19} text-anchor="middle">${t.label}</text>`,
      )}
      <line class="axis" x1=${frame.left} x2=${frame.right} y1=${frame.bottom} y2=${frame.bottom} />
      <text class="title" x=${frame.right} y=${size.height - 4} text-anchor="end">
        ε, the privacy loss →
      </text>
      <text class="title" x="4" y="13">↑ δ, on a logarithmic scale</text>
      ${
        figure.promise
          ? svg`<path class="promise-lines" d="M${frame.left},${figure.promise.y}H${figure.promise.x}V${frame.bottom}" />`
          : nothing
      }
      ${figure.lines.map((l, i) => svg`<path class="line line-${i + 1}" d=${l.path} />`).reverse()}
      ${figure.promise ? svg`<circle class="promise" cx=${figure.promise.x} cy=${figure.promise.y} r="6" />` : nothing}
      <line class="cursor-line" x1=${at} x2=${at} y1=${frame.top} y2=${frame.bottom} />
      ${this.series.map((s, i) => {
        const value = s.logDelta[s.epsilon.indexOf(epsilon)];
        if (value === undefined || !Number.isFinite(value)) return nothing;
        const dot = y.scale(value / Math.LN10);
        return dot <= frame.bottom
          ? svg`<circle class="dot dot-${i + 1}" cx=${at} cy=${dot} r="3.5" />`
          : nothing;
      })}
    </svg>`;
  }

  private summary(first: ChartSeries): string {
    if (!this.promise) return `${first.label} is the strongest line.`;
    return `${first.label} reaches δ = ${readableBound(this.promise.delta)} at ε = ${readableBound(this.promise.epsilon)}; a lower curve is a better guarantee.`;
  }

  private readonly moved = (event: PointerEvent): void => {
    if (!this.figure) return;
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const px = ((event.clientX - box.left) / box.width) * this.figure.size.width;
    this.cursor = nearestIndex(this.figure, this.epsilon, px);
  };

  private legend(epsilon: number): TemplateResult {
    const promise = this.promise;
    return html`<table class="legend">
      <thead>
        <tr>
          <th scope="col">Curve</th>
          <th scope="col" class="number">δ at ε = ${readableBound(epsilon)}</th>
          ${promise ? html`<th scope="col" class="number">ε at δ = ${readableBound(promise.delta)}</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${this.series.map((s, i) => {
          const reached = s.reaches ?? (promise ? epsilonAt(s, Math.log(promise.delta)) : null);
          const end = this.epsilon[this.epsilon.length - 1] ?? 0;
          return html`<tr>
            <th scope="row">
              <span class="key">
                <svg class="swatch" width="28" height="10" aria-hidden="true">
                  <path class="line line-${i + 1}" d="M1,5H27" />
                </svg>
                <span>${s.label}<span class="note">${s.note}</span></span>
              </span>
            </th>
            <td class="number">${this.at(s, epsilon)}</td>
            ${promise ? html`<td class="number">${reached === null ? `over ${readable(end)}` : reached === Infinity ? "none" : (isFloor(s) ? readable : readableBound)(reached)}</td>` : nothing}
          </tr>`;
        })}
      </tbody>
    </table>`;
  }

  /**
   * Every sixth point or so of every curve: enough to follow a curve by ear without reading two
   * hundred rows.
   */
  private numbers(): TemplateResult {
    const step = Math.max(1, Math.round(this.epsilon.length / 24));
    const rows = this.epsilon
      .map((e, i) => [e, i] as const)
      .filter(([e, i]) => i % step === 0 || e === this.promise?.epsilon);
    return html`<details>
      <summary>The curves as a table</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="The curves as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">ε</th>
              ${this.series.map((s) => html`<th scope="col" class="number">δ, ${s.label}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ([e]) =>
                html`<tr>
                  <th scope="row">${readableBound(e)}</th>
                  ${this.series.map((s) => html`<td class="number">${this.at(s, e)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
  }

  static override styles = curveChartStyles;
}
