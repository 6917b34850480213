import assert from "node:assert/strict";
import test from "node:test";
import { outOfTime } from "./fuzz.mjs";

test("running out of time is no failure, a failing input is one", () => {
  assert.ok(
    outOfTime(
      "fuzz: elapsed: 3s, execs: 77732 (0/sec)\n--- FAIL: FuzzNumber (3.09s)\n    context deadline exceeded\nFAIL\n",
    ),
  );
  assert.ok(
    !outOfTime(
      "--- FAIL: FuzzNumber (0.40s)\n    --- FAIL: FuzzNumber (0.00s)\n    Failing input written to testdata/fuzz/FuzzNumber/ab\n    context deadline exceeded\n",
    ),
  );
  assert.ok(
    !outOfTime("--- FAIL: FuzzNumber (0.40s)\n    number_test.go:9: 1e400 was read\nFAIL\n"),
  );
});
