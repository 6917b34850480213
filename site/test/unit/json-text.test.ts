// What JSON.parse does not say of a text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { survey, utf8 } from "../../src/client/json-text.ts";

test("a name given twice is found wherever it stands, and one given in two objects is not", () => {
  for (const [text, twice] of [
    ['{"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": 4}]}', undefined],
    ['{"a": 1, "a": 1}', "a"],
    ['{"a": {"b": [0, {"c": 1, "d": "c", "c": 2}]}}', "a.b[1].c"],
    // The same name in two spellings.
    ['{"epsilon": 1, "\\u0065psilon": 2}', "epsilon"],
    ['{"a": "b", "b": "a", "c": "{\\"a\\": 1, \\"a\\": 2}"}', undefined],
    ['["a", "a", {"a": ["a", "a"]}]', undefined],
    ["[]", undefined],
    ["7", undefined],
  ] as const) {
    JSON.parse(text);
    assert.deepEqual(survey(text), { cut: false, ...(twice !== undefined && { twice }) }, text);
  }
});

test("a number beyond all that a program counts with is found wherever it stands", () => {
  for (const [text, beyond] of [
    ['{"evaluation": {"epsilon": 2e400}}', "evaluation.epsilon"],
    ['{"a": [1e308, -1e309, 1e400]}', "a[1]"],
    [`{"a": ${"9".repeat(400)}.5, "b": "1e400"}`, "a"],
    ['{"a": 1e-400, "b": "1e400", "1e400": 1.7976931348623157e308, "c": [true, null]}', undefined],
    ["1e400", ""],
  ] as const) {
    JSON.parse(text);
    assert.deepEqual(survey(text), { cut: false, ...(beyond !== undefined && { beyond }) }, text);
  }
});

test("every beginning of a document is cut, but for the whole", () => {
  const text = '{"a": [1, {"b": "}\\""}], "c": "d"}';
  for (let i = 1; i < text.length; i++)
    assert.equal(survey(text.slice(0, i)).cut, true, text.slice(0, i));
  assert.equal(survey(text).cut, false);
});

test("bytes that are not UTF-8 are no text, and a byte order mark is not part of one", () => {
  const bytes = (...list: number[]) => utf8(new Uint8Array(list));
  assert.equal(bytes(0x61, 0xc3, 0xa4), "aä");
  assert.equal(bytes(0xef, 0xbb, 0xbf, 0x61), "a");
  for (const list of [
    [0xff],
    [0xc0, 0x80],
    [0xe4, 0x61],
    [0xed, 0xa0, 0x80],
    [0xff, 0xfe, 0x61, 0],
  ])
    assert.equal(bytes(...list), undefined, String(list));
});
