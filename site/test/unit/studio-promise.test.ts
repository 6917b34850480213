// What was promised for a look at the private figures binds the rows by all their names.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import type { Account, Client, LedgerCharge } from "../../src/client/types.ts";
import { Chooser } from "../../src/pages/studio/notes/chooser.ts";
import { Models } from "../../src/pages/studio/result/models.ts";
import { Again } from "../../src/pages/studio/result/publish/again.ts";
import { mayPublish, modelsOf, namesOf } from "../../src/pages/studio/state/choice.ts";
import { type Pledge, standing } from "../../src/pages/studio/state/choices.ts";
import { firstState, type Result, type State } from "../../src/pages/studio/state/state.ts";

/** What the browser keeps, by key; null where it gives nothing. */
let kept: Map<string, unknown> | null;

/** One request, or a transaction, that ends soon. */
function soon(result: unknown, ends: readonly string[]): Record<string, unknown> {
  const request: Record<string, unknown> = { result };
  for (const [i, end] of ends.entries())
    setTimeout(() => (request[end] as (() => void) | undefined)?.(), i);
  return request;
}

const objects = {
  get: (key: string) => soon(structuredClone(kept!.get(key)), ["onsuccess"]),
  put: (value: unknown, key: string) => soon(kept!.set(key, value), []),
};
Object.assign(globalThis, {
  indexedDB: {
    open: () =>
      kept
        ? soon(
            {
              transaction: () => {
                const transaction: Record<string, unknown> = { objectStore: () => objects };
                setTimeout(() => (transaction["oncomplete"] as () => void)(), 5);
                return transaction;
              },
              close() {},
            },
            ["onsuccess"],
          )
        : Object.assign(soon(undefined, ["onerror"]), { error: new Error("No room.") }),
  },
});

beforeEach(() => (kept = new Map()));

const charge = { id: "c", purpose: "fit", state: "committed", digest: "d" } as LedgerCharge;
const model = (rows: string, number = 1): Result =>
  ({
    number,
    source: { id: 7, kind: "file" },
    rows,
    earlier: 0,
    charge,
    release: {},
  }) as unknown as Result;
const account = (id: string, also: readonly string[] = [], charges = [charge]): Account =>
  ({ id, also, charges }) as unknown as Account;

const released = {
  event: { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1, sigma: 3 },
  guarantee: { epsilon: 1, delta: 1e-5, adjacency: "add-remove" },
  schema: { label: { type: "binary" } },
  model: { loss: "logistic" },
};

/** A visit; `ledger` answers for the account of a name, as it is for all tabs. */
function visit(
  results: readonly Result[],
  ledger: (id: string) => Account,
  more: Partial<State> = {},
) {
  let state: State = { ...firstState("light"), results, result: results[0] ?? null, ...more };
  const store = {
    get state() {
      return state;
    },
    set: (change: Partial<State>) => void (state = { ...state, ...change }),
  };
  const client = {
    ledger: {
      account: async (id: string) => ({ account: ledger(id) }),
      kept: async () => ({ release: { ...released, kind: "data-dependent" }, text: "" }),
    },
    inspectReport: async () => ({}),
    reprice: async () => ({ problems: [] }),
    differences: async () => undefined,
  } as unknown as Client;
  const chooser = new Chooser(store as never, () => client);
  const studio = {
    store,
    client,
    chooser,
    evaluator: { close() {} },
    get state() {
      return state;
    },
  };
  return { store, chooser, models: new Models(studio as never), again: new Again(studio as never) };
}

const promised = () => kept!.get("pledges") as Record<string, Pledge> | undefined;

test("a model is not published once another tab has joined its account to one that publishes none", async () => {
  const one = model("A1");
  const { models, store } = visit([one], () => account("X", ["A1"]));
  assert.equal(await models.publishable(), one, "nothing is promised");
  kept!.set("pledges", { X: "none" });
  assert.equal(await models.publishable(), null);
  assert.equal(mayPublish(store.state, one), false, "and the page shows that");
});

test("nor once it is joined here", () => {
  const one = model("A1");
  const state = { ...firstState("light"), stances: { X: { pledge: "none" } } } as State;
  const fileAccount = { ...state.fileAccount, account: account("X", ["A1"]) };
  assert.equal(mayPublish({ ...state, fileAccount }, one), false);
  assert.equal(mayPublish({ ...state, fileAccount }, model("B")), true);
});

test("a promise under an earlier name binds when another file is chosen", () => {
  const state = {
    ...firstState("light"),
    stances: { old: { pledge: "none" } },
  } as unknown as State;
  const known = {
    ...state,
    books: { ...state.books, accounts: [account("Y"), account("X", ["old"])] },
    fileAccount: { ...state.fileAccount, account: account("Y") },
  };
  assert.equal(mayPublish(known, model("X")), false);
  assert.equal(mayPublish(known, model("Y")), true);
});

test("of two promises under two names, to publish none stands, whichever comes first", () => {
  assert.equal(standing([undefined, "all", "none"]), "none");
  assert.equal(standing([undefined]), undefined);
  for (const [own, other, may] of [
    ["all", "none", false],
    ["none", "all", false],
    ["all", "all", true],
  ] as const) {
    const state = {
      ...firstState("light"),
      stances: { X: { pledge: own }, A1: { pledge: other } },
    } as unknown as State;
    const fileAccount = { ...state.fileAccount, account: account("X", ["A1"]) };
    assert.equal(mayPublish({ ...state, fileAccount }, model("X")), may, `${own} ${other}`);
  }
});

test("names are found through accounts that were joined one after the other, and models counted by all", () => {
  const state = firstState("light");
  const known = {
    ...state,
    results: [model("A", 2), model("C")],
    books: { ...state.books, accounts: [account("B", ["A"]), account("C", ["B"])] },
  };
  assert.deepEqual([...namesOf(known, "A")].sort(), ["A", "B", "C"]);
  assert.equal(modelsOf(known, model("C")), 2);
});

test("a look reads anew what other tabs did, and promises under all names", async () => {
  const { chooser, store } = visit([model("A1")], () => account("X", ["A1", "A2"]), {
    pledging: "all",
  });
  await chooser.look();
  assert.deepEqual(promised(), { A1: "all", X: "all", A2: "all" });
  assert.equal(store.state.pledging, null);
});

test("a look finds a promise that another tab made under another name, and that one stands", async () => {
  kept!.set("pledges", { A2: "none", X: "all" });
  const { chooser, store } = visit([model("A1")], () => account("X", ["A1", "A2"]), {
    pledging: "all",
  });
  await chooser.look();
  assert.deepEqual(promised(), { A1: "none", X: "none", A2: "none" });
  assert.match(store.state.announcement, /publish no model/);
  assert.equal(mayPublish(store.state, model("A1")), false);
});

test("where the ledger or the promises cannot be read, nothing is published and nothing shown, with words", async () => {
  const gone = () => {
    throw new Error("The ledger is gone.");
  };
  for (const ledger of [gone, () => account("X")]) {
    kept = ledger === gone ? new Map() : null;
    const { models, chooser, store } = visit([model("X")], ledger, { pledging: "all" });
    assert.equal(await models.publishable(), null);
    assert.equal(store.state.unread?.title, "Nothing was saved");
    assert.match(store.state.announcement, /^Nothing was saved\. /);
    await chooser.look();
    assert.deepEqual(store.state.stances, {});
    assert.match(store.state.unread!.title, /stay closed/);
    if (ledger === gone) assert.equal(promised(), undefined);
  }
});

test("rows without an account ask nothing of the ledger: their promise is of this visit", async () => {
  kept = null;
  const one = { ...model("file 7"), charge: null };
  const { models, chooser } = visit(
    [one],
    () => {
      throw new Error("There is none.");
    },
    { pledging: "none" },
  );
  assert.equal(await models.publishable(), one);
  await chooser.look();
  assert.equal(await models.publishable(), null);
});

test("what is said while kept promises are read is not lost", async () => {
  const one = { ...model("file 7"), charge: null };
  const { models, chooser } = visit([one], () => account("X"), { pledging: "none" });
  const read = chooser.refresh();
  await chooser.look();
  await read;
  assert.equal(await models.publishable(), null);
});

test("a model had again by its evaluation is bound by what was promised of its rows", async () => {
  const evaluation = { ...charge, id: "e", purpose: "evaluate" } as LedgerCharge;
  const fit = { ...charge, kept: true } as LedgerCharge;
  const state = firstState("light");
  kept!.set("pledges", { A1: "none" });
  const { again, models, store } = visit([], () => account("A1", [], [fit]), {
    books: { ...state.books, accounts: [account("A1", [], [fit]), account("B", [], [evaluation])] },
  });
  await again.hand(evaluation);
  assert.equal(again.asked?.phase, "done", again.asked?.problem?.message);
  assert.equal(store.state.result?.rows, "A1");
  assert.equal(await models.publishable(), null);
});

test("a report that was bought is not handed out again to who publishes no model of its rows", async () => {
  const report = { ...charge, purpose: "report" } as LedgerCharge;
  kept!.set("pledges", { X: "none" });
  const state = firstState("light");
  const paying = account("A1", [], [report]);
  const { again } = visit([], () => account("X", ["A1"], [report]), {
    books: { ...state.books, accounts: [paying] },
  });
  await again.hand(report);
  assert.equal(again.asked?.phase, "failed");
  assert.match(again.asked!.problem!.message, /you publish no model of this file/);
});
