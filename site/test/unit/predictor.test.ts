// Columns that are called what every object has.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client, Row } from "../../src/client/types.ts";
import { Predictor } from "../../src/pages/studio/result/predictor.ts";
import type { Store } from "../../src/pages/studio/state/store.ts";

test("a field that was not filled in is missing, whatever its column is called", async () => {
  const names = ["__proto__", "constructor", "toString", "age"];
  const asked: Row[] = [];
  const state = {
    result: { release: { schema: { features: names.map((name) => ({ name })) } } },
    predict: { fields: {}, pasted: "" },
  };
  const store = {
    state,
    set: (change: object) => void Object.assign(state, change),
  } as unknown as Store;
  const client = {
    predict: (_: unknown, row: Row) => {
      asked.push(row);
      return Promise.resolve({});
    },
  } as unknown as Client;
  const predictor = new Predictor(store, () => client);
  await predictor.predictForm();
  assert.deepEqual(
    Object.entries(asked[0]!),
    names.map((name) => [name, null]),
  );
  predictor.changeField("__proto__", " 7 ");
  predictor.changeField("age", "8");
  await predictor.predictForm();
  const typed = new Map([
    ["__proto__", "7"],
    ["age", "8"],
  ]);
  assert.deepEqual(
    Object.entries(asked[1]!),
    names.map((name) => [name, typed.get(name) ?? null]),
  );
});
