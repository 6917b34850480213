// What the page knows at one moment, as values. ./studio.ts changes it and the views draw it; what can be worked out
// from it is worked out here.

import type { Adjacency, AnyLabel, Bound, Budget, Calibration, CheckedSchema, Dataset, Diagnostics, ExactFigures, Figures, InspectedReport, LedgerCharge, Loss, FitMethod, MethodOptions, Prediction, Release, ReportResult, Repriced, Suggestion, Tally } from "../client/types.ts";
import type { ChartSeries } from "../elements/curve-chart.ts";
import { type BudgetDraft, checkBudget, firstBudget } from "./budget.ts";
import { checkRecords, type ExpectationState, firstExpectation } from "../expectation/state.ts";
import { type BuyingState, firstBuying } from "./buyer.ts";
import { check, type FieldError, parseNumber } from "./draft/check.ts";
import { draftOf, type LabelKind, type SchemaDraft, unconfirmed } from "./draft/draft.ts";
import { type BooksState, firstBooks } from "./ledger/books.ts";
import { canBuy, closedDesk, type DeskState } from "./ledger/desk.ts";
import { firstNotes, type NotesState } from "./notes/keeper.ts";
import type { Update } from "./offline/register.ts";
import type { Paced } from "./pace.ts";
import type { Problem } from "./problem.ts";
import { sampleSchema } from "./sample.ts";

export type Core =
  | { readonly phase: "loading" }
  /** The page is sealed, and the core is being received, compiled and started: a file can be chosen. */
  | { readonly phase: "sealed" }
  | { readonly phase: "ready"; readonly library: string }
  | { readonly phase: "failed"; readonly problem: Problem };

/** The file that is open. Each has its own `id`, and has it again when it is opened again. */
export interface Source {
  readonly id: number;
  readonly kind: "sample" | "file";
  readonly parts: readonly Blob[];
  readonly names: readonly string[];
  readonly bytes: number;
}

/** Where the draft came from: the page's sample, a look at the file, a schema file, or the person's own writing. */
export type Origin = "sample" | "read" | "imported" | "written";

export type Work =
  | { readonly phase: "idle" }
  | { readonly phase: "running"; readonly progress: Paced | null }
  | { readonly phase: "failed"; readonly problem: Problem }
  /** `charged`: it was cancelled after the ledger had been asked to note its cost. Whether it had by then is `unknown` until the ledger is read. */
  | { readonly phase: "cancelled"; readonly charged?: "unknown" | "yes" | "no" }
  | { readonly phase: "done" };

export interface Preview {
  readonly checked: CheckedSchema<AnyLabel>;
  readonly calibration: Calibration;
}

/** One finished fit, with what it was made from. */
export interface Result {
  /** The first of the visit is 1. */
  readonly number: number;
  readonly release: Release<AnyLabel>;
  readonly text: string;
  /** For the data holder alone; not there for one that was made in an earlier visit. */
  readonly diagnostics?: Diagnostics<AnyLabel>;
  readonly tally?: Tally;
  readonly source: Source;
  /** The way it was fitted. */
  readonly way: FitMethod;
  /** {@link settingsKey} at the time; empty for one of an earlier visit. */
  readonly key: string;
  readonly series: readonly ChartSeries[];
  /** What the ledger has for it; null where there was none. */
  readonly charge: LedgerCharge | null;
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
  readonly source: { readonly kind: Source["kind"]; readonly names: readonly string[]; readonly parts: readonly Blob[] } | null;
  /** The account of the held-out file. */
  readonly desk: DeskState;
  readonly epsilon: string;
  readonly attempted: boolean;
  readonly work: Work;
}

/** A fit of this visit, made without a ledger, that released a model, or refused to, for adding up what publishing all of them would cost. */
export interface Spent {
  readonly source: number;
  readonly epsilon: number;
  readonly delta: number;
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

export interface LabelHint {
  readonly label: string;
  readonly kind: LabelKind;
  /** One value a line. */
  readonly positive: string;
}

export interface State {
  readonly core: Core;
  readonly source: Source | null;
  readonly reading: Work;
  readonly draft: SchemaDraft | null;
  readonly origin: Origin;
  /** Columns of the file that the suggestion does not use; the reason ends the sentence "it …". */
  readonly leftOut: Suggestion<AnyLabel>["leftOut"];
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
  readonly expectation: ExpectationState;
  readonly preview: Preview | null;
  readonly previewProblem: Problem | null;
  readonly fit: Work;
  /** A fit was asked for: from then on every error is shown. */
  readonly attempted: boolean;
  /** The account of the open file. */
  readonly desk: DeskState;
  readonly books: BooksState;
  readonly notes: NotesState;
  /** Bounds and categories that are being bought. */
  readonly buying: BuyingState;
  /** Every model of this visit, the latest first. */
  readonly results: readonly Result[];
  /** The one that is looked at. */
  readonly result: Result | null;
  /** It has just come: its first part is drawn before the rest, so that neither takes long. */
  readonly fresh: boolean;
  /** Numbers of those that were saved as a file. */
  readonly saved: ReadonlySet<number>;
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

export const firstHint: LabelHint = { label: "", kind: "two", positive: "" };

/** How the model is fitted, as it was chosen. */
export interface Method {
  readonly loss: Loss;
  /** Half-width of the Huber loss, as it is typed. */
  readonly huberWidth: string;
  /** Where the noise goes. */
  readonly way: FitMethod;
}

export const firstMethod: Method = { loss: "logistic", huberWidth: "0.5", way: "amp" };

/** Whose guarantee a fit gives: what the data set's total is for. */
export const adjacencyOf = ({ desk }: State): Adjacency => desk.account?.budget?.adjacency ?? desk.draft.adjacency;

/** The way that a fit takes: the chosen one, where it can be taken with such a label and such neighbours, else the usual one. */
export function wayOf(state: State): FitMethod {
  const { way } = state.method;
  return state.draft?.label.kind === "classes" || ((way === "amp-paper" || way === "dpsgd") && adjacencyOf(state) === "replace-one") ? "amp" : way;
}

/** What the method adds to a request, or what is wrong with it. A number has one loss, which need not be named. */
export function checkMethod(state: State, way = wayOf(state)): { readonly options: MethodOptions | null; readonly errors: readonly FieldError[] } {
  const { method, draft } = state;
  const errors: FieldError[] = [];
  const options: MethodOptions = {};
  if (draft?.label.kind !== "numeric" && method.loss !== "logistic") options.loss = method.loss;
  if (options.loss === "huber") {
    const width = parseNumber(method.huberWidth);
    if (width !== null && width > 0) options.huberWidth = width;
    else errors.push({ field: "huberWidth", message: "Enter a finite number above 0, such as 0.5." });
  }
  if (way !== "amp") options.method = way;
  if (way !== "amp" && way !== "amp-paper") {
    const { records, errors: wrong } = checkRecords(state.expectation.records);
    if (records !== null) options.records = records;
    errors.push(...wrong);
  }
  return { options: errors.length > 0 ? null : options, errors };
}

/** What a fit is asked, but for its data; null if some of it is wrong. Only the usual way takes a proof and a guess of the coefficients' length. */
export function askedOf(state: State, way?: FitMethod): (Budget & MethodOptions) | null {
  const { budget } = checkBudget(state.budget);
  const { options } = checkMethod(state, way);
  if (!budget || !options) return null;
  const { epsilon, delta } = budget;
  return { adjacency: adjacencyOf(state), ...(options.method ? { epsilon, delta } : budget), ...options };
}

export const idle: Work = { phase: "idle" };

export const emptyPredict: PredictState = { fields: {}, pasted: "", from: "form", problem: null, answer: null };

export const emptyEvaluation: EvaluationState = { source: null, desk: closedDesk, epsilon: "0.5", attempted: false, work: idle };

export const emptyVerify: VerifyState = { name: "", phase: "empty", problem: null, release: null, answer: null };

/** The page as it opens: the sample's schema is known before the sample itself has been made. */
export function firstState(theme: State["theme"]): State {
  return {
    core: { phase: "loading" },
    source: null,
    reading: idle,
    draft: draftOf(sampleSchema),
    origin: "sample",
    leftOut: [],
    hint: firstHint,
    method: firstMethod,
    schemaProblem: null,
    open: new Set(),
    touched: new Set(),
    budget: firstBudget,
    expectation: firstExpectation,
    preview: null,
    previewProblem: null,
    fit: idle,
    attempted: false,
    desk: closedDesk,
    books: firstBooks,
    notes: firstNotes,
    buying: firstBuying,
    results: [],
    result: null,
    fresh: false,
    saved: new Set(),
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

/** Everything that a fit depends on, as one text: a result whose key differs was made with other settings. */
export function settingsKey(state: State): string {
  const draft = state.draft && check(state.draft);
  const { budget } = checkBudget(state.budget);
  return JSON.stringify([state.source?.id, draft?.schema ?? null, budget, checkMethod(state).options]);
}

/** Whether a file can be chosen. */
export const sealed = ({ core }: State): boolean => core.phase === "sealed" || core.phase === "ready";

/** Whether something is being bought for a model that is there already. What would end it has to wait: it may be paid for. */
export const buyingMore = ({ evaluation, reporting }: State): boolean => evaluation.work.phase === "running" || reporting;

/** What the controls that wait for it say. */
export const waitsForMore = "An evaluation or a privacy report is being made.";

export const busy = (state: State): boolean => buyingMore(state) || state.reading.phase === "running" || state.fit.phase === "running" || state.buying.bounds.work.phase === "running" || state.buying.categories.work.phase === "running" || state.desk.phase === "looking";

/** Whether what the open file has spent has to be known before a fit: the sample is nobody's data. */
export const needsAccount = (state: State): boolean => state.source?.kind === "file";

export type StepName = "data" | "public" | "budget" | "fit" | "result";

export interface Step {
  readonly name: StepName;
  readonly title: string;
  /** The title where there is little room. */
  readonly short: string;
  readonly status: "done" | "next" | "waiting" | "attention" | "problem";
}

/** The five steps and how each stands. The first that is not done is the next one. */
export function steps(state: State): Step[] {
  const checked = state.draft ? check(state.draft) : null;
  const open = state.source !== null && state.reading.phase !== "running";
  const described = checked !== null && checked.schema !== null;
  const uncovered = state.draft !== null && unconfirmed(state.draft).length > 0;
  const budgeted = checkBudget(state.budget).budget !== null;
  const accounted = !needsAccount(state) || canBuy(state.desk);
  const fitted = state.result !== null && state.result.key === settingsKey(state);
  const list: { name: StepName; title: string; short: string; done: boolean; problem: boolean; attention?: boolean }[] = [
    { name: "data", title: "Data", short: "Data", done: open, problem: state.reading.phase === "failed" || state.core.phase === "failed" },
    {
      name: "public",
      title: "What is publicly known",
      short: "What is public",
      done: open && described,
      problem: state.schemaProblem !== null || (state.attempted && checked !== null && !described),
      attention: uncovered,
    },
    { name: "budget", title: "Budget", short: "Budget", done: budgeted && open && described && accounted, problem: !budgeted || state.desk.problem !== null },
    { name: "fit", title: "Fit", short: "Fit", done: fitted, problem: state.fit.phase === "failed" },
    { name: "result", title: "Publish", short: "Publish", done: fitted, problem: false },
  ];
  const next = list.findIndex((s) => !s.done);
  return list.map(({ name, title, short, done, problem, attention }, i) => ({
    name,
    title,
    short,
    status: problem ? "problem" : done && attention ? "attention" : done ? "done" : i === next ? "next" : "waiting",
  }));
}

/** What publishing every model of this visit made from one source costs together, by adding up; null for none or one. */
export function spentTogether(state: State): { readonly count: number; readonly epsilon: number; readonly delta: number } | null {
  const mine = state.spent.filter((s) => s.source === state.source?.id);
  if (mine.length < 2) return null;
  return {
    count: mine.length,
    epsilon: mine.reduce((sum, s) => sum + s.epsilon, 0),
    delta: Math.min(1, mine.reduce((sum, s) => sum + s.delta, 0)),
  };
}

export const boundNames: Record<Bound, string> = {
  auto: "The sharpest that applies",
  logistic: "This project’s bound for logistic regression",
  signed: "This project’s bound for losses of one slope",
  glm: "This project’s bound for any linear model",
  profile: "The 2023 paper, Theorem 3.1",
  rdp: "The 2023 paper, Rényi form",
  kifer: "Kifer, Smith & Thakurta, 2012",
};
