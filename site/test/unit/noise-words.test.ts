// The numbers of <noise-chooser> as its sentence and its picture have them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { questionOf, safely } from "../../src/elements/noise-questions.ts";
import { noiseSentence, shown } from "../../src/elements/noise-words.ts";

const hard = (text: string) => text.replaceAll(" ", "\u00a0");

test("a number has all its digits, whatever its size", () => {
  const cases: [number, string][] = [
    [0, "0"],
    [0.1, "0.1"],
    [1.0000004, "1.0000004"],
    [12345.678, "12,345.678"],
    [1e-5, "10⁻⁵"],
    [1.234e-6, "1.234 × 10⁻⁶"],
    [1234567, "1.234567 × 10⁶"],
    [Infinity, "∞"],
  ];
  for (const [x, text] of cases) assert.equal(shown(x), hard(text));
});

test("the sentence promises no more than what was found", () => {
  const question = questionOf((name) =>
    name === "mechanism" ? "gaussian" : name === "adjacency" ? "add-remove" : null,
  );
  for (const exact of [1.2341e-6, 9.8764e-7, 0.00012344]) {
    const delta = safely(exact, true);
    const text = noiseSentence(question, "delta", 1.0000004, delta, delta);
    assert.ok(text.includes(hard("ε = 1.0000004 ").trimEnd()), text);
    const [, digits, power] = /δ.=.([\d.]+).×.10⁻(.)/u.exec(text)!;
    const told = Number(`${digits}e-${"⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(power!)}`);
    assert.ok(told >= exact && told <= exact * 1.001, `${exact}: ${text}`);
  }
});

test("the sentence says between which data sets", () => {
  for (const [adjacency, words] of [
    ["add-remove", "This compares data with and without one record."],
    ["replace-one", "This compares data before and after one record is replaced."],
  ] as const) {
    const question = questionOf((name) => (name === "adjacency" ? adjacency : null));
    for (const [find, answer] of [
      ["sigma", 4],
      ["epsilon", 1],
      ["epsilon", Infinity],
      ["delta", 1e-5],
    ] as const)
      assert.ok(noiseSentence(question, find, 1, 1e-5, answer).endsWith(words), find);
  }
});
