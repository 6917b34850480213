// Names that want to be code, in the programs that a release is written as: they stay names, also
// in comments, where a line's end is all it takes.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import type { AnyLabel, Release } from "../../src/client/types.ts";
import { code, type Language, languages } from "../../src/pages/studio/result/publish/code.ts";

const breaks = ["\n", "\r", "\u2028", "\u2029", "\u0085", "\v", "\f", "\u001b[2K", '"""', "*/"];
const payloads = [
  "globalThis.pwned = true //",
  "import sys; sys.exit(66) #",
  "func init() { panic(66) } //",
];
const evil = breaks.flatMap((line) => payloads.map((run) => `x${line}${run}${line}y\\"\`\${1}`));

const release = (name: string, library: string): Release<AnyLabel> =>
  ({
    format: "cloister-release",
    version: 4,
    library,
    schema: {
      version: 1,
      features: [
        { name, type: "numeric", min: 0, max: 1, provenance: "public" },
        { name: `${name}2`, type: "categorical", categories: [name], provenance: "public" },
      ],
      label: { name, negative: [`${name}3`], positive: [name], provenance: "public" },
      rows: { norm: "clip" },
      intercept: 0.5,
      missing_values: ["", name],
    },
    event: { mechanism: "gaussian" },
    guarantee: { adjacency: "add-remove", epsilon: 1, delta: 1e-5 },
    model: { loss: "logistic", coefficients: [1, 2, 3], intercept: 0 },
  }) as unknown as Release<AnyLabel>;

const turning = ["a\u202eb", "a\u2066b"];
const unseen = ["\u200b", "\u00ad", "\ufeff", "\u034f", "\u115f", "\u3164", "\ufe0f"]
  .concat(["\u{1d173}", "\u{e0001}", "\u{e0041}", "\u{e0100}"])
  .map((sign) => `a${sign}b`);

test("nothing in a name ends a line of a program, turns it round, or is not seen", async () => {
  for (const name of [...evil, ...turning, ...unseen]) {
    for (const language of Object.keys(languages) as Language[]) {
      const text = code(release(name, name), language);
      assert.doesNotMatch(
        text,
        /[^\P{C}\n\t]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
        language,
      );
      const plain = code(release("x", "0"), language);
      assert.equal(
        text.split("\n").length,
        plain.split("\n").length,
        `${language}: ${JSON.stringify(name)}`,
      );
    }
    // It is a module, and the name is in it as it was.
    const text = code(release(name, name), "javascript");
    const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
      predict(record: Record<string, unknown>): { label: string };
    };
    assert.equal(module.predict({ [name]: 1, [`${name}2`]: name }).label, name);
    assert.ok(!("pwned" in globalThis));
  }
});

test("Python reads them as names", (t) => {
  const programs = [...evil, ...unseen].map((name) => [name, code(release(name, name), "python")]);
  const run = spawnSync(
    "python3",
    [
      "-c",
      `import json, sys
for name, program in json.load(sys.stdin):
    module = {}
    exec(program, module)
    assert module["predict"]({name: 1, name + "2": name})["label"] == name, repr(name)`,
    ],
    {
      input: JSON.stringify(programs),
    },
  );
  if (run.error) return t.skip("no python3 here");
  assert.equal(run.status, 0, run.stderr.toString());
});
