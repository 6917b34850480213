import assert from "node:assert/strict";
import test from "node:test";
import type { Priced } from "../../src/curves/pricing.ts";
import { curveCSV } from "../../src/curves/table.ts";
import { draw, type Line, type Scope, sentence, sentenceAlone } from "../../src/curves/views.ts";
import { attackSentence } from "../../src/elements/attack-plots.ts";
import { budgetSentence } from "../../src/elements/budget-gauge.ts";
import { described } from "../../src/curves/curve.ts";
import { draw as drawExplorer, sentence as says } from "../../src/pages/explorer/drawing.ts";
import { byBudget, figureBound } from "../../src/pages/explorer/figure.ts";
import type { Picture } from "../../src/pages/explorer/lines.ts";
import { changed, presets, remark, stateOf } from "../../src/pages/explorer/presets.ts";
import { curve as curveOf, nameOf, plain, withShared } from "../../src/pages/explorer/state.ts";

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

test("two lines of one name are drawn and read apart in every view", () => {
  const whole = { ...scope, epsilon: [0, 2], log: false, logFloor: -20 } as unknown as Scope;
  const worse = { ...priced, logDelta: [Math.log(0.5), Math.log(0.3)], epsilonAtDelta: 3 };
  const two = [
    { label: "Noise", lowest: false, priced: worse },
    { label: "Noise", lowest: false, priced },
  ] as unknown as Line[];
  for (const view of ["delta", "epsilon", "tradeoff"] as const) {
    const { lines: drawn, home, read } = draw(view, two, whole);
    for (const [i, line] of two.entries()) {
      const alone = draw(view, [line], whole);
      assert.deepEqual(drawn[i]!.y, alone.lines[0]!.y, view);
      assert.equal(read(line, home).text, alone.read(line, home).text, view);
    }
  }
});

test("what stands alone says between which data sets its ε holds", () => {
  for (const [replaced, adjacency, words, header] of [
    [
      false,
      "add-remove",
      "This compares data with and without one record.",
      "ε,δ, a record added or removed: Noise",
    ],
    [
      true,
      "replace-one",
      "This compares data before and after one record is replaced.",
      "ε,δ, a record replaced: Noise",
    ],
  ] as const) {
    const those = [{ label: "Noise", lowest: false, replaced, priced }] as unknown as Line[];
    for (const view of ["delta", "epsilon", "tradeoff"] as const)
      assert.ok(sentenceAlone(view, those, scope).endsWith(words), view);
    const whole = { ...scope, epsilon: [0, 2], log: false, logFloor: -20 } as unknown as Scope;
    const [head] = curveCSV(draw("delta", those, whole), those).split("\r\n");
    assert.equal(head!.replaceAll('"', ""), header);
    const spec = { budget: { adjacency, epsilon: 2, delta: 1e-5 } } as never;
    for (const spent of [[0.5], undefined]) assert.ok(budgetSentence(spec, spent).endsWith(words));
  }
});

test("a parameter is written with all its digits, or says that it has more", () => {
  const adjacency = "add-remove";
  const gaussian = (sigma: number) =>
    described({ mechanism: "gaussian", adjacency, sensitivity: 1, sigma });
  assert.equal(gaussian(3.73), "Gaussian noise, σ = 3.73");
  assert.equal(gaussian(3.7349), "Gaussian noise, σ = 3.7349");
  assert.equal(nameOf(curveOf("gauss", 1, { sigma: 3.7349 })), "Gaussian mechanism, σ = 3.7349");
  assert.equal(gaussian(3.7349123), "Gaussian noise, σ = 3.734…");
  assert.equal(
    nameOf(curveOf("gauss", 1, { sigma: 12345, times: 3 })).slice(20),
    "σ = 12,345, k = 3",
  );
});

test("the explorer's sentence marks what is not certified, in every view", () => {
  const line = (kind: string, rough: boolean, more: object) => ({
    ...{ at: 0, kind, name: "N", tone: 1, floor: false, values: plain.shared, rough },
    ...more,
  });
  const drawing = (view: string, one: object) => {
    const picture = {
      state: { ...plain, view, curves: [], preset: "" },
      ...{ lines: [one], epsilon: [0, 2], log: false, logFloor: -20, along: [2, 4] },
    } as unknown as Picture;
    return says(picture, drawExplorer(picture));
  };
  for (const view of ["delta", "tradeoff"])
    for (const rough of [false, true])
      assert.equal(drawing(view, line("gauss", rough, { priced })).includes("N ≈ "), rough, view);
  for (const view of ["rdp", "sweep"])
    for (const rough of [false, true])
      assert.equal(drawing(view, line("gauss", rough, { y: [1, 2] })).includes("N ≈ "), rough);
  assert.match(
    drawing("rdp", line("op.linear", true, { y: [1, 2] })),
    /: N ≈ 1\.00 \(an estimate, not a bound\)\./,
  );
});

test("a preset that a link has changed does not go by its title alone", () => {
  for (const preset of presets) {
    assert.ok(!changed(stateOf(preset), preset));
    assert.ok(!changed({ ...stateOf(preset), about: 0 }, preset));
    const seen = { view: "tradeoff", span: [1, 9], low: -30, x: "log", y: "log" } as const;
    assert.ok(!changed({ ...stateOf(preset), ...seen }, preset), "the same, seen otherwise");
    assert.ok(changed({ ...stateOf(preset), delta: 1e-7 }, preset));
    assert.ok(changed({ ...stateOf(preset), curves: [] }, preset));
    assert.ok(changed(withShared(stateOf(preset), "sigma", 77), preset));

    assert.equal(remark(stateOf(preset), preset), "");
    assert.equal(remark({ ...stateOf(preset), span: [1, 9] }, preset), "");
    const view = preset.state.view === "rdp" ? "delta" : "rdp";
    assert.equal(remark({ ...stateOf(preset), view }, preset), "in another view");
    const along = { ...stateOf(preset), view: "sweep", over: "tau" } as const;
    assert.equal(remark(along, preset), "in another view");
    assert.match(remark({ ...along, curves: [] }, preset), /^changed/);
  }
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
