// <privacy-budget>: what was charged to a budget, what is left of it, and how many more of each
// event fit.
//
//   <privacy-budget adjacency="add-remove" epsilon="2" delta="1e-5"> <script
//   type="application/json">[{"label": "A count", "event": {"mechanism": "laplace", …}, "count":
//   3}, …]</script> </privacy-budget>
//
// Attributes: budgetAttributes. Parts: bar, legend, sentence, error. Events: `error`, and `change`
// when the reader has changed a count.

import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from "lit";

import { look, toneOf } from "../chart/look.ts";
import { count, readableBound } from "../chart/numbers.ts";
import { AccountantElement } from "./accountant-element.ts";
import { baseStyles } from "./base.styles.ts";
import { budgetSentence, gauge } from "./budget-gauge.ts";
import {
  budgetAttributes,
  type BudgetSpec,
  budgetSpec,
  MOST,
  roomFor,
  spending,
} from "./budget-spec.ts";
import { between } from "../curves/views.ts";
import { paint } from "../chart/paint.ts";
import { budgetStyles } from "./privacy-budget.styles.ts";
import { paragraph, type Place, type Room } from "./room.ts";

export class PrivacyBudget extends AccountantElement {
  static override properties: PropertyDeclarations = {
    counts: { state: true },
    spent: { state: true },
    room: { state: true },
    over: { state: true },
  };
  static override styles = [baseStyles, budgetStyles];

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...budgetAttributes.map(({ name }) => name)];
  }

  /** How often each event is charged. */
  declare counts: readonly number[];
  /**
   * ε that the events up to each one amount to; undefined while the counts are more than the budget
   * affords.
   */
  declare spent: readonly number[] | undefined;
  /** How many more of each event fit, as far as that is known yet. */
  declare room: readonly number[];
  /** The counts are more than the budget affords. */
  declare over: boolean;

  private spec: BudgetSpec | undefined;
  private asked = 0;
  /** The question whose ε is known, and the one of which all is. */
  private priced = 0;
  private answered = 0;

  constructor() {
    super();
    this.counts = [];
    this.spent = undefined;
    this.room = [];
    this.over = false;
  }

  protected roomNeeded(place: Place): Room {
    const { items, budget } = budgetSpec((name) => this.getAttribute(name), this.json());
    return {
      px: 28,
      rem:
        2 +
        2.2 * (items.length + 1) +
        paragraph("says", 103 + between(budget.adjacency).length, place),
    };
  }

  protected begin(): void {
    const spec = budgetSpec((name) => this.getAttribute(name), this.json());
    this.spec = spec;
    const shared = this.fragment?.get("counts")?.split("-").map(Number) ?? [];
    const usable =
      shared.length === spec.items.length &&
      shared.every((n) => Number.isInteger(n) && n >= 0 && n <= MOST);
    this.counts = usable ? shared : spec.items.map((item) => item.count);
    void this.ask();
  }

  /** Whether what is shown belongs to the counts that are shown. */
  get certified(): boolean {
    return this.ready && !this.failure && this.asked === this.answered;
  }

  /**
   * What was found belongs to other counts, or to another budget. No number of it is shown, and the
   * bar is pale until the next one.
   */
  private get waiting(): boolean {
    return this.priced !== this.asked;
  }

  private async ask(): Promise<void> {
    const number = ++this.asked;
    const { spec, counts } = this;
    try {
      const accountant = await this.accountant();
      const wanted = () => number === this.asked;
      const after = await spending(accountant, spec!, counts, {
        urgent: number > 1,
      });
      if (!wanted()) return;
      this.priced = number;
      this.over = after === undefined;
      this.spent = after;
      this.room = [];
      this.ready = true;
      this.requestUpdate();
      for (const i of spec!.items.keys()) {
        if (!after) break;
        const more = await roomFor(accountant, spec!, counts, i, wanted);
        if (!wanted()) return;
        this.room = [...this.room, more];
      }
      this.answered = number;
      this.requestUpdate();
    } catch (error) {
      if (number === this.asked) this.fail(error);
    }
  }

  protected content(): TemplateResult | typeof nothing {
    const { spec, waiting, over, spent: after } = this;
    if (!spec) return nothing;
    const { epsilon } = spec.budget;
    const says = budgetSentence(spec, after);
    return html`
      <figure aria-labelledby="says">
        <svg
          class=${waiting ? "drawing gauge old" : "drawing gauge"}
          part="bar"
          viewBox="0 0 1000 28"
          preserveAspectRatio="none"
          aria-hidden="true"
        ></svg>
        <div class="ends" aria-hidden="true">
          <span>ε = 0</span><span>${readableBound(epsilon)}</span>
        </div>
        <table class="legend" part="legend">
          <thead>
            <tr>
              <th scope="col">Charged</th>
              <th scope="col" class="number">how often</th>
              <th scope="col" class="number">ε from then on</th>
              <th scope="col" class="number">more that fit</th>
            </tr>
          </thead>
          <tbody>
            ${spec.items.map(
              ({ label }, i) =>
                html`<tr>
                  <th scope="row">
                    <span class="key"
                      ><svg class="box" width="11" height="11" aria-hidden="true">
                        <rect
                          width="11"
                          height="11"
                          rx="2"
                          fill=${look(`band tone-${toneOf(i)}`).fill!}
                        /></svg
                      ><span>${label}</span></span
                    >
                  </th>
                  <td class="number">
                    <input
                      type="number"
                      min="0"
                      max=${MOST}
                      step="1"
                      aria-label=${`How often: ${label}`}
                      .value=${String(this.counts[i])}
                      @input=${(event: Event) => this.set(i, (event.target as HTMLInputElement).valueAsNumber)}
                    />
                  </td>
                  <td class="number">
                    ${waiting ? "…" : after ? html`<data value=${String(after[i])}>${readableBound(after[i]!)}</data>` : "–"}
                  </td>
                  <td class="number">${this.more(i)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
        <figcaption class="says" part="sentence" id="says" aria-live="polite" aria-busy=${waiting}>
          ${waiting ? "…" : over ? html`<strong>That is more than the budget affords</strong>: ${says}` : says}
        </figcaption>
      </figure>
    `;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const drawing = this.renderRoot.querySelector("svg.gauge");
    if (drawing && this.spec)
      paint(drawing, gauge(this.spec, this.spent, { width: 1000, height: 28 }));
  }

  private more(i: number): TemplateResult | string {
    if (this.over && !this.waiting) return "0";
    const room = this.waiting ? undefined : this.room[i];
    return room === undefined
      ? "…"
      : html`<data value=${String(room)}
          >${room === MOST ? `${count(MOST)} and more` : count(room)}</data
        >`;
  }

  private set(i: number, value: number): void {
    if (!Number.isInteger(value) || value < 0 || value > MOST) return;
    this.counts = this.counts.map((one, j) => (j === i ? value : one));
    const first = this.spec!.items.map((item) => item.count);
    this.fragment?.set({
      counts: this.counts.every((one, j) => one === first[j]) ? null : this.counts.join("-"),
    });
    void this.ask();
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }
}
