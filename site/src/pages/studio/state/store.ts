import type { State } from "./state.ts";

/**
 * Holds the one State of the page. Every change puts a new value in place and has the page drawn
 * again.
 */
export class Store {
  constructor(
    public state: State,
    private readonly changed: () => void,
  ) {}

  set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    this.changed();
  }
}
