import assert from "node:assert/strict";
import test from "node:test";
import { tooLong } from "./format.mjs";

test("a comment past column 100 is told of, unless it is laid out by itself or one word", () => {
  const words = (length) => "word ".repeat(40).slice(0, length - 1) + ".";
  assert.deepEqual(tooLong(`// ${words(97)}\n// ${words(98)}\n`), [2]);
  assert.deepEqual(tooLong(` * ${words(97)}\n * ${words(98)}\n`), [2]);
  assert.deepEqual(
    tooLong(`\t\t// ${words(89)}\n\t\t// ${words(90)}\n`),
    [2],
    "a tab is four columns",
  );
  assert.deepEqual(tooLong(`  // ${"x".repeat(200)}\n`), []);
  assert.deepEqual(tooLong(`//\ta table   ${words(120)}\n`), []);
  assert.deepEqual(tooLong(`const a = ${"2.25 + ".repeat(40)}3;\n`), [], "code is the formatters'");
});
