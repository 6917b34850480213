import assert from "node:assert/strict";
import { test } from "node:test";

import { check } from "../../src/pages/studio/draft/check.ts";
import { draftOf, type SchemaDraft } from "../../src/pages/studio/draft/draft.ts";
import {
  addColumn,
  changeColumn,
  changeLabel,
  chooseLabel,
  confirmAll,
} from "../../src/pages/studio/draft/edit.ts";
import { nameInFile, namesOf, withPlaces } from "../../src/pages/studio/draft/places.ts";
import { isMissing, treatAsMissing } from "../../src/pages/studio/draft/sentinels.ts";
import { unconfirmed } from "../../src/pages/studio/draft/learnt.ts";
import { notesOf, withNotes } from "../../src/pages/studio/notes/notes.ts";
import { calledIn } from "../../src/pages/studio/state/called.ts";
import { firstState, type Source, type State } from "../../src/pages/studio/state/state.ts";

const number = (name: string) => ({
  name,
  type: "numeric" as const,
  min: 0,
  max: 99,
  missing: "drop" as const,
  provenance: "suggested" as const,
});

/** As it is read from a file of six columns without a header: the third is of no use. */
const read = (): SchemaDraft =>
  withPlaces(
    draftOf({
      version: 1,
      features: [number("c1"), number("c2"), number("c4"), number("c12")],
      label: {
        name: "c5",
        negative: ["no"],
        positive: ["yes"],
        missing: "drop",
        provenance: "suggested",
      },
      rows: { norm: "clip" },
      intercept: 1,
      missing_values: [""],
    }),
  );

/** A name as it is typed, letter by letter. */
const type = (draft: SchemaDraft, id: string, name: string): SchemaDraft =>
  [...name].reduce((d, _, i) => changeColumn(d, id, { name: name.slice(0, i + 1) }), draft);

const source: Source = {
  id: 1,
  kind: "file",
  parts: [],
  names: ["rows.csv"],
  bytes: 0,
  header: "none",
};

test("a column keeps its place, whatever it is called on the way", () => {
  let draft = read();
  assert.equal(namesOf(draft), undefined);
  draft = type(draft, "c1", "c12 as it was");
  draft = type(draft, "c0", "age ");
  draft = changeLabel(draft, { name: "sick" });
  const none = Array.from({ length: 6 }, () => "");
  assert.deepEqual(namesOf(draft), ["age", "c12 as it was", "", "c4", "sick", ...none, "c12"]);
  assert.deepEqual(calledIn({ source, draft }), namesOf(draft));
  assert.equal(calledIn({ source: { ...source, header: "first" }, draft }), undefined);
  assert.deepEqual(
    check(draft).schema?.features.map((f) => f.name),
    ["age", "c12 as it was", "c4", "c12"],
  );

  // What is left out has no name, and may be called as another is.
  draft = changeColumn(draft, "c3", { include: false });
  draft = type(draft, "c1", "c12");
  assert.deepEqual(namesOf(draft), ["age", "c12", "", "c4", "sick"]);

  // The label and a column change places, each with its own.
  draft = chooseLabel(draft, "c0");
  assert.equal(draft.label.name.trim(), "age");
  assert.equal(nameInFile(draft.label), "c1");
  const former = draft.columns[0]!;
  assert.equal(former.name, "sick");
  draft = changeColumn(draft, former.id, { include: true });
  assert.deepEqual(namesOf(draft), ["age", "c12", "", "c4", "sick"]);

  // Who knows of a column more than the page found names it as the file does.
  draft = addColumn(draft);
  draft = type(draft, draft.columns.at(-1)!.id, "c3");
  assert.deepEqual(namesOf(draft), ["age", "c12", "c3", "c4", "sick"]);
});

test("a schema that is loaded keeps the places of what was named before", () => {
  const named = type(read(), "c0", "age");
  const schema = check(named).schema!;
  const loaded = withPlaces(draftOf(schema), named);
  assert.deepEqual(namesOf(loaded), namesOf(named));
  // Else the person says where a column stands.
  const bare = withPlaces(draftOf(schema));
  assert.equal(bare.columns[0]!.place, undefined);
  assert.deepEqual(namesOf(changeColumn(bare, bare.columns[0]!.id, { place: 1 })), namesOf(named));
});

test("two columns of one name, and one of none, are told", () => {
  const messages = (draft: SchemaDraft) => check(draft).errors.map(({ message }) => message);
  assert.deepEqual(messages(type(read(), "c0", "c2")), [
    "“c2” is listed twice. List each column once.",
  ]);
  assert.deepEqual(messages(changeColumn(read(), "c2", { name: " " })), [
    "Say what column 4 of the file is called. The name is published.",
  ]);
});

test("what was found in a column is told of it by its place", () => {
  const sentinel = {
    column: "c1",
    value: 99,
    spellings: ["99"],
    share: 0.1,
    min: 10,
    max: 80,
  };
  const draft = treatAsMissing(type(read(), "c0", "age"), sentinel, [sentinel]);
  assert.ok(isMissing(draft, sentinel));
  assert.equal(draft.columns[0]!.max, "80");
  assert.deepEqual(
    unconfirmed(confirmAll(draft)),
    ["age"],
    "its missing value was learnt from the rows",
  );
});

test("names are found again with the file", () => {
  let draft = type(read(), "c0", "age");
  draft = changeLabel(draft, { name: "sick" });
  const state: State = { ...firstState("light"), source, draft, origin: "read" };
  const notes = JSON.parse(JSON.stringify(notesOf(state)));
  const again = withNotes(read(), notes);
  assert.deepEqual(namesOf(again), namesOf(draft));
  assert.equal(again.columns.length, draft.columns.length);
  const chosen = chooseLabel(draft, "c1");
  const other = JSON.parse(JSON.stringify(notesOf({ ...state, draft: chosen })));
  assert.deepEqual(namesOf(withNotes(read(), other)), namesOf(chosen));
});
