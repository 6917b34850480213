// What is given twice in a document is refused wherever it is read: two readers could take it for
// two things.

import assert from "node:assert/strict";
import { test } from "node:test";

import { schemaOf } from "../../src/client/document.ts";
import type { Engine } from "../../src/client/engine.ts";
import { ReportReaderClient } from "../../src/client/personal.ts";
import type { Client } from "../../src/client/types.ts";
import { Verifier } from "../../src/pages/verifier/verifier.ts";

const release = '{"format": "cloister-release", "event": {}, "guarantee": {}}';
const honest = '{"format": "cloister-report", "rho": 0.01}';
const twice = '{"format": "cloister-report", "rho": 0.01, "rho": 0.5}';

test("a report beside a release", async () => {
  Object.assign(globalThis, { document: { documentElement: { dataset: { theme: "light" } } } });
  const inspected: unknown[] = [];
  const client = {
    start: async () => ({ library: "0" }),
    reprice: async () => ({ findings: [] }),
    differences: async () => undefined,
    inspectReport: async (_: unknown, report: unknown) => (inspected.push(report), {}),
  };
  const verifier = new Verifier(
    { load: async () => client as unknown as Client, seal: () => {} },
    () => {},
  );
  await verifier.begin();
  const checked = async (report: string) => {
    await verifier.take([new File([release], "release.json"), new File([report], "report.json")]);
    const { check } = verifier.state;
    assert.ok(check.phase === "done");
    return check.checked.report;
  };
  assert.equal((await checked(honest))?.problem, undefined);
  assert.match((await checked(twice))?.problem ?? "", /says rho twice/);
  assert.equal(inspected.length, 1, "the core is asked about the honest one alone");
});

test("a model card is one whatever it is called", async () => {
  Object.assign(globalThis, { document: { documentElement: { dataset: { theme: "light" } } } });
  const client = {
    start: async () => ({ library: "0" }),
    reprice: async () => ({ findings: [] }),
    differences: async () => undefined,
  };
  const verifier = new Verifier(
    { load: async () => client as unknown as Client, seal: () => {} },
    () => {},
  );
  await verifier.begin();
  const page = `<!doctype html><html><p>At most ε = 0.001</p>
<script type="application/json" id="release">${release}</script></html>`;
  for (const [name, text, card] of [
    ["release.json", release, false],
    ["release.html", release, false],
    ["card.html", page, true],
    ["release.json", page, true],
    ["card.xhtml", ` \n${page}`, true],
  ] as const) {
    await verifier.take([new File([text], name)]);
    const { check } = verifier.state;
    assert.ok(check.phase === "done");
    // Then the page says that only the release in it was checked.
    assert.equal(check.checked.card, card, name);
  }
});

test("documents that a program hands over as text", async () => {
  let calls = 0;
  const engine = { epoch: 0, ask: async () => (calls++, { reader: 1 }) } as unknown as Engine;
  const reader = new ReportReaderClient(engine);
  await reader.open(release, honest);
  await assert.rejects(reader.open(release, twice), /The privacy report says rho twice/);
  await assert.rejects(
    reader.open('{"guarantee": {"epsilon": 9, "epsilon": 1}}', honest),
    /guarantee\.epsilon twice/,
  );
  assert.equal(calls, 1);
  assert.throws(
    () => schemaOf('{"features": [{"provenance": "suggested", "provenance": "public"}]}'),
    /features\[0\]\.provenance twice/,
  );
});
