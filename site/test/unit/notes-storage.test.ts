// What an earlier visit left in the browser's storage, and what is done about notes of an earlier
// version of the page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Autosave } from "../../src/pages/studio/notes/autosave.ts";
import { take } from "../../src/pages/studio/notes/storage.ts";
import { firstNotes, type NotesState } from "../../src/pages/studio/state/notes.ts";
import { firstState } from "../../src/pages/studio/state/state.ts";

const kept = new Map<string, unknown>();

/** A database of one table. What is asked of it is done at once, and said to be soon. */
Object.assign(globalThis, {
  indexedDB: {
    open() {
      const objects = {
        get: (key: string) => ({ result: structuredClone(kept.get(key)) }),
        delete: (key: string) => ({ result: void kept.delete(key) }),
      };
      const result = {
        transaction() {
          const transaction: { oncomplete?: () => void; objectStore: () => typeof objects } = {
            objectStore: () => objects,
          };
          setTimeout(() => transaction.oncomplete!());
          return transaction;
        },
        close() {},
      };
      const opening: { result: typeof result; onsuccess?: () => void } = { result };
      setTimeout(() => opening.onsuccess!());
      return opening;
    },
  },
});

test("notes of an earlier version are gone once they were found, and that is said", async () => {
  const old = { version: 1, names: ["people.csv"], columns: [{ name: "age", max: "91.75" }] };
  kept.set("last", old).set("pledges", { a: "all" });
  let notes: NotesState = firstNotes;
  const begun = new Autosave({
    get: () => firstState("light"),
    set: (change) => (notes = { ...notes, ...change }),
    announce() {},
  });
  await begun.begin();
  assert.deepEqual(notes, { found: null, keeping: "on", outdated: true });
  assert.deepEqual([...kept.keys()], ["pledges"], "what was promised stays");
  assert.equal(await take(), null);
});

test("notes of a later version are left for it", async () => {
  const later = { version: 3 };
  kept.set("last", later);
  assert.equal(await take(), null);
  assert.deepEqual(kept.get("last"), later);
});

test("notes of this version are found, and stay", async () => {
  const mine = { version: 2, names: ["people.csv"] };
  kept.set("last", mine);
  assert.deepEqual(await take(), mine);
  assert.deepEqual(kept.get("last"), mine);
});
