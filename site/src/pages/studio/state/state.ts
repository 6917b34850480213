// What the page knows at one moment, as values. The steps change it and draw it. Values that
// follow from it are computed here.

import type {
  Adjacency,
  AnyLabel,
  Bound,
  Budget,
  Calibration,
  CheckedSchema,
  Choice,
  Dataset,
  Diagnostics,
  Differences,
  ExactFigures,
  Figures,
  InspectedReport,
  LedgerCharge,
  FitMethod,
  Header,
  Layout,
  MethodOptions,
  Prediction,
  PrivateChoice,
  Release,
  ReportResult,
  Repriced,
  Suggestion,
  Tally,
} from "../../../client/types.ts";
import type { ChartSeries } from "../../../elements/curve-chart.ts";
import { type BudgetDraft, checkBudget, firstBudget } from "../account/budget.ts";
import { type AccuracyState, checkRecords, firstAccuracy } from "./expected-accuracy.ts";
import {
  firstHint,
  firstMethod,
  isShifted,
  lossOf,
  rowsChoose,
  takesLoss,
  usualLoss,
  type LabelHint,
  type Method,
  type Origin,
  type Pledge,
  type Stance,
  type Way,
} from "./choices.ts";
import { type BuyingState, firstBuying } from "./purchase.ts";
import type { LookedAt } from "./lookalikes.ts";
import { idle, type Work } from "./work.ts";
import { check, type FieldError } from "../draft/check.ts";
import { parseNumber } from "../draft/number.ts";
import type { SchemaDraft } from "../draft/draft.ts";
import { type CardState, firstCardState } from "./card-state.ts";
import { type BooksState, firstBooks } from "../account/books.ts";
import { closedFileAccount, type FileAccountState } from "../account/file-account.ts";
import { firstHistory, type History } from "./history.ts";
import { firstNotes, type NotesState } from "./notes.ts";
import type { Screen } from "./screen.ts";
import type { Update } from "../../shell/offline/register.ts";
import type { Core } from "../../shell/core.ts";
import type { Problem } from "../../shell/problem.ts";
import { firstSample, type SampleName, samples } from "../sample/samples.ts";
import { usualFitMethod } from "../../../client/usual.ts";
import {
  defaultFitMethod,
  fitMethods,
  leastHuberWidth,
  stepsFitMethod,
} from "../../../client/wire/methods.ts";

/** What a fit is asked, but for its data. */
export type Asked = Budget & MethodOptions & PrivateChoice;

/** The file that is open. Each has its own `id`, and has it again when it is opened again. */
export interface Source {
  readonly id: number;
  readonly kind: "sample" | "file";
  /** Which of the made-up tables it is. */
  readonly sample?: SampleName;
  readonly parts: readonly Blob[];
  readonly names: readonly string[];
  readonly bytes: number;
  /** What the person said of its first line. */
  readonly header?: Header | undefined;
  /** What the person said of the sign between its fields. */
  readonly delimiter?: string | undefined;
  /** What its columns are called, where it has no header and a model was made of it. */
  readonly columns?: readonly string[] | undefined;
}

export interface Preview {
  readonly checked: CheckedSchema<AnyLabel>;
  readonly calibration: Calibration;
  /**
   * What the best attack finds, by the curve of the noise that is planned; not there while it is
   * worked out, or if it cannot be.
   */
  readonly found?: number;
}

/** One finished fit, with what it was made from. */
export interface Result {
  /** The first of the visit is 1. */
  readonly number: number;
  readonly release: Release<AnyLabel>;
  readonly text: string;
  /** For the data holder alone; not there for one that was made in an earlier visit. */
  readonly diagnostics?: Diagnostics;
  /** Likewise, of the rows that it was fitted to: they come later, or, null, not at all. */
  readonly training?: ExactFigures<AnyLabel> | null;
  readonly tally?: Tally;
  readonly source: Source;
  /** The way it was fitted. */
  readonly way: Way;
  /** {@link settingsKey} at the time; empty for one of an earlier visit. */
  readonly key: string;
  /** What was asked for, its data left out; not there for one of an earlier visit. */
  readonly asked?: Asked;
  readonly series: readonly ChartSeries[];
  /** What it found, from the release alone; not there if that could not be worked out. */
  readonly differences?: Differences | undefined;
  /** What the ledger has for it; null where there was none. */
  readonly charge: LedgerCharge | null;
  /** Whose rows it was fitted to, by name: models of the same are chosen among. */
  readonly rows: string;
  /** How many other models of them were known to be there when it came. */
  readonly earlier: number;
  /** Of an evaluation that was bought: what may be published, and what may not. */
  readonly figures?: Figures;
  /** The rows that it was fitted to, while they are open, and the worker that did it. */
  readonly dataset?: Dataset<AnyLabel>;
  readonly worker?: number | undefined;
  /** Its privacy report, and what follows from it unless that could not be worked out. */
  readonly report?: ReportResult & { readonly inspected?: InspectedReport };
  readonly exact?: ExactFigures<AnyLabel>;
}

/** An evaluation that is being bought. */
export interface EvaluationState {
  readonly source: {
    readonly kind: Source["kind"];
    readonly names: readonly string[];
    readonly parts: readonly Blob[];
  } | null;
  /** The account of the held-out file. */
  readonly fileAccount: FileAccountState;
  readonly epsilon: string;
  readonly attempted: boolean;
  readonly work: Work;
}

/**
 * A fit of this visit, made without a ledger, that released a model, or refused to, or an
 * evaluation of that file, for adding up what publishing all of them would cost.
 */
export interface Spent {
  readonly source: number;
  readonly adjacency: Adjacency;
  readonly epsilon: number;
  readonly delta: number;
  /** It is the price of an evaluation. */
  readonly evaluation?: true;
}

export interface PredictState {
  readonly fields: Readonly<Record<string, string>>;
  readonly pasted: string;
  /** Where the row came from that was asked about last. */
  readonly from: "form" | "pasted";
  readonly problem: Problem | null;
  readonly answer: Prediction<AnyLabel> | null;
}

export interface VerifyState {
  readonly name: string;
  readonly phase: "empty" | "running" | "failed" | "done";
  readonly problem: Problem | null;
  readonly release: Release<AnyLabel> | null;
  readonly answer: Repriced | null;
}

/** The cell of the table of columns that the arrow keys start from. */
export interface Cell {
  readonly id: string;
  readonly part: CellPart;
  /** It is being edited in its place. */
  readonly editing: boolean;
}

export type CellPart = "use" | "name" | "kind" | "values" | "why" | "more";

export interface State {
  readonly core: Core;
  /** The one step that is on the screen. */
  readonly screen: Screen;
  /** Those that were on the screen before, and the one that is. */
  readonly visited: ReadonlySet<Screen>;
  /** On a small window: the receipt is open. */
  readonly receiptOpen: boolean;
  readonly source: Source | null;
  /** The made-up table that is open, or that is opened again after a file. */
  readonly sample: SampleName;
  /** What the address names instead of one that there is. */
  readonly sampleUnknown: string | null;
  readonly reading: Work;
  /** How the open file is laid out, once it was read. */
  readonly layout: Layout | null;
  readonly draft: SchemaDraft | null;
  readonly origin: Origin;
  /** What was edited in it, to take it back. */
  readonly history: History;
  readonly cell: Cell | null;
  /** Columns of the file that the suggestion does not use; the reason ends the sentence "it …". */
  readonly leftOut: Suggestion<AnyLabel>["leftOut"];
  /** Numbers that seem to say that a value is missing, and were not asked about yet. */
  readonly sentinels: Suggestion<AnyLabel>["sentinels"];
  /** Columns with missing values, and how many rows have none. */
  readonly missing: Suggestion<AnyLabel>["missing"];
  /** Columns that by themselves all but tell the label; null before they were looked for. */
  readonly lookalikes: LookedAt | null;
  /** What to predict, for a file in which no column has exactly two values. */
  readonly hint: LabelHint;
  readonly schemaProblem: Problem | null;
  /** Columns of the editor that are open, by id. */
  readonly open: ReadonlySet<string>;
  /** Fields that were left once, by error key: their errors are shown from then on. */
  readonly touched: ReadonlySet<string>;
  readonly budget: BudgetDraft;
  readonly method: Method;
  /** What privacy is expected to cost in accuracy. */
  readonly accuracy: AccuracyState;
  readonly preview: Preview | null;
  readonly previewProblem: Problem | null;
  readonly fit: Work;
  /** A fit was asked for: from then on every error is shown. */
  readonly attempted: boolean;
  /** The account of the open file. */
  readonly fileAccount: FileAccountState;
  readonly books: BooksState;
  readonly notes: NotesState;
  /** Bounds and categories that are being bought. */
  readonly buying: BuyingState;
  /** Every model of this visit, the latest first. */
  readonly results: readonly Result[];
  /** The one that is looked at. */
  readonly result: Result | null;
  /** Scorecards: the planned one, and those of this visit. */
  readonly card: CardState;
  /** Of which the result step is, where there are both. */
  readonly looking: "model" | "card";
  /** It has just come: its first part is drawn before the rest, so that neither takes long. */
  readonly fresh: boolean;
  /** Those that were saved as a file, by number, with how the file says that they were chosen. */
  readonly saved: ReadonlyMap<number, Choice | null>;
  /** What the person said about choosing among the models of some rows, by the rows' name. */
  readonly stances: Readonly<Record<string, Stance>>;
  /** What is about to be promised for a look at the private figures. */
  readonly pledging: Pledge | null;
  /** Why it is not known what was promised, the last time that something depended on it. */
  readonly unread: Problem | null;
  readonly allCoefficients: boolean;
  /** Whose coefficients are shown, of several classes. */
  readonly classShown: number;
  readonly spent: readonly Spent[];
  readonly predict: PredictState;
  readonly evaluation: EvaluationState;
  /** A privacy report is being made. */
  readonly reporting: boolean;
  readonly verify: VerifyState;
  readonly theme: "light" | "dark";
  /** A newer version of the page that waits to be used. */
  readonly update: Update | null;
  /** What a screen reader is told next. */
  readonly announcement: string;
}

/** Whose guarantee a fit gives: what the data set's total is for. */
export const adjacencyOf = ({ fileAccount }: State): Adjacency =>
  fileAccount.account?.budget?.adjacency ?? fileAccount.draft.adjacency;

/**
 * The way that is chosen by name, where it can be taken with such a label, loss and neighbours;
 * else the usual one is meant.
 */
export function chosenWay(state: State): Way | "usual" {
  const { way } = state.method;
  if (way === "usual") return way;
  const kind = state.draft?.label.kind ?? "two";
  const { labels, adjacencies } = fitMethods[ableAs(way)];
  return labels.includes(kind) &&
    takesLoss(ableAs(way), kind, lossOf(state.method, kind)) &&
    adjacencies.includes(adjacencyOf(state))
    ? way
    : "usual";
}

/** The way that can do least among those that one may come to. */
export const ableAs = (way: Way): FitMethod =>
  way === "chooseLambda" ? defaultFitMethod : way === "chooseMethod" ? stepsFitMethod : way;

/** The way that is the usual one at this ε, with as many rows as was said. */
export function usualWay(state: State): FitMethod {
  const asked = askedOf(state, "usual");
  return asked ? usualFitMethod({ type: state.draft?.label.kind }, asked) : defaultFitMethod;
}

/** The way that a fit takes. */
export function wayOf(state: State): Way {
  const way = chosenWay(state);
  return way === "usual" ? usualWay(state) : way;
}

/**
 * What the method adds to a request, or what is wrong with it. A number has one loss, which need
 * not be named.
 */
export function checkMethod(
  state: State,
  way = chosenWay(state),
): {
  readonly options: (MethodOptions & PrivateChoice) | null;
  readonly errors: readonly FieldError[];
} {
  const { method, draft } = state;
  const errors: FieldError[] = [];
  const options: MethodOptions & PrivateChoice = {};
  const kind = draft?.label.kind ?? "two";
  const loss = lossOf(method, kind);
  if (loss !== usualLoss(kind)) options.loss = loss;
  if (options.loss === "huber") {
    const width = parseNumber(method.huberWidth);
    if (
      width !== null &&
      width > 0 &&
      width < leastHuberWidth &&
      (way === "usual" || fitMethods[ableAs(way)].solved)
    ) {
      errors.push({
        field: "huberWidth",
        message: `Enter ${leastHuberWidth} or more, such as 0.5. With a narrower bend one person’s record could decide whether a fit fails.`,
      });
    } else if (width !== null && width > 0) options.huberWidth = width;
    else
      errors.push({
        field: "huberWidth",
        message: "Enter a finite number above 0, such as 0.5.",
      });
  }
  if (isShifted(loss)) {
    const shift = parseNumber(method.shift);
    if (shift !== null && shift > 0 && shift <= 16) options.shift = shift;
    else
      errors.push({
        field: "shift",
        message: "Enter a number above 0, 16 or less, such as 2.",
      });
  }
  if (options.loss === "weighted-logistic") {
    const weight = parseNumber(method.positiveWeight);
    if (weight !== null && weight >= 0.001 && weight <= 1000) options.positiveWeight = weight;
    else
      errors.push({
        field: "positiveWeight",
        message: "Enter a number from 0.001 to 1000, such as 10.",
      });
  }
  if (way === "chooseLambda" || way === "chooseMethod") options[way] = [];
  else if (way !== "usual") options.method = way;
  // The usual way may be another where the number is said, but it need not be.
  const { records: typed } = state.accuracy;
  if (
    way === "usual" || way === "chooseLambda"
      ? typed.trim() !== ""
      : fitMethods[ableAs(way)].records
  ) {
    const { records, errors: wrong } = checkRecords(typed);
    if (records !== null) options.records = records;
    errors.push(...wrong);
  }
  return { options: errors.length > 0 ? null : options, errors };
}

/**
 * What a fit is asked, but for its data; null if some of it is wrong. Only noise in the
 * problem takes a proof and a guess of the coefficients' length; who asks for these asks for it.
 */
export function askedOf(state: State, way = chosenWay(state)): Asked | null {
  const { budget } = checkBudget(state.budget);
  const { options } = checkMethod(state, way);
  if (!budget || !options) return null;
  const { epsilon, delta, bound, ...rest } = budget;
  const joint = lossOf(state.method, state.draft?.label.kind ?? "two") === "softmax"; // has one proof
  return {
    adjacency: adjacencyOf(state),
    epsilon,
    delta,
    ...(way === "usual" || rowsChoose(way) || fitMethods[way].tuned
      ? { ...(joint ? {} : { bound }), ...rest }
      : {}),
    ...options,
  };
}

export const emptyPredict: PredictState = {
  fields: {},
  pasted: "",
  from: "form",
  problem: null,
  answer: null,
};

export const emptyEvaluation: EvaluationState = {
  source: null,
  fileAccount: closedFileAccount,
  epsilon: "0.5",
  attempted: false,
  work: idle,
};

export const emptyVerify: VerifyState = {
  name: "",
  phase: "empty",
  problem: null,
  release: null,
  answer: null,
};

/** The page as it opens: a made-up table is described as soon as the code for it is there. */
export function firstState(theme: State["theme"]): State {
  return {
    core: { phase: "loading" },
    screen: "data",
    visited: new Set(["data"]),
    receiptOpen: false,
    source: null,
    sample: firstSample,
    sampleUnknown: null,
    reading: idle,
    layout: null,
    draft: null,
    origin: "sample",
    history: firstHistory,
    cell: null,
    leftOut: [],
    sentinels: [],
    missing: [],
    lookalikes: null,
    hint: firstHint,
    method: firstMethod,
    schemaProblem: null,
    open: new Set(),
    touched: new Set(),
    budget: firstBudget,
    accuracy: { ...firstAccuracy, records: String(samples[firstSample].rows) },
    preview: null,
    previewProblem: null,
    fit: idle,
    attempted: false,
    fileAccount: closedFileAccount,
    books: firstBooks,
    notes: firstNotes,
    buying: firstBuying,
    results: [],
    result: null,
    card: firstCardState,
    looking: "model",
    fresh: false,
    saved: new Map(),
    stances: {},
    pledging: null,
    unread: null,
    allCoefficients: false,
    classShown: 0,
    spent: [],
    predict: emptyPredict,
    evaluation: emptyEvaluation,
    reporting: false,
    verify: emptyVerify,
    theme,
    update: null,
    announcement: "",
  };
}

/**
 * Everything that a fit depends on, as one text: a result whose key differs was made with other
 * settings.
 */
export function settingsKey(state: State): string {
  const draft = state.draft && check(state.draft);
  const { budget } = checkBudget(state.budget);
  return JSON.stringify([
    state.source?.id,
    draft?.schema ?? null,
    budget,
    checkMethod(state).options,
  ]);
}

/**
 * What is new with one of the models. It is one value, in the list and shown: the list knows by it
 * which one is.
 */
export function withResult(
  { results: before, result }: State,
  number: number,
  change: Partial<Result>,
): Pick<State, "results" | "result"> {
  const results = before.map((r) => (r.number === number ? { ...r, ...change } : r));
  return { results, result: results.find((r) => r.number === result?.number) ?? null };
}

/** Whether a file can be chosen. */
export const sealed = ({ core }: State): boolean =>
  core.phase === "sealed" || core.phase === "ready";

/**
 * Whether something is being bought for an existing model. Actions that would end the purchase must
 * wait, because it may be paid for already.
 */
export const buyingMore = ({ evaluation, reporting }: State): boolean =>
  evaluation.work.phase === "running" || reporting;

/** What the controls that wait for it say. */
export const waitsForMore = "An evaluation or a privacy report is being made.";

export const busy = (state: State): boolean =>
  buyingMore(state) ||
  state.reading.phase === "running" ||
  state.fit.phase === "running" ||
  state.buying.bounds.work.phase === "running" ||
  state.buying.categories.work.phase === "running" ||
  state.fileAccount.phase === "looking";

/**
 * Whether a fit needs to know what the open file has spent. The sample does not: it is nobody's
 * data.
 */
export const needsAccount = (state: State): boolean => state.source?.kind === "file";

/**
 * The sum of the prices of all models that this visit made from one source, for publishing all of
 * them; null for none or one. Prices for different neighbours have no sum.
 */
export function spentTogether(state: State): {
  readonly count: number;
  readonly epsilon?: number;
  readonly delta?: number;
} | null {
  const mine = state.spent.filter((s) => s.source === state.source?.id);
  if (mine.length < 2) return null;
  if (mine.some((s) => s.adjacency !== mine[0]!.adjacency)) return { count: mine.length };
  return {
    count: mine.length,
    epsilon: mine.reduce((sum, s) => sum + s.epsilon, 0),
    delta: Math.min(
      1,
      mine.reduce((sum, s) => sum + s.delta, 0),
    ),
  };
}

/**
 * What was spent, with an evaluation that no ledger keeps. It counts where it was bought on the
 * very file that is open, as a browser can know one: by the names, sizes and times of its parts.
 */
export function withEvaluation(
  { spent, source, evaluation }: State,
  price: Pick<Spent, "adjacency" | "epsilon">,
): readonly Spent[] {
  const identity = (parts: readonly Blob[]) =>
    JSON.stringify(
      parts.map((p) => [p.size, ...(p instanceof File ? [p.name, p.lastModified] : [])]),
    );
  const held = evaluation.source;
  return source?.kind === "file" &&
    held?.kind === "file" &&
    identity(held.parts) === identity(source.parts)
    ? [...spent, { source: source.id, ...price, delta: 0, evaluation: true }]
    : spent;
}

export const boundNames: Record<Bound, string> = {
  auto: "The sharpest that applies",
  control: "This project’s bound by a control problem",
  logistic: "This project’s bound for logistic regression",
  "rounded-hinge": "This project’s bound for the rounded hinge",
  softmax: "This project’s bound for several classes at once",
  signed: "This project’s bound for losses of one slope",
  glm: "This project’s bound for any linear model",
  profile: "The 2023 paper, Theorem 3.1",
  rdp: "The 2023 paper, Rényi form",
  kifer: "Kifer, Smith & Thakurta, 2012",
};
