// What a model found, in units that people read.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnyLabel, Difference, Release } from "../../src/client/types.ts";
import { found, foundBars, references } from "../../src/pages/release/found.ts";

/** Two numbers and two columns of categories: a person in the middle has length √2.5. */
const length = Math.sqrt(2.5);

const release = (
  label: object,
  loss: "logistic" | "huber" | "squared" = "logistic",
): Release<AnyLabel> =>
  ({
    schema: {
      version: 1,
      features: [
        { name: "age", type: "numeric", min: 18, max: 105, provenance: "public" },
        { name: "dose", type: "numeric", min: 0, max: 1023, log: true, provenance: "public" },
        { name: "sex", type: "categorical", categories: ["f", "m"], provenance: "public" },
        { name: "ward", type: "categorical", categories: ["A", "B"], provenance: "public" },
      ],
      label: { provenance: "public", ...label },
      rows: { norm: "clip" },
      intercept: 0.5,
    },
    model: { loss },
  }) as unknown as Release<AnyLabel>;

const two = { name: "ill", negative: ["no"], positive: ["yes"] };

const list: Difference[] = [
  { feature: "age", estimate: -2 * length, error: 1, shown: true },
  { feature: "dose", estimate: 10 * length, error: 1, shown: true },
  { feature: "sex", category: "m", reference: "f", estimate: 20 * length, error: 9, shown: false },
  { feature: "ward", category: "B", reference: "A", estimate: 0, error: 1, shown: false },
];
const differences = { share: 0.025, vectors: [{ limit: 1, differences: list }] };

test("what is more than noise comes first, the strongest first; odds are factors", () => {
  const all = found(release(two), differences);
  assert.deepEqual(
    all.rows.map((r) => [r.feature, r.between, r.text]),
    [
      ["dose", "by a doubling", "× 2.7"],
      ["age", "by 10", "÷ 1.3"],
      ["sex", "m, not f", "× 10,000+"],
      ["ward", "B, not A", "× 1.00"],
    ],
  );
  assert.equal(all.shown, 2);
  assert.equal(all.scale, "Odds");
  assert.equal(all.of, "the odds that ill is “yes”");
  assert.equal(all.more, "makes “yes” likelier");
  assert.deepEqual(references(differences), [
    ["sex", "f"],
    ["ward", "A"],
  ]);
});

test("a number is told by a step that people count in, a logarithm by doublings", () => {
  const [dose, age] = found(release(two), differences).rows;
  // e^(2·10/87), and 1,024 = 2^10, so that a doubling is a tenth of 10.
  assert.deepEqual(
    [age!.text, age!.between, age!.whole],
    ["÷ 1.3", "by 10", "÷ 7.4 from 18 to 105"],
  );
  assert.deepEqual([dose!.text, dose!.whole], ["× 2.7", "× 10,000+ from 0 to 1,023"]);
  assert.ok(Math.abs(dose!.value - 10) < 1e-9, "the bar is that of the whole range");
});

test("a number is told in its own unit, and a loss without odds as a score", () => {
  const wage = found(release({ type: "numeric", name: "wage", min: 0, max: 80 }, "squared"), {
    share: 0.025,
    vectors: [{ limit: 1, differences: [{ ...list[0]!, estimate: -0.5 * length }] }],
  });
  assert.deepEqual([wage.scale, wage.rows[0]!.text, wage.less], ["wage", "−2.30", "lowers wage"]);
  assert.equal(wage.rows[0]!.whole, "−20.0 from 18 to 105");
  assert.equal(found(release(two, "huber"), differences).scale, "Score");
});

test("noise reaches to both sides of a bar, and ends at the edge; not known it fills all", () => {
  const rows = found(release(two), differences).rows;
  const bars = foundBars(rows, 100);
  for (const [i, bar] of bars.entries()) {
    assert.ok(bar.low >= 0 && bar.high <= 100 && bar.width > 0);
    assert.ok(rows[i]!.value < 0 ? bar.x < bar.zero : bar.x === bar.zero);
    assert.ok(bar.low < bar.high);
  }
  const [bar] = foundBars([{ ...rows[0]!, reach: Infinity }], 100);
  assert.deepEqual([bar!.low, bar!.high], [0, 100]);
});

test("of a release that says too little, nothing is limited", () => {
  const none = { share: 0.025, vectors: [{ limit: Infinity, differences: list }] };
  assert.equal(found(release(two), none).limited, false);
  assert.equal(found(release(two), differences).limited, true);
});
