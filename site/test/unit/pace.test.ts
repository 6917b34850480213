import assert from "node:assert/strict";
import { test } from "node:test";

import type { Progress } from "../../src/client/types.ts";
import { leftWords, Pace } from "../../src/pages/shell/pace.ts";

/** What is said at each step of work, given at times in seconds. */
function said(steps: readonly (readonly [number, Progress])[]): (number | undefined)[] {
  let now = 0;
  const pace = new Pace(() => now * 1000);
  return steps.map(([time, progress]) => {
    now = time;
    return pace.with(progress).left;
  });
}

const near = (actual: number | undefined, expected: number, within: number) =>
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) <= within,
    `${actual} is not ${expected}`,
  );

test("reading goes at an even rate", () => {
  const at = (time: number): [number, Progress] => [
    time,
    { phase: "reading", fraction: time / 20 },
  ];
  const left = said([at(0), at(0.5), at(1), at(5), at(15), at(20)]);
  assert.deepEqual(left.slice(0, 2), [undefined, undefined]);
  near(left[2], 19, 1e-9);
  near(left[3], 15, 1e-9);
  near(left[4], 5, 1e-9);
  near(left[5], 0, 1e-9);
});

test("a file of unknown size, and work that only begins, have no end in sight", () => {
  assert.deepEqual(
    said([
      [0, { phase: "reading", bytes: 1 }],
      [9, { phase: "reading", bytes: 9 }],
    ]),
    [undefined, undefined],
  );
  assert.deepEqual(
    said([
      [0, { phase: "reading", fraction: 0 }],
      [9, { phase: "reading", fraction: 0.001 }],
    ]),
    [undefined, undefined],
  );
  assert.deepEqual(
    said([
      [0, { phase: "reading", fraction: 1 }],
      [9, { phase: "calibrating" }],
    ]),
    [undefined, undefined],
  );
});

// Where a solver stood after each of its rounds, of a second each, in a fit to a million records.
test("a solver is faster at the end, and what is left of it is never far off", () => {
  const shares = [0, 0.055, 0.311, 0.585, 0.886, 1];
  const left = said(
    shares.map((fraction, i) => [i, { phase: "solving", iteration: i + 1, fraction, target: 1 }]),
  );
  assert.equal(left[0], undefined);
  left.slice(1).forEach((seconds, i) => near(seconds, shares.length - 1 - (i + 1), 2.5));
});

test("the steps of a descent are alike", () => {
  const left = said(
    [0, 200, 500, 900].map((step) => [
      step / 50,
      { phase: "solving", iteration: step, fraction: step / 1000 },
    ]),
  );
  assert.equal(left[0], undefined);
  near(left[1], 16, 1e-9);
  near(left[3], 2, 1e-9);
});

test("fits for several classes are told by those that are over", () => {
  const at = (time: number, fraction: number): [number, Progress] => [
    time,
    { phase: "solving", iteration: 1, class: 1 + Math.floor(fraction * 4), classes: 4, fraction },
  ];
  const left = said([at(0, 0), at(2, 0.02), at(10, 0.25), at(30, 0.75)]);
  assert.equal(left[1], undefined);
  near(left[2], 30, 1e-9);
  near(left[3], 10, 1e-9);
});

test("time left in words", () => {
  const cases: [number | undefined, string][] = [
    [undefined, ""],
    [2.9, ""],
    [3.2, "about 3 seconds left"],
    [9.6, "about 10 seconds left"],
    [42, "about 40 seconds left"],
    [89, "about 90 seconds left"],
    [100, "about 2 minutes left"],
    [4000, "about 67 minutes left"],
    [10_000, "about 3 hours left"],
  ];
  for (const [seconds, words] of cases) assert.equal(leftWords(seconds), words);
});
