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
import { chooseMaking, chooseMany } from "../../src/pages/studio/draft/card-edit.ts";
import * as later from "../../src/pages/studio/later.ts";
import { Studio } from "../../src/pages/studio/studio.ts";

// The theme is all that the studio asks of the page by itself.
Object.assign(globalThis, { document: { documentElement: { dataset: { theme: "light" } } } });

/** The studio on its sample. */
async function opened(client: object): Promise<Studio> {
  const studio = new Studio(
    { load: async () => client as unknown as Client, later: async () => later, seal: () => {} },
    () => {},
  );
  await studio.begin();
  return studio;
}

/**
 * The studio on its sample, or on a file without a ledger, after a fit that ended with this error,
 * during this phase.
 */
async function failed(
  code: ErrorCode,
  during?: Progress["phase"],
  kind: "sample" | "file" = "sample",
): Promise<Studio> {
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
  const studio = await opened(client);
  if (kind === "file")
    studio.store.set({
      source: { ...studio.state.source!, kind },
      fileAccount: { ...studio.state.fileAccount, phase: "unavailable", accepted: true },
    });
  await studio.fitter.fit();
  return studio;
}

test("a refusal is charged, as it is an answer about the data too", async () => {
  const { state } = await failed("refused");
  assert.equal(state.fit.phase, "failed");
  assert.deepEqual(state.spent, [{ source: 1, adjacency: "add-remove", epsilon: 1, delta: 1e-5 }]);
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
      assert.deepEqual(
        state.spent,
        [{ source: 1, adjacency: "add-remove", epsilon: 1, delta: 1e-5 }],
        `${code} ${phase}`,
      );
    }
  }
});

test("a fit of a file that died after the draw says that it counts, and another says nothing of it", async () => {
  for (const code of ["out-of-memory", "crashed", "terminated"] as const) {
    for (const [phase, said] of [
      ["calibrating", false],
      ["solving", true],
    ] as const) {
      const { state } = await failed(code, phase, "file");
      assert.ok(state.fit.phase === "failed");
      const { advice = "" } = state.fit.problem;
      assert.equal(/its cost counts/.test(advice), said, `${code} ${phase}`);
    }
  }
});

/** The studio after a card, or noisy counts, that ended with an error at this place. */
async function cards(
  at: "drawing" | "first" | "check" | "nowhere",
  many: boolean,
  told = true,
): Promise<Studio> {
  const crash = (): never => {
    throw new CloisterError("crashed", "The worker died.");
  };
  const buy =
    (release: object) =>
    async (_: unknown, { onProgress }: ProgressOptions) => {
      if (told) onProgress?.({ phase: "releasing" });
      if (at === "drawing") crash();
      return { release, text: "" };
    };
  const card = { card: { attributes: [] } };
  const client = {
    start: async () => ({ library: "0" }),
    checkSchema: async (schema: unknown) => ({ schema, dimension: 1, rowNorm: 1 }),
    calibrate: async () => ({}),
    planScorecard: async () => ({}),
    planNoisyCells: async () => ({}),
    noisyCells: buy({ counts: {}, schema: { attributes: [] } }),
    scorecard: buy(card),
    cardOfCells: async () => (at === "first" ? crash() : { release: card, text: "" }),
    checkScorecard: async () => (at === "check" ? crash() : {}),
  };
  const studio = await opened(client);
  studio.store.set({
    source: { ...studio.state.source!, kind: "file" },
    fileAccount: { ...studio.state.fileAccount, phase: "unavailable", accepted: true },
  });
  studio.editor.edit((draft) => chooseMany(chooseMaking(draft, true), many));
  await studio.fitter.fit();
  return studio;
}

test("counts and cards that were bought are charged once, whatever fails after the draw", async () => {
  for (const [at, many, told] of [
    ["drawing", true],
    ["first", true],
    ["check", true],
    ["nowhere", true],
    ["drawing", false],
    ["check", false],
    ["nowhere", false],
    // What has come is paid for, whatever was told of it.
    ["first", true, false],
    ["check", false, false],
  ] as const) {
    const { state } = await cards(at, many, told);
    const name = `${at} ${many} ${told}`;
    assert.equal(state.spent.length, 1, name);
    assert.equal(state.fit.phase, at === "nowhere" ? "done" : "failed", name);
    if (state.fit.phase === "failed")
      assert.match(state.fit.problem.advice!, /its cost counts/, name);
  }
});
