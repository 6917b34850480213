import assert from "node:assert/strict";
import { test } from "node:test";

import {
  count,
  parameterText,
  percent,
  percentBound,
  percentLeast,
  powerOfTen,
  probability,
  probabilityBound,
  readable,
  readableBound,
  readableLeast,
  scientific,
  signed,
  size,
  surely,
} from "../../src/chart/numbers.ts";

// Typed with spaces here for the eye; on the page they do not break.
const hard = (text: string) => text.replaceAll(" ", "\u00a0");

test("a parameter has all its digits up to six, else an ellipsis", () => {
  const cases: [number, string][] = [
    [0, "0"],
    [1, "1"],
    [3.7, "3.7"],
    [3.735, "3.735"],
    [3.73491, "3.73491"],
    [3.7349123, "3.734…"],
    [3.9999999, "3.999…"],
    [1 / 3, "0.3333…"],
    [3.3 / 3, "1.1"],
    [256 / 60000, "0.004266…"],
    [-2.25, "−2.25"],
    [1500, "1,500"],
    [12345.5, "12,345.5"],
    [12345.678, "12,345…"],
    [123456.7, "123,456…"],
    [123456, "123,456"],
    [1e-5, "10⁻⁵"],
    [1.25e-6, "1.25 × 10⁻⁶"],
    [1e7 / 3, "3.333… × 10⁶"],
    [Infinity, "∞"],
  ];
  for (const [x, text] of cases) assert.equal(parameterText(x), hard(text));
  // What is written without an ellipsis is the number.
  for (let x = 1e-3; x < 9e5; x *= 1.00777)
    for (const digits of [2, 4, 6, 7, 15]) {
      const at = Number(x.toPrecision(digits));
      const [text, more] = parameterText(at).replaceAll(",", "").split("…");
      if (more === undefined) assert.equal(Number(text), at);
      else assert.ok(Number(text) < at && Number(text) > at * 0.9989, text);
    }
});

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
  assert.equal(readableBound(1.004), "1.01");
  assert.equal(readableBound(1.0004e-5), hard("1.01 × 10⁻⁵"));
  assert.equal(readableBound(1.0049e6), hard("1.01 × 10⁶"));
  assert.equal(readableBound(999.5), "1,000");
  assert.equal(percentBound(0.027183), hard("2.8 %"));
  assert.equal(percentBound(0.73106), hard("73.2 %"));
  assert.equal(percentBound(0.9933), hard("99.33 %"));
  assert.equal(percentBound(1), hard("100 %"));
  for (let epsilon = 0.01; epsilon < 12; epsilon *= 1.07) {
    const factor = Number(readableBound(Math.exp(epsilon)).replace(/,/g, ""));
    assert.ok(
      factor >= Math.exp(epsilon) && factor <= 1.011 * Math.exp(epsilon),
      `e^${epsilon} is written ${factor}`,
    );
    for (const share of [1 / (1 + Math.exp(-epsilon)), 0.01 * epsilon]) {
      const written = percentBound(share);
      if (written.startsWith(">")) continue;
      const number = Number(written.split("\u00a0")[0]) / 100;
      assert.ok(number >= share - 1e-9 && number <= 1.1 * share, `${share} is written ${written}`);
    }
  }
});

test("a share is never said to be more than it is at least, nor a probability less than at most", () => {
  assert.equal(percentLeast(0.12389), hard("12.3 %"));
  assert.equal(percentLeast(0.95), hard("95 %"));
  assert.equal(percentLeast(0.00129), hard("0.12 %"));
  assert.equal(percentLeast(0.999996), hard("99.99 %"));
  assert.equal(percentLeast(1), hard("100 %"));
  assert.equal(percentLeast(0), hard("0 %"));
  assert.equal(probabilityBound(0), "1");
  assert.equal(probabilityBound(3), "1");
  assert.equal(probabilityBound(Math.log(0.4201)), "0.421");
  assert.equal(probabilityBound(Math.log(1e-5)), hard("10⁻⁵"));
  assert.equal(probabilityBound(-Infinity), "0");
  for (let log = -0.001; log > -2000; log *= 1.03) {
    const share = Math.exp(log);
    if (share > 1e-300) {
      const written = percentLeast(share).replace("\u00a0%", "");
      const [digits = "", power] = written.split("\u00a0×\u00a010");
      if (!written.startsWith("10⁻") && power === undefined) {
        const number = Number(digits) / 100;
        assert.ok(
          number <= share + 1e-9 && number >= 0.9 * share,
          `${share} is written ${written}`,
        );
      }
    }
    const [digits = "", power] = probabilityBound(log).split("\u00a0×\u00a010");
    if (power === undefined) continue;
    const ten = [...power].map((c) => (c === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c))).join("");
    const number = Math.log(Number(digits)) + Number(ten) * Math.LN10;
    assert.ok(
      number >= log - 2e-9 && number <= log + 0.0151,
      `e^${log} is written ${digits}e${ten}`,
    );
  }
});

test("nothing is said to be surer than it is", () => {
  const cases: [number, string][] = [
    [0.5, "50 %"],
    [0.05, "95 %"],
    [0.0505, "94.9 %"],
    [0.01, "99 %"],
    [0.00101, "99.89 %"],
    [0.001, "99.9 %"],
    [1e-5, "99.999 %"],
    [1e-8, "99.999999 %"],
  ];
  for (const [rho, text] of cases) assert.equal(surely(rho), hard(text));
  for (let rho = 1e-8; rho <= 0.5; rho *= 1.07) {
    const written = Number(surely(rho).split("\u00a0")[0]) / 100;
    assert.ok(
      written <= 1 - rho + 1e-15 && written > 1 - 2 * rho - 1e-15,
      `${rho} is written ${written}`,
    );
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

test("what is left is never said to be more than it is, nor what is spent to be less", () => {
  assert.equal(readableLeast(0.9999), "0.999");
  assert.equal(readableLeast(1.006), "1");
  assert.equal(readableLeast(0.3), "0.3");
  assert.equal(readableLeast(1.0096e-5), hard("1 × 10⁻⁵".replace("1 × ", "")));
  assert.equal(readableLeast(2980.96), "2,980");
  assert.equal(readableLeast(1234567), hard("1.23 × 10⁶"));
  assert.equal(readableLeast(0), "0");
  assert.equal(readableBound(0.9991), "1");
  let x = 1e-7;
  for (let i = 0; i < 4000; i++) {
    x *= 1.0077;
    const value = (text: string) => {
      const [digits = "", power] = text.replace(/,/g, "").split(`\u00a0×\u00a010`);
      const plain = (t: string) =>
        Number(
          [...t]
            .map((c) => ("⁻⁰¹²³⁴⁵⁶⁷⁸⁹".includes(c) ? "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)] : c))
            .join(""),
        );
      if (power !== undefined) return Number(digits) * 10 ** plain(power);
      return /^10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/.test(digits) ? 10 ** plain(digits.slice(2)) : Number(digits);
    };
    assert.ok(value(readableLeast(x)) <= x * (1 + 2e-9), `${x}: ${readableLeast(x)}`);
    assert.ok(value(readableLeast(x)) >= x * 0.989, `${x}: ${readableLeast(x)}`);
    assert.ok(value(readableBound(x)) >= x * (1 - 2e-9), `${x}: ${readableBound(x)}`);
  }
});
