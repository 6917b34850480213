// How one model among several is chosen for publication. The prices cover a choice by what was
// paid for: the models themselves, and bought evaluations. They do not cover a choice by figures
// that only the holder of the data sees and nobody paid for: not which model is published, not
// whether one is, and not what is fitted next. So those figures stay closed until the person has
// promised, for all models of the rows, to publish all of them or none, whatever the figures say.
// After that promise nothing depends on the look. The promise holds for these rows from then on.

import type { Account, Choice, LedgerCharge } from "../../../client/types.ts";
import { keepsAccount } from "../account/file-account.ts";
import { type Pledge, rowsChoose, type Stance, standing } from "./choices.ts";
import type { Result, Source, State } from "./state.ts";

/** A model came of it, or may have: not of a fit that refused. */
const isModel = ({ purpose, state, digest }: LedgerCharge): boolean =>
  purpose === "fit" && (state === "reserved" || digest !== undefined);

/** The name of the rows that are open, and how many models of them are known. */
export function openRows(
  state: State,
  source: Source,
): { readonly rows: string; readonly models: number } {
  const account = keepsAccount(state.fileAccount) ? state.fileAccount.account : null;
  if (account) return { rows: account.id, models: modelsOn(account) };
  const rows = `file ${source.id}`;
  return { rows, models: state.results.filter((r) => r.rows === rows).length };
}

export const modelsOn = (account: Account): number => account.charges.filter(isModel).length;

/** The accounts that are known: of the open files, and all that were read. */
export const accountsOf = ({ fileAccount, evaluation, books }: State): readonly Account[] =>
  [fileAccount.account, evaluation.fileAccount.account, ...books.accounts].filter(
    (account) => account !== null,
  );

/**
 * All names of some rows: that of their account, and those of the accounts that were put together
 * with it. A result keeps the name that its account had when it was made.
 */
export function namesOf(state: State, rows: string): ReadonlySet<string> {
  const names = new Set([rows]);
  for (let before = 0; before < names.size;) {
    before = names.size;
    for (const { id, also = [] } of accountsOf(state)) {
      const all = [id, ...also];
      if (all.some((name) => names.has(name))) for (const name of all) names.add(name);
    }
  }
  return names;
}

/** The state with an account as it was read, in the place of what was known of it. */
export function withAccount({ books }: State, account: Account): Pick<State, "books"> {
  const others = books.accounts.filter(({ id }) => !account.also?.includes(id));
  const accounts = others.some(({ id }) => id === account.id)
    ? others.map((other) => (other.id === account.id ? account : other))
    : [...others, account];
  return { books: { ...books, accounts } };
}

/** How many models of a result's rows are known to be there, itself among them. */
export function modelsOf(state: State, { rows }: Result): number {
  const names = namesOf(state, rows);
  const mine = state.results.filter((r) => names.has(r.rows));
  return Math.max(
    mine.length,
    ...mine.map((r) => r.earlier + 1),
    ...accountsOf(state).map((account) => (names.has(account.id) ? modelsOn(account) : 0)),
  );
}

const stanceOn = (state: State, rows: string): Stance => state.stances[rows] ?? {};

/** What was promised of rows, under any of their names. */
export const pledgeOn = (state: State, rows: string): Pledge | undefined =>
  standing([...namesOf(state, rows)].map((name) => stanceOn(state, name).pledge));

/** Nobody's rows need no care. */
export const isOwn = ({ source }: Result): boolean => source.kind === "file";

/** Whether the figures that come straight from the rows may be shown. */
export const isOpen = (state: State, result: Result): boolean =>
  !isOwn(result) || pledgeOn(state, result.rows) !== undefined;

/** Whether the model may be published at all. */
export const mayPublish = (state: State, result: Result): boolean =>
  !isOwn(result) || pledgeOn(state, result.rows) !== "none";

/**
 * The statements about the choice that the person may make: those that the page does not know to be
 * false; null leaves it open. The page knows of the models of this browser only, so it never states
 * by itself that there is no other.
 */
export function choicesFor(state: State, result: Result): readonly (Choice | null)[] {
  const several = modelsOf(state, result) > 1;
  // Of one that the rows chose, the release shows it, and it is not the only one.
  const chosen = rowsChoose(result.way);
  if (chosen && (!isOwn(result) || !several)) return ["private-selection"];
  if (!isOwn(result) || !mayPublish(state, result)) return [null];
  if (pledgeOn(state, result.rows) === "all")
    return several ? ["all-published"] : ["all-published", "only-model"];
  return several ? ["all-published", "paid-figures", null] : ["only-model", null];
}

/**
 * How the release of a result says that its model was chosen; null if it does not. It says what the
 * person stated, or else what they promised before they looked.
 */
export function choiceOf(state: State, result: Result): Choice | null {
  const choices = choicesFor(state, result);
  const { stated = null } = stanceOn(state, result.rows);
  if (choices.includes(stated)) return stated;
  return choices.includes(null) ? null : choices[0]!;
}

/** Whether a file holds the model, and says of its choice what is so. */
export const isSaved = (state: State, result: Result): boolean =>
  state.saved.get(result.number) === choiceOf(state, result);

/** The state with something said about some rows, under all their names. */
export function withStance(state: State, rows: string, change: Stance): Pick<State, "stances"> {
  const stances = { ...state.stances };
  for (const name of namesOf(state, rows)) stances[name] = { ...stances[name], ...change };
  return { stances };
}
