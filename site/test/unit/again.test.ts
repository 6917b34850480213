// What is handed out again for nothing, beside what else comes in the meantime.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { LedgerCharge } from "../../src/client/types.ts";
import { Again } from "../../src/publish/again.ts";
import type { forAgain } from "../../src/studio/again.ts";
import { firstState, type Result, type State } from "../../src/studio/state.ts";
import type { Studio } from "../../src/studio/studio.ts";

test("a model that is fitted while another is had again has a number of its own, and is kept", async () => {
  const charge = { id: "one", purpose: "fit" } as LedgerCharge;
  const release = { event: { mechanism: "gaussian" }, guarantee: {} };
  let state = firstState("light");
  const store = { set: (change: Partial<State>) => void (state = { ...state, ...change }) };
  const client = { ledger: { kept: async () => ({ release, text: "kept" }) } };
  const studio = { client, store, shelf: {}, evaluator: { close() {} }, get state() { return state; } } as unknown as Studio;
  const page = {
    busy: () => false,
    emptyPredict: state.predict,
    curvesOf: async () => {
      store.set({ results: [{ number: 1, text: "fitted" } as Result] });
      return [];
    },
  } as unknown as typeof forAgain;
  await new Again(studio, page).hand(charge);
  assert.deepEqual(state.results.map(({ number, text }) => [number, text]), [[2, "kept"], [1, "fitted"]]);
  assert.equal(state.result?.charge, charge);
});
