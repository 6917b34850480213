import assert from "node:assert/strict";
import { test } from "node:test";

import { count, percent, percentBound, powerOfTen, probability, readable, readableBound, scientific, signed, size } from "../../src/chart/numbers.ts";

// Typed with spaces here for the eye; on the page they do not break.
const hard = (text: string) => text.replaceAll(" ", "\u00a0");

test("numbers in running text", () => {
  const cases: [number, string][] = [
    [1, "1"],
    [0.05, "0.05"],
    [2.718281828, "2.72"],
    [36_177, "36,177"],
    [-3.25, "−3.25"],
    [1e-5, "10⁻⁵"],
    [2.1e-5, "2.1 × 10⁻⁵"],
    [9.9999e-6, "10⁻⁵"],
    [0, "0"],
    [Infinity, "∞"],
    [NaN, "not a number"],
  ];
  for (const [x, text] of cases) assert.equal(readable(x), x !== x ? text : hard(text));
});

test("powers of ten below the smallest float", () => {
  assert.equal(scientific(-400.5), hard("3.16 × 10⁻⁴⁰¹"));
  assert.equal(scientific(-Infinity), "0");
  assert.equal(powerOfTen(0), "1");
  assert.equal(powerOfTen(-12), "10⁻¹²");
});

test("probabilities from their logarithm, never above 1", () => {
  assert.equal(probability(0), "1");
  assert.equal(probability(3), "1");
  assert.equal(probability(Math.log(0.42)), "0.42");
  assert.equal(probability(-1000), hard("5.08 × 10⁻⁴³⁵"));
});

test("percentages keep what matters and never round up to certainty", () => {
  const cases: [number, string][] = [
    [0, "0 %"],
    [1, "100 %"],
    [0.027183, "2.7 %"],
    [0.5, "50 %"],
    [0.7311, "73.1 %"],
    [0.99967, "99.97 %"],
    [0.9999999, "> 99.99 %"],
    [0.00013, "0.013 %"],
  ];
  for (const [x, text] of cases) assert.equal(percent(x), hard(text));
});

test("what is written of a bound is a bound still", () => {
  assert.equal(readableBound(Math.exp(0.2)), "1.23"); // 1.2214
  assert.equal(readableBound(2), "2");
  assert.equal(readableBound(Math.exp(8)), "2,981"); // 2980.96
  assert.equal(readableBound(Math.exp(7.01)), "1,108"); // 1107.65
  assert.equal(percentBound(0.027183), hard("2.8 %"));
  assert.equal(percentBound(0.73106), hard("73.2 %"));
  assert.equal(percentBound(0.9933), hard("99.33 %"));
  assert.equal(percentBound(1), hard("100 %"));
  for (let epsilon = 0.01; epsilon < 12; epsilon *= 1.07) {
    const factor = Number(readableBound(Math.exp(epsilon)).replace(/,/g, ""));
    assert.ok(factor >= Math.exp(epsilon) && factor <= 1.011 * Math.exp(epsilon), `e^${epsilon} is written ${factor}`);
    for (const share of [1 / (1 + Math.exp(-epsilon)), 0.01 * epsilon]) {
      const written = percentBound(share);
      if (written.startsWith(">")) continue;
      const number = Number(written.split("\u00a0")[0]) / 100;
      assert.ok(number >= share - 1e-9 && number <= 1.1 * share, `${share} is written ${written}`);
    }
  }
});

test("coefficients, counts and sizes", () => {
  assert.equal(signed(0.51234), "+0.512");
  assert.equal(signed(-12), "−12.0");
  assert.equal(signed(0), "0");
  assert.equal(signed(0.0000123), hard("+1.23 × 10⁻⁵"));
  assert.equal(count(45_222), "45,222");
  assert.equal(size(999), "999 bytes");
  assert.equal(size(617_006), "617 kB");
  assert.equal(size(999_600), "1.0 MB");
  assert.equal(size(3_974_469), "4.0 MB");
});
