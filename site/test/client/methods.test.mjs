// Other ways to fit than the default, in Node.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CloisterError } from "../../dist/client.node.mjs";
import { csv, schema } from "./sample.mjs";
import { openClient } from "../harness/client.mjs";

const client = await openClient();

const budget = { adjacency: "add-remove", epsilon: 4, delta: 1e-5 };
const methods = [
  ["amp-paper", {}, "approximate-minima-perturbation"],
  ["outpert", { records: 3000 }, "gaussian"],
  ["dpgd", { records: 3000 }, "gradient-descent"],
  ["dpsgd", { records: 3000 }, "subsampled-gaussian"],
];

for (const [method, more, mechanism] of methods) {
  test(`${method}: plan, fit, predict, reprice`, async () => {
    const dataset = await client.openDataset(csv(3000), schema);
    const request = { ...budget, ...more, method };
    const { event, guarantee } = await client.calibrate({ ...request, schema });
    const { release, diagnostics, text } = await client.fit(dataset, request);
    assert.deepEqual(release.event, event);
    assert.equal(event.mechanism, mechanism);
    assert.deepEqual(
      [guarantee.theorem, guarantee.bound],
      [release.guarantee.theorem, release.guarantee.bound],
    );
    assert.deepEqual(JSON.parse(text), release);
    assert.ok(diagnostics.accuracy > diagnostics.baseline + 0.1, JSON.stringify(diagnostics));
    assert.equal(diagnostics.tau === undefined, method.startsWith("dp"));
    const repriced = await client.reprice(release);
    assert.deepEqual(repriced.problems, []);
    const { event: noise } = release;
    const quieter = {
      ...noise,
      ...(noise.sigmas
        ? { sigmas: noise.sigmas.map((s) => s / 2) }
        : noise.steps
          ? { noise_multiplier: noise.noise_multiplier / 2 }
          : { sigma: noise.sigma / 2 }),
    };
    const { epsilon } = await client.account({
      event: quieter,
      delta: budget.delta,
    });
    assert.ok(epsilon > budget.epsilon, `half the noise costs ${epsilon}`);
  });
}

test("suffstats: a number from moments, which are in the release", async () => {
  const label = {
    name: "sick",
    type: "numeric",
    min: 0,
    max: 1,
    provenance: "public",
  };
  const numeric = { ...schema, version: 2, label };
  const text = csv(3000).replace(/,(yes|no)$/gm, (_, word) => (word === "yes" ? ",1" : ",0"));
  const dataset = await client.openDataset(text, numeric);
  const request = { ...budget, method: "suffstats", loss: "squared" };
  const { release, text: json } = await client.fit(dataset, request);
  const { matrix, vector, ridge } = release.model.moments;
  const d = release.model.columns.length;
  assert.deepEqual([matrix.length, vector.length], [(d * (d + 1)) / 2, d]);
  assert.ok(ridge > 0);
  assert.equal(release.version, 4);
  assert.deepEqual((await client.reprice(release)).problems, []);
  assert.deepEqual(JSON.parse(json), release);
  const other = structuredClone(release);
  other.model.moments.vector[0] += 1;
  assert.notDeepEqual((await client.reprice(other)).problems, []);
  await assert.rejects(client.fit(dataset, { ...request, loss: "huber" }), CloisterError);
});

test("a method that cannot be names what is wrong", async () => {
  const dataset = await client.openDataset(csv(300), schema);
  for (const [field, request] of [
    ["method", { method: "best" }],
    ["method", { method: "amp-paper", adjacency: "replace-one" }],
    ["records", { method: "dpgd" }],
    ["records", { method: "dpsgd" }],
    ["method", { method: "dpsgd", records: 300, adjacency: "replace-one" }],
    ["records", { method: "outpert", records: 0 }],
    ["radius", { method: "dpgd", records: 300, radius: 3 }],
  ]) {
    await assert.rejects(
      client.fit(dataset, { ...budget, ...request }),
      (error) =>
        error instanceof CloisterError && error.code === "parameter" && error.field === field,
    );
  }
});
