import assert from "node:assert/strict";
import test from "node:test";
import { Tally } from "./gotest.mjs";

function tally(events) {
  const t = new Tally();
  for (const event of events)
    t.line(typeof event === "string" ? event : JSON.stringify({ Package: "p", ...event }));
  return t.result();
}

test("passes, skips and failures are counted, a failing subtest once", () => {
  const result = tally([
    { Action: "pass", Test: "TestA" },
    { Action: "output", Test: "TestB/x", Output: "    b_test.go:7: 1 is not 2\n" },
    { Action: "fail", Test: "TestB/x" },
    { Action: "pass", Test: "TestB/y" },
    { Action: "fail", Test: "TestB" },
    { Action: "output", Test: "TestC", Output: "    c_test.go:3: no data here\n" },
    { Action: "skip", Test: "TestC" },
    { Action: "fail" },
  ]);
  assert.equal(result.passed, 2);
  assert.equal(result.failed, 1);
  assert.ok(result.say.includes("FAIL  p TestB/x"));
  assert.ok(result.say.some((line) => line.includes("1 is not 2")));
  assert.ok(result.say.includes("skip  p TestC: no data here"));
});

test("a test that never ended, and a package that did not build, are failures", () => {
  assert.equal(tally([{ Action: "run", Test: "TestHangs" }, { Action: "fail" }]).failed, 1);
  const broken = tally([
    { Action: "build-output", Output: "x.go:1:1: expected 'package'\n" },
    { Action: "fail" },
  ]);
  assert.equal(broken.failed, 1);
  assert.ok(broken.say.some((line) => line.includes("expected 'package'")));
});
