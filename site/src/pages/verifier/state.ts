// What the verifier's page knows at one moment.

import type {
  AnyLabel,
  CheckedScorecard,
  DerivedModel,
  Differences,
  InspectedReport,
  NoisyCells,
  Release,
  Repriced,
  ScorecardRelease,
} from "../../client/types.ts";
import type { ChartSeries } from "../../elements/curve-chart.ts";
import type { Update } from "../shell/offline/register.ts";
import type { Core } from "../shell/core.ts";
import type { Theme } from "../shell/theme.ts";
import type { Refusal } from "./refusal.ts";

/** A release that could be read, and what was found. */
export interface Checked {
  /** The file's name. */
  readonly name: string;
  /** It is a model card, which holds the release. */
  readonly card: boolean;
  readonly release: Release<AnyLabel>;
  readonly answer: Repriced;
  /** What its model found; not there if that could not be worked out. */
  readonly differences?: Differences | undefined;
  /**
   * A privacy report that was chosen with it: what follows from both, or why it does not belong.
   */
  readonly report?: {
    readonly name: string;
    readonly inspected?: InspectedReport;
    readonly problem?: string;
  };
  /** A model that was derived from it, likewise. */
  readonly derived?: {
    readonly name: string;
    readonly model?: DerivedModel;
    readonly problem?: string;
  };
  /** The curves of its event; none if they cannot be worked out. */
  readonly series: readonly ChartSeries[];
}

/** A scorecard that could be read, or noisy cells that cards are made of, and what was found. */
export interface CheckedCard {
  /** The file's name. */
  readonly name: string;
  /** It is a printed card, which holds the release. */
  readonly card: boolean;
  readonly release: ScorecardRelease | NoisyCells;
  readonly answer: Pick<CheckedScorecard, "holds" | "findings" | "figures">;
}

export type Check =
  | { readonly phase: "empty" }
  | { readonly phase: "running"; readonly name: string }
  | { readonly phase: "refused"; readonly name: string; readonly refusal: Refusal }
  | { readonly phase: "scorecard"; readonly checked: CheckedCard }
  | { readonly phase: "done"; readonly checked: Checked };

export interface VerifierState {
  readonly core: Core;
  readonly theme: Theme;
  readonly check: Check;
  readonly allCoefficients: boolean;
  /** Whose coefficients are shown, of several classes. */
  readonly classShown: number;
  readonly update: Update | null;
  /** What a screen reader is told next. */
  readonly announcement: string;
}

export function firstState(theme: Theme): VerifierState {
  return {
    core: { phase: "loading" },
    theme,
    check: { phase: "empty" },
    allCoefficients: false,
    classShown: 0,
    update: null,
    announcement: "",
  };
}
