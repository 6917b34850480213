// What calls are given beside the data: what is asked, by which signal they end, and who is told
// how far they are.

import type {
  AttackProgress,
  BoundsRequest,
  Budget,
  CardQuestion,
  CardSchema,
  CardEvaluationRequest,
  CategoriesRequest,
  EvaluationRequest,
  Header,
  MethodOptions,
  NoisyCellsRequest,
  PrivateChoice,
  PrivacyReport,
  Progress,
  ReportRequest,
  ScorecardRequest,
} from "./wire/types.ts";

export interface CallOptions {
  signal?: AbortSignal;
}

export interface ProgressOptions extends CallOptions {
  /** Called while the work goes on, also from inside a busy fit. What it is told is private. */
  onProgress?: (progress: Progress) => void;
}

/** What is said of the layout of a file. */
export interface LayoutOptions {
  /**
   * Left out, the first line is taken for names unless it looks like a person: then the call
   * rejects with `header`.
   */
  header?: Header | undefined;
  /**
   * The sign between fields, such as `;` or a tab; a space stands for any run of spaces and tabs.
   * Left out, it is found.
   */
  delimiter?: string | undefined;
  /**
   * With `header: "none"`: what the columns are called, in their order; `""` is one that is not
   * used. A name beyond the last column is refused. Left out, they are c1, c2, …. A
   * suggestion does not take it.
   */
  names?: readonly string[] | undefined;
}

export interface ReadingOptions extends ProgressOptions, LayoutOptions {}

export interface SuggestOptions extends ReadingOptions {
  /** The column to predict. Default: the last that has two values. */
  label?: string;
  /** Its values that make the class +1; all others make −1. Needed if it has more than two. */
  positive?: readonly string[];
  /**
   * What the label is to be, if not two classes; then `label` is needed, and `positive` has no
   * meaning.
   */
  labelType?: "classes" | "numeric";
}

export interface AttackOptions extends CallOptions {
  /** Called while the runs go on: with how many there were, and never with how they went. */
  onProgress?: (progress: AttackProgress) => void;
  /** How many run at once, this client's among them. Default 1. */
  workers?: number;
}

export interface FitOptions extends Budget, MethodOptions, PrivateChoice, ProgressOptions {
  /**
   * Overrides `rows.norm` of the dataset's schema; the dataset is read again if it differs. Left
   * out, a fit takes the rows that the schema says, and the release has the dataset's schema, so
   * that its model can be scored on that dataset. For a numeric label open the data by
   * {@link schemaForFit}, as the command and the studio do: noisy steps predict better by it.
   */
  norm?: "clip" | "unit" | "scale";
}

/** How a model is evaluated; all of it must be public. */
export interface EvaluateOptions extends EvaluationRequest, ProgressOptions {}

export interface BoundsOptions extends BoundsRequest, ReadingOptions {
  /** Whose bounds are bought together, by their names in the file. They hold numbers. */
  columns: readonly string[];
  /**
   * Spellings of a missing value. Default: those of the dataset's schema, of a source `["", "?",
   * "NA"]`.
   */
  missingValues?: readonly string[];
}

export interface CategoriesOptions extends CategoriesRequest, ReadingOptions {
  /** Whose categories are bought together, by their names in the file. */
  columns: readonly string[];
  /**
   * Spellings of a missing value. Default: those of the dataset's schema, of a source `["", "?",
   * "NA"]`.
   */
  missingValues?: readonly string[];
}

export interface ScorecardOptions extends ScorecardRequest, ReadingOptions {
  /** The card's attributes and levels, an object or JSON text; none of a dataset's own. */
  schema: CardSchema | string;
}

export interface NoisyCellsOptions extends NoisyCellsRequest, ReadingOptions {
  /** The cells' attributes and levels, an object or JSON text; none of a dataset's own. */
  schema: CardSchema | string;
}

/** How a card is evaluated; all of it must be public. */
export interface EvaluateScorecardOptions extends CardEvaluationRequest, ReadingOptions {}

/** Which card of noisy cells. */
export interface CardOfCellsOptions extends CardQuestion, ProgressOptions {}

export interface ReportOptions extends ReportRequest, ProgressOptions {}

export interface TrueLossesOptions extends CallOptions {
  /** A report of the release, to be compared with. */
  report?: PrivacyReport;
}

/**
 * For whom a bound is to hold, and how surely; what is left out is as whoever published the report
 * proposes.
 */
export interface BoundFor extends CallOptions {
  /** Probability that the bound fails, from 1e-8 to 0.5. */
  rho?: number;
  /**
   * For how many people at once, whose rows were fixed before the release; 0 for every row that
   * there can be, even one made up in the light of it.
   */
  people?: number;
}

export interface JoinOptions extends CallOptions {
  /**
   * Where two accounts of one data set have different budgets: keep the smaller ε and the smaller
   * δ. Else that is an error.
   */
  smaller?: boolean;
}
