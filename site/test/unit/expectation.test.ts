// How many rows a forecast of accuracy is of: what is said, or three sizes; never what a file has.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  checkRecords,
  firstAccuracy,
  rangeOf,
  sizes,
  triedSizes,
} from "../../src/pages/studio/state/expected-accuracy.ts";
import { firstState } from "../../src/pages/studio/state/state.ts";
import { firstSample, samples } from "../../src/pages/studio/sample/samples.ts";

test("a forecast assumes no number of rows: three sizes are tried until one is said", () => {
  assert.equal(firstAccuracy.records, "");
  assert.deepEqual(triedSizes(firstAccuracy.records), [300, 3_000, 30_000]);
  assert.deepEqual(triedSizes("  "), sizes);
  assert.deepEqual(triedSizes("150"), [150]);
  assert.deepEqual(triedSizes("a few"), []);
  assert.deepEqual(checkRecords(""), {
    records: null,
    errors: [
      {
        field: "records",
        message: "Enter about how many rows there are, as is publicly known, such as 10,000.",
      },
    ],
  });
});

test("the sample's number is public, for it is made up", () => {
  assert.equal(firstState("light").accuracy.records, String(samples[firstSample].rows));
});

test("the range that is said is wider than what made-up rows lose", () => {
  const loss = (low: number, high: number) => ({ mean: (low + high) / 2, low, high });
  assert.deepEqual(rangeOf([loss(6, 8), loss(4, 7), loss(5, 10)]), [1, 22]);
  assert.deepEqual(rangeOf([loss(0.4, 60), loss(2, 3), loss(1, 2)]), [0, 100]);
  assert.equal(rangeOf([loss(6, 8), null, loss(5, 10)]), null, "not all strengths were tried");
});
