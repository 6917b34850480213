// The made-up tables: what the first step says of them is so, they keep to their code books, and
// an address names one.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";

import { check } from "../../src/pages/studio/draft/check.ts";
import { draftOf, withReasons } from "../../src/pages/studio/draft/draft.ts";
import { unconfirmed } from "../../src/pages/studio/draft/learnt.ts";
import { askedIn, linkTo, putIn } from "../../src/pages/studio/sample/address.ts";
import { type SampleName, sampleNames, samples } from "../../src/pages/studio/sample/samples.ts";
import { csvOf, reasonsOf, schemaOf, seeds, tables } from "../../src/pages/studio/sample/tables.ts";

/** The beginning of SHA-256 of the rows: other rows would be another table under the same name. */
const digests: Readonly<Record<SampleName, string>> = {
  stays: "93cc81897646c827",
  loans: "2f27671cf5aac609",
  species: "8ec2f740731861d3",
  wages: "654103c18bfa8746",
};

for (const name of sampleNames) {
  const table = tables[name];
  const facts = samples[name];
  const parts = [...csvOf(table, facts.rows, seeds.open)];
  const lines = parts.join("").trimEnd().split("\r\n");
  const rows = lines.slice(1).map((line) => line.split(","));
  const entries = [...table.columns, table.label];

  describe(facts.title, () => {
    test("is the same each time, in pieces of a thousand rows, and other rows with another seed", () => {
      const text = parts.join("");
      assert.equal([...csvOf(table, facts.rows, seeds.open)].join(""), text);
      assert.equal(parts.length, facts.rows / 1000);
      assert.equal(createHash("sha256").update(text).digest("hex").slice(0, 16), digests[name]);
      const others = [...csvOf(table, 1000, seeds.heldOut)].join("").trimEnd().split("\r\n");
      const here = new Set(lines.slice(1));
      const again = others.slice(1).filter((line) => here.has(line)).length;
      assert.ok(again < 50, `${again} of 1,000 are the same`);
    });

    test("has as many rows and columns as is said, and predicts the column that is said", () => {
      assert.equal(rows.length, facts.rows);
      assert.deepEqual(
        lines[0]!.split(","),
        entries.map((e) => e.name),
      );
      assert.ok(rows.every((row) => row.length === facts.columns));
      const { label } = table;
      const what =
        "min" in label
          ? "a number"
          : "classes" in label
            ? `one of ${["two", "three", "four"][label.classes.length - 2]}`
            : "yes or no";
      assert.deepEqual(facts.predicts, [label.name, what]);
    });

    test("keeps to its code book, so nothing in the schema was read from the rows", () => {
      for (const [j, entry] of entries.entries()) {
        const values = rows.map((row) => row[j]!);
        if ("min" in entry) {
          const { min, max, digits = 0 } = entry;
          const numbers = values.map(Number);
          assert.ok(
            numbers.every((x) => x >= min && x <= max && Number(x.toFixed(digits)) === x),
            entry.name,
          );
          // A bound that cuts much off, or is far away, would be a bad example.
          const cut = numbers.filter((x) => x === max).length / rows.length;
          assert.ok(cut < 0.05, `${entry.name}: ${cut} at the upper bound`);
          assert.ok(new Set(numbers).size > 4, entry.name);
        } else {
          const known =
            "categories" in entry
              ? entry.categories
              : "classes" in entry
                ? entry.classes
                : [entry.negative, entry.positive];
          for (const one of known) {
            const share = values.filter((x) => x === one).length / rows.length;
            assert.ok(share > 0.05, `${entry.name}: ${one} is ${share} of all`);
          }
          assert.ok(
            values.every((x) => known.includes(x)),
            entry.name,
          );
        }
      }
    });

    test("is described whole, each entry public and for a reason", () => {
      const draft = withReasons(draftOf(schemaOf(table)), reasonsOf(table));
      assert.deepEqual(check(draft).errors, []);
      assert.deepEqual(unconfirmed(draft), []);
      for (const entry of [...draft.columns, draft.label]) {
        assert.ok((entry.reason ?? "").length > 10, `${entry.name} has no reason`);
        assert.doesNotMatch(entry.reason!, /[.]$/, "the page ends the sentence");
      }
    });
  });
}

describe("an address", () => {
  test("names a table, or none, or one that there is not", () => {
    assert.deepEqual(askedIn(""), { sample: "stays", unknown: null });
    assert.deepEqual(askedIn("?other=1"), { sample: "stays", unknown: null });
    for (const name of sampleNames)
      assert.deepEqual(askedIn(linkTo(name).replace(/#.*/, "")), { sample: name, unknown: null });
    for (const [search, unknown] of [
      ["?sample=wage", "wage"],
      ["?sample=", ""],
      ["?sample=toString", "toString"],
      ["?sample=%E2%82", "�"],
      ["?sample=<b>", "<b>"],
    ] as const)
      assert.deepEqual(askedIn(search), { sample: "stays", unknown });
  });

  test("is given the open table, keeps what else it has, and loses it for a file", () => {
    const put = (from: string, sample: SampleName | null) => {
      const url = new URL(from, "https://example.org/studio/");
      putIn(url, sample);
      return url.href.slice("https://example.org/studio/".length);
    };
    assert.equal(put("#budget", "stays"), "#budget");
    assert.equal(put("?sample=stays#budget", "stays"), "?sample=stays#budget");
    assert.equal(put("?sample=nothing#data", "stays"), "?sample=stays#data");
    assert.equal(put("?a=1#fit", "wages"), "?a=1&sample=wages#fit");
    assert.equal(put("?a=1&sample=wages#fit", null), "?a=1#fit");
  });
});
