// What becomes of a privacy report that is made and paid for when something fails after it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Reporter } from "../../src/pages/studio/result/after-fit/reporter.ts";
import { CloisterError } from "../../src/client/types.ts";
import { firstState, type Result, type State } from "../../src/pages/studio/state/state.ts";
import type { Workspace } from "../../src/pages/studio/state/workspace.ts";

const made = { report: { kind: "data-dependent" }, text: '{"made": true}\n' };
const found = { kind: "data-dependent", epsilon: 0.3 };

/**
 * Buys a report of the model of the sample, or of a file that has an account, from a client that
 * ends with these; `later` is the account as it is found afterwards.
 */
async function bought(
  client: object,
  {
    kind = "sample",
    account,
    later,
    accepted,
  }: {
    kind?: string;
    account?: object | undefined;
    later?: object | undefined;
    accepted?: boolean;
  } = {},
): Promise<{ state: State; reporter: Reporter; result: Result }> {
  const result = {
    number: 1,
    source: { id: 1, kind },
    dataset: { worker: 0 },
    worker: 0,
    release: { guarantee: { adjacency: "add-remove", delta: 1e-5 } },
  } as unknown as Result;
  let state = {
    ...firstState("light"),
    source: { id: 1 },
    results: [result],
    result,
    ...(accepted && { fileAccount: { phase: "unavailable", accepted, account: null } }),
    ...(account && { fileAccount: { phase: "open", account } }),
  } as unknown as State;
  const store = { set: (change: Partial<State>) => void (state = { ...state, ...change }) };
  const charged = async () =>
    store.set({
      fileAccount: { ...state.fileAccount, account: later },
    } as unknown as Partial<State>);
  const reporter = new Reporter({
    client,
    store,
    charged,
    get state() {
      return state;
    },
  } as unknown as Workspace);
  reporter.change(result, { kind: "data-dependent" });
  await reporter.make(result);
  return { state, reporter, result };
}

test("a report that was bought is kept and charged, though it cannot be read back", async () => {
  const failing = async () => {
    throw new CloisterError("crashed", "The computation stopped.");
  };
  const { state, reporter, result } = await bought({
    report: async () => made,
    inspectReport: failing,
  });
  assert.deepEqual(state.result!.report, made);
  assert.deepEqual(state.results[0]!.report, made);
  assert.deepEqual(state.spent, [
    { source: 1, adjacency: "add-remove", epsilon: 0.3, delta: 1e-5 },
  ]);
  assert.match(state.announcement, /was made and charged, but could not be read back/);
  assert.equal(reporter.entry(result).work.phase, "done");
});

test("one that can be read back is shown with what follows from it", async () => {
  const { state } = await bought({ report: async () => made, inspectReport: async () => found });
  assert.deepEqual(state.result!.report, { ...made, inspected: found });
  assert.match(state.announcement, /is ready/);
});

test("a model whose rows are closed, or whose worker was ended, has no noise to make a closer report from", async () => {
  const { reporter, result } = await bought({
    report: async () => made,
    inspectReport: async () => found,
  });
  assert.ok(reporter.open(result));
  for (const gone of [
    { dataset: { worker: undefined } },
    { dataset: { worker: 1 } },
    { dataset: undefined, worker: undefined },
    { source: { id: 2 } },
  ])
    assert.ok(!reporter.open({ ...result, ...gone } as unknown as Result), JSON.stringify(gone));
});

test("a cancelled report counts if its account has a charge more, whether or not the page heard of it; another account tells nothing", async () => {
  const account = (id: string, charges: number) => ({
    id,
    budget: {},
    charges: Array.from({ length: charges }, () => ({})),
  });
  const ends = async (later: object, heard: object = {}) => {
    const report = async () => {
      throw new CloisterError("aborted", "Cancelled.", heard);
    };
    const { reporter, result } = await bought(
      { ledger: { report } },
      { kind: "file", account: account("one", 1), later },
    );
    const { work } = reporter.entry(result);
    assert.equal(work.phase, "cancelled");
    return "charged" in work ? work.charged : undefined;
  };
  assert.equal(await ends(account("one", 2)), "yes");
  assert.equal(await ends(account("one", 1)), "no");
  assert.equal(await ends(account("one", 2), { charged: "unknown" }), "yes");
  assert.equal(await ends(account("two", 0), { charged: "unknown" }), "unknown");
});

test("without a ledger, a report that ended once noise was drawn counts, and one that ended before does not", async () => {
  for (const code of ["aborted", "crashed"] as const) {
    for (const phase of ["reserving", "releasing"] as const) {
      const report = async (
        _: unknown,
        __: unknown,
        { onProgress }: { onProgress: (progress: object) => void },
      ) => {
        onProgress({ phase });
        throw new CloisterError(code, "It ended.");
      };
      const { state, reporter, result } = await bought(
        { report },
        { kind: "file", account: undefined, later: undefined, accepted: true },
      );
      const { work } = reporter.entry(result);
      const drawn = phase === "releasing";
      assert.equal(state.spent.length, drawn ? 1 : 0, `${code} ${phase}`);
      if (work.phase === "cancelled") assert.equal(work.charged, drawn ? "unnoted" : undefined);
      else if (work.phase === "failed")
        assert.equal(/its cost counts/.test(work.problem.advice ?? ""), drawn, phase);
      else assert.fail(work.phase);
    }
  }
});
