import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { draftOf, type SchemaDraft } from "../../src/pages/studio/draft/draft.ts";
import { unconfirmed } from "../../src/pages/studio/draft/learnt.ts";
import {
  addColumn,
  changeColumn,
  changeLabel,
  changeRows,
  confirmAll,
  decide,
  putBought,
} from "../../src/pages/studio/draft/edit.ts";
import { provenanceOf } from "../../src/pages/studio/draft/source.ts";
import { stays } from "../../src/pages/studio/sample/stays.ts";
import { schemaOf } from "../../src/pages/studio/sample/table.ts";
import {
  aboutEdit,
  doneAgain,
  edited,
  firstHistory,
  type History,
  takenBack,
} from "../../src/pages/studio/state/history.ts";

const sampleSchema = schemaOf(stays);
const first = draftOf(sampleSchema);
/** A table of which all was read from a file. */
const read = draftOf({
  ...sampleSchema,
  features: sampleSchema.features.map((f) => ({ ...f, provenance: "suggested" as const })),
  label: { ...sampleSchema.label, provenance: "suggested" },
});

/** Goes through edits, as the editor does. */
function after(edits: readonly ((d: SchemaDraft) => SchemaDraft)[], from = first) {
  let [draft, history]: [SchemaDraft, History] = [from, firstHistory];
  for (const edit of edits) {
    const next = edit(draft);
    history = edited(history, draft, next, "sample");
    draft = next;
  }
  return { draft, history };
}

const typed =
  (max: string) =>
  (d: SchemaDraft): SchemaDraft =>
    changeColumn(d, "c0", { max });

describe("edits of the description", () => {
  test("are taken back one by one, and done again, to the very same drafts", () => {
    const { draft, history } = after([
      typed("120"),
      (d) => changeColumn(d, "c1", { include: false }),
      addColumn,
    ]);
    const drafts: SchemaDraft[] = [draft];
    let now = { draft, origin: "sample" as const, history };
    for (let i = 0; i < 3; i++) {
      const found = takenBack(now.history, now)!;
      now = { ...found, origin: "sample" };
      drafts.unshift(now.draft);
    }
    assert.equal(now.draft, first);
    assert.equal(takenBack(now.history, now), null, "there is nothing before the first");
    for (const draft of drafts.slice(1)) {
      now = { ...doneAgain(now.history, now)!, origin: "sample" };
      assert.equal(now.draft, draft);
    }
    assert.equal(doneAgain(now.history, now), null);
  });

  test("typing in one field is one; another field, or a tick, is one of its own", () => {
    const { history } = after([typed("1"), typed("12"), typed("120")]);
    assert.equal(history.past.length, 1);
    const both = after([typed("12"), (d) => changeColumn(d, "c0", { min: "1" }), typed("13")]);
    assert.equal(both.history.past.length, 3);
    const ticks = after([
      (d) => changeColumn(d, "c0", { include: false }),
      (d) => changeColumn(d, "c0", { include: true }),
    ]);
    assert.equal(ticks.history.past.length, 2);
  });

  test("a new one ends what could be done again", () => {
    const { draft, history } = after([typed("120")]);
    const back = takenBack(history, { draft, origin: "sample" })!;
    assert.equal(back.history.future.length, 1);
    assert.equal(
      edited(back.history, back.draft, addColumn(back.draft), "sample").future.length,
      0,
    );
  });

  test("say what they were about", () => {
    assert.deepEqual(aboutEdit(first, typed("120")(first)), { about: "age", field: "c0.max" });
    assert.equal(aboutEdit(first, changeLabel(first, { positive: "y" })).field, "label.positive");
    assert.equal(
      aboutEdit(first, changeRows(first, { norm: "unit" })).about,
      "rows and missing values",
    );
    assert.equal(aboutEdit(read, confirmAll(read)).about, "10 columns");
    assert.equal(aboutEdit(read, confirmAll(read, new Set(["c0"]))).about, "age");
  });
});

describe("a reason", () => {
  test("is kept with the chosen entries, and with no other", () => {
    const draft = confirmAll(read, new Set(["c0", "label"]), " code book ");
    assert.equal(draft.columns[0]!.reason, "code book");
    assert.equal(draft.label.reason, "code book");
    assert.deepEqual(
      unconfirmed(draft),
      sampleSchema.features.slice(1).map((f) => f.name),
    );
    assert.ok(draft.columns.slice(1).every((c) => c.reason === undefined));
  });

  test("does not make public what was decided otherwise", () => {
    const wish = decide(read, "c0", "accept");
    const draft = confirmAll(wish, new Set(["c0", "c1"]), "code book");
    assert.equal(provenanceOf(draft.columns[0]!), "suggested");
    assert.equal(draft.columns[0]!.reason, undefined);
    assert.equal(provenanceOf(draft.columns[1]!), "public");
  });

  test("says that a column is public while it stands there, unless it was said otherwise too", () => {
    const why = (d: SchemaDraft, reason: string) => changeColumn(d, "c0", { reason });
    const given = why(read, "p");
    assert.equal(provenanceOf(given.columns[0]!), "public");
    assert.equal(
      provenanceOf(why(given, "  ").columns[0]!),
      "suggested",
      "a stray letter says nothing",
    );
    const said = decide(given, "c0", "public");
    assert.equal(provenanceOf(why(said, "").columns[0]!), "public");
    const paid = { charge: "c", epsilon: 1, min: "5", max: "6" };
    const bought = putBought(read, "c0", paid);
    assert.equal(provenanceOf(why(bought, "p").columns[0]!), "bought");
  });
});
