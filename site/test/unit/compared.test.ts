import assert from "node:assert/strict";
import { test } from "node:test";

import type { Expectation } from "../../src/client/types.ts";
import {
  better,
  type Compared,
  privately,
  spread,
  type Trials,
} from "../../src/pages/studio/state/compared.ts";

const of = (scores: readonly (number | null)[]): readonly Expectation[] =>
  scores.map((score) => ({ plain: 0.9, known: 0.5, private: [score] }));
const all = (scores: readonly (number | null)[]): Trials => ({
  weak: of(scores),
  medium: of(scores),
  strong: of(scores),
});
const compared = (trials: Compared["trials"]): Compared => ({
  key: "k",
  trials,
  takes: {},
  each: {},
  problem: null,
});
/** Trials differ by much more than ways do. */
const usual = [0.6, 0.7, 0.8, 0.65, 0.75];

test("what is clear is a difference in the same trials, not of means", () => {
  const more = usual.map((x, i) => x + 0.02 + 0.001 * (i % 2));
  const gain = better(
    compared({ amp: all(usual), dpgd: all(more), outpert: all(usual.map((x) => x - 0.1)) }),
    "amp",
  );
  assert.equal(gain?.way, "dpgd");
  assert.ok(Math.abs(gain.gain - 0.0204) < 1e-9);
});

test("what luck may do, or hardly matters, is not called better", () => {
  assert.equal(
    better(
      compared({
        amp: all(usual),
        dpgd: all(usual.map((x, i) => x + [0.1, -0.05, 0.08, -0.04, 0.02][i]!)),
      }),
      "amp",
    ),
    null,
  );
  assert.equal(
    better(compared({ amp: all(usual), dpgd: all(usual.map((x) => x + 0.002)) }), "amp"),
    null,
  );
});

test("nothing is said before four trials, nor of a way that no noise gives", () => {
  assert.equal(better(compared({}), "amp"), undefined);
  assert.equal(
    better(
      compared({ amp: all(usual.slice(0, 3)), dpgd: all(usual.slice(0, 3).map((x) => x + 0.1)) }),
      "amp",
    ),
    undefined,
  );
  assert.equal(
    better(compared({ amp: all(usual), "amp-paper": all([null, null, null, null, null]) }), "amp"),
    undefined,
  );
});

test("what is compared with is the usual way, whichever it is", () => {
  const trials = { amp: all(usual), steps: all(usual.map((x) => x + 0.05)) };
  assert.equal(better(compared(trials), "amp")?.way, "steps");
  assert.equal(better(compared(trials), "steps"), null);
});

test("a spread leaves a tenth out at either end", () => {
  assert.equal(spread([]), null);
  assert.deepEqual(spread([0, 10, 5]), { mean: 5, low: 1, high: 9 });
  assert.equal(privately(of([null])), null);
});
