// Labels of several classes and of numbers, losses, and evaluations, in Node.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CloisterError } from "../../dist/client.node.mjs";
import { csv, schema } from "./sample.mjs";
import { openClient } from "../harness/client.mjs";

const client = await openClient();

const budget = { adjacency: "add-remove", epsilon: 4, delta: 1e-5 };
const bought = { adjacency: "add-remove", epsilon: 1 };
const rows = (n, name, outcome) => {
  const [header, ...lines] = csv(n).trimEnd().split("\n");
  return `${header},${name}\n${lines.map((line) => `${line},${outcome(...line.split(",").slice(0, 2).map(Number))}`).join("\n")}\n`;
};
const kinds = {
  classes: {
    label: {
      name: "state",
      type: "classes",
      classes: [["well"], ["ill"], ["dead"]],
      provenance: "public",
    },
    text: (n) =>
      rows(
        n,
        "state",
        (age, dose) => ["well", "ill", "dead"][Math.min(2, Math.floor((age + 4 * dose) / 47))],
      ),
  },
  numbers: {
    label: { name: "days", type: "numeric", min: 0, max: 40, provenance: "public" },
    text: (n) => rows(n, "days", (age) => 40 - age / 4),
  },
};
const opened = ({ label, text }, n) =>
  client.openDataset(text(n), { ...schema, version: 2, label });
const fails = (code, field) => (error) => {
  assert.ok(error instanceof CloisterError, String(error.stack));
  assert.deepEqual([error.code, error.field], [code, field], error.message);
  return true;
};

test("several classes: fit, predict, evaluate, reprice", async () => {
  const dataset = await opened(kinds.classes, 3000);
  assert.equal(dataset.classes.length, 3);
  const seen = new Set();
  const apart = await client.fit(dataset, {
    ...budget,
    loss: "logistic",
    onProgress: ({ class: k, classes }) => classes && seen.add(`${k} of ${classes}`),
  });
  assert.deepEqual([...seen], ["1 of 3", "2 of 3", "3 of 3"]);
  assert.equal(apart.release.event.mechanism, "composition");
  const { release, text } = await client.fit(dataset, budget);
  const own = await client.exactFigures(release, dataset);
  assert.equal(release.model.loss, "softmax");
  assert.equal(release.event.classes, 3);
  assert.deepEqual(JSON.parse(text), release);
  assert.equal(release.model.classes.length, 3);
  assert.ok(own.accuracy > own.baseline + 0.1, JSON.stringify(own));
  const [low, high] = await client.predict(release, [
    [0, 0, "A"],
    [100, 10, "A"],
  ]);
  assert.deepEqual([low.label, high.label], ["well", "dead"]);
  assert.ok(Math.abs(low.probabilities.reduce((a, b) => a + b) - 1) < 1e-12);

  const {
    release: evaluated,
    figures,
    exact,
  } = await client.evaluate(release, await opened(kinds.classes, 700), bought);
  assert.equal(exact.rows, 700);
  assert.ok(
    figures.accuracy.low <= figures.accuracy.estimate &&
      figures.accuracy.estimate <= figures.accuracy.high,
  );
  assert.equal(figures.table.length, 10);
  const repriced = await client.reprice(evaluated);
  assert.deepEqual([repriced.holds, repriced.figures], [true, figures]);
  assert.ok(!JSON.stringify(evaluated).includes("700,"));
});

test("numbers: fit, predict, evaluate, reprice", async () => {
  const dataset = await opened(kinds.numbers, 3000);
  assert.deepEqual(dataset.classes, {});
  const { release } = await client.fit(dataset, budget);
  const { rSquared } = await client.exactFigures(release, dataset);
  assert.ok(rSquared > 0.5, String(rSquared));
  const { value, label } = await client.predict(release, { age: 0, dose: 5, ward: "B" });
  assert.ok(value > 25 && value <= 40 && label === undefined, String(value));
  const { figures, text } = await client.evaluate(release, dataset, { ...bought, bins: 3 });
  assert.equal(figures.table.length, 3);
  assert.equal((await client.reprice(JSON.parse(text))).holds, true);
});

test("every loss of two classes", async () => {
  const dataset = await client.openDataset(csv(2000), schema);
  for (const loss of ["logistic", "huber", "squared"]) {
    const { release } = await client.fit(dataset, { ...budget, loss });
    assert.equal(release.model.loss, loss);
    assert.equal(release.version, loss === "logistic" ? 1 : 2);
    const { accuracy } = await client.exactFigures(release, dataset);
    assert.ok(accuracy > 0.6, `${loss}: ${accuracy}`);
    const { probability } = await client.predict(release, [50, 5, "A"]);
    assert.equal(probability === undefined, loss === "huber");
  }
});

test("what cannot be asked", async () => {
  const [classes, numbers] = await Promise.all([
    opened(kinds.classes, 300),
    opened(kinds.numbers, 300),
  ]);
  const { release } = await client.fit(numbers, budget);
  await assert.rejects(
    client.fit(numbers, { ...budget, loss: "logistic" }),
    fails("parameter", "loss"),
  );
  await assert.rejects(
    client.fit(classes, { ...budget, loss: "huber", huberWidth: 0 }),
    fails("parameter", "huberWidth"),
  );
  await assert.rejects(
    client.fit(classes, { ...budget, loss: "logistic", adjacency: "replace-one" }),
    fails("parameter", "adjacency"),
  );
  await assert.rejects(
    client.evaluate(release, numbers, { adjacency: "add-remove" }),
    fails("parameter", "epsilon"),
  );
  await assert.rejects(
    client.evaluate(release, numbers, { epsilon: 1 }),
    fails("parameter", "adjacency"),
  );
  await assert.rejects(client.evaluate(release, classes, bought), fails("parameter", "schema"));
  await assert.rejects(
    client.evaluate(
      { ...release, guarantee: { ...release.guarantee, epsilon: 0.1 } },
      numbers,
      bought,
    ),
    fails("release", "release"),
  );
  await assert.rejects(client.evaluate(release, {}, bought), fails("dataset-lost", undefined));
  await numbers.close();
  await assert.rejects(client.evaluate(release, numbers, bought), fails("dataset-lost", undefined));
});
