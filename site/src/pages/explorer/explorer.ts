// The explorer's state and what changes it: the reader's hand, and the address.

import type { Accountant } from "../../curves/accountant.ts";
import type { Update } from "../shell/offline/register.ts";
import { chooseTheme, currentTheme, type Theme } from "../shell/theme.ts";
import { decode, encode } from "./address.ts";
import type { Line, Picture } from "./lines.ts";
import { Model, said } from "./model.ts";
import { defaultPreset, presets, stateOf } from "./presets.ts";
import { drawable, same, type State } from "./state.ts";

/** How soon a change by the same control joins the last entry of the history, in milliseconds. */
const ONE_MOVE = 1500;

export class Explorer {
  state: State = stateOf(defaultPreset);
  picture: Picture | undefined;
  /** What was wrong with the address. */
  trouble = "";
  /** The accountant could not be loaded, or has failed. */
  failure = "";
  /** What was typed and cannot be used, by field. */
  readonly mistakes = new Map<string, { readonly text: string; readonly complaint: string }>();
  /** Where the read-out stands; −1 where it has not been moved. */
  cursor = -1;
  announcement = "";
  update: Update | undefined;
  theme: Theme = currentTheme();

  readonly #model: Model;
  readonly #changed: () => void;
  #compared: { picture?: Picture | undefined; state?: State; is: boolean } = { is: false };
  #address = "";
  #moving = false;
  #last = { by: "", at: 0 };

  constructor(accountant: Promise<Accountant>, changed: () => void) {
    this.#changed = changed;
    this.#model = new Model(accountant, {
      drawn: (picture) => {
        this.picture = picture;
        this.failure = "";
        changed();
      },
      failed: (error) => {
        this.failure = said(error);
        // What is drawn is not of what the controls say, and nothing is coming that would be.
        if (!this.current) this.picture = undefined;
        changed();
      },
    });
  }

  /** Whether the picture is of the state: what is drawn and read is of what the controls say. */
  get current(): boolean {
    const { picture, state } = this;
    if (this.#compared.picture !== picture || this.#compared.state !== state) {
      const shown = picture && { ...picture.state, about: null };
      const is = shown !== undefined && same(shown, { ...state, about: null });
      this.#compared = { picture, state, is };
    }
    return this.#compared.is;
  }

  /** What is drawn is of other controls, and another picture is coming. */
  get outdated(): boolean {
    return this.picture !== undefined && !this.current;
  }

  /** A curve's line. While a hand moves a slider it may be of a moment ago, and is rough then. */
  lineOf(at: number): Line | undefined {
    const line = this.picture?.lines.find((one) => one.at === at);
    if (!line || this.current) return line;
    return this.#moving && line.kind === this.state.curves[at]?.kind
      ? { ...line, rough: true }
      : undefined;
  }

  /** Takes what the address says. */
  read(): void {
    const text = location.hash.slice(1);
    this.#address = text;
    this.cursor = -1;
    this.mistakes.clear();
    try {
      this.state = drawable(decode(text));
      this.trouble = "";
    } catch (error) {
      this.trouble = (error as Error).message;
      this.state = stateOf(defaultPreset);
    }
    this.#moving = false;
    this.#model.need(this.state, false);
    this.#changed();
  }

  /** The address has changed under the page: by Back, or by hand. */
  readonly addressed = (): void => {
    if (location.hash.slice(1) !== this.#address) this.read();
  };

  /**
   * The reader has changed something by a control of this name. While a hand is on a slider nothing
   * is written into the history.
   */
  change(state: State, by: string, dragging = false): void {
    this.state = drawable(state);
    this.#moving = dragging;
    this.trouble = "";
    this.#model.need(this.state, dragging);
    if (!dragging) this.#write(by);
    this.#changed();
  }

  /** Another look at the same: nothing to compute. */
  touch(): void {
    this.#changed();
  }

  #write(by: string): void {
    const text = encode(this.state);
    if (text === this.#address) return;
    const now = performance.now();
    const again = by === this.#last.by && now - this.#last.at < ONE_MOVE;
    this.#last = { by, at: now };
    this.#address = text;
    const url = `${location.pathname}${location.search}${text === "" ? "" : `#${text}`}`;
    if (again) history.replaceState(null, "", url);
    else history.pushState(null, "", url);
  }

  choosePreset(id: string): void {
    const preset = presets.find((one) => one.id === id);
    if (!preset) return;
    this.cursor = -1;
    this.mistakes.clear();
    this.change(stateOf(preset), "preset");
  }

  setTheme(theme: Theme): void {
    chooseTheme(theme);
    this.theme = theme;
    this.#changed();
  }

  followTheme(): void {
    this.theme = currentTheme();
    this.#changed();
  }

  say(announcement: string): void {
    this.announcement = announcement;
    this.#changed();
  }

  offerUpdate(update: Update): void {
    this.update = update;
    this.say("A newer version of this page is ready.");
  }
}
