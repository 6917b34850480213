// The holder's side of privacy reports, in Node: made beside a release, read against it, and the
// true losses that are for the holder alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CloisterError } from "../../dist/client.node.mjs";
import { csv, schema } from "./sample.mjs";
import { openClient } from "../harness/client.mjs";

const client = await openClient();

const budget = { adjacency: "add-remove", epsilon: 2, delta: 1e-5 };
const dataset = await client.openDataset(csv(3000), schema);
const { release, text } = await client.fit(dataset, budget);

test("a report that costs nothing needs the release alone", async () => {
  const { report, text: file } = await client.report(null, JSON.parse(text), {
    kind: "data-independent",
  });
  assert.equal(report.version, 1);
  assert.deepEqual(JSON.parse(file), report);
  assert.deepEqual(report.event.parts, []);
  const { epsilon, total, kind } = await client.inspectReport(release, report);
  assert.deepEqual([epsilon, total, kind], [0, 2, "data-independent"]);
});

test("a bought one costs what was planned, and the true losses stay below what it tells", async () => {
  const asked = { kind: "data-dependent", epsilon: 1, delta: 1e-5, errors: true };
  const { event } = await client.planReport(release, asked);
  const { report } = await client.report(dataset, release, asked);
  assert.deepEqual(report.event, event);
  const inspected = await client.inspectReport(release, JSON.parse(JSON.stringify(report)));
  assert.ok(inspected.epsilon > 0.99 && inspected.epsilon <= 1, `${inspected.epsilon}`);
  assert.ok(inspected.total > 2 && inspected.total < 3, `${inspected.total}`);
  const { losses, summary, histogram, bounds } = await client.trueLosses(dataset, release, {
    report,
  });
  assert.equal(losses.length, dataset.rows);
  assert.equal(Math.max(...losses), summary.largest);
  assert.equal(
    histogram.counts.reduce((a, b) => a + b, 0),
    dataset.rows,
  );
  assert.deepEqual(
    bounds.map((b) => b.kind),
    ["data-independent", "data-dependent"],
  );
  for (const b of bounds) assert.ok(b.above <= dataset.rows * b.rho, `${b.above} above the bounds`);
  assert.ok(!JSON.stringify(report).includes("losses"));
});

test("what cannot be says why", async () => {
  const { release: other } = await client.fit(dataset, { ...budget, epsilon: 1 });
  const { report } = await client.report(null, release, { kind: "data-independent" });
  const refuses = (promise, code, message) =>
    assert.rejects(
      promise,
      (e) => e instanceof CloisterError && e.code === code && message.test(e.message),
    );
  await refuses(client.inspectReport(other, report), "report", /belongs to another release/);
  await refuses(
    client.inspectReport(release, { ...report, version: 9 }),
    "report",
    /newer version/,
  );
  await refuses(
    client.report(null, release, { kind: "data-dependent", epsilon: 1, delta: 1e-5 }),
    "dataset-lost",
    /dataset/,
  );
  const again = await client.openDataset(csv(3000), schema);
  await refuses(client.trueLosses(again, release), "dataset-lost", /noise of this fit/);
  const replaced = { ...release, event: { ...release.event, adjacency: "replace-one" } };
  await refuses(
    client.report(null, replaced, { kind: "data-independent" }),
    "parameter",
    /in another's place/,
  );
});
