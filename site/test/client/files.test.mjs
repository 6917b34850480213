// Files that people have, read through the client in Node: wasm/api/testdata/files, of which each
// has beside it what it said when it was written. wasm/api/files_test.go holds Go to the same, and
// knows the ledgers, which the client keeps in browsers alone.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { myPrivacy } from "../../dist/client.node.mjs";
import { openClient } from "../harness/client.mjs";

const folder = new URL("../../../wasm/api/testdata/files/", import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, folder), "utf8"));
const files = (kind) =>
  readdirSync(new URL(`${kind}/`, folder))
    .filter((name) => name.endsWith(".json") && !name.endsWith(".says.json"))
    .map((name) => ({
      name,
      file: read(`${kind}/${name}`),
      says: read(`${kind}/${name.replace(/json$/, "says.json")}`),
    }));

const client = await openClient();

/** As in Go: numbers to one part in a million. */
function same(got, want, what) {
  if (Array.isArray(want)) return want.forEach((one, i) => same(got[i], one, what));
  if (typeof want !== "number") return assert.deepEqual(got, want, what);
  assert.ok(Math.abs(got - want) <= 1e-6 * Math.abs(want), `${what}: ${want} became ${got}`);
}

const people = [
  { age: 63, dose: 2.5, ward: "B" },
  { age: 5, dose: 0, ward: "A" },
];

describe("schemas", () => {
  for (const { name, file, says } of files("schemas")) {
    test(name, async () => {
      const checked = await client.checkSchema(file);
      same(checked.dimension, says.dimension, "dimension");
      same(checked.rowNorm, says.rowNorm, "row norm");
      assert.deepEqual(
        checked.columns.map((column) => column.name),
        says.columns,
      );
      assert.equal(checked.caveats.length, says.caveats);
      assert.equal(checked.suggested.length === 0, says.covers);
      assert.deepEqual(
        (await client.checkSchema(JSON.stringify(checked.schema))).schema,
        checked.schema,
      );
    });
  }
});

describe("releases", () => {
  for (const { name, file, says } of files("releases")) {
    test(name, async () => {
      const { epsilon, delta, findings, figures } = await client.reprice(file);
      same(epsilon, says.epsilon, "epsilon");
      same(delta, says.delta, "delta");
      assert.deepEqual(
        Object.fromEntries(findings.map(({ claim, holds }) => [claim, holds])),
        says.findings,
      );
      same(figures?.records.estimate, says.records, "records");
      same(figures?.accuracy?.estimate, says.accuracy, "accuracy");
      same(figures?.meanSquaredError?.estimate, says.meanSquaredError, "squared error");
      const predicted = await client.predict(file, people);
      same(
        predicted.map(({ margin, margins }) => margins ?? [margin]),
        says.margins,
        "margins",
      );
    });
  }
});

describe("cards", () => {
  for (const { name, file, says } of files("cards")) {
    test(name, async () => {
      const { findings } = await client.checkScorecard(file);
      assert.deepEqual(
        Object.fromEntries(findings.map(({ claim, holds }) => [claim, holds])),
        says.findings,
      );
      const scores = await client.score(
        file,
        people.map(({ age, ward }) => ({ age, ward })),
      );
      assert.deepEqual(
        scores.map(({ score }) => score),
        says.scores,
      );
    });
  }
});

describe("cells", () => {
  for (const { name, file, says } of files("cells")) {
    test(name, async () => {
      const { findings } = await client.checkNoisyCells(file);
      assert.deepEqual(
        Object.fromEntries(findings.map(({ claim, holds }) => [claim, holds])),
        says.findings,
      );
      const { release, records, deviation, wrong } = await client.cardOfCells(file, { points: 2 });
      assert.deepEqual([records, wrong], [says.records, says.wrong]);
      same(deviation, says.deviation, "deviation");
      assert.deepEqual(
        release.card.attributes.map((a) => a.levels.map(({ points }) => points)),
        says.points,
      );
    });
  }
});

describe("reports", () => {
  for (const { name, file, says } of files("reports")) {
    test(name, async () => {
      const release = read(`releases/${name.split(".of-")[1]}`);
      const { kind, rho } = await client.inspectReport(release, file);
      assert.deepEqual([kind, rho], [says.kind, says.rho]);
      for (const [i, row] of people.entries()) {
        const { largest } = await myPrivacy(release, file, {
          ...row,
          [release.schema.label.name]: says.label,
        });
        same(largest, says.bounds[i], "bound");
      }
    });
  }
});
