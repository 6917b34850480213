// Texts of files among words of ours.

import assert from "node:assert/strict";
import { test } from "node:test";
import { escaped } from "../../src/chart/escaped.ts";
import { CloisterError } from "../../src/client/error.ts";
import { straight } from "../../src/client/straight.ts";

const turning = "\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

test("nothing in a text turns a line round, or ends it", () => {
  const numbers = [...turning].map((c) => `\\u${c.charCodeAt(0).toString(16)}`).join("");
  assert.equal(straight(`a${turning}b`), `a${numbers}b`);
  assert.equal(escaped(`<${turning}>`), `&lt;${numbers}&gt;`);
  assert.equal(
    new CloisterError("release", `It says ${turning} twice.`).message,
    `It says ${numbers} twice.`,
  );
  for (const plain of ["Größe (cm)", "שם", "نام‌خانوادگی", "a\u200fb", "🙂"])
    assert.equal(straight(plain), plain);
});
