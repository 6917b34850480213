// The declarations of cloister/elements, on which programs may rely. held.ts checks them against
// the elements themselves.

/** What all elements have in common. Events: `error` (an ErrorEvent), `change`. */
declare class CloisterElement extends HTMLElement {
  /** The version of the script that the element came with. */
  static get version(): string;
  /** What is wrong, for people; empty where nothing is. */
  readonly failure: string;
  /** There is something to show. */
  readonly ready: boolean;
  /** All that is shown is certified, and belongs to where the sliders stand. */
  get certified(): boolean;
}

export declare class PrivacyCurve extends CloisterElement {
  /** ε of each line at the marked δ, undefined before it is known; Infinity where there is none. */
  get epsilons(): readonly (number | undefined)[];
}
export declare class AttackView extends CloisterElement {}
export declare class NoiseChooser extends CloisterElement {}
export declare class PrivacyBudget extends CloisterElement {
  /** How often each event is charged. */
  readonly counts: readonly number[];
}

declare global {
  interface HTMLElementTagNameMap {
    "privacy-curve": PrivacyCurve;
    "attack-view": AttackView;
    "noise-chooser": NoiseChooser;
    "privacy-budget": PrivacyBudget;
  }
}
