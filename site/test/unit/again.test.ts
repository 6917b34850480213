// What is handed out again for nothing, beside what else comes in the meantime.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { LedgerCharge } from "../../src/client/types.ts";
import { Again } from "../../src/pages/studio/result/publish/again.ts";
import { firstState, type Result, type State } from "../../src/pages/studio/state/state.ts";

const charge = { id: "one", purpose: "fit" } as LedgerCharge;
const release = { event: { mechanism: "gaussian" }, guarantee: {} };

/** The state after that charge was asked for; `during` comes meanwhile. */
async function handed(
  before: object,
  during: Partial<State> = {},
  problems: readonly string[] = [],
): Promise<State & { readonly again: Again }> {
  let state = { ...firstState("light"), ...before } as State;
  const store = { set: (change: Partial<State>) => void (state = { ...state, ...change }) };
  // It is asked for the curves, which can do without an answer.
  const account = async () => {
    store.set(during);
    throw new Error("No curve.");
  };
  const differences = async () => ({ differences: [] });
  const client = {
    account,
    differences,
    reprice: async () => ({ problems }),
    ledger: { kept: async () => ({ release, text: "kept" }) },
  };
  const studio = {
    client,
    store,
    models: {},
    evaluator: { close() {} },
    get state() {
      return state;
    },
  } as unknown as ConstructorParameters<typeof Again>[0];
  const again = new Again(studio);
  await again.hand(charge);
  return { ...state, again };
}

test("a model that is fitted while another is had again has a number of its own, and is kept", async () => {
  const state = await handed({}, { results: [{ number: 1, text: "fitted" } as Result] });
  assert.deepEqual(
    state.results.map(({ number, text }) => [number, text]),
    [
      [2, "kept"],
      [1, "fitted"],
    ],
  );
  assert.equal(state.result?.charge, charge);
});

test("a model is of the open file if that has paid for it, and not if a held-out file has", async () => {
  const source = { id: 7 };
  const own = await handed({ source, fileAccount: { account: { charges: [charge] } } });
  assert.equal(own.result?.source, source);
  const heldOut = await handed({ source, fileAccount: { account: { charges: [] } } });
  assert.equal(heldOut.result?.source.id, 0);
  const evaluation = {
    ...firstState("light").evaluation,
    fileAccount: { account: { id: "held", charges: [charge] } },
  };
  const theirs = await handed({ evaluation, fileAccount: { account: null } });
  assert.equal(theirs.result?.rows, "held", "what was promised of those rows binds it");
});

test("a model that says what is not so, since it was changed where it is kept, is not opened", async () => {
  const state = await handed({}, {}, ["It costs more than that."]);
  assert.deepEqual(state.results, []);
  assert.equal(state.again.asked?.problem?.code, "release");
  assert.match(state.again.asked!.problem!.message, /It costs more than that\.$/);
});
