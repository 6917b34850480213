import assert from "node:assert/strict";
import { test } from "node:test";

import type { Schema } from "../../src/client/types.ts";
import { draftOf, type SchemaDraft } from "../../src/pages/studio/draft/draft.ts";
import {
  changeColumn,
  changeKind,
  changeLabel,
  chooseLabel,
  confirmLabel,
  decide,
} from "../../src/pages/studio/draft/edit.ts";
import { provenanceOf, sourceOf } from "../../src/pages/studio/draft/source.ts";
import { notesOf, withNotes } from "../../src/pages/studio/notes/notes.ts";
import {
  askedOf,
  firstState,
  settingsKey,
  type State,
} from "../../src/pages/studio/state/state.ts";

/** As it is read from a file: the values are the file's, and secret. */
const read: Schema = {
  features: [
    {
      name: "age",
      type: "numeric",
      min: 17.25,
      max: 91.75,
      missing: "drop",
      provenance: "suggested",
    },
    {
      name: "ward",
      type: "categorical",
      categories: ["Ward-A", "Ward-B"],
      missing: "drop",
      unknown: "error",
      provenance: "suggested",
    },
    {
      name: "weight",
      type: "numeric",
      min: 41.5,
      max: 133.5,
      missing: "drop",
      provenance: "suggested",
    },
  ],
  label: {
    name: "ill",
    negative: ["healthy-one"],
    positive: ["ill-one"],
    missing: "drop",
    provenance: "suggested",
  },
  rows: { norm: "clip" },
  intercept: 1,
  missing_values: ["", "?", "NA"],
} as unknown as Schema;

const fresh = () => draftOf(read);

function noted(draft: SchemaDraft, change: Partial<State> = {}) {
  const state: State = {
    ...firstState("light"),
    source: { id: 2, kind: "file", parts: [], names: ["people.csv"], bytes: 10 },
    draft,
    origin: "read",
    ...change,
  };
  return notesOf(state);
}

test("nothing is kept of what the file gave away of a type that a column is not", () => {
  const taken = (draft: SchemaDraft, id: string, change: Parameters<typeof changeColumn>[2]) =>
    changeColumn(changeColumn(draft, id, { type: change.type! }), id, change);
  const ward = taken(fresh(), "c1", { type: "numeric", min: "1", max: "2" });
  const age = decide(taken(ward, "c0", { type: "categorical", categories: "a" }), "c0", "public");
  const label = changeLabel(changeKind(age, "numeric"), { min: "0", max: "3" });
  const notes = noted(confirmLabel(label, true));
  const text = JSON.stringify(notes);
  for (const secret of ["Ward-", "17.25", "91.75", "healthy-one", "ill-one"])
    assert.ok(!text.includes(secret), secret);
  const [first, second] = withNotes(fresh(), notes!).columns;
  assert.deepEqual([first!.type, first!.categories], ["categorical", "a"]);
  assert.deepEqual([second!.type, second!.min, second!.max], ["numeric", "1", "2"]);
});

test("nothing that was read from the file is kept", () => {
  const kept = JSON.stringify(noted(fresh()));
  for (const secret of ["17.25", "91.75", "41.5", "133.5", "Ward-A", "healthy-one", "ill-one"])
    assert.ok(!kept.includes(secret), `${secret} in ${kept}`);
  assert.deepEqual(JSON.parse(kept).columns, []);

  // Not where a rule names a category of the file's, nor when the label is another column.
  const ruled = changeColumn(fresh(), "c1", { missing: { action: "category", value: "Ward-A" } });
  assert.ok(!JSON.stringify(noted(ruled)).includes("Ward-A"));
  assert.ok(!/healthy-one|ill-one|Ward-/.test(JSON.stringify(noted(chooseLabel(fresh(), "c1")))));
});

test("what hints at a copy of the label goes into nothing that is kept or asked", () => {
  const told = {
    lookalikes: {
      about: "secret-key",
      columns: ["age", "ward", "weight"],
      found: [{ column: "ward", share: 0.987654 }],
    },
  };
  // That it was kept is said of a field, as when it is left.
  const touched = new Set(["lookalike-ward-ill"]);
  const { time: _, ...plain } = noted(fresh())!;
  const { time: __, ...hinted } = noted(fresh(), { ...told, touched })!;
  assert.deepEqual(hinted, plain);
  const state: State = { ...firstState("light"), draft: fresh() };
  assert.equal(settingsKey({ ...state, ...told, touched }), settingsKey(state));
  assert.deepEqual(askedOf({ ...state, ...told, touched }), askedOf(state));
});

test("the sample, and a page without a description, leave nothing", () => {
  assert.equal(notesOf(firstState("light")), null);
  assert.equal(noted(fresh(), { draft: null }), null);
});

test("what the person entered is there again over what is read anew", () => {
  let draft = fresh();
  draft = changeColumn(draft, "c0", { min: "0", max: "120" });
  draft = decide(draft, "c1", "public");
  draft = changeColumn(draft, "c2", { include: false });
  draft = confirmLabel(draft, true);
  const { budget, accuracy } = firstState("light");
  const state = {
    budget: { ...budget, epsilon: "0.7" },
    accuracy: { ...accuracy, records: "40,000" },
  };
  const notes = JSON.parse(JSON.stringify(noted(draft, state)));
  assert.equal(notes.budget.epsilon, "0.7");
  assert.equal(notes.records, "40,000");
  const again = withNotes(fresh(), notes);
  assert.deepEqual(again, draft);
  // Confirming can still be taken back: what the file says is read from the file.
  assert.equal(sourceOf(again.columns[1]!).read!.categories, "Ward-A\nWard-B");

  // The file has changed meanwhile: what is known of it stands, what is not is read from it.
  const later = draftOf({
    ...read,
    features: [read.features[1]!, { ...read.features[0]!, max: 99 }],
  } as Schema);
  const merged = withNotes(later, notes);
  assert.deepEqual(
    merged.columns.map((c) => [c.name, c.max, provenanceOf(c)]),
    [
      ["ward", "", "public"],
      ["age", "120", "public"],
    ],
  );
});

test("what is known has no rule of the file's where the note has none", () => {
  const rule = { action: "category", value: "gone" } as const;
  const known = changeColumn(decide(fresh(), "c1", "public"), "c1", { missing: rule });
  const again = withNotes(fresh(), noted(known)!);
  assert.equal(provenanceOf(again.columns[1]!), "public");
  assert.equal(again.columns[1]!.missing.action, "indicator");
});

test("another label is chosen again", () => {
  const draft = chooseLabel(fresh(), "c1");
  const again = withNotes(fresh(), noted(draft)!);
  assert.equal(again.label.name, "ward");
  assert.deepEqual(
    again.columns.map((c) => [c.name, c.include]),
    draft.columns.map((c) => [c.name, c.include]),
  );
});

test("a description that owes nothing to the file is kept whole", () => {
  const known = draftOf({
    ...read,
    features: read.features.map((f) => ({ ...f, provenance: "public" })),
    label: { ...read.label, provenance: "public" },
  } as Schema);
  const notes = noted(known, { origin: "imported" })!;
  assert.deepEqual(notes.whole, { draft: known, origin: "imported" });
  assert.equal(noted(confirmLabel(fresh(), true))!.whole, undefined);
});
