// What a fit that did not end in a model has spent.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  type Client,
  CloisterError,
  type ErrorCode,
  type Progress,
  type ProgressOptions,
} from "../../src/client/types.ts";
import * as later from "../../src/pages/studio/later.ts";
import { Studio } from "../../src/pages/studio/studio.ts";

// The theme is all that the studio asks of the page by itself.
Object.assign(globalThis, { document: { documentElement: { dataset: { theme: "light" } } } });

/** The studio on its sample, after a fit that ended with this error, during this phase. */
async function failed(code: ErrorCode, during?: Progress["phase"]): Promise<Studio> {
  const client = {
    start: async () => ({ library: "0" }),
    checkSchema: async (schema: unknown) => ({ schema, dimension: 1, rowNorm: 1 }),
    calibrate: async () => ({}),
    openDataset: async () => ({ tally: {}, close: async () => {} }),
    fit: async (_: unknown, { onProgress }: ProgressOptions) => {
      if (during) onProgress?.({ phase: during });
      throw new CloisterError(code, "No model.");
    },
  };
  const studio = new Studio(
    { load: async () => client as unknown as Client, later: async () => later, seal: () => {} },
    () => {},
  );
  await studio.begin();
  await studio.fitter.fit();
  return studio;
}

test("a refusal is charged, as it is an answer about the data too", async () => {
  const { state } = await failed("refused");
  assert.equal(state.fit.phase, "failed");
  assert.deepEqual(state.spent, [{ source: 1, epsilon: 1, delta: 1e-5 }]);
});

test("what ends before anything is released is not charged", async () => {
  for (const code of ["aborted", "data", "out-of-memory"] as const) {
    const { state } = await failed(code);
    assert.equal(state.fit.phase, code === "aborted" ? "cancelled" : "failed");
    assert.deepEqual(state.spent, [], code);
  }
});

test("what ends once noise is drawn is charged, with a ledger or without: it could be drawn anew", async () => {
  for (const code of ["aborted", "out-of-memory"] as const) {
    const before = await failed(code, "calibrating");
    assert.deepEqual(before.state.spent, [], code);
    for (const phase of ["solving", "releasing"] as const) {
      const { state } = await failed(code, phase);
      assert.deepEqual(state.spent, [{ source: 1, epsilon: 1, delta: 1e-5 }], `${code} ${phase}`);
    }
  }
});
