// The five steps: how each stands, what it comes to in a line, and what is still missing in it.

import { readableBound } from "../../../chart/numbers.ts";
import { canBuy, checkTotal, keepsAccount } from "../account/file-account.ts";
import { attributesOf, cardUnconfirmed, makesCard } from "../draft/card.ts";
import { checkCard } from "../draft/card-check.ts";
import { check } from "../draft/check.ts";
import { included, type SchemaDraft } from "../draft/draft.ts";
import { unconfirmed } from "../draft/learnt.ts";
import { provenanceOf } from "../draft/source.ts";
import type { Problem } from "../../shell/problem.ts";
import { sampleWords } from "../sample/samples.ts";
import { budgetErrors, cardKey, epsilonOf, makingCard, notCovered, shownCard } from "./card.ts";
import { type Screen, type StepName, stepNames, titles } from "./screen.ts";
import { checkMethod, needsAccount, settingsKey, type State } from "./state.ts";

export interface Step {
  readonly name: StepName;
  readonly title: string;
  readonly status: "done" | "next" | "waiting" | "attention" | "problem";
  /** It was on the screen, and is whole: what it comes to. */
  readonly summary: string;
  /** It can be on the screen. */
  readonly open: boolean;
}

/** Whether something is there to be seen. */
export const isOpen = (state: State, screen: Screen): boolean =>
  screen !== "result" || state.result !== null || state.card.result !== null;

/** The five steps and how each stands. The first that is not done is the next one. */
export function steps(state: State): Step[] {
  const { draft } = state;
  const checked = draft ? (makesCard(draft) ? checkCard(draft) : check(draft)) : null;
  const open = state.source !== null && state.reading.phase !== "running";
  const described = checked !== null && checked.schema !== null;
  const uncovered = notCovered(state).length > 0;
  const priced = budgetErrors(state).length === 0;
  const accounted = !needsAccount(state) || canBuy(state.fileAccount);
  const fitted = makingCard(state)
    ? state.card.result !== null && state.card.result.key === cardKey(state)
    : state.result !== null && state.result.key === settingsKey(state);
  const all: Record<StepName, { done: boolean; problem: boolean; attention?: boolean }> = {
    data: {
      done: open,
      problem: state.reading.phase === "failed" || state.core.phase === "failed",
    },
    public: {
      done: open && described,
      problem: state.schemaProblem !== null || (state.attempted && checked !== null && !described),
      attention: uncovered,
    },
    budget: {
      done: priced && open && described && accounted,
      problem: !priced || state.fileAccount.problem !== null,
    },
    fit: { done: fitted, problem: state.fit.phase === "failed" },
    result: { done: fitted, problem: false },
  };
  const next = stepNames.find((name) => !all[name].done);
  return stepNames.map((name) => {
    const { done, problem, attention } = all[name];
    const status = problem
      ? "problem"
      : done && attention
        ? "attention"
        : done
          ? "done"
          : name === next
            ? "next"
            : "waiting";
    return {
      name,
      title: titles[name],
      status,
      summary: done && !problem && state.visited.has(name) ? summary(state, name) : "",
      open: isOpen(state, name),
    };
  });
}

/** What a step that is whole comes to. */
function summary(state: State, name: StepName): string {
  const { source, draft, fileAccount, result } = state;
  const card = shownCard(state);
  switch (name) {
    case "data":
      return source?.sample ? sampleWords(source.sample) : (source?.names.join(", ") ?? "");
    case "public":
      return draft ? columnsWords(draft) : "";
    case "budget": {
      const epsilon = readableBound(epsilonOf(state) ?? Number.NaN);
      const total = keepsAccount(fileAccount) && fileAccount.account?.budget?.epsilon;
      return total ? `ε = ${epsilon} of ${readableBound(total)}` : `ε = ${epsilon}`;
    }
    case "fit":
      return makingCard(state)
        ? `chosen at ε = ${readableBound(state.card.result?.release.guarantee.epsilon ?? Number.NaN)}`
        : `fitted at ε = ${readableBound(result?.release.guarantee.epsilon ?? Number.NaN)}`;
    case "result":
      return card ? `scorecard ${card.number}` : `model ${result?.number ?? 1}`;
  }
}

/** "14 columns, all public". */
export function columnsWords(draft: SchemaDraft): string {
  if (makesCard(draft)) {
    const [n, left] = [attributesOf(draft).length, cardUnconfirmed(draft).length];
    return `a card of ${n} ${n === 1 ? "attribute" : "attributes"}, ${left > 0 ? `${left} not covered` : "all public"}`;
  }
  const n = included(draft).length;
  const not = unconfirmed(draft).length;
  const bought = [...included(draft), draft.label].filter(
    (c) => provenanceOf(c) === "bought",
  ).length;
  const how =
    not > 0 ? `${not} not covered` : bought > 0 ? `public, or bought (${bought})` : "all public";
  return `${n} ${n === 1 ? "column" : "columns"}, ${how}`;
}

/** What a step still lacks, and the field where it is to be put right. */
export interface Lack {
  readonly words: string;
  /** Key or id of the field; null where there is nothing but waiting. */
  readonly field: string | null;
}

/** What is missing before a step is whole; null if nothing is. */
export function lacking(state: State, name: StepName): Lack | null {
  switch (name) {
    case "data":
      return lackingData(state);
    case "public":
      return lackingPublic(state);
    case "budget":
      return lackingBudget(state);
    default:
      return null;
  }
}

function lackingData({ core, reading, source }: State): Lack | null {
  if (core.phase === "failed")
    return {
      words: "The page could not be opened. Load it again.",
      field: null,
    };
  if (core.phase === "loading")
    return { words: "The page is fetching its own parts.", field: null };
  switch (reading.phase) {
    case "running":
      return { words: "The file is being read.", field: null };
    case "failed":
      return { words: lackingWords(reading.problem), field: "data-problem" };
    case "cancelled":
      return { words: "Reading was cancelled: choose a file.", field: "file" };
  }
  return source ? null : { words: "No table is open yet: choose a file.", field: "file" };
}

/** A file that cannot be used, or one about which something is asked. */
function lackingWords({ code, line, column }: Problem): string {
  if (code === "header") return "Say what the first line of the file is.";
  if (line && column === undefined) return "Say which column is to be predicted.";
  return "The file could not be used: see above.";
}

function lackingPublic({ draft, reading, card }: State): Lack | null {
  if (!draft)
    return reading.phase === "running"
      ? { words: "The file is being read.", field: null }
      : {
          words: "No column is described: choose a file first.",
          field: "file",
        };
  const { errors } = makesCard(draft) ? checkCard(draft) : check(draft);
  const [first] = errors;
  if (!first && makesCard(draft) && card.problem?.code === "schema")
    return { words: card.problem.message, field: "card-problem" };
  return first
    ? {
        words:
          errors.length === 1
            ? `One entry needs a correction. ${first.message}`
            : `${errors.length} entries need a correction. The first: ${first.message}`,
        field: first.field,
      }
    : null;
}

function lackingBudget(state: State): Lack | null {
  const [wrong] = [...budgetErrors(state), ...(makingCard(state) ? [] : checkMethod(state).errors)];
  if (wrong) return { words: wrong.message, field: wrong.field };
  const { problem } = state.card;
  if (makingCard(state) && problem && problem.code !== "schema")
    return { words: problem.message, field: "epsilon" };
  const { fileAccount } = state;
  if (!needsAccount(state) || canBuy(fileAccount)) return null;
  switch (fileAccount.phase) {
    case "looking":
      return {
        words: "The file is being looked up in the ledger.",
        field: null,
      };
    case "idle":
      return {
        words: "The file is looked up in the ledger as soon as its columns are described.",
        field: null,
      };
    case "unread":
      return {
        words: "The file was not looked up in the ledger yet.",
        field: "account",
      };
    case "unavailable":
      return {
        words: "Say how to go on without a ledger.",
        field: "account-accepted",
      };
    default:
      return fileAccount.like > 0 && fileAccount.phase === "unknown"
        ? {
            words: "Say whether these are the same people as before.",
            field: "account",
          }
        : {
            words: "The total for these people is not fixed yet.",
            field: "account-epsilon",
          };
  }
}

/**
 * The total that going on from the budget fixes: all else is there, and no earlier data set is
 * likely to be the same people. null otherwise.
 */
export function totalToFix(state: State): number | null {
  const { fileAccount } = state;
  if (lackingBudget(state)?.field !== "account-epsilon" || fileAccount.working) return null;
  return checkTotal(fileAccount.draft).budget?.epsilon ?? null;
}
