// Where notes are kept: one of them, in this browser's IndexedDB. Without it they are not kept, and nothing else changes.

import type { Notes } from "./notes.ts";

const [base, table, key] = ["cloister-notes", "notes", "last"];

function inDrawer<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
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
  await inDrawer("readwrite", (store) => store.put(notes, key));
}

export async function take(): Promise<Notes | null> {
  const found = (await inDrawer<unknown>("readonly", (store) => store.get(key))) as Notes | undefined;
  return found?.version === 1 ? found : null;
}

export async function empty(): Promise<void> {
  await inDrawer("readwrite", (store) => store.delete(key));
}
