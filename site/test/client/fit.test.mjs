// Fits in Node, and workers that are killed in the middle of one.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CloisterError, load, threadWorker } from "../../dist/client.node.mjs";
import { csv, schema } from "./sample.mjs";
import { openClient } from "../harness/client.mjs";

const wasmURL = fileURLToPath(new URL("../../dist/cloister.wasm", import.meta.url));
const client = await openClient();

const text = csv(5000);
const budget = { adjacency: "add-remove", epsilon: 1, delta: 1e-5 };
const dataset = await client.openDataset(text, schema);
const fails = (code, field) => (error) => {
  assert.ok(error instanceof CloisterError, String(error.stack));
  assert.deepEqual([error.code, error.field], [code, field], error.message);
  return true;
};

test("a fit is a release that holds, a file of it, and private diagnostics", async () => {
  const { release, text: file, diagnostics } = await client.fit(dataset, budget);
  assert.deepEqual(JSON.parse(file), release);
  assert.match(file, /^\{\n {2}"format": "cloister-release",\n {2}"version": 1,/);
  assert.ok(file.endsWith("}\n"));
  assert.deepEqual(release.schema, dataset.schema);
  assert.equal(release.guarantee.epsilon, 1);
  assert.equal(release.guarantee.bound, "control");
  assert.equal(release.model.coefficients.length, 6);
  assert.equal(diagnostics.rows, 5000);
  assert.ok(diagnostics.gradientNorm <= diagnostics.tau);

  const repriced = await client.reprice(release);
  assert.equal(repriced.holds, true);
  assert.deepEqual(repriced.problems, []);
  assert.ok(repriced.delta <= 1e-5 && repriced.epsilon <= 1);
  const claimsMore = { ...release, guarantee: { ...release.guarantee, epsilon: 0.5 } };
  const caught = await client.reprice(claimsMore);
  assert.equal(caught.holds, false);
  assert.equal(caught.problems.length, 1);
  await assert.rejects(
    client.reprice({ ...release, format: "recipe" }),
    fails("release", "format"),
  );
});

// Each worker numbers its datasets from 1: by the number alone a call would take the other's.
test(
  "a dataset of a client beside this one is none of this one's",
  { timeout: 60_000 },
  async () => {
    const other = client.beside();
    try {
      const theirs = await other.openDataset(csv(300), schema);
      const { release } = await other.fit(theirs, budget);
      const exact = { ...budget, kind: "data-dependent" };
      for (const call of [
        () => client.fit(theirs, budget),
        () => client.evaluate(release, theirs, { adjacency: "add-remove", epsilon: 1 }),
        () => client.exactFigures(release, theirs),
        () => client.report(theirs, release, exact),
        () => client.trueLosses(theirs, release),
        () => client.ledger.fit(theirs, budget),
        () => client.ledger.find(theirs),
        () => client.ledger.create(theirs, "theirs", budget),
        () => client.ledger.same(theirs, "account"),
      ])
        await assert.rejects(call(), fails("dataset-lost", undefined));
      assert.equal((await other.exactFigures(release, theirs)).rows, 300);
    } finally {
      other.terminate();
    }
  },
);

test("figures of the rows come when they are asked for, and are in no file", async () => {
  const { release, text: file, diagnostics } = await client.fit(dataset, budget);
  assert.ok(!("accuracy" in diagnostics), JSON.stringify(diagnostics));
  const exact = await client.exactFigures(release, dataset);
  assert.ok(exact.accuracy > exact.baseline + 0.05, JSON.stringify(exact));
  assert.equal(exact.rows, 5000);
  assert.ok(!file.includes("accuracy") && !file.includes(String(exact.logLoss)));
  const other = await client.openDataset(csv(300), schema);
  assert.equal((await client.exactFigures(JSON.parse(file), other)).rows, 300);
  await other.close();
  await assert.rejects(
    client.exactFigures(release, other),
    fails("dataset-lost", undefined),
    "a closed one",
  );
  await assert.rejects(client.exactFigures(release, {}), fails("dataset-lost", undefined));
  await assert.rejects(client.exactFigures({}, dataset), fails("release", "format"));
});

test("noise is new every time", async () => {
  const [one, two] = await Promise.all([client.fit(dataset, budget), client.fit(dataset, budget)]);
  assert.notDeepEqual(one.release.model.coefficients, two.release.model.coefficients);
});

test("predictions, of one row and of many", async () => {
  const { release } = await client.fit(dataset, { ...budget, epsilon: 8 });
  const sick = await client.predict(release, { age: 100, dose: 10, ward: "A" });
  assert.equal(sick.label, "yes");
  assert.ok(sick.probability > 0.5 && sick.margin > 0 && sick.positive);
  assert.deepEqual(sick.notes, []);
  const many = await client.predict(release, [
    [100, 10, "A"],
    [0, 0, "A"],
    { age: "100", dose: null, ward: "Z" },
  ]);
  assert.deepEqual(many[0], sick);
  assert.equal(many[1].label, "no");
  assert.deepEqual(
    many[2].notes.map((n) => n.feature),
    ["dose", "ward"],
  );
  assert.deepEqual(await client.predict(release, "100,10,A"), sick);
  assert.deepEqual(await client.predict(release, ["100", "10", "A"]), sick);
  assert.deepEqual(await client.predict(release, []), []);
  await assert.rejects(client.predict(release, { age: 1 }), fails("data"));
});

test("what is calibrated is what is fitted, and costs what was asked", async () => {
  const { event, guarantee } = await client.calibrate({ ...budget, schema });
  const { release } = await client.fit(dataset, budget);
  assert.deepEqual(release.event, event);
  for (const [name, value] of Object.entries(guarantee))
    assert.equal(release.guarantee[name], value);
  const { rowNorm, dimension } = await client.checkSchema(schema);
  assert.deepEqual((await client.calibrate({ ...budget, rowNorm, dimension })).event, event);

  const { epsilon, delta } = await client.account({ event, delta: 1e-5, epsilon: 1 });
  assert.ok(epsilon <= 1 && epsilon > 0.99 && delta <= 1e-5);
  const curve = await client.curve({ event, curve: [0.5, 1] });
  assert.ok(
    curve.delta instanceof Float64Array &&
      curve.delta[1] <= 1e-5 &&
      curve.delta[0] > curve.delta[1],
  );
  const lower = await client.curve({
    event,
    curve: new Float64Array([0.5, 1]),
    name: "gaussian-lower",
  });
  assert.ok(lower.logDelta[1] <= curve.logDelta[1]);
  const gaussian = { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1, sigma: 1 };
  await assert.rejects(
    client.curve({ event: gaussian, curve: [1], name: "kifer" }),
    fails("parameter", "name"),
  );
});

test("another norm reads the file again", async () => {
  const { release } = await client.fit(dataset, { ...budget, norm: "clip" });
  assert.equal(release.schema.rows.norm, "clip");
  assert.equal(dataset.schema.rows.norm, "unit");
  await assert.rejects(
    client.fit(dataset, { ...budget, norm: "max" }),
    fails("schema", "rows.norm"),
  );
});

test("a bad budget names its field", async () => {
  for (const [name, ...values] of [
    ["epsilon", 0, -1, Number.NaN, Infinity, "1", undefined],
    ["delta", 0, 1, -1, 2, Number.NaN, undefined],
    ["adjacency", undefined],
    ["bound", "best"],
    ["colour", "red"],
  ]) {
    for (const value of values)
      await assert.rejects(
        client.fit(dataset, { ...budget, [name]: value }),
        fails("parameter", name),
      );
  }
});

test("what a request cannot hold is refused by name, and the data set stays open", async () => {
  const event = { mechanism: "zcdp", adjacency: "add-remove", rho: 1 };
  await assert.rejects(client.account({ event, delta: 10n }), fails("parameter", undefined));
  await assert.rejects(
    client.fit(dataset, { ...budget, epsilon: 1n }),
    fails("parameter", undefined),
  );
  for (const nothing of [null, undefined, 7])
    await assert.rejects(client.calibrate(nothing), { name: "CloisterError", code: "parameter" });
  for (const nothing of [null, undefined, 7, {}, [null]])
    await assert.rejects(client.openDataset(nothing, schema), fails("source", undefined));
  const { release } = await client.fit(dataset, budget);
  for (const choice of ["", 0, Number.NaN, false])
    await assert.rejects(client.stateChoice(release, choice), fails("parameter", "choice"));
  assert.equal((await client.stateChoice(release, null)).release.choice, undefined);
});

test("terminating in the middle of a fit rejects it; the next one reads the file again", async () => {
  const seen = [];
  const onProgress = (p) => {
    seen.push(p);
    if (p.phase === "solving") client.terminate();
  };
  await assert.rejects(client.fit(dataset, { ...budget, onProgress }), fails("terminated"));
  assert.deepEqual([...new Set(seen.map((p) => p.phase))], ["calibrating", "solving"]);
  const again = [];
  const { release } = await client.fit(dataset, {
    ...budget,
    onProgress: (p) => again.push(p.phase),
  });
  assert.equal(release.model.coefficients.length, 6);
  assert.deepEqual([...new Set(again)], ["reading", "calibrating", "solving", "releasing"]);
});

test("a fit whose noise was drawn is not made anew when another call is cancelled", async () => {
  const control = new AbortController();
  const phases = [];
  const first = client.fit(dataset, {
    ...budget,
    onProgress: ({ phase }) => {
      phases.push(phase);
      if (phase === "solving") control.abort();
    },
  });
  const second = client.fit(dataset, { ...budget, signal: control.signal });
  await Promise.all([
    assert.rejects(second, fails("aborted")),
    assert.rejects(first, fails("terminated")),
  ]);
  assert.equal(phases.lastIndexOf("calibrating"), 0, "it was begun once");
  assert.equal((await client.fit(dataset, budget)).release.model.coefficients.length, 6);
});

test("aborting a fit rejects it at once; whatever else was asked is answered", async () => {
  const control = new AbortController();
  const fit = client.fit(dataset, {
    ...budget,
    signal: control.signal,
    onProgress: (p) => p.phase === "solving" && control.abort(),
  });
  const other = client.fit(dataset, budget);
  const price = client.account({
    event: { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1, sigma: 1 },
    epsilon: 1,
  });
  await assert.rejects(fit, fails("aborted"));
  assert.ok((await price).delta > 0);
  assert.equal((await other).release.model.coefficients.length, 6);
  await assert.rejects(
    client.fit(dataset, { ...budget, signal: control.signal }),
    fails("aborted"),
  );
});

test("a worker killed from outside rejects the fit; the next one works", async () => {
  let port;
  const own = await load({
    wasmModule: await WebAssembly.compile(readFileSync(wasmURL)),
    worker: (source) => (port = threadWorker(source)),
  });
  const data = await own.openDataset(text, schema);
  await assert.rejects(
    own.fit(data, { ...budget, onProgress: () => port.terminate() }),
    fails("crashed"),
  );
  assert.equal((await own.fit(data, budget)).release.model.coefficients.length, 6);
  own.terminate();
});

test("a dataset from a stream goes with its worker", async () => {
  const streamed = await client.openDataset(new Blob([text]).stream(), schema);
  await client.fit(streamed, budget);
  client.terminate();
  await assert.rejects(client.fit(streamed, budget), fails("dataset-lost"));
  await assert.rejects(client.fit({ ...streamed }, budget), fails("dataset-lost"));
  assert.ok(await client.fit(dataset, budget), "one from a file does not");
});
