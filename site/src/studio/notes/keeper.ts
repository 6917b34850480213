import type { State } from "../state.ts";
import * as drawer from "./drawer.ts";
import { type Notes, notesOf } from "./notes.ts";

/** What the page knows of notes. */
export interface NotesState {
  /** From an earlier visit, about a file that was not chosen again yet. */
  readonly found: Notes | null;
  /** `unable`: this browser has no place for them. `off`: the person does not want them. */
  readonly keeping: "on" | "off" | "unable";
}

export const firstNotes: NotesState = { found: null, keeping: "on" };

export interface KeeperHost {
  get(): State;
  set(change: Partial<NotesState>): void;
  announce(text: string): void;
}

/** Keeps what the person enters about a file, so that a reload loses none of it. */
export class Keeper {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What was kept last, by what it was made of. */
  private last: readonly unknown[] = [];
  private begun = false;

  constructor(private readonly host: KeeperHost) {}

  /** Looks for what an earlier visit left. */
  async begin(): Promise<void> {
    try {
      this.host.set({ found: await drawer.take() });
      this.begun = true;
    } catch {
      this.host.set({ keeping: "unable" });
    }
  }

  /** The page has changed: what is to be kept of it is, when that pauses. */
  soon(): void {
    const { source, draft, budget, expectation, method, hint, notes } = this.host.get();
    const made = [source, draft, budget, expectation.records, method, hint];
    if (!this.begun || notes.keeping !== "on" || made.every((x, i) => x === this.last[i])) return;
    this.last = made;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.keep(), 400);
  }

  private async keep(): Promise<void> {
    const now = this.host.get();
    const notes = now.notes.keeping === "on" ? notesOf(now) : null;
    if (!notes) return;
    try {
      await drawer.put(notes);
      if (now.notes.found) this.host.set({ found: null });
    } catch {
      this.host.set({ keeping: "unable" });
    }
  }

  /** Hands over what was noted about files of these names, once. */
  about(names: readonly string[]): Notes | null {
    const { found } = this.host.get().notes;
    return found && found.names.join("\n") === names.join("\n") ? found : null;
  }

  /** Forgets what is kept, and keeps no more until the person says so or the page is opened again. */
  async forget(): Promise<void> {
    clearTimeout(this.timer);
    try {
      await drawer.empty();
      this.host.set({ found: null, keeping: "off" });
      this.host.announce("What you had entered is no longer kept.");
    } catch {
      this.host.set({ keeping: "unable" });
    }
  }

  resume(): void {
    this.host.set({ keeping: "on" });
    this.last = [];
    this.soon();
    this.host.announce("What you enter is kept in this browser.");
  }
}
