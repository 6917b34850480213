// Experiments in Node: the same numbers as natively, progress, cancelling, and what is wrong said
// clearly.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { CloisterError, load, loadLaboratory } from "../../dist/client.node.mjs";
import { nativeRuns } from "../harness/native-runs.mjs";
import { csv, schema } from "./sample.mjs";

const client = await loadLaboratory();
after(() => client.terminate());

const fails = (code, field, text) => (error) => {
  assert.ok(error instanceof CloisterError, String(error.stack));
  assert.deepEqual([error.code, error.field], [code, field], error.message);
  assert.match(error.message, text);
  return true;
};

test("the laboratory says what it has", async () => {
  const { sets, methods, published, epsilons, trials } = await client.laboratory();
  assert.deepEqual(
    sets.map((s) => s.name),
    ["adult", "breast-cancer", "synthetic-l", "synthetic-h", "iris", "synthetic-2d"],
  );
  assert.ok(methods.some((m) => m.name === "amp" && m.standing === "private"));
  for (const m of methods)
    assert.ok(
      ["private", "dishonest", "not private"].includes(m.standing) && m.settings.full.length > 0,
      m.name,
    );
  assert.ok(published.some((p) => p.set === "adult" && p.epsilon === 0.1 && p.accuracy === 0.8137));
  assert.equal(epsilons.length, 9);
  assert.equal(trials, 10);
  // A set's schema is one that the client reads with.
  const iris = sets.find((s) => s.name === "iris");
  assert.equal((await client.checkSchema(iris.schema)).dimension, 5);
});

test("every method comes out as it does natively", async () => {
  const { methods } = await client.laboratory();
  const plan = {
    sets: ["synthetic-2d"],
    methods: methods.map((m) => m.name),
    epsilons: [1],
    trials: 1,
    effort: "quick",
  };
  const native = nativeRuns(plan);
  const { results } = await client.experiment(plan);
  assert.equal(results.length, native.size);
  for (const r of results) {
    assert.ok(native.has(r.key), r.key);
    const { accuracy, loss } = native.get(r.key);
    assert.equal(r.accuracy, accuracy, r.key);
    assert.ok(Math.abs(r.loss - loss) <= 1e-9 * loss, `${r.key}: ${r.loss}, natively ${loss}`);
  }
});

test("results arrive one by one, and trials are summarised", async () => {
  const told = [];
  const { results, summaries } = await client.experiment(
    { sets: ["synthetic-2d"], methods: ["amp"], epsilons: [0.5, 2], trials: 2 },
    { onProgress: (p) => told.push(p) },
  );
  assert.deepEqual(
    told.map((p) => p.done),
    [1, 2, 3, 4],
  );
  assert.deepEqual(
    told.map((p) => p.result),
    results,
  );
  assert.deepEqual(
    summaries.map((s) => [s.epsilon, s.trials, s.standing]),
    [
      [0.5, 2, "private"],
      [2, 2, "private"],
    ],
  );
  const [a, b] = [results[0].accuracy, results[2].accuracy];
  assert.ok(Math.abs(summaries[0].accuracy - (a + b) / 2) < 1e-12);
  assert.ok(Math.abs(summaries[0].halfWidth - (1.96 * Math.abs(a - b)) / 2) < 1e-12);
});

test("a set is read from the files given, and a dataset of one's own as it is", async () => {
  const flowers = ["sepal_length,sepal_width,petal_length,petal_width,species"];
  for (let i = 0; i < 60; i++)
    flowers.push(
      `5.${i % 10},3.${i % 7},${i % 3 === 0 ? 1.4 : 4.6},${i % 3 === 0 ? 0.2 : 1.5},${["setosa", "versicolor", "virginica"][i % 3]}`,
    );
  const grid = { methods: ["amp"], epsilons: [4], trials: 1 };
  const { results } = await client.experiment({
    ...grid,
    sets: ["iris"],
    files: { "iris.csv": new Blob([flowers.join("\n")]) },
  });
  assert.deepEqual([results[0].set, results[0].trained, results[0].tested], ["iris", 48, 12]);
  const dataset = await client.openDataset(csv(1000), schema);
  const own = await client.experiment({ ...grid, dataset });
  assert.deepEqual(
    [own.results[0].set, own.results[0].trained, own.results[0].tested],
    ["given", 800, 200],
  );
  assert.deepEqual(
    [own.results[0].standing, own.summaries[0].standing],
    ["experiment: not private", "experiment: not private"],
  );
  await dataset.close();
});

test("aborting ends an experiment, and the next one works", async () => {
  const stop = new AbortController();
  const running = client.experiment(
    { sets: ["synthetic-2d"], methods: ["amp"], epsilons: [1], trials: 5000 },
    { signal: stop.signal, onProgress: () => stop.abort() },
  );
  await assert.rejects(running, fails("aborted", undefined, /Cancelled/));
  const { results } = await client.experiment({
    sets: ["synthetic-2d"],
    methods: ["amp"],
    epsilons: [1],
  });
  assert.equal(results.length, 1);
});

test("other clients say that they have no laboratory", async () => {
  const other = await load();
  await assert.rejects(
    other.laboratory(),
    fails("parameter", "method", /no method "lab\.contents"/),
  );
  other.terminate();
});

test("what is wrong is named, with what there is", async () => {
  const grid = { sets: ["synthetic-2d"], methods: ["amp"], epsilons: [1] };
  await assert.rejects(
    client.experiment({ ...grid, sets: ["mnist"] }),
    fails("parameter", "sets", /choose from adult, breast-cancer/),
  );
  await assert.rejects(
    client.experiment({ ...grid, methods: ["magic"] }),
    fails("parameter", "methods", /choose from amp/),
  );
  await assert.rejects(
    client.experiment({ ...grid, epsilons: [0] }),
    fails("parameter", "epsilon", /above 0/),
  );
  await assert.rejects(
    client.experiment({ ...grid, sets: ["adult"] }),
    fails("parameter", "files", /adult\.train\.csv/),
  );
  await assert.rejects(
    client.experiment({ ...grid, sets: undefined, dataset: {} }),
    fails("dataset-lost", undefined, /this client opened/),
  );
});
