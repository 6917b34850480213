// Which step is on the screen, and which made-up table is open. The address names both, so that the
// browser's Back and Forward go through them, and a link leads to one.

import { askedIn, putIn } from "./sample/address.ts";
import type { SampleName } from "./sample/samples.ts";
import { isScreen, type Screen } from "./state/screen.ts";
import { buyingMore } from "./state/state.ts";
import { isOpen } from "./state/steps.ts";
import type { Store } from "./state/store.ts";

/** Where the focus goes on a step: to an element, by its id, or to the step's heading. */
export type Arrived = (id: string | null) => void;

export class Navigator {
  /** Called when the screen has changed, or is asked for again; set by the page. */
  onArrived: Arrived | undefined;
  /** Called when another made-up table is to be opened. */
  onSample: ((name: SampleName) => void) | undefined;
  /** The person has gone somewhere: the page does not choose the step any more. */
  private gone = false;

  constructor(private readonly store: Store) {}

  private get screen(): Screen {
    return this.store.state.screen;
  }

  /** Shows what the address names, and follows it from then on. */
  begin(): void {
    const follow = (): void => {
      this.gone = true;
      this.follow();
    };
    addEventListener("hashchange", follow);
    addEventListener("popstate", () => {
      this.followSample();
      // hashchange is not sent where the table changes as well.
      setTimeout(() => {
        if ((nameIn(location.hash) || "data") !== this.screen) follow();
      });
    });
    this.followSample();
    // That there is no such table is said where they are chosen.
    if (this.store.state.sampleUnknown !== null) this.put("data", "replace", null);
    else if (location.hash !== "") this.follow();
  }

  /** Brings a step on the screen, as a new entry of the browser's history. */
  go(screen: Screen): void {
    this.gone = true;
    this.put(screen, "push", null);
  }

  /**
   * Brings an element on the screen, and the focus to it. `inside`: the step that it is in, where
   * it is not drawn yet.
   */
  show(id: string, inside?: Screen): void {
    const screen = inside ?? screenOf(id) ?? this.screen;
    this.put(screen, screen === this.screen ? "keep" : "push", id);
  }

  /** Opens a made-up table: a new entry of the history, or in place of that of a file. */
  openSample(name: SampleName): void {
    const { source, sample, sampleUnknown } = this.store.state;
    const own = source?.kind === "file";
    if (!own && name === sample && sampleUnknown === null) return;
    this.gone = true;
    this.store.set({ sample: name, sampleUnknown: null });
    this.onSample?.(name);
    history[own ? "replaceState" : "pushState"](null, "", this.address(this.screen));
  }

  /** Goes back to the first step, unless the person has gone somewhere by themselves. */
  startOver(): void {
    if (!this.gone && this.screen !== "data" && this.screen !== "check")
      this.put("data", "replace", null);
  }

  /** The address may name a step, an element in one, or nothing that is here. */
  private follow(): void {
    const name = nameIn(location.hash);
    if (name === "") return this.put("data", "keep", null);
    if (isScreen(name)) return this.put(name, "replace", null);
    const screen = screenOf(name);
    this.put(screen ?? this.screen, "replace", screen && name);
  }

  /**
   * The address may name another made-up table. A file of the person's own is not closed for it,
   * and neither is what is being bought for a model: the address is put right instead.
   */
  private followSample(): void {
    const { state } = this.store;
    if (state.source?.kind === "file" || buyingMore(state)) {
      const right = this.address(nameIn(location.hash));
      if (right !== location.href) history.replaceState(null, "", right);
      return;
    }
    const { sample, unknown } = askedIn(location.search);
    if (sample === state.sample && unknown === state.sampleUnknown) return;
    this.store.set({ sample, sampleUnknown: unknown });
    if (sample !== state.sample) this.onSample?.(sample);
  }

  /** The address of a step, with the table that is open. */
  private address(fragment: string): string {
    const { source, sample } = this.store.state;
    const url = new URL(location.href);
    putIn(url, source?.kind === "file" ? null : sample);
    url.hash = fragment;
    return url.href;
  }

  /** What is not open yet leads to the first step. */
  private put(asked: Screen, how: "push" | "replace" | "keep", id: string | null): void {
    const { state } = this.store;
    const screen = isOpen(state, asked) ? asked : "data";
    if (how !== "keep" && globalThis.history) {
      const next = nameIn(location.hash) !== screen;
      history[next && how === "push" ? "pushState" : "replaceState"](
        null,
        "",
        this.address(screen),
      );
    }
    this.store.set({
      screen,
      sampleUnknown: screen === "data" ? state.sampleUnknown : null,
      visited: new Set(state.visited).add(screen),
      receiptOpen: false,
      // A cell that was being edited is left with its step.
      cell: state.cell && { ...state.cell, editing: false },
    });
    this.onArrived?.(id);
  }
}

function nameIn(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
}

/** The step that an element is in. */
function screenOf(id: string): Screen | null {
  const name = document.getElementById(id)?.closest<HTMLElement>(".screen")?.dataset["screen"];
  return name !== undefined && isScreen(name) ? name : null;
}
