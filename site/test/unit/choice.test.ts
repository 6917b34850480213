// Which choice among models can be stated, and when private figures may be shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { choiceIsWord, choiceWords } from "../../src/chart/choice.ts";
import type { LedgerCharge } from "../../src/client/types.ts";
import {
  choiceOf,
  choicesFor,
  isOpen,
  isSaved,
  mayPublish,
  modelsOf,
  openRows,
  withStance,
} from "../../src/pages/studio/state/choice.ts";
import type { Stance } from "../../src/pages/studio/state/choices.ts";
import {
  firstState,
  type Result,
  type Source,
  type State,
} from "../../src/pages/studio/state/state.ts";

const own: Source = { id: 7, kind: "file", parts: [], names: ["a.csv"], bytes: 1 };
const charge = { id: "c", purpose: "fit", state: "committed", digest: "d" } as LedgerCharge;
const model = (number: number, more: Partial<Result> = {}): Result =>
  ({
    number,
    source: own,
    rows: "account",
    earlier: number - 1,
    charge,
    release: {},
    ...more,
  }) as unknown as Result;

function state(results: readonly Result[], stance: Stance = {}): State {
  return { ...firstState("light"), results, stances: { account: stance } };
}

test("private figures are closed for every model of a file, from the first on, until a look is paid for with a promise", () => {
  const first = model(1);
  assert.equal(isOpen(state([first]), first), false);
  for (const pledge of ["all", "none"] as const)
    assert.equal(isOpen(state([first], { pledge }), first), true);
  // The promise is for the rows: for later models too, and for no other rows.
  assert.equal(isOpen(state([model(2), first], { pledge: "all" }), model(2)), true);
  const other = model(3, { rows: "another" });
  assert.equal(isOpen(state([other], { pledge: "all" }), other), false);
  const sample = model(1, { source: { ...own, kind: "sample" } });
  assert.equal(isOpen(state([sample]), sample), true, "nobody's data");
});

test("a promise is kept when the account of its rows has become part of another", () => {
  const one = model(1);
  const before = { ...firstState("light"), results: [one], stances: { old: { pledge: "none" } } };
  const account = { id: "account", also: ["old"], charges: [] };
  const after = { ...before, fileAccount: { ...before.fileAccount, account } } as unknown as State;
  assert.equal(mayPublish(after, one), false);
  assert.equal(mayPublish(after, model(2, { rows: "another" })), true);
});

test("what may be stated is what the page does not know to be false", () => {
  const [one, two] = [model(1), model(2)];
  const unpaid = model(1, { charge: null });
  for (const only of [one, unpaid])
    assert.deepEqual(
      choicesFor(state([only]), only),
      ["only-model", null],
      "the page knows of this browser alone",
    );
  assert.deepEqual(choicesFor(state([two, one]), one), ["all-published", "paid-figures", null]);
  assert.deepEqual(
    choicesFor(state([two]), two),
    ["all-published", "paid-figures", null],
    "a model of an earlier visit counts",
  );
  assert.deepEqual(
    choicesFor(state([two, one], { pledge: "all" }), one),
    ["all-published"],
    "who has looked chooses no more",
  );
  assert.deepEqual(choicesFor(state([one], { pledge: "all" }), one), [
    "all-published",
    "only-model",
  ]);
  assert.deepEqual(choicesFor(state([one], { pledge: "none" }), one), [null]);
  assert.equal(mayPublish(state([one], { pledge: "none" }), one), false);
  assert.equal(mayPublish(state([one], { pledge: "all" }), one), true);
});

test("of a model whose setting the rows chose it is stated that they did, unless there are others", () => {
  for (const way of ["chooseLambda", "chooseMethod"] as const) {
    const [chosen, other] = [model(1, { way }), model(2, { way: "amp" })];
    assert.deepEqual(choicesFor(state([chosen]), chosen), ["private-selection"]);
    assert.equal(choiceOf(state([chosen]), chosen), "private-selection");
    const sample = model(1, { way, source: { ...own, kind: "sample" } });
    assert.deepEqual(choicesFor(state([sample]), sample), ["private-selection"]);
    const several = state([other, chosen]);
    assert.deepEqual(choicesFor(several, chosen), choicesFor(several, other));
  }
});

test("the only model is never stated unless the person says so, not by a charge and not by a look", () => {
  for (const one of [model(1), model(1, { charge: null })]) {
    assert.equal(choiceOf(state([one]), one), null);
    assert.equal(choiceOf(state([one], { stated: "only-model" }), one), "only-model");
    const pledged = { pledge: "all" } as const;
    assert.equal(choiceOf(state([one], pledged), one), "all-published", "what was promised");
    assert.equal(choiceOf(state([one], { ...pledged, stated: "only-model" }), one), "only-model");
  }
  // Another model makes it false, and what was promised stands again.
  const both = [model(2), model(1)];
  const said = { pledge: "all", stated: "only-model" } as const;
  assert.equal(choiceOf(state(both, said), both[1]!), "all-published");
});

test("nothing is stated of several until it is said, and what was said gives way to a look", () => {
  const both = [model(2), model(1)];
  assert.equal(choiceOf(state(both), both[0]!), null);
  assert.equal(choiceOf(state(both, { stated: "paid-figures" }), both[0]!), "paid-figures");
  assert.equal(
    choiceOf(state(both, { stated: "paid-figures", pledge: "all" }), both[0]!),
    "all-published",
  );
  assert.equal(
    choiceOf(state(both, { stated: "only-model" }), both[0]!),
    null,
    "it is not so any more",
  );
});

test("a file that says the only model is out of date when there is another", () => {
  const one = model(1);
  const saved = new Map([[1, "only-model" as const]]);
  const said = { stated: "only-model" } as const;
  assert.equal(isSaved({ ...state([one], said), saved }, one), true);
  assert.equal(isSaved({ ...state([model(2), one], said), saved }, one), false);
  assert.equal(isSaved(state([one], said), one), false);
});

test("models of a file are counted by its account: those not handed out too, refusals not", () => {
  const charges = [
    charge,
    { ...charge, id: "r", state: "reserved", digest: undefined },
    { ...charge, id: "x", digest: undefined },
    { ...charge, id: "e", purpose: "evaluate" },
  ];
  const account = { id: "account", charges };
  const open = {
    ...state([model(1)]),
    fileAccount: { ...firstState("light").fileAccount, phase: "open", account },
  } as unknown as State;
  assert.equal(modelsOf(open, model(1)), 2);
  const keeping = {
    ...open,
    fileAccount: { ...open.fileAccount, account: { ...account, budget: { epsilon: 1 } } },
  } as unknown as State;
  assert.deepEqual(openRows(keeping, own), { rows: "account", models: 2 });
});

test("a promise stands beside what was said, and touches no other rows", () => {
  const before = state([], { stated: "paid-figures" });
  assert.deepEqual(withStance(before, "account", { pledge: "all" }).stances.account, {
    stated: "paid-figures",
    pledge: "all",
  });
  assert.deepEqual(Object.keys(withStance(before, "new", { pledge: "none" }).stances), [
    "account",
    "new",
  ]);
});

test("every choice has words, and what is not stated is said to be so", () => {
  const said = (
    ["only-model", "all-published", "paid-figures", "private-selection", undefined] as const
  ).map(choiceWords);
  assert.equal(new Set(said).size, said.length);
  assert.match(said[4]!, /^Not stated\. .*outside the guarantee/);
  for (const words of said.slice(0, 2)) {
    assert.match(words!, /this model was not picked from others by how it does on the records/);
    assert.match(
      words!,
      /published at all.* may still have depended on that/,
      "what it leaves open",
    );
  }
  assert.deepEqual(
    [choiceIsWord("only-model"), choiceIsWord("private-selection"), choiceIsWord(undefined)],
    [true, false, false],
  );
});
