// What is handed out again for nothing, beside what else comes in the meantime.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { LedgerCharge } from "../../src/client/types.ts";
import { Again } from "../../src/publish/again.ts";
import type { forAgain } from "../../src/studio/again.ts";
import { firstState, type Result, type State } from "../../src/studio/state.ts";
import type { Studio } from "../../src/studio/studio.ts";

const charge = { id: "one", purpose: "fit" } as LedgerCharge;
const release = { event: { mechanism: "gaussian" }, guarantee: {} };

/** The state after that charge was asked for; `during` comes meanwhile. */
async function handed(before: object, during: Partial<State> = {}): Promise<State> {
  let state = { ...firstState("light"), ...before } as State;
  const store = { set: (change: Partial<State>) => void (state = { ...state, ...change }) };
  const client = { ledger: { kept: async () => ({ release, text: "kept" }) } };
  const studio = { client, store, shelf: {}, evaluator: { close() {} }, get state() { return state; } } as unknown as Studio;
  const curvesOf = async () => {
    store.set(during);
    return [];
  };
  await new Again(studio, { busy: () => false, emptyPredict: state.predict, curvesOf } as unknown as typeof forAgain).hand(charge);
  return state;
}

test("a model that is fitted while another is had again has a number of its own, and is kept", async () => {
  const state = await handed({}, { results: [{ number: 1, text: "fitted" } as Result] });
  assert.deepEqual(state.results.map(({ number, text }) => [number, text]), [[2, "kept"], [1, "fitted"]]);
  assert.equal(state.result?.charge, charge);
});

test("a model is of the open file if that has paid for it, and not if a held-out file has", async () => {
  const source = { id: 7 };
  const own = await handed({ source, desk: { account: { charges: [charge] } } });
  assert.equal(own.result?.source, source);
  const heldOut = await handed({ source, desk: { account: { charges: [] } } });
  assert.equal(heldOut.result?.source.id, 0);
});
