// The base of all elements. An element waits until it is near the window. If something is wrong,
// it says so instead of showing a blank box. It keeps the picture inside it until it draws its
// own, and from the beginning the room that it is going to need.

import {
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from "lit";

import { CloisterError } from "../client/error.ts";
import { AttributeError, inside } from "./attributes.ts";
import { Beginning } from "./beginning.ts";
import { Fragment } from "./fragment.ts";
import { heightOf, type Place, type Room } from "./room.ts";
import { SchemeBehind } from "./scheme.ts";
import { checkNames } from "./unknown-attributes.ts";

declare const CLOISTER_VERSION: string;

export abstract class CloisterElement extends LitElement {
  static override properties: PropertyDeclarations = {
    failure: { state: true },
    ready: { state: true },
    width: { state: true },
  };

  /** Of the script that the element came with. */
  static get version(): string {
    return CLOISTER_VERSION;
  }

  /** What is wrong, for people. */
  declare failure: string;
  /** There is something to show. */
  declare ready: boolean;
  declare width: number;

  protected fragment: Fragment | undefined;
  private readonly resized = new ResizeObserver(([entry]) => {
    if (!entry) return;
    const width = Math.round(entry.contentRect.width);
    if (width === this.width) return;
    this.width = width;
    // In a window of another width the page moves anyway.
    if (this.shows) this.reserved = 0;
    else this.reserve();
  });
  private readonly beginning = new Beginning(this, () => this.beginAnew());
  private readonly addressed = (): void => {
    if (this.hasAttribute("state")) this.beginning.anew();
  };
  /** What is wrong came by the reader's hand: what is shown stays, so that the hand can go back. */
  private undoable = false;
  /** The least height of what is shown, in pixels. */
  private reserved = 0;
  private readonly behind = new SchemeBehind(this);

  constructor() {
    super();
    this.failure = "";
    this.ready = false;
    this.width = 0;
  }

  override connectedCallback(): void {
    // Before this the element had room by the page's own styles, or by the picture inside.
    const before = this.offsetHeight;
    super.connectedCallback();
    this.reserve(before);
    this.resized.observe(this);
    addEventListener("hashchange", this.addressed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
    removeEventListener("hashchange", this.addressed);
  }

  override attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    super.attributeChangedCallback(name, before, now);
    if (before !== now) this.beginning.anew();
  }

  /** Reads the attributes and the children anew. */
  private beginAnew(): void {
    this.failure = "";
    try {
      checkNames(this);
      const key = this.getAttribute("state");
      this.fragment = key === null ? undefined : new Fragment(key);
      this.begin();
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * Called when the element is near the window, and after every change of its attributes and
   * children. May throw.
   */
  protected abstract begin(): void;

  /** The room that the element is going to need; may throw, as `begin` may. */
  protected abstract roomNeeded(place: Place): Room;

  private reserve(least = 0): void {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const width = this.clientWidth || this.offsetWidth || this.parentElement?.clientWidth || 0;
    if (width === 0) return;
    try {
      this.reserved = Math.max(least, heightOf(this.roomNeeded({ width, rem }), rem));
    } catch {
      this.reserved = 0; // `begin` says what is wrong
    }
    this.requestUpdate();
  }

  /** What is shown once the element is ready. */
  protected abstract content(): unknown;

  /** Where the binary is: at the attribute's URL, or where it is by itself. */
  protected wasm(standard: string): string {
    const given = this.getAttribute("wasm");
    return given === null ? standard : new URL(given, this.baseURI).href;
  }

  /** The JSON inside the element, if there is any. */
  protected json(): unknown {
    const script = this.querySelector(':scope > script[type="application/json"]');
    return script ? inside(script.textContent ?? "") : undefined;
  }

  /**
   * Shows what is wrong and tells the page, by an `error` event whose `error` has the name of the
   * attribute or field where it is known.
   */
  protected fail(failed: unknown, undoable = false): void {
    this.undoable = undoable && this.ready;
    if (
      failed instanceof CloisterError &&
      (failed.code === "aborted" || failed.code === "terminated")
    )
      return;
    this.failure = explained(this.named(failed), this.localName);
    this.report(failed);
  }

  /** Tells the page of what is said in the element. */
  protected report(failed: unknown): void {
    const error = this.named(failed);
    this.dispatchEvent(
      new ErrorEvent("error", { error, message: explained(error, this.localName) }),
    );
  }

  /**
   * An error about the event that attributes describe, with the attribute’s name where the
   * accountant has a path.
   */
  protected named(error: unknown): unknown {
    const path = /^event\.(?:parts\[0\]\.(?:event\.)?)?(\w+)$/;
    const [, field] = (error instanceof CloisterError && path.exec(error.field ?? "")) || [];
    if (field === undefined || this.querySelector(':scope > script[type="application/json"]'))
      return error;
    const { code, field: whole = "", message } = error as CloisterError;
    const text = message
      .replace(whole, field)
      .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) =>
        this.hasAttribute(name.replaceAll("_", "-")) || name === field
          ? name.replaceAll("_", "-")
          : name,
      );
    return new CloisterError(code, text, { field: field.replaceAll("_", "-") }, { cause: error });
  }

  private get shows(): boolean {
    return this.ready && (!this.failure || this.undoable);
  }

  protected override render(): TemplateResult {
    const room = this.failure && !this.shows ? 0 : this.reserved;
    return html`
      <div
        class="room"
        data-scheme=${this.behind.scheme ?? nothing}
        .style=${`min-height: ${room}px`}
      >
        ${this.shows ? this.content() : nothing}
        <slot ?hidden=${this.shows}></slot>
        ${this.failure ? html`<p class="failure" part="error" role="alert"><strong>${`<${this.localName}>`}</strong> ${this.failure}</p>` : nothing}
      </div>
    `;
  }

  protected override updated(_changed: PropertyValues): void {
    this.toggleAttribute("ready", this.shows);
    // Where the element ends below the window, the rest of its room can go unnoticed.
    if (this.shows && this.reserved > 0 && this.getBoundingClientRect().bottom > innerHeight + 200)
      this.reserved = 0;
  }
}

function explained(error: unknown, element: string): string {
  if (error instanceof AttributeError) return error.message;
  if (error instanceof CloisterError) {
    if (error.code === "load")
      return `${error.message} What stands here is the picture that came with the page, if there is one.`;
    return error.message;
  }
  return `${element} failed: ${error instanceof Error ? error.message : String(error)}`;
}
