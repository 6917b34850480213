// Keeps the last note, and the promise made before a look at private figures, in this browser's
// IndexedDB. Without IndexedDB they are not kept, and nothing else changes.

import { type Pledge, standing } from "../state/choices.ts";
import type { Notes } from "../state/notes.ts";

const [base, table, key, promised] = ["cloister-notes", "notes", "last", "pledges"];

function inStorage<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(base, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(table);
    opening.onblocked = opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const db = opening.result;
      const transaction = db.transaction(table, mode);
      const request = ask(transaction.objectStore(table));
      transaction.oncomplete = () => (db.close(), resolve(request.result));
      transaction.onabort = () => (db.close(), reject(transaction.error));
    };
  });
}

export async function put(notes: Notes): Promise<void> {
  await inStorage("readwrite", (store) => store.put(notes, key));
}

/**
 * What an earlier visit left. What an earlier version of the page left is deleted: it may have
 * values of the rows in it. What a later version left stays, for that.
 */
export async function take(): Promise<Notes | "outdated" | null> {
  const found = (await inStorage<unknown>("readonly", (store) => store.get(key))) as
    { readonly version: number } | undefined;
  if (!found || found.version > 2) return null;
  if (found.version === 2) return found as Notes;
  await empty();
  return "outdated";
}

export async function empty(): Promise<void> {
  await inStorage("readwrite", (store) => store.delete(key));
}

/** What was promised, by the account of the rows. */
export async function pledges(): Promise<Readonly<Record<string, Pledge>>> {
  return (
    ((await inStorage<unknown>("readonly", (store) => store.get(promised))) as
      Readonly<Record<string, Pledge>> | undefined) ?? {}
  );
}

/**
 * Keeps one more, for rows that have all these names, and says which stands: what was promised
 * before under one of them, or this.
 */
export async function promise(rows: Iterable<string>, pledge: Pledge): Promise<Pledge> {
  let stands = pledge;
  await inStorage("readwrite", (store) => {
    const reading = store.get(promised);
    reading.onsuccess = () => {
      const all = { ...(reading.result as Readonly<Record<string, Pledge>> | undefined) };
      const names = [...rows];
      stands = standing(names.map((name) => all[name])) ?? pledge;
      for (const name of names) all[name] = stands;
      store.put(all, promised);
    };
    return reading;
  });
  return stands;
}
