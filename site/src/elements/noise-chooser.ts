// <noise-chooser>: any one of ε, δ, the noise, the regulariser, the sampling rate and the number of
// steps, from the others.
//
//   <noise-chooser mechanism="subsampled-gaussian" adjacency="add-remove" epsilon="2"
//   delta="1e-5"></noise-chooser>
//
// Attributes: noiseAttributes. Parts: fields, sentence, error. Events: `error`, and `change` when
// the reader has changed something.

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";

import { CloisterError } from "../client/error.ts";
import { between } from "../curves/views.ts";
import { AccountantElement } from "./accountant-element.ts";
import { baseStyles } from "./base.styles.ts";
import { noiseStyles } from "./noise-chooser.styles.ts";
import {
  found,
  noiseAttributes,
  type Quantity,
  type Question,
  questionOf,
} from "./noise-questions.ts";
import { names, noiseSentence, shown, written } from "./noise-words.ts";
import { paragraph, type Place, type Room } from "./room.ts";

/** How long the reader's hands must rest before a question is asked, in milliseconds. */
const REST = 120;

export class NoiseChooser extends AccountantElement {
  static override properties: PropertyDeclarations = {
    find: { state: true },
    texts: { state: true },
    answer: { state: true },
    complaint: { state: true },
  };
  static override styles = [baseStyles, noiseStyles];

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...noiseAttributes.map(({ name }) => name)];
  }

  /** What is looked for. */
  declare find: string;
  /** What stands in the fields. */
  declare texts: Readonly<Record<string, string>>;
  /**
   * The number that was found, rounded on the safe side; undefined while it is looked for, or where
   * there is none.
   */
  declare answer: number | undefined;
  /** Why there is no answer. */
  declare complaint: string;

  private question: Question | undefined;
  private asked = 0;
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.find = "";
    this.texts = {};
    this.answer = undefined;
    this.complaint = "";
  }

  protected roomNeeded(place: Place): Room {
    const { quantities, adjacency } = questionOf((name) => this.getAttribute(name));
    const letters = 60 + between(adjacency).length;
    return { px: 0, rem: 1.6 + 2.75 * quantities.length + paragraph("says", letters, place) };
  }

  protected begin(): void {
    const question = questionOf((name) => this.getAttribute(name));
    this.question = question;
    const shared = (name: string) => this.fragment?.get(name) ?? null;
    const find = shared("find");
    this.find = question.quantities.some((one) => one.sought && one.name === find)
      ? find!
      : question.find;
    this.texts = Object.fromEntries(
      question.quantities.map(({ name }) => [
        name,
        shared(name) ?? written(question.values[name]!),
      ]),
    );
    this.ready = true;
    this.ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.later);
  }

  /** Whether the answer that is shown is that of the numbers that are shown. */
  get certified(): boolean {
    return this.ready && !this.failure && (this.answer !== undefined || this.complaint !== "");
  }

  private ask(): void {
    this.answer = undefined;
    this.complaint = "";
    clearTimeout(this.later);
    const number = ++this.asked;
    const values: Record<string, number> = {};
    for (const { name, label } of this.question!.quantities) {
      if (name === this.find) continue;
      values[name] = this.texts[name]!.trim() === "" ? Number.NaN : Number(this.texts[name]);
      if (!Number.isFinite(values[name])) {
        this.complaint = `${label} must be a number, such as ${written(this.question!.values[name]!)}.`;
        return;
      }
    }
    this.later = setTimeout(
      () => void this.answered(number, values),
      this.hasUpdated && number > 1 ? REST : 0,
    );
  }

  private async answered(number: number, values: Readonly<Record<string, number>>): Promise<void> {
    const { question, find } = this;
    try {
      const value = await found(await this.accountant(), question!, values, find, { urgent: true });
      if (number === this.asked) this.answer = value;
    } catch (error) {
      if (number !== this.asked) return;
      if (!(
        error instanceof CloisterError &&
        (error.code === "parameter" || error.code === "numerical")
      ))
        return this.fail(error);
      this.complaint = (this.named(error) as CloisterError).message;
      // What stands in the attributes is its author’s doing; the rest is the reader’s.
      if (
        question!.quantities.every(
          ({ name }) => this.texts[name] === written(question!.values[name]!),
        )
      )
        this.report(error);
    }
  }

  protected content(): TemplateResult | typeof nothing {
    const { question } = this;
    if (!question) return nothing;
    return html`
      <fieldset part="fields">
        <legend>${names[question.mechanism]}: choose what to find, and enter the rest</legend>
        ${question.quantities.map((one) => this.row(one))}
      </fieldset>
      <p class="says" part="sentence" role="status">${this.sentence()}</p>
    `;
  }

  private row(one: Quantity): TemplateResult {
    const sought = one.name === this.find;
    return html`<div class="row ${sought ? "sought" : ""}">
      <span class="find"
        >${
          one.sought
            ? html`<input
                type="radio"
                name="find"
                id=${`find-${one.name}`}
                .checked=${sought}
                aria-label=${`Look for ${one.label}`}
                @change=${() => this.choose(one.name)}
              />`
            : nothing
        }</span
      >
      ${
        sought
          ? html`<span class="label">${one.label}</span>
              <span class="answer"
                ><data value=${this.answer === undefined ? "" : String(this.answer)}
                  >${this.answer === undefined ? "…" : shown(this.answer)}</data
                ></span
              >`
          : html`<label for=${`value-${one.name}`}>${one.label}</label>
              <input
                id=${`value-${one.name}`}
                class="value"
                inputmode="decimal"
                autocomplete="off"
                spellcheck="false"
                .value=${this.texts[one.name] ?? ""}
                @input=${(event: Event) => {
                  this.texts = {
                    ...this.texts,
                    [one.name]: (event.target as HTMLInputElement).value,
                  };
                  this.ask();
                }}
                @change=${() => this.tell()}
              />`
      }
    </div>`;
  }

  /** Looks for another number; the one that was found stays in its field. */
  private choose(name: string): void {
    if (this.answer !== undefined && Number.isFinite(this.answer))
      this.texts = { ...this.texts, [this.find]: written(this.answer) };
    this.find = name;
    this.ask();
    this.tell();
  }

  private tell(): void {
    const { question } = this;
    if (!question) return;
    const changed = question.quantities.map(({ name }): [string, string | null] => [
      name,
      name === this.find || this.texts[name] === written(question.values[name]!)
        ? null
        : this.texts[name]!,
    ]);
    this.fragment?.set({
      ...Object.fromEntries(changed),
      find: this.find === question.find ? null : this.find,
    });
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }

  private sentence(): string {
    if (this.complaint) return this.complaint;
    const { answer, question } = this;
    if (answer === undefined || !question) return "…";
    return noiseSentence(
      question,
      this.find,
      Number(this.texts.epsilon),
      Number(this.texts.delta),
      answer,
    );
  }
}
