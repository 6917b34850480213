// The base of the elements that draw a learner's noise many times: a picture of the draws, which
// are read out one by one, a table of what they are worth, sliders, and files to save.

import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  svg,
  type TemplateResult,
} from "lit";

import type { Size } from "../chart/curve.ts";
import { pngFile, saveFile, svgFile } from "../chart/export.ts";
import { look } from "../chart/look.ts";
import { percent, readable } from "../chart/numbers.ts";
import { paint } from "../chart/paint.ts";
import type { Shape } from "../chart/shape.ts";
import type { Ask } from "../curves/engine.ts";
import { CloisterElement } from "./base.ts";
import type { DrawsModel, Told } from "./draws-model.ts";
import type { DrawsQuestion, DrawsSettings } from "./draws-spec.ts";
import { defaultWasm, fitters } from "./fitters.ts";
import { footRow, paragraph, type Place, type Room, sliderRows } from "./room.ts";
import { sliderRow } from "./slider-row.ts";

/** What draws are worth: shares of new records that are predicted right. */
export interface Worth {
  readonly plain: number;
  readonly mean: number;
  readonly worst: number;
}

/** A laid-out picture. */
export interface Layout {
  readonly size: Size;
  readonly shapes: readonly Shape[];
}

/** From a picture P to shapes, words and files. L is its layout. */
export interface DrawsView<P, L extends Layout> {
  /** What the keys do at the picture. */
  readonly reads: string;
  /** What the draws and the one without privacy are called, and new records. */
  readonly names: { readonly plain: string; readonly draws: string; readonly right: string };
  /** The classes of the marks beside those names. */
  readonly marks: { readonly plain: string; readonly draws: string };
  /** How a saved file is called. */
  readonly file: string;
  /** Letters of the sentence and of the line below it, at most. */
  readonly letters: { readonly says: number; readonly kinds: number };
  width(element: number): number;
  height(width: number): number;
  layout(picture: P, size: Size, chosen: number): L;
  /** The draw that is pointed at, −1 for none. */
  at(picture: P, layout: L, x: number, y: number): number;
  count(picture: P): number;
  worth(picture: P): Worth;
  said(picture: P, draw: number): string;
  sentence(picture: P): string;
  kinds(picture: P): string;
  table(picture: P): { readonly head: readonly string[]; readonly rows: readonly DrawRow[] };
  csv(picture: P): string;
}

/** A row of the table: a draw's name, what it is worth, and its other numbers. */
export interface DrawRow {
  readonly name: string;
  readonly right: number;
  readonly numbers: readonly number[];
}

export abstract class DrawsElement<
  S extends DrawsQuestion & DrawsSettings,
  P extends { readonly question: DrawsQuestion },
  L extends Layout,
> extends CloisterElement {
  static override properties: PropertyDeclarations = {
    chosen: { state: true },
    drawn: { state: true },
  };

  /** The draw that is read out; −1 for none. */
  declare chosen: number;
  /** Counts what the model has told. */
  declare drawn: number;

  protected abstract readonly view: DrawsView<P, L>;
  protected model: Model<P> | undefined;
  /** The frame in which what was told is drawn; 0 for none. Answers come faster than frames. */
  private frame = 0;
  private spec: S | undefined;
  private laidOut: L | undefined;
  private table: TemplateResult | undefined;

  constructor() {
    super();
    this.chosen = -1;
    this.drawn = 0;
  }

  /** Reads the attributes; may throw. */
  protected abstract read(): S;
  protected abstract modelOf(spec: S, ask: Promise<Ask>, told: Told): Model<P>;

  protected roomNeeded(place: Place): Room {
    const { sliders } = this.read();
    const { width, rem } = place;
    const beside = width >= 720;
    const plot = this.view.height(this.view.width(width)) + (beside ? 0.6 * rem : 0);
    const list = 9.2 * rem;
    const moved = sliderRows(sliders.length, beside ? { rem, width: width * 0.4 } : place) * rem;
    return {
      px: beside ? Math.max(plot, 1.4 * rem + list + moved) : plot + list + moved,
      rem:
        paragraph("says", this.view.letters.says, place) +
        paragraph("theorem", this.view.letters.kinds, place) +
        footRow,
    };
  }

  protected begin(): void {
    const spec = this.read();
    this.spec = spec;
    this.model?.stop();
    this.model = this.modelOf(spec, fitters(this.wasm(defaultWasm)), {
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

  /** Whether all draws are shown, of the numbers that are shown. */
  get certified(): boolean {
    return this.ready && !this.failure && this.frame === 0 && (this.model?.settled ?? false);
  }

  protected override willUpdate(_changed: PropertyValues): void {
    const picture = this.model?.picture;
    if (!picture || this.width === 0) return;
    const width = this.view.width(this.width);
    const size = { width, height: this.view.height(width) };
    this.laidOut = this.view.layout(picture, size, this.chosen);
    if (this.model!.settled) this.table = numbers(this.view.table(picture));
  }

  protected content(): TemplateResult | typeof nothing {
    const { spec, model, laidOut, chosen, view } = this;
    const picture = model?.picture;
    if (!spec || !model || !laidOut || !picture) return nothing;
    const { width, height } = laidOut.size;
    const { plain, mean, worst } = view.worth(picture);
    const draws = view.count(picture);
    const row = (classes: string, name: string, share: number) =>
      html`<tr>
        <th scope="row">
          <span class="key">${swatch(classes)}<span>${name}</span></span>
        </th>
        <td class="number"><data value=${String(share)}>${percent(share)}</data></td>
      </tr>`;
    return html`
      <figure aria-labelledby="says">
        <div class="sides">
          <div
            class="plot"
            part="plot"
            role="slider"
            tabindex="0"
            aria-label=${view.reads}
            aria-valuemin="0"
            aria-valuemax=${draws}
            aria-valuenow=${chosen + 1}
            aria-valuetext=${chosen < 0 ? `all ${draws} draws` : view.said(picture, chosen)}
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
                  <th scope="col">At ε = ${readable(picture.question.epsilon)}</th>
                  <th scope="col" class="number">${view.names.right}</th>
                </tr>
              </thead>
              <tbody>
                ${row(view.marks.plain, view.names.plain, plain)}
                ${row(view.marks.draws, `${view.names.draws}, on average`, mean)}
                ${row("", `the worst of ${draws}`, worst)}
              </tbody>
            </table>
            <p class="read">${chosen < 0 ? nothing : sentenceCase(view.said(picture, chosen))}</p>
            ${sliderRow(spec.sliders, model, (dragging) => {
              model.need(dragging);
              this.requestUpdate();
              if (!dragging) this.tell();
            })}
          </div>
        </div>
        <figcaption class="says" part="sentence" id="says">${view.sentence(picture)}</figcaption>
        <p class="theorem">${view.kinds(picture)}</p>
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
    if (svg && this.laidOut) paint(svg, this.laidOut.shapes);
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
    const picture = this.model?.picture;
    if (!this.laidOut || !picture) return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const scale = this.laidOut.size.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    this.chosen = this.view.at(picture, this.laidOut, x, y);
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const picture = this.model?.picture;
    const last = (picture ? this.view.count(picture) : 0) - 1;
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
    const picture = this.model?.picture;
    if (!svg || !picture) return;
    const { view } = this;
    const name = `${view.file}.${kind}`;
    if (kind === "csv") saveFile(name, new Blob([view.csv(picture)], { type: "text/csv" }));
    else if (kind === "svg")
      saveFile(name, new Blob([svgFile(svg, view.sentence(picture))], { type: "image/svg+xml" }));
    else saveFile(name, await pngFile(svg));
  }
}

/** The model as the element uses it. */
type Model<P> = Pick<
  DrawsModel<DrawsQuestion, unknown, unknown, P & { readonly question: DrawsQuestion }>,
  "stop" | "set" | "value" | "moved" | "need" | "settled"
> & { readonly picture: P | undefined };

const swatch = (classes: string): TemplateResult => {
  const {
    stroke = "none",
    "stroke-width": width = "0",
    "stroke-dasharray": dashes = "none",
    fill = "none",
    "fill-opacity": opacity = "1",
  } = look(classes);
  return html`<svg class="swatch" width="26" height="8" aria-hidden="true">
    ${
      fill === "none"
        ? svg`<path d="M1,4H25" fill="none" stroke=${stroke} stroke-width=${width} stroke-dasharray=${dashes} />`
        : svg`<rect x="1" y="-1" width="24" height="10" fill=${fill} fill-opacity=${opacity} />`
    }
  </svg>`;
};

const sentenceCase = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function numbers({
  head,
  rows,
}: {
  readonly head: readonly string[];
  readonly rows: readonly DrawRow[];
}): TemplateResult {
  return html`<div
    class="scroll"
    part="table"
    tabindex="0"
    role="region"
    aria-label="Numbers of the draws"
  >
    <table class="numbers">
      <thead>
        <tr>
          ${head.map((name, i) => html`<th scope="col" class=${i === 0 ? nothing : "number"}>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ name, right, numbers }) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td class="number"><data value=${String(right)}>${percent(right)}</data></td>
              ${numbers.map((value) => html`<td class="number"><data value=${String(value)}>${readable(value)}</data></td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
