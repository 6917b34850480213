// <my-privacy>: what a published release cost one person, by the privacy report beside it and a row
// that the person types.
//
//   <my-privacy release="release.json" report="report.json">Without scripts: what stands
//   here.</my-privacy> <my-privacy><script type="application/json">{"release": {…}, "report":
//   {…}}</script></my-privacy>
//
// Nothing that is typed is sent, kept, or put into the address. Attributes: myPrivacyAttributes.
// Parts: form, sentence, picture, sure, parts, moves, note, meaning, error. Events: `error`, and
// `answer` when there is a new one; neither tells the page what was typed.

import {
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from "lit";

import { CloisterError } from "../../client/error.ts";
import { own } from "../../client/own.ts";
import { seal } from "../../client/seal.ts";
import type {
  Move,
  OwnRow,
  PersonalBound,
  PersonalReport,
  ReportReader,
} from "../../client/types.ts";
import { Beginning } from "../beginning.ts";
import { AttributeError, type Get, numberOf } from "../attributes.ts";
import { baseStyles } from "../base.styles.ts";
import { SchemeBehind } from "../scheme.ts";
import { checkNames } from "../unknown-attributes.ts";
import { answer } from "./answer.ts";
import { myPrivacyAttributes } from "./attributes.ts";
import {
  choiceOf,
  type Documents,
  fetchText,
  kindOf,
  parse,
  schemaOf,
  together,
} from "./documents.ts";
import { defaultWasm, readerOf } from "./engine.ts";
import { form } from "./form.ts";
import { myPrivacyStyles } from "./my-privacy.styles.ts";
import { sentence } from "./words.ts";

/** Elements that are to seal the page and have not fetched all yet: the last of them does it. */
const unsealed = new Set<MyPrivacy>();

interface Open {
  readonly documents: Documents;
  readonly report: PersonalReport;
}

export class MyPrivacy extends LitElement {
  static override properties: PropertyDeclarations = {
    documents: { attribute: false },
    reader: { attribute: false },
    failure: { state: true },
    open: { state: true },
    loading: { state: true },
    fields: { state: true },
    fault: { state: true },
    bound: { state: true },
    moves: { state: true },
    rho: { state: true },
    working: { state: true },
    spoken: { state: true },
  };
  static override styles = [baseStyles, myPrivacyStyles];

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...myPrivacyAttributes.map(({ name }) => name)];
  }

  /** The two documents, for a program that has them already; ahead of the attributes. */
  declare documents: Documents | undefined;
  /** What reads them, for a program that has loaded it already. */
  declare reader: Promise<ReportReader> | undefined;
  /** What is wrong with the element, for people. */
  declare failure: string;
  declare open: Open | undefined;
  declare loading: boolean;
  declare fields: Readonly<Record<string, string>>;
  declare fault: { readonly column: string; readonly text: string } | undefined;
  /** The answer; not there before there is one. */
  declare bound: PersonalBound | undefined;
  declare moves: readonly Move[];
  /** The probability of failure that the reader chose; undefined for the one proposed. */
  declare rho: number | undefined;
  declare working: boolean;
  declare spoken: string;

  private readonly behind = new SchemeBehind(this);
  private readonly beginning = new Beginning(
    this,
    () => void this.begin(),
    () => this.hasAttribute("seal"),
  );
  /** Counts what was begun and asked: what comes later than the next is dropped. */
  private begun = 0;
  private asked = 0;

  /** A page that is left may come back as it was: without what was typed. */
  private readonly left = (): void => this.forget();

  constructor() {
    super();
    this.failure = "";
    this.loading = false;
    this.fields = {};
    this.moves = [];
    this.working = false;
    this.spoken = "";
  }

  override connectedCallback(): void {
    if (this.hasAttribute("seal")) unsealed.add(this);
    super.connectedCallback();
    addEventListener("pagehide", this.left);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("pagehide", this.left);
    unsealed.delete(this);
    this.forget();
  }

  override attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    super.attributeChangedCallback(name, before, now);
    if (before !== now) this.beginning.anew();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("documents") || changed.has("reader")) this.beginning.anew();
  }

  private async begin(): Promise<void> {
    const number = ++this.begun;
    this.forget();
    this.failure = "";
    this.open = undefined;
    this.rho = undefined;
    this.loading = true;
    try {
      checkNames(this);
      this.proposal();
      const wasm = this.getAttribute("wasm");
      const [reader, documents] = await Promise.all([
        this.reader ?? readerOf(wasm === null ? defaultWasm : new URL(wasm, this.baseURI).href),
        this.found(),
      ]);
      this.mayClose();
      const report = await reader.open(documents.release, documents.report);
      if (number !== this.begun) return void report.close();
      if (report.problems.length > 0)
        throw new CloisterError(
          "release",
          `This release does not tell the truth, so nothing in it is to be relied on. ${report.problems.join(" ")}`,
        );
      this.open = { documents, report };
      this.fields = {};
    } catch (error) {
      this.mayClose();
      if (number === this.begun) this.fail(error);
    } finally {
      if (number === this.begun) this.loading = false;
    }
  }

  /** Seals the page once every element that is to do so has what it needs. */
  private mayClose(): void {
    if (unsealed.delete(this) && unsealed.size === 0) seal();
  }

  private async found(): Promise<Documents> {
    if (this.documents) return this.documents;
    const script = this.querySelector(':scope > script[type="application/json"]');
    const given = (name: "release" | "report") => {
      const url = this.getAttribute(name);
      return url === null ? undefined : new URL(url, this.baseURI);
    };
    const [release, report] = [given("release"), given("report")];
    if (!script && !release && !report)
      throw new AttributeError(
        "release",
        "is missing: it must be the place of a release, or the JSON of one must stand inside.",
      );
    const text = (what: "release" | "report", url: URL | undefined) =>
      url &&
      fetchText(url, what).then((t) =>
        parse(t, what, what === "release" ? "The release" : "The privacy report"),
      );
    const [first, second] = await Promise.all([text("release", release), text("report", report)]);
    const within = script
      ? parse(script.textContent ?? "", "release", "The JSON inside")
      : undefined;
    if (within === undefined) return together(first, second);
    if (kindOf(within) === "both") return within as Documents;
    return together(first ?? within, second ?? within);
  }

  /** What the bound is asked for, but for what the reader chose. */
  private proposal(): { rho?: number; people?: number } {
    const get: Get = (name) => this.getAttribute(name);
    const rho = numberOf(get, "rho");
    const people = numberOf(get, "people");
    if (rho !== undefined && !(rho >= 1e-8 && rho <= 0.5))
      throw new AttributeError("rho", `is ${rho}: it must be from 1e-8 to 0.5.`);
    if (people !== undefined && !(Number.isInteger(people) && people >= 0))
      throw new AttributeError(
        "people",
        `is ${people}: it must be a whole number, 0 for every row that there can be.`,
      );
    return { ...(rho !== undefined && { rho }), ...(people !== undefined && { people }) };
  }

  private fail(error: unknown): void {
    const text =
      error instanceof AttributeError || error instanceof CloisterError
        ? error.message
        : `It failed: ${error instanceof Error ? error.message : String(error)}`;
    this.failure = text;
    this.dispatchEvent(new ErrorEvent("error", { error, message: text }));
  }

  private change(column: string, value: string): void {
    this.fields = { ...this.fields, [column]: value };
    if (this.fault?.column === column) this.fault = undefined;
    // Once there is an answer, it follows what is typed.
    if (this.bound || this.fault) void this.ask(false);
  }

  private choose(rho: number): void {
    this.rho = rho;
    void this.ask(false);
  }

  private row(): OwnRow {
    const { features, label } = schemaOf(this.open!.documents);
    return Object.fromEntries(
      [...features.map((f) => f.name), label.name].map((name) => [
        name,
        own(this.fields, name)?.trim() || null,
      ]),
    );
  }

  /** Works the answer out; by hand, the focus goes to what is at fault. */
  private async ask(byHand: boolean): Promise<void> {
    const { open } = this;
    if (!open) return;
    const number = ++this.asked;
    const wanted = () => number === this.asked && open === this.open;
    const row = this.row();
    const proposal = { ...this.proposal(), ...(this.rho !== undefined && { rho: this.rho }) };
    this.working = true;
    try {
      const bound = await open.report.bound(row, proposal);
      const moves = await open.report.moves(row, proposal);
      if (!wanted()) return;
      this.bound = bound;
      this.moves = moves;
      this.fault = undefined;
      this.spoken = sentence(open.report, bound);
      this.dispatchEvent(new Event("answer", { bubbles: true }));
      if (byHand) {
        await this.updateComplete;
        this.renderRoot.querySelector("#answer")?.scrollIntoView({
          block: "nearest",
          behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
        });
      }
    } catch (error) {
      if (!wanted()) return;
      this.bound = undefined;
      this.moves = [];
      const column =
        error instanceof CloisterError && error.code === "data" ? error.column : undefined;
      if (column === undefined) return this.fail(error);
      this.fault = {
        column,
        text: (error as CloisterError).message
          .replace(/^"[^]*?": /, "")
          .replace(/^./, (c) => c.toUpperCase()),
      };
      this.spoken = `${column}: ${this.fault.text}`;
      if (byHand) {
        await this.updateComplete;
        this.renderRoot.querySelector<HTMLElement>("[aria-invalid]")?.focus();
      }
    } finally {
      if (number === this.asked) this.working = false;
    }
  }

  /** Forgets what was typed, and the answer. */
  forget(): void {
    this.asked++;
    this.fields = {};
    this.fault = undefined;
    this.bound = undefined;
    this.moves = [];
    this.working = false;
    this.spoken = "";
  }

  private forgetByHand(): void {
    this.forget();
    this.spoken = "Forgotten.";
    this.renderRoot.querySelector<HTMLElement>("#f0")?.focus();
  }

  protected override render(): TemplateResult {
    const { open, failure, loading } = this;
    return html`<div class="room" data-scheme=${this.behind.scheme ?? nothing}>
      ${open && !failure ? this.content(open) : nothing}
      <slot ?hidden=${open !== undefined && !failure}></slot>
      ${loading ? html`<p class="wait" part="wait" role="status">Fetching the release, its report, and what works the answer out…</p>` : nothing}
      ${failure ? html`<p class="failure" part="error" role="alert">${this.documents ? nothing : html`<strong>${"<my-privacy>"}</strong> `}${failure}</p>` : nothing}
    </div>`;
  }

  private content(open: Open): TemplateResult {
    const schema = schemaOf(open.documents);
    const { fields, fault, bound, moves, working } = this;
    return html`<div class="sides">
        ${form({
          schema,
          fields,
          fault,
          working,
          answered: bound !== undefined,
          change: (column, value) => this.change(column, value),
          submit: () => void this.ask(true),
          forget: () => this.forgetByHand(),
        })}
        <div class="answer" id="answer" part="answer">
          ${bound ? answer({ report: open.report, bound, moves, schema, choice: choiceOf(open.documents), fields, proposed: this.proposal().rho ?? open.report.rho, choose: (rho) => this.choose(rho) }) : html`<p class="empty soft">Fill in your row, and your bound stands here: how much ${open.report.cost ? "this model and its report" : "this model"} can tell about you at most, beside the worst case promised to everyone.</p>`}
        </div>
      </div>
      <p class="hidden" role="status" aria-live="polite">${this.spoken}</p>`;
  }

  protected override updated(): void {
    this.toggleAttribute("ready", this.open !== undefined && !this.failure);
  }
}
