// Other ways to fit than the default, in Node.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CloisterError,
  fitMethods,
  schemaForFit,
  usualFitMethod,
} from "../../dist/client.node.mjs";
import { csv, schema } from "./sample.mjs";
import { openClient } from "../harness/client.mjs";

const client = await openClient();

const budget = { adjacency: "add-remove", epsilon: 4, delta: 1e-5 };
const methods = [
  ["amp-paper", {}, "approximate-minima-perturbation"],
  ["outpert", { records: 3000 }, "gaussian"],
  ["dpgd", { records: 3000 }, "gradient-descent"],
  ["steps", { records: 3000 }, "gradient-descent"],
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
    const exact = await client.exactFigures(release, dataset);
    assert.ok(exact.accuracy > exact.baseline + 0.1, JSON.stringify(exact));
    assert.equal(
      diagnostics.tau === undefined,
      mechanism !== "approximate-minima-perturbation" && method !== "outpert",
    );
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

test("no method: the plan is the one that is said beforehand", async () => {
  const numeric = { name: "sick", type: "numeric", min: 0, max: 1, provenance: "public" };
  const seen = new Set();
  for (const [s, losses] of [
    [schema, ["logistic", "huber", "squared"]],
    [{ ...schema, version: 2, label: numeric }, ["squared"]],
    [{ ...schema, version: 2, label: numeric, rows: { norm: "clip" } }, ["squared"]],
  ])
    for (const loss of [undefined, ...losses])
      for (const records of [undefined, 100, 9_999, 10_000, 99_999, 100_000, 1e7])
        for (const more of [
          {},
          { bound: "auto" },
          { bound: "profile" },
          { lambda: 5 },
          { clip: 0.3 },
        ]) {
          const own = { adjacency: "add-remove", epsilon: 1, delta: 1e-5, ...more };
          const request = { ...own, ...(loss && { loss }), ...(records && { records }) };
          const method = usualFitMethod(s.label, request);
          const { event } = await client.calibrate({ ...request, schema: s });
          const name = JSON.stringify([s.label, request]);
          assert.equal(event.mechanism, fitMethods[method].mechanism, name);
          if (event.sigmas) assert.equal(event.sigmas.length, fitMethods[method].steps, name);
          seen.add(method);
          const rows = schemaForFit(s, request).rows.norm;
          const scaled = method === "steps" && s.label.type === "numeric" && s.rows.norm === "clip";
          assert.equal(rows, scaled ? "scale" : s.rows.norm, name);
          // A choice has one data set for all its candidates, and clips its rows.
          for (const choice of [{ chooseMethod: ["amp", "steps"] }, { chooseLambda: [1, 9] }])
            assert.equal(schemaForFit(s, { ...request, ...choice }), s, name);
        }
  assert.deepEqual([...seen].sort(), ["amp", "steps"]);
});

/** The sample with a number for its label, opened. */
async function numbers() {
  const label = {
    name: "sick",
    type: "numeric",
    min: 0,
    max: 1,
    provenance: "public",
  };
  const numeric = { ...schema, version: 2, label };
  const text = csv(3000).replace(/,(yes|no)$/gm, (_, word) => (word === "yes" ? ",1" : ",0"));
  return client.openDataset(text, numeric);
}

const byMoments = { ...budget, method: "suffstats", loss: "squared" };

test("suffstats: a number from moments, which are in the release", async () => {
  const dataset = await numbers();
  const request = byMoments;
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

test("suffstats: one purchase gives many models, which follow from the release", async () => {
  const { release, text: published } = await client.fit(await numbers(), byMoments);
  const own = await client.regress(release);
  own.derived.coefficients.forEach((c, j) =>
    assert.ok(Math.abs(c - release.model.coefficients[j]) < 1e-9),
  );
  const [feature, other] = schema.features.filter((f) => f.type === "numeric").map((f) => f.name);
  const { derived, text } = await client.regress(release, {
    target: feature,
    columns: [other],
    ridge: 3,
  });
  assert.deepEqual(JSON.parse(text), derived);
  assert.deepEqual(derived.columns, [other, "(intercept)"]);
  assert.deepEqual([derived.ridge, derived.label, derived.target], [3, false, feature]);
  assert.ok(derived.original[0].error > 0 && derived.r_squared < 1);
  assert.ok(Math.abs(derived.records - 3000) < 300, `${derived.records} records`);

  // Whoever has both files computes it again.
  const reader = JSON.parse(published);
  assert.deepEqual(await client.checkDerived(reader, JSON.parse(text)), derived);
  const edited = structuredClone(derived);
  edited.original[0].coefficient *= 2;
  await assert.rejects(client.checkDerived(reader, edited), { code: "release" });
  const again = await client.fit(await numbers(), byMoments);
  await assert.rejects(client.checkDerived(again.release, derived), /another release/);

  for (const [field, question] of [
    ["target", { target: "nobody" }],
    ["columns", { columns: [feature, feature] }],
    ["ridge", { ridge: 1e-200 }],
    ["ridge", { ridge: -1 }],
    ["columns", { columns: [], intercept: false }],
  ]) {
    await assert.rejects(client.regress(release, question), { code: "parameter", field });
  }
  const { release: usual } = await client.fit(await numbers(), { ...budget, loss: "squared" });
  await assert.rejects(client.regress(usual), { code: "parameter", field: "release" });
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

for (const [method, adjacency, more, label] of [
  ["ops-ptr", "add-remove", {}, "numeric"],
  ["ops", "replace-one", { records: 3000 }, "numeric"],
  ["outptr", "add-remove", {}, "two"],
  ["outptr", "replace-one", {}, "two"],
]) {
  test(`${method}, ${adjacency}: what its noise follows from is in the release`, async () => {
    const numeric = label === "numeric";
    const dataset = numeric ? await numbers() : await client.openDataset(csv(3000), schema);
    const request = {
      ...budget,
      ...more,
      adjacency,
      method,
      loss: numeric ? "squared" : "logistic",
    };
    const { release, text } = await client.fit(dataset, request);
    assert.equal(release.version, 5);
    const { told } = release.model;
    const kinds = { "ops-ptr": "tested-sample", ops: "fixed-sample", outptr: "tested-curvature" };
    assert.equal(told.of, kinds[method]);
    assert.deepEqual((await client.reprice(release)).problems, []);
    assert.deepEqual(JSON.parse(text), release);
    for (const field of Object.keys(told).filter((name) => name !== "of")) {
      if (field === "eigenvalue") continue; // below its margin it says nothing
      const other = structuredClone(release);
      other.model.told[field] *= 2;
      const { problems } = await client.reprice(other);
      assert.notDeepEqual(problems, [], field);
    }
    const without = structuredClone(release);
    delete without.model.told;
    await assert.rejects(client.reprice(without), /told/);
    const someone = await client.predict(release, { age: 60, dose: 10, ward: "A" });
    assert.ok(Number.isFinite(someone.margin), JSON.stringify(someone));
    const other = adjacency === "add-remove" ? "replace-one" : "add-remove";
    if (method !== "outptr")
      await assert.rejects(client.fit(dataset, { ...request, adjacency: other }), {
        field: "method",
      });
  });
}

test("ops: a table of more records than are said to be public is refused before it is charged", async () => {
  const request = { ...budget, adjacency: "replace-one", method: "ops", loss: "squared" };
  await assert.rejects(client.fit(await numbers(), { ...request, records: 2999 }), {
    field: "records",
  });
});
