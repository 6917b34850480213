// The page of the benchmark says what its file says.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { benchmark, compared, parse } from "../../docs/build/benchmark.mjs";

const header =
  "set,label,rows,method,epsilon,splits,score,error,auc,less,less_error,apart,apart_error";
const made = [
  "# go run ./scripts/benchmark -first 7, commit 0123456789",
  header,
  "hmda,two,2380,default,1,9,89.00,0.10,80.00,-1.00,0.30,0.50,0.30",
  "hmda,two,2380,majority,1,9,88.00,0.10,50.00,-2.00,0.30,,",
  "hmda,two,2380,not private,1,9,90.00,0.10,82.00,,,,",
  "hmda,two,2380,oracle gd,1,9,90.00,0.10,81.00,0.00,0.00,,",
  "titanic,two,1309,default,1,9,79.00,0.10,84.00,3.00,0.40,2.50,0.40",
  "titanic,two,1309,majority,1,9,61.00,0.10,50.00,,,,",
  "titanic,two,1309,not private,1,9,78.00,0.10,84.00,,,,",
  "adult,two,45222,default,1,1,84.00,,89.00,-5.00,,-4.00,",
  "adult,two,45222,majority,1,1,75.00,,50.00,,,,",
  "adult,two,45222,not private,1,1,84.70,,90.00,,,,",
].join("\n");

test("differences are means over the tables of more than one split", () => {
  const { lines } = parse(made);
  const [{ epsilon, mean, error, worst, within, sets }, ...more] = compared(lines, ["two"]);
  assert.deepEqual(more, []);
  assert.deepEqual([epsilon, mean, error, worst.set, within, sets], [1, 1, 0.25, "hmda", 1, 2]);
  assert.deepEqual(compared(lines, ["number"]), []);
  const [apart] = compared(lines, ["two"], "default", "apart");
  assert.deepEqual([apart.mean, apart.error, apart.worst.set], [1.5, 0.25, "hmda"]);
});

test("a panel's text says its numbers, and what made them stands on the page", () => {
  const parts = benchmark(made);
  assert.match(
    parts["score panels"],
    /aria-label="Mortgages, % right\. ε = 1: our default 89\.0, oracle: best of 45 descents 90\.0; majority 88\.0, not private 90\.0\."/,
  );
  assert.match(parts["auc panels"], /aria-label="Titanic, AUC in %\. ε = 1: our default 84\.0; /);
  assert.match(
    parts["two classes"],
    /\| 1 \| \+1\.0 ± 0\.3 \| Mortgages −1\.0 ± 0\.3 \| 1 of 2 \| \+1\.5 ± 0\.3 \| Mortgages \+0\.5 ± 0\.3 \|/,
  );
  assert.match(parts.numbers, /<td>Adult<\/td><td>1<\/td><td>1<\/td><td>84\.0<\/td>/);
  assert.equal(parts.made, "`go run ./scripts/benchmark -first 7` at commit `0123456789`");
  assert.equal(parts.splits, "1 to 9");
});

test("the file that is there draws every panel with numbers", () => {
  const text = readFileSync(
    fileURLToPath(new URL("../../docs/benchmark.csv", import.meta.url)),
    "utf8",
  );
  for (const part of Object.values(benchmark(text)))
    assert.doesNotMatch(part, /NaN|undefined|Infinity/);
});
