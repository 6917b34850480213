// What the studio keeps of a person's entries, as it lies in the browser's storage.

import assert from "node:assert/strict";

/** All that is kept, as text. */
export function noted(page) {
  return page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open("cloister-notes");
        opening.onupgradeneeded = () => opening.transaction.abort(); // the page makes it
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const { result: base } = opening;
          const request = base.transaction("notes").objectStore("notes").getAll();
          request.onsuccess = () => (base.close(), resolve(JSON.stringify(request.result)));
        };
      }),
  );
}

/** Waits until something is kept that matches. The page writes when the entries pause. */
export async function untilNoted(page, pattern) {
  let kept;
  for (let i = 0; i < 100; i++) {
    kept = await noted(page);
    if (pattern.test(kept)) return;
    await page.waitForTimeout(100);
  }
  assert.fail(`${pattern} is not noted, but ${kept}`);
}
