// What a budget buys, beside naming the largest class, said before it is spent.

import assert from "node:assert/strict";
import { test } from "node:test";

import { outlook } from "../../src/client/outlook.ts";
import { between, checkRarer } from "../../src/pages/studio/state/expected-accuracy.ts";

const gaining = (...gains: readonly number[]) =>
  gains.map((gain) => ({ plain: 0.9, known: 0.75, private: [0, 0.75 + gain] }));

test("nothing, something, or uncertain: as core/lab/expect/outlook_test.go has it", () => {
  const cases: readonly [number[], number[], string | null][] = [
    [[0.1, 0.1], [0.009, 0.01], "nothing"],
    [[0, 0, 0.1], [0.019, 0.013], "nothing"],
    [[0, 0.1], [0.019, 0.013], "uncertain"],
    [[0, 0.1], [0.019, 0.003], "nothing"],
    [[0, 0.1, 0.1], [0.019, 0.003], "uncertain"],
    [[0.1, 0.1, 0.1], [0.019, 0.003], "something"],
    [[0.1, 0.1, 0.009, 0.1], [0.2], "uncertain"],
    [[0.1, 0.1, 0.009, 0.1, 0.1], [0.2], "something"],
    [[0.011], [-0.1, 0.2], "something"],
    [[0.5], [-0.2], "nothing"],
    [[], [0.2], null],
    [[0.2], [], null],
  ];
  for (const [medium, strong, want] of cases)
    assert.equal(outlook(gaining(...medium), gaining(...strong), 1), want, `${medium}; ${strong}`);
  const unattainable = [{ plain: 0.9, known: 0.75, private: [null] }];
  assert.equal(outlook(unattainable, unattainable), null);
});

test("a share is typed as one or in percent, and may be left out", () => {
  assert.equal(checkRarer("  "), undefined);
  assert.equal(checkRarer("0.08"), 0.08);
  assert.equal(checkRarer(" 8 % "), 0.08);
  assert.equal(checkRarer("50%"), 0.5);
  for (const text of ["0", "8", "60 %", "-1 %", "few", "%", "8 % 9"])
    assert.equal(checkRarer(text), null, text);
});

test("an ε lies between its neighbours, on a logarithmic scale", () => {
  assert.deepEqual(between([0.1, 1, 10], 1), [1, 1, 0]);
  const [left, right, t] = between([0.1, 1, 10], Math.sqrt(10));
  assert.deepEqual([left, right], [1, 2]);
  assert.ok(Math.abs(t - 0.5) < 1e-12);
});
