import assert from "node:assert/strict";
import test from "node:test";
import type { Priced } from "../../src/curves/pricing.ts";
import { type Line, type Scope, sentence } from "../../src/curves/views.ts";
import { attackSentence } from "../../src/elements/attack-plots.ts";
import { budgetSentence } from "../../src/elements/budget-gauge.ts";

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
