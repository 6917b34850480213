import type { State } from "../state/state.ts";
import * as storage from "./storage.ts";
import type { Notes, NotesState } from "../state/notes.ts";
import { notesOf } from "./notes.ts";

export interface AutosaveHost {
  get(): State;
  set(change: Partial<NotesState>): void;
  announce(text: string): void;
}

/** Keeps what the person enters about a file, so that a reload loses none of it. */
export class Autosave {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What was kept last, by what it was made of. */
  private last: readonly unknown[] = [];
  private begun = false;

  constructor(private readonly host: AutosaveHost) {}

  /** Looks for what an earlier visit left. */
  async begin(): Promise<void> {
    try {
      const found = await storage.take();
      this.host.set(found === "outdated" ? { outdated: true } : { found });
      this.begun = true;
    } catch {
      this.host.set({ keeping: "unable" });
    }
  }

  /** The page has changed: what is to be kept of it is, when that pauses. */
  soon(): void {
    const { source, draft, budget, accuracy, method, hint, notes } = this.host.get();
    const made = [source, draft, budget, accuracy.records, method, hint];
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
      await storage.put(notes);
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

  /**
   * Forgets what is kept, and keeps no more until the person says so or the page is opened again.
   */
  async forget(): Promise<void> {
    clearTimeout(this.timer);
    try {
      await storage.empty();
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
