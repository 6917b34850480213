// Who reads a privacy report, in Node: the sample's published files, and a row.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { load, loadReader, myPrivacy } from "../../dist/client.node.mjs";
import { csv, published as sample, schema, someone } from "./sample.mjs";

describe("a privacy report, read", () => {
  let client;
  let opened;
  before(async () => {
    client = await loadReader();
    assert.match((await client.start()).library, /^\d+\.\d+/);
    opened = await client.open(sample.release, JSON.stringify(sample.report));
  });
  after(() => client.terminate());

  it("says what was promised to everyone, and what it holds for", () => {
    const { epsilon, delta, adjacency } = sample.release.guarantee;
    assert.deepEqual(opened.worst, { epsilon, delta, adjacency, covers: true, caveats: [] });
    assert.deepEqual(opened.problems, []);
    assert.equal(opened.kind, sample.report.kind);
    assert.equal(opened.rho, sample.report.rho);
  });

  it("bounds what the release cost a person", async () => {
    const bound = await opened.bound(someone);
    assert.ok(bound.largest > 0 && bound.largest < opened.worst.epsilon);
    assert.ok(bound.in.low <= bound.in.high && bound.out.low <= bound.out.high);
    assert.equal(
      bound.largest,
      Math.max(...[bound.in.low, bound.in.high, bound.out.low, bound.out.high].map(Math.abs)),
    );
    assert.ok(bound.expected.probability > 0 && bound.expected.probability < 1);
    assert.deepEqual(bound.notes, []);
    assert.deepEqual(await myPrivacy(sample.release, sample.report, someone), bound);
    // The rarer the failure, the wider the bound; and what holds for all at once is wider than what
    // holds for one.
    const surer = await opened.bound(someone, { rho: bound.rho / 100 });
    assert.ok(surer.largest > bound.largest);
    assert.ok((await opened.bound(someone, { people: 0 })).largest > bound.largest);
  });

  it("says what each column does to the bound", async () => {
    const own = (await opened.bound(someone)).largest;
    const moves = await opened.moves(someone);
    assert.deepEqual(
      moves.map((m) => m.name),
      Object.keys(someone),
    );
    assert.ok(moves.every((m) => m.least.bound <= own && own <= m.most.bound));
    const label = moves.at(-1);
    assert.ok(
      label.label &&
        label.most.bound ===
          Math.max(own, (await opened.bound({ ...someone, readmitted: "yes" })).largest),
    );
  });

  it("says which document is at fault, and which column", async () => {
    const refused = (code, field) => (error) =>
      error.name === "CloisterError" &&
      error.code === code &&
      (field === undefined || error.field === field || error.column === field);
    const other = structuredClone(sample.release);
    other.guarantee.delta /= 2;
    await assert.rejects(client.open(other, sample.report), refused("report", "release"));
    await assert.rejects(
      client.open(sample.release, { ...sample.report, version: 99 }),
      refused("report", "version"),
    );
    await assert.rejects(
      client.open({ ...sample.release, version: 99 }, sample.report),
      refused("release", "version"),
    );
    await assert.rejects(client.open("{", sample.report), refused("release"));
    await assert.rejects(opened.bound({ ...someone, ward: "maternity" }), refused("data", "ward"));
    await assert.rejects(
      opened.bound({ ...someone, readmitted: null }),
      refused("data", "readmitted"),
    );
    const { notes } = await opened.bound({ ...someone, age: 130 });
    assert.match(notes[0].text, /counts as 105/);
  });

  it("opens the report again in a worker that was replaced", async () => {
    const before = await opened.bound(someone);
    client.terminate();
    assert.deepEqual(await opened.bound(someone), before);
  });

  it("reads what the holder's side makes, of each kind, as the holder's side does", async () => {
    const holder = await load();
    const dataset = await holder.openDataset(csv(3000), schema);
    const { release } = await holder.fit(dataset, {
      adjacency: "add-remove",
      epsilon: 2,
      delta: 1e-5,
    });
    const row = { age: 60, dose: 3, ward: "B", sick: "no" };
    for (const kind of ["data-independent", "data-dependent", "adaptive"]) {
      const paid = kind === "data-independent" ? {} : { epsilon: 1, delta: 1e-6 };
      const { report, text } = await holder.report(dataset, release, { kind, ...paid });
      const read = await client.open(release, text);
      const inspected = await holder.inspectReport(release, report);
      assert.deepEqual(
        [read.kind, read.rho, read.people],
        [inspected.kind, inspected.rho, inspected.people],
      );
      assert.equal(read.cost?.epsilon ?? 0, inspected.epsilon);
      assert.equal(read.cost?.total ?? 2, inspected.total);
      const bound = await read.bound(row);
      assert.ok(bound.largest > 0 && (kind === "data-independent") === (bound.report === 0));
      assert.deepEqual((await read.bound({ ...row, ward: null })).leftOut.column, "ward");
    }
    holder.terminate();
  });

  it("forgets a report that was closed", async () => {
    const another = await client.open(sample.release, sample.report);
    await another.close();
    await assert.rejects(another.bound(someone), (error) => error.code === "dataset-lost");
  });
});

// Every object has a "constructor" and a "__proto__" that nobody gave it.
it("knows columns by their own names alone, whatever those are", async () => {
  const named = (text) =>
    text
      .replaceAll("age", "__proto__")
      .replaceAll("dose", "constructor")
      .replaceAll("ward", "toString")
      .replaceAll("sick", "valueOf");
  const client = await load();
  try {
    const dataset = await client.openDataset(
      named(csv()),
      JSON.parse(named(JSON.stringify(schema))),
    );
    const { release } = await client.fit(dataset, {
      adjacency: "add-remove",
      epsilon: 2,
      delta: 1e-5,
    });
    const { report } = await client.report(null, release, { kind: "data-independent" });
    const row = JSON.parse('{"__proto__": "60", "constructor": "2", "toString": "A"}');
    const plain = await client.predict(release, row);
    assert.ok(Number.isFinite(plain.margin ?? plain.margins[0]));
    // No label was given: that of the row's prototype is none.
    await assert.rejects(myPrivacy(release, report, row), (e) => e.column === "valueOf");
    const bound = await myPrivacy(release, report, { ...row, valueOf: "yes" });
    assert.ok(bound.largest > 0);
    const other = await myPrivacy(release, report, { ...row, valueOf: "no" });
    assert.notEqual(other.largest, bound.largest);
  } finally {
    client.terminate();
  }
});
