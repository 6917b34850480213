// What a budget buys, beside naming the largest class, said before it is spent.

import assert from "node:assert/strict";
import { test } from "node:test";

import { judge, outlook } from "../../src/client/outlook.ts";
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

test("nothing has a reason, and a fit without privacy is told beside it", () => {
  const of = (plain: number, ...gains: readonly number[]) =>
    gains.map((gain) => ({ plain: 0.75 + plain, known: 0.75, private: [0.75 + gain] }));
  const told = (medium: ReturnType<typeof of>, strong: ReturnType<typeof of>) => {
    const { reason, without, plainToo, raise } = judge(medium, strong)!;
    return [reason, without.medium, without.strong, plainToo, raise];
  };
  const much = 0.1;
  // On average strong trials gain too little, and most of them do not: no "unless columns tell".
  const uneven = of(much, 0.02, 0.02, 0.02, -0.1);
  assert.deepEqual(told(of(much, 0, 0, 0, 0), uneven), ["strong", 4, 1, false, true]);
  assert.deepEqual(told(of(much, 0.1, 0.1, 0.1), uneven), ["strong", 0, 1, false, true]);
  assert.deepEqual(told(of(0, -0.1, 0), of(0.009, -0.1, 0)), ["strong", 2, 2, true, false]);
  // Half of them do, of either.
  assert.deepEqual(told(of(0, 0, 0.1), of(much, 0, 0.1)), ["both", 1, 1, false, true]);
  assert.deepEqual(told(of(0, 0, 0, 0), of(0.055, 0, 0.1)), ["both", 3, 1, false, false]);
  // Medium trials alone: what a fit without privacy gains is asked of them.
  const gaining = of(much, 0, 0.1, 0.1);
  assert.deepEqual(told(of(0.009, 0, 0, 0.1), gaining), ["medium", 2, 1, true, false]);
  assert.deepEqual(told(of(much, 0, 0, 0.1), gaining), ["medium", 2, 1, false, true]);
  assert.deepEqual(told(of(0.009, 0, 0), of(much, 0.1, 0.095)), ["medium", 2, 0, true, false]);
  // The scores are of strong trials.
  const { end, known } = judge(of(0, 0, 0), of(much, 0.06, 0.08))!;
  assert.deepEqual([end.toFixed(9), known], ["0.820000000", 0.75]);
  // No reason where it is not nothing.
  assert.deepEqual(told(of(much, 0, 0.1), gaining), [null, 1, 1, false, true]);
  assert.equal(judge(of(much, 0.1), of(much, 0.1))!.reason, null);
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
