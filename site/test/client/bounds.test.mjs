// Bounds of columns, with noise, in Node: where programs keep count of what they spend themselves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { CloisterError } from "../../dist/client.node.mjs";
import { csv, schema } from "./sample.mjs";
import { openClient } from "../harness/client.mjs";

const client = await openClient();

const rows = (n, value) => `x,y\n${Array.from({ length: n }, (_, i) => value(i)).join("\n")}\n`;
const table = rows(3000, (i) => `${17 + (i % 74)},${i % 7 ? -(i % 40) / 4 : "-"}`);
const budget = { adjacency: "add-remove", epsilon: 1 };
const fails = (code, field) => (error) => {
  assert.ok(error instanceof CloisterError, String(error.stack));
  assert.deepEqual([error.code, error.field], [code, field], error.message);
  return true;
};

/**
 * What noise usually lets be found. In 2 of 100 it hides or adds a bin (`failure`), so a purchase
 * is made again until it is this, four times at most.
 */
async function usually(columns, buy) {
  for (let times = 1; ; times++) {
    const bought = await buy();
    if (times === 4 || isDeepStrictEqual(bought.release.columns, columns)) return bought;
  }
}

test("bounds of a file that no schema describes yet, as planned", async () => {
  const plan = await client.planBounds({ ...budget, columns: 2 });
  // Scale 2, two columns: T from sums of the noise's masses in mpmath, as in core/learn/bounds.
  assert.deepEqual(
    [plan.epsilon, plan.failure, plan.event.parts],
    [
      1,
      0.02,
      [
        {
          count: 2,
          event: {
            mechanism: "discrete-laplace",
            adjacency: "add-remove",
            sensitivity: 1,
            scale: 2,
          },
        },
      ],
    ],
  );
  assert.equal(plan.threshold, 22);
  const phases = new Set();
  const found = [
    { name: "y", min: -10, max: 0 },
    { name: "x", min: 15, max: 100 },
  ];
  const { release, text } = await usually(found, () =>
    client.bounds(table, {
      ...budget,
      columns: ["y", "x"],
      missingValues: ["-"],
      onProgress: ({ phase }) => phases.add(phase),
    }),
  );
  assert.deepEqual(release.columns, found);
  assert.deepEqual(release.event, plan.event);
  assert.deepEqual(JSON.parse(text), release);
  assert.ok(phases.has("reading"));
  const { epsilon } = await client.account({ event: release.event, delta: 1e-12 });
  assert.ok(epsilon <= 1 + 1e-9, String(epsilon));
});

test("bounds of a dataset depend on its file alone, and can be written into its schema", async () => {
  const dataset = await client.openDataset(csv(3000), {
    ...schema,
    features: schema.features.map((f) =>
      f.type === "numeric" ? { ...f, max: f.min + 1, missing: "drop" } : f,
    ),
  });
  const name = schema.features.find((f) => f.type === "numeric").name;
  const { release } = await client.bounds(dataset, { ...budget, columns: [name] });
  const [{ min, max }] = release.columns;
  assert.ok(
    max > dataset.schema.features.find((f) => f.name === name).max,
    "what the schema cuts off is seen",
  );
  await dataset.close();
  await assert.rejects(
    client.bounds(dataset, { ...budget, columns: [name] }),
    fails("dataset-lost", undefined),
  );
  const bought = {
    ...schema,
    version: 3,
    features: schema.features.map((f) =>
      f.name === name
        ? {
            ...f,
            missing: "drop",
            min,
            max,
            provenance: "bought",
            purchase: { charge: "by hand", epsilon: 1 },
          }
        : f,
    ),
  };
  const checked = await client.checkSchema(bought);
  assert.deepEqual([checked.suggested, checked.caveats], [[], []]);
  await assert.rejects(
    client.checkSchema({ ...bought, version: 2 }),
    fails("schema", `features[${schema.features.findIndex((f) => f.name === name)}].provenance`),
  );
  const { release: model } = await client.fit(await client.openDataset(csv(3000), bought), {
    adjacency: "add-remove",
    epsilon: 1,
    delta: 1e-5,
  });
  const { holds, findings } = await client.reprice(model);
  assert.ok(holds);
  assert.match(
    findings.find((f) => f.claim === "bounds").text,
    /"by hand" at ε = 1\.[^]*ε = 2 and the same δ/,
  );
});

test("what cannot be counted is said, and the client goes on", async () => {
  await assert.rejects(
    client.bounds(table, { ...budget, columns: [] }),
    fails("schema", "columns"),
  );
  await assert.rejects(
    client.bounds(table, { ...budget, columns: ["z"] }),
    fails("data", undefined),
  );
  await assert.rejects(
    client.bounds(table, { ...budget, columns: ["y"] }),
    (error) => error.code === "data" && error.column === "y" && error.row === 2,
  );
  await assert.rejects(
    client.bounds(table, { ...budget, epsilon: -1, columns: ["x"] }),
    fails("parameter", "epsilon"),
  );
  await assert.rejects(
    client.bounds(table, { epsilon: 1, columns: ["x"] }),
    fails("parameter", "adjacency"),
  );
  await assert.rejects(client.planBounds({ ...budget, columns: 0 }), fails("parameter", "columns"));
  const none = [{ name: "x" }];
  const { release } = await usually(none, () =>
    client.bounds("x\n", { ...budget, columns: ["x"] }),
  );
  assert.deepEqual(release.columns, none);
});
