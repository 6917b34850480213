import assert from "node:assert/strict";
import test from "node:test";
import { tooLong, tooLongGo } from "./format.mjs";

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

test("a line of Go past column 100 is told of, unless a table or a text makes it so", () => {
  const sum = (length) => `\tx := ${"2.25 + ".repeat(40)}`.slice(0, length - 4) + "3";
  assert.deepEqual(tooLongGo(`${sum(100)}\n${sum(101)}\n`), [2]);
  assert.deepEqual(tooLongGo(`\t\treturn errors.New("${"word ".repeat(40)}")\n`), []);
  assert.deepEqual(tooLongGo(`\t\treturn f("${"word ".repeat(40)}", ${"x, ".repeat(40)}y)\n`), [1]);
  assert.deepEqual(
    tooLongGo(`\t{${"2.25, ".repeat(40)}3},\n\t"one": {${"1, ".repeat(80)}},\n`),
    [],
  );
  assert.deepEqual(tooLongGo(`x := \`\n${"word".repeat(40)}\n\`\n${sum(101)}\n`), [4]);
  assert.deepEqual(tooLongGo(`// ${"word ".repeat(40)}\n`), [], "a comment is tooLong's");
});
