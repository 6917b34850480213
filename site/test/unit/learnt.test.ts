// Spellings of a missing value that the rows gave away: they leave a mark in the schema.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Schema } from "../../src/client/types.ts";
import { firstCard } from "../../src/pages/studio/draft/card-draft.ts";
import { checkCard } from "../../src/pages/studio/draft/card-check.ts";
import { check } from "../../src/pages/studio/draft/check.ts";
import { draftOf, type SchemaDraft, textOf } from "../../src/pages/studio/draft/draft.ts";
import { changeColumn, changeRows, confirmAll } from "../../src/pages/studio/draft/edit.ts";
import { knewBeforehand, learntOf, unconfirmed } from "../../src/pages/studio/draft/learnt.ts";
import { treatAsMissing } from "../../src/pages/studio/draft/sentinels.ts";
import { notesOf } from "../../src/pages/studio/notes/notes.ts";
import { aboutEdit } from "../../src/pages/studio/state/history.ts";
import type { State } from "../../src/pages/studio/state/state.ts";

const numeric = (name: string) =>
  ({ name, type: "numeric", min: 0, max: 1000, missing: "drop", provenance: "suggested" }) as const;

const suggested: Schema = {
  version: 1,
  features: [numeric("age"), numeric("weight"), numeric("height")],
  label: { name: "ill", negative: ["0"], positive: ["1"], provenance: "suggested" },
  rows: { norm: "clip" },
  intercept: 0.5,
};

const sentinel = (column: string, value: number, spellings = [String(value)]) => ({
  ...{ column, value, spellings, share: 0.1, min: 20, max: 80 },
});

const all = [sentinel("age", 999, ["999", "999.0"]), sentinel("weight", 999), sentinel("age", -1)];
const before = draftOf(suggested);
const asked = treatAsMissing(before, all[0]!, all);

/** Names of what a schema says was read, and its spellings. */
function said(draft: SchemaDraft): { read: string[]; missing: readonly string[] } {
  const { schema } = check(draft);
  assert.ok(schema);
  return {
    read: [...schema.features, schema.label]
      .filter((f) => f.provenance === "suggested")
      .map((f) => f.name),
    missing: schema.missing_values ?? [],
  };
}

test("the columns that have it stay marked, until it was known beforehand", () => {
  assert.deepEqual(learntOf(asked), [
    { spelling: "999", columns: ["age", "weight"] },
    { spelling: "999.0", columns: ["age"] },
  ]);
  const confirmed = confirmAll(asked, undefined, "code book");
  assert.deepEqual(said(confirmed).read, ["age", "weight"], "all else was confirmed");
  assert.ok(!("reason" in check(confirmed).schema!.features[0]!), "the core would refuse it");
  assert.deepEqual(unconfirmed(confirmed), ["age", "weight"]);
  const replaced = changeColumn(asked, "c0", { min: "0.5", max: "120" });
  assert.ok(said(replaced).read.includes("age"), "new bounds say nothing of the spelling");
  const some = knewBeforehand(confirmed, learntOf(confirmed).slice(1));
  assert.deepEqual(said(some).read, ["age", "weight"], "of 999 nothing was said");
  const known = knewBeforehand(confirmed, learntOf(confirmed));
  assert.deepEqual(said(known).read, []);
  assert.deepEqual(unconfirmed(known), []);
  assert.deepEqual(said(known).missing, ["", "?", "NA", "999", "999.0"]);
  assert.equal(check(known).schema?.features[0]?.reason, "code book");
});

test("the label is marked as columns are", () => {
  const draft = treatAsMissing(before, sentinel("ill", -9), [sentinel("ill", -9)]);
  assert.deepEqual(said(confirmAll(draft)).read, ["ill"]);
});

test("it is not in the schema where no column that has it is used", () => {
  const out = (id: string, draft: SchemaDraft) => changeColumn(draft, id, { include: false });
  const one = confirmAll(out("c1", asked));
  assert.deepEqual(said(one), { read: ["age"], missing: ["", "?", "NA", "999", "999.0"] });
  const none = confirmAll(out("c0", out("c1", asked)));
  assert.deepEqual(said(none), { read: [], missing: ["", "?", "NA"] });
  const weight = confirmAll(out("c0", asked));
  assert.deepEqual(said(weight), { read: ["weight"], missing: ["", "?", "NA", "999"] });
});

test("it is not in a card's schema where no attribute has it", () => {
  const cardOf = (...chosen: string[]) => {
    const card = { ...firstCard, making: true, chosen };
    const { schema } = checkCard({ ...confirmAll(asked), card });
    assert.ok(schema);
    const read = schema.attributes.filter((a) => a.provenance === "suggested").map((a) => a.name);
    return { read, missing: schema.missing_values };
  };
  const missing = ["", "?", "NA"];
  assert.deepEqual(cardOf("c2"), { read: [], missing });
  assert.deepEqual(cardOf("c1", "c2"), { read: ["weight"], missing: [...missing, "999"] });
  assert.deepEqual(cardOf("c0"), { read: ["age"], missing: [...missing, "999", "999.0"] });
});

test("a schema that is taken in again says so still", () => {
  const again = confirmAll(draftOf(check(confirmAll(asked)).schema!));
  assert.deepEqual(said(again).read, ["age", "weight"], "nobody said that 999 was known");
  const known = knewBeforehand(again, learntOf(again));
  assert.deepEqual(said(known).read, []);
  assert.deepEqual(learntOf(draftOf(check(known).schema!)), [], "all of it is public");
});

test("a spelling that is taken out, or was there before, marks nothing", () => {
  const gone = changeRows(asked, { missingValues: "?" });
  assert.deepEqual(learntOf(gone), []);
  assert.deepEqual(said(confirmAll(gone)), { read: [], missing: ["", "?"] });
  assert.deepEqual(learntOf(treatAsMissing(gone, all[2]!, all)), [
    { spelling: "-1", columns: ["age"] },
  ]);
  const book = changeRows(before, { missingValues: textOf(["?", "999", "999.0"]) });
  assert.deepEqual(learntOf(treatAsMissing(book, all[0]!, all)), []);
});

test("it is one step back, and is not kept for the next visit", () => {
  const plain = changeRows(before, { missingValues: asked.missingValues });
  assert.equal(
    aboutEdit(plain, { ...plain, learnt: asked.learnt! }).about,
    "rows and missing values",
  );
  const bare = { ...before, missingValues: "?" };
  const label = { name: "w", columns: [] };
  assert.equal(
    aboutEdit(bare, { ...bare, missingValues: "9", learnt: [{ spelling: "9", ...label }] }).about,
    "rows and missing values",
  );
  const notes = notesOf({
    source: { kind: "file", names: ["a.csv"] },
    draft: confirmAll(asked),
    origin: "read",
    accuracy: {},
  } as unknown as State);
  assert.equal(notes?.rows.missingValues, "?\nNA");
  assert.ok(!JSON.stringify(notes).includes("999"));
});
