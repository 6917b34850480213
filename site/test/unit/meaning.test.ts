import assert from "node:assert/strict";
import { test } from "node:test";

import {
  attackFinds,
  bestTruePositiveRate,
  bestTruePositiveRateOn,
  oneIn,
  posterior,
  strength,
} from "../../src/chart/meaning.ts";

const close = (a: number, b: number, tolerance = 1e-12) =>
  assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test("odds grow by e^ε and by no more", () => {
  for (const prior of [0.001, 0.1, 0.5, 0.9]) {
    for (const epsilon of [0.1, 1, 8]) {
      const after = posterior(prior, epsilon);
      close(after / (1 - after) / (prior / (1 - prior)) / Math.exp(epsilon), 1, 1e-9);
    }
  }
  assert.equal(posterior(0.5, 1e4), 1);
  assert.equal(posterior(0, 5), 0);
});

test("the best attack: values worked out by hand, and its limits", () => {
  close(bestTruePositiveRate(0.01, 1, 1e-5), Math.E * 0.01 + 1e-5);
  close(bestTruePositiveRate(0.01, 8, 0), 1 - Math.exp(-8) * 0.99);
  assert.equal(bestTruePositiveRate(0.01, 0, 0), 0.01);
  assert.equal(bestTruePositiveRate(0.01, 1, 1), 1);
  assert.ok(bestTruePositiveRate(0.01, 2000, 0) <= 1);
});

test("the best attack is the one of two-point mechanisms: randomised response reaches it", () => {
  // Randomised response with odds e^ε: report the truth with probability p. The test "says yes" has
  // FPR 1 − p, TPR p.
  for (const epsilon of [0.5, 1, 3]) {
    const p = Math.exp(epsilon) / (1 + Math.exp(epsilon));
    close(bestTruePositiveRate(1 - p, epsilon, 0), p);
  }
});

test("against a whole curve it is at most that of each of its points, and meets the Gaussian mechanism's from above", () => {
  // μ-GDP: TPR = Φ(Φ⁻¹(FPR) + μ). μ = 1, FPR = 1 %: Φ(−2.326348 + 1) = 0.0923628 (tables of the
  // normal distribution).
  const grid = Array.from({ length: 500 }, (_, i) => i * 0.02);
  const log = grid.map((e) => Math.log(gaussianDelta(e, 1)));
  const whole = bestTruePositiveRateOn(0.01, grid, log);
  grid.forEach((e, i) =>
    assert.ok(whole <= bestTruePositiveRate(0.01, e, Math.exp(log[i]!)) + 1e-15),
  );
  assert.ok(whole >= 0.0923628 - 1e-6 && whole < 0.09237, `${whole}`);
});

test("the figure for the best attack is by the whole curve, sharper than by the promise alone", () => {
  const grid = Array.from({ length: 500 }, (_, i) => i * 0.02);
  const curve = { epsilon: grid, logDelta: grid.map((e) => Math.log(gaussianDelta(e, 1))) };
  assert.equal(attackFinds(curve), bestTruePositiveRateOn(0.01, curve.epsilon, curve.logDelta));
  assert.ok(attackFinds(curve) < 0.75 * bestTruePositiveRate(0.01, 4, gaussianDelta(4, 1)));
});

test("words for ε, and δ as one in so many", () => {
  assert.deepEqual([0.1, 1, 2, 8, 20].map(strength), [
    "very strong",
    "strong",
    "moderate",
    "weak",
    "very weak",
  ]);
  assert.equal(oneIn(1e-5), "1 in 100,000");
  assert.equal(oneIn(3e-7), "1 in 3,300,000");
});

test("δ as one in so many is never less than it is", () => {
  assert.deepEqual([0.4, 0.7, 0.999, 1 / 3, 0.01, 1.035e-5].map(oneIn), [
    "1 in 2",
    "1 in 1",
    "1 in 1",
    "1 in 3",
    "1 in 100",
    "1 in 96,000",
  ]);
  for (let delta = 0.99; delta > 1e-15; delta *= 0.97) {
    const told = 1 / Number(oneIn(delta).slice("1 in ".length).replaceAll(",", ""));
    assert.ok(told >= delta * (1 - 1e-9) && told <= 2 * delta, `${delta}: ${oneIn(delta)}`);
  }
});

/** Φ(−ε/μ + μ/2) − e^ε Φ(−ε/μ − μ/2), with Φ from a series good to 1e-15 at these arguments. */
function gaussianDelta(epsilon: number, mu: number): number {
  return phi(-epsilon / mu + mu / 2) - Math.exp(epsilon) * phi(-epsilon / mu - mu / 2);
}

function phi(x: number): number {
  if (x < -5) {
    // The continued fraction of the Mills ratio.
    let f = 0;
    for (let k = 60; k > 0; k--) f = k / (-x + f);
    return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI) / (-x + f);
  }
  let term = x;
  let sum = x;
  for (let k = 1; k < 200; k++) {
    term *= (x * x) / (2 * k + 1);
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}
