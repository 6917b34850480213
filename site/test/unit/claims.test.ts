// The claims in the words of the verifier's page.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { counted, failed, grouped, titleOf, typeset } from "../../src/pages/verifier/claims.ts";

// As bundled, this file is build/test/unit/claims.test.mjs.
const core = new URL("../../../core/learn/", import.meta.url);

test("every claim that the core checks has a title of its own", () => {
  const sources = ["", "scorecard/"].flatMap((folder) =>
    readdirSync(new URL(folder, core))
      .filter((name) => name.endsWith(".go") && !name.endsWith("_test.go"))
      .map((name) => folder + name),
  );
  const claims = new Set(
    sources.flatMap((name) =>
      [...readFileSync(new URL(name, core), "utf8").matchAll(/\bcheck\(\s*"(\w+)"/g)].map(
        (m) => m[1]!,
      ),
    ),
  );
  assert.ok(claims.size >= 19, `only ${claims.size} were found in the core's source`);
  for (const claim of claims) assert.notEqual(titleOf(claim), claim);
});

test("findings stand in groups, all of them, and those that are not so are named", () => {
  const finding = (claim: string, holds: boolean, text = "as it is") => ({ claim, holds, text });
  const findings = [
    finding("grid", true, "Not checked: no lattice."),
    finding("epsilon_of_tomorrow", false),
    finding("guarantee", false),
    finding("clip", true),
    finding("clip", false),
  ];
  const list = grouped(findings);
  assert.equal(list.flatMap((g) => g.claims).length, findings.length);
  assert.deepEqual(
    list.map((g) => g.title),
    ["What is promised", "The mechanism", "The model", "Besides"],
  );
  assert.equal(list[2]!.claims[0]!.outcome, "unchecked");
  assert.deepEqual(
    failed(findings).map((f) => `${f.group}: ${f.claim.title}`),
    ["What is promised: ε and δ", "The mechanism: The clipping", "Besides: epsilon_of_tomorrow"],
  );
});

test("what nobody can check is not counted among what was", () => {
  const finding = (claim: string, text: string) => ({ claim, holds: true, text });
  assert.deepEqual(
    counted([
      finding("guarantee", "It is."),
      finding("choice", "Not checked: it is stated."),
      finding("bounds", "Not checked: the bounds were bought."),
      finding("clip", "So."),
    ]),
    { checked: 2, word: 2 },
  );
});

test("a claim's numbers are set digit for digit", () => {
  assert.equal(
    typeset("At ε = 0.5 the bound gives δ = 1.00002e-05, more than the stated 1e-05."),
    "At ε = 0.5 the bound gives δ = 1.00002\u00a0×\u00a010⁻⁵, more than the stated 10⁻⁵.",
  );
  assert.equal(
    typeset("The model's rows have norm 1.41421, 3e+20."),
    "The model’s rows have norm 1.41421, 3\u00a0×\u00a010²⁰.",
  );
});
