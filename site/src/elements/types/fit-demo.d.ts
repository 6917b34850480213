// The declarations of cloister/fit-demo. held.ts checks them against the elements themselves.

/** Events: `error` (an ErrorEvent), `change`. */
export declare class PrivateFitDemo extends HTMLElement {
  /** The version of the script that the element came with. */
  static get version(): string;
  /** What is wrong, for people; empty where nothing is. */
  readonly failure: string;
  /** There is something to show. */
  readonly ready: boolean;
  /** All fits are there, and belong to where the sliders stand. */
  get certified(): boolean;
}

/** Events: `error` (an ErrorEvent), `change`. */
export declare class PrivateScorecardDemo extends HTMLElement {
  /** The version of the script that the element came with. */
  static get version(): string;
  /** What is wrong, for people; empty where nothing is. */
  readonly failure: string;
  /** There is something to show. */
  readonly ready: boolean;
  /** All cards are there, and belong to where the sliders stand. */
  get certified(): boolean;
}

declare global {
  interface HTMLElementTagNameMap {
    "private-fit-demo": PrivateFitDemo;
    "private-scorecard-demo": PrivateScorecardDemo;
  }
}
