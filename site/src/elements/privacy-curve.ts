// <privacy-curve>: what a mechanism costs, as δ(ε), ε(δ), its Rényi divergence, or the trade-off
// between an attacker's errors, for one or several mechanisms.
//
//   <privacy-curve mechanism="gaussian" adjacency="add-remove" sensitivity="1" sigma="2"
//   sliders="sigma 0.5..10"></privacy-curve>
//
// The attributes are in curve-spec.ts (curveAttributes). Parts: plot, switch, legend, sliders,
// sentence, table, error, and each shape of the drawing by its class (line, band, tick, title,
// mark, …). Custom properties: --curve-1 … --curve-6 (lines), --curve-soft, --curve-rule,
// --curve-paper, --curve-focus. Events: `error`, and `change` when the reader has moved a slider or
// switched the view.

import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from "lit";

import { ledBy } from "../chart/keys.ts";
import { look, toneOf } from "../chart/look.ts";
import { cursorShapes, type Plot, plot } from "../chart/plot.ts";
import { baseStyles } from "./base.styles.ts";
import { CurveElement } from "./curve-element.ts";
import { type View, views } from "../curves/curve.ts";
import { curveAttributes, curveSpec, type CurveSpec } from "./curve-spec.ts";
import { curveTable, curveCSV } from "../curves/table.ts";
import {
  draw,
  type Drawing,
  type Line,
  neighbours,
  sentence,
  sentenceAlone,
  viewNames,
} from "../curves/views.ts";
import { pngFile, saveFile, svgFile } from "../chart/export.ts";
import { paint } from "../chart/paint.ts";
import { footRow, paragraph, type Place, type Room, sliderRows, switchRow } from "./room.ts";
import { sliderRow } from "./slider-row.ts";

const plotHeight = (width: number): number =>
  width < 480 ? 270 : Math.min(400, Math.max(320, Math.round(width * 0.5)));

export class PrivacyCurve extends CurveElement {
  static override properties: PropertyDeclarations = {
    view: { state: true },
    cursor: { state: true },
  };
  static override styles = baseStyles;

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...curveAttributes.map(({ name }) => name)];
  }

  declare view: View;
  /** Index of the read-out's place; −1 where it has not been moved. */
  declare cursor: number;

  private drawing: Drawing | undefined;
  private plotted: Plot | undefined;
  private table: TemplateResult | undefined;

  constructor() {
    super();
    this.view = "delta";
    this.cursor = -1;
  }

  protected roomNeeded(place: Place): Room {
    const spec = curveSpec((name) => this.getAttribute(name), this.json());
    const curves = spec.curves.length;
    const proof = curves > 1 ? 38 : spec.curves[0]!.event.mechanism.length > 12 ? 208 : 126;
    return {
      px: plotHeight(place.width),
      rem:
        (spec.views.length > 1 ? switchRow : 0) +
        0.6 +
        3.75 +
        (curves - 1) * (place.width < 480 ? 2.2 : 1.95) +
        sliderRows(spec.sliders.length, place) +
        paragraph("says", 50 + 30 * curves, place) +
        paragraph("theorem", proof, place) +
        footRow,
    };
  }

  protected begin(): void {
    const spec = this.read((name) => this.getAttribute(name));
    const asked = this.fragment?.get("view") as View | null;
    this.view =
      asked && (views as readonly string[]).includes(asked) && spec.views.includes(asked)
        ? asked
        : spec.view;
    this.start(this.view);
  }

  protected override willUpdate(_changed: PropertyValues): void {
    const { model } = this;
    if (!model?.scope || this.width === 0) return;
    this.drawing = draw(model.view, model.lines, model.scope);
    // The table holds certified numbers only: while a slider moves it stays as it is.
    if (model.settled)
      this.table = curveTable(
        this.drawing,
        model.lines,
        `Numbers of ${model.lines[0]?.label ?? "the plot"}`,
      );
    this.plotted = plot({
      size: {
        width: Math.max(280, this.width),
        height: plotHeight(this.width),
      },
      ...this.drawing,
    });
  }

  protected content(): TemplateResult | typeof nothing {
    const { spec, model, drawing, plotted } = this;
    if (!spec || !model?.scope || !drawing || !plotted) return nothing;
    const stop = this.stop(drawing);
    const says = sentence(model.view, model.lines, model.scope);
    const theorems = [...new Set(model.lines.flatMap((line) => line.priced?.theorem ?? []))];
    return html`
      <figure aria-labelledby="says">
        ${spec.views.length > 1 ? this.switch(spec) : nothing}
        <div
          class="plot"
          part="plot"
          role="slider"
          tabindex="0"
          aria-label=${`Read the plot: ${viewNames[model.view].long}`}
          aria-valuemin="0"
          aria-valuemax=${drawing.stops.length - 1}
          aria-valuenow=${stop}
          aria-valuetext=${`${drawing.at(stop)}: ${model.lines.map((line) => `${line.label}, ${drawing.names.y} ${this.reading(line, drawing, stop)}`).join("; ")}`}
          @keydown=${this.pressed}
          @pointermove=${this.pointed}
          @pointerdown=${this.pointed}
          @pointerleave=${() => (this.cursor = -1)}
        >
          <svg
            class="drawing"
            viewBox="0 0 ${plotted.size.width} ${plotted.size.height}"
            width=${plotted.size.width}
            height=${plotted.size.height}
            aria-hidden="true"
          ></svg>
        </div>
        ${this.legend(drawing, stop)}
        ${sliderRow(spec.sliders, model, (dragging) => {
          model.need(this.view, dragging);
          this.requestUpdate();
          if (!dragging) this.said();
        })}
        <figcaption class="says" part="sentence" id="says">${says}</figcaption>
        <p class="theorem">
          ${theorems.length === 1 ? `${theorems[0]}. ` : nothing}${neighbours(model.lines)}
        </p>
      </figure>
      <div class="foot bar">
        <details>
          <summary>
            ${theorems.length > 1 ? "Numbers as a table, and the proofs" : "Numbers as a table"}
          </summary>
          ${this.table}
          ${
            theorems.length > 1
              ? html`<ul class="theorems">
                  ${model.lines.map((line) => (line.priced?.theorem ? html`<li>${line.label}: ${line.priced.theorem}.</li>` : nothing))}
                </ul>`
              : nothing
          }
        </details>
        ${spec.downloads.length > 0 ? html`<span>Save ${spec.downloads.map((kind) => html`<button type="button" @click=${() => this.save(kind)} aria-label=${`Save as ${kind.toUpperCase()}`}>${kind.toUpperCase()}</button>`)}</span>` : nothing}
      </div>
    `;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { drawing, plotted, model } = this;
    const svg = this.renderRoot.querySelector("svg.drawing");
    if (!svg || !drawing || !plotted || !model) return;
    const stop = this.stop(drawing);
    const dots = model.lines.flatMap((line, i) =>
      line.lowest ? [] : [{ y: drawing.read(line, stop).y, tone: toneOf(i) }],
    );
    const cursor =
      this.cursor < 0 && !this.matches(":focus-within")
        ? []
        : cursorShapes(plotted, drawing.stops[stop] ?? Number.NaN, dots);
    paint(svg, [
      ...plotted.shapes,
      ...cursor.map((shape) => ({ ...shape, is: { ...shape.is, "data-cursor": "" } })),
    ]);
  }

  private stop(drawing: Drawing): number {
    return this.cursor < 0 ? drawing.home : Math.min(this.cursor, drawing.stops.length - 1);
  }

  private switch(spec: CurveSpec): TemplateResult {
    return html`<div class="bar">
      <div class="switch" part="switch" role="group" aria-label="What is drawn">
        ${spec.views.map(
          (view) =>
            html`<button
              type="button"
              aria-pressed=${view === this.view}
              title=${viewNames[view].long}
              @click=${() => this.choose(view)}
            >
              ${viewNames[view].short}
            </button>`,
        )}
      </div>
    </div>`;
  }

  private choose(view: View): void {
    this.view = view;
    this.cursor = -1;
    this.model?.need(view, false);
    this.said();
  }

  private said(): void {
    this.tell({ view: this.view === this.spec!.view ? null : this.view });
  }

  private legend(drawing: Drawing, stop: number): TemplateResult {
    const lines = this.model!.lines;
    return html`<table class="legend" part="legend">
      <thead>
        <tr>
          <th scope="col">At ${drawing.at(stop)}</th>
          <th scope="col" class="number">${drawing.names.y}</th>
        </tr>
      </thead>
      <tbody>
        ${lines.map((line, i) => {
          const style = look(line.lowest ? "line reference" : `line tone-${toneOf(i)}`);
          return html`<tr>
            <th scope="row">
              <span class="key"
                ><svg class="swatch" width="26" height="8" aria-hidden="true">
                  <path
                    d="M1,4H25"
                    fill="none"
                    stroke=${style.stroke!}
                    stroke-width=${style["stroke-width"]!}
                    stroke-dasharray=${style["stroke-dasharray"]!}
                  /></svg
                ><span>${line.label}</span></span
              >
            </th>
            <td class="number">${this.reading(line, drawing, stop)}</td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }

  private reading(line: Line, drawing: Drawing, stop: number): string {
    const { text } = drawing.read(line, stop);
    return line.priced?.rough && this.model!.view !== "rdp" ? `≈ ${text}` : text;
  }

  private readonly pointed = (event: PointerEvent): void => {
    const { plotted, drawing } = this;
    if (!plotted || !drawing) return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const at = plotted.x.scale.invert(
      ((event.clientX - box.left) / box.width) * plotted.size.width,
    );
    let best = 0;
    drawing.stops.forEach((stop, i) => {
      if (Math.abs(stop - at) < Math.abs(drawing.stops[best]! - at)) best = i;
    });
    this.cursor = best;
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const { drawing } = this;
    if (!drawing) return;
    const place = ledBy(event, this.stop(drawing), drawing.stops.length - 1);
    if (place === undefined) return;
    this.cursor = place;
    event.preventDefault();
  };

  private async save(kind: string): Promise<void> {
    const { drawing, model } = this;
    const svg = this.renderRoot.querySelector<SVGSVGElement>("svg.drawing");
    if (!svg || !drawing || !model?.scope) return;
    const name = `privacy-curve.${kind}`;
    const below = neighbours(model.lines);
    if (kind === "csv")
      saveFile(name, new Blob([curveCSV(drawing, model.lines)], { type: "text/csv" }));
    else if (kind === "svg")
      saveFile(
        name,
        new Blob([svgFile(svg, sentenceAlone(model.view, model.lines, model.scope), below)], {
          type: "image/svg+xml",
        }),
      );
    else saveFile(name, await pngFile(svg, below));
  }

  /** ε at the marked δ of each line, as it is now; for programs. */
  get epsilons(): readonly (number | undefined)[] {
    return this.model?.lines.map((line) => line.priced?.epsilonAtDelta) ?? [];
  }
}
