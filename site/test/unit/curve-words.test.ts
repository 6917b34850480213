import assert from "node:assert/strict";
import test from "node:test";
import type { Priced } from "../../src/curves/pricing.ts";
import { draw, type Line, type Scope, sentence } from "../../src/curves/views.ts";
import { attackSentence } from "../../src/elements/attack-plots.ts";
import { budgetSentence } from "../../src/elements/budget-gauge.ts";
import { described } from "../../src/curves/curve.ts";
import { byBudget, figureBound } from "../../src/pages/explorer/figure.ts";

const priced = {
  epsilon: [0, 1],
  logDelta: [Math.log(0.19661), Math.log(0.01234)],
  epsilonAtDelta: 1.2312,
  rough: false,
} as unknown as Priced;
const lines = [{ label: "Noise", priced }] as unknown as Line[];
const scope = { delta: 1.0049e-5 } as unknown as Scope;

test("a sentence about a curve promises no more than is proved", () => {
  assert.match(sentence("delta", lines, scope), /with ε.=.1\.24 at δ.=.1\.01.×.10⁻⁵\.$/);
  // At ε = 1: 1 − 0.01234 − e · 0.05 = 85.175 %.
  assert.match(sentence("tradeoff", lines, scope), /misses at least 85\.1.% of/);
  assert.match(attackSentence("Noise", priced), /right at most 59\.9.% of .* at most 19\.7.%,/);
  assert.match(
    budgetSentence({ budget: { epsilon: 2, delta: 1.0049e-5 } } as never, [0.5]),
    /at δ = 1\.01.×.10⁻⁵: 25.%/,
  );
});

test("an ε at the cursor, and the δ beside it, are no less than they are", () => {
  const whole = {
    delta: 1.0049e-5,
    epsilon: [0, 2],
    log: false,
    logFloor: Math.log(1e-10),
  } as unknown as Scope;
  const curve = { ...priced, epsilon: [0, 1.2312, 2], logDelta: [-1, -2, -30] } as Priced;
  const under = [{ label: "Noise", priced: curve }] as unknown as Line[];
  assert.equal(draw("delta", under, whole).at(1), "ε = 1.24");
  const byDelta = draw("epsilon", under, whole);
  assert.equal(byDelta.at(byDelta.home), "δ = 1.01\u00a0×\u00a010⁻⁵");
});

test("a figure of the explorer that is a bound stays one", () => {
  assert.deepEqual([0, 1, 1.2312, 0.80801, 999.9, 9.991, 1e-5, Infinity].map(figureBound), [
    "0",
    "1.00",
    "1.24",
    "0.809",
    "1,000",
    "10.0",
    "10⁻⁵",
    "∞",
  ]);
  for (let x = 1e-9; x < 1e9; x *= 1.00777) {
    const said = figureBound(x);
    if (/^[0-9.]+$/.test(said)) assert.ok(Number(said) >= x && Number(said) <= 1.0101 * x, said);
  }
});

test("a noise that a budget fixes keeps the budget as it is written", () => {
  assert.equal(byBudget("sigma", 3.7306), "3.74");
  assert.equal(byBudget("lambda", 0.96504), "0.966");
  assert.equal(byBudget("steps", 1234), "1,234");
});

test("a mechanism is not named by a smaller ε than it has", () => {
  const adjacency = "add-remove";
  const named = (event: unknown) => described(event as never);
  assert.equal(named({ mechanism: "pure-dp", adjacency, epsilon: 1.2312 }), "1.24-DP");
});
