// The studio with a fault in its workers: what goes wrong there is written before their program.

import assert from "node:assert/strict";
import { stepping } from "./steps.mjs";

/**
 * A tab in a context that may have others, with the page ready in it.
 * @param {import("playwright-core").BrowserContext} context
 * @param {string} url the studio's
 * @param {{code?: (() => void) | string, prepare?: () => void}} options code: run in every worker
 * before all else; what it posts to the channel "worker" is in the page's `heard`. prepare:
 * likewise, in the page
 */
export async function visitWith(context, url, { code, prepare } = {}) {
  const page = stepping(await context.newPage());
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("dialog", (dialog) => dialog.accept());
  await page.addInitScript(() => {
    globalThis.heard = [];
    new BroadcastChannel("worker").onmessage = ({ data }) => globalThis.heard.push(data);
  });
  if (code) await inWorkers(page, typeof code === "string" ? code : `(${code})()`);
  if (prepare) await page.addInitScript(prepare);
  await page.goto(url);
  await page.waitForSelector("#fit-button:not([disabled])", { state: "attached" });
  return { page, quiet: () => assert.deepEqual(problems, []) };
}

/** Workers are made from blobs, so the code goes into their source. */
function inWorkers(page, code) {
  return page.addInitScript((source) => {
    globalThis.Blob = new Proxy(Blob, {
      construct: (target, [parts, options]) =>
        new target(
          options?.type === "text/javascript" ? [`${source};\n`, ...parts] : parts,
          options,
        ),
    });
  }, code);
}

/**
 * In the worker: a commit is written, and its writer never hears of it: the tab is gone before it
 * could.
 */
export const silentAfterCommit = () => {
  const { add } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.add = function (value, key) {
    const request = add.call(this, value, key);
    if (/"kind":"commit"/.test(value)) {
      this.transaction.addEventListener(
        "complete",
        (event) => {
          event.stopImmediatePropagation();
          new BroadcastChannel("worker").postMessage("committed");
        },
        { capture: true },
      );
    }
    return request;
  };
};

/**
 * In the worker: of the entries of a kind, the one of this number is never written nor answered, as
 * if the disk had stopped, and the page is told.
 */
export const stopsAt = (kind, number = 1) =>
  `(${(kind, number) => {
    const { add } = IDBObjectStore.prototype;
    let seen = 0;
    IDBObjectStore.prototype.add = function (value, key) {
      if (!value.includes?.(`"kind":"${kind}"`) || ++seen < number)
        return add.call(this, value, key);
      new BroadcastChannel("worker").postMessage(`at the ${kind}`);
      const never = this.count();
      for (const target of [never, this.transaction]) {
        for (const type of ["success", "error", "complete", "abort"])
          target.addEventListener(type, (event) => event.stopImmediatePropagation(), {
            capture: true,
          });
      }
      return never;
    };
  }})("${kind}", ${number})`;

/**
 * In the worker: what `crowded` matches, a regular expression in its global scope, finds no room,
 * in the way in which browsers say so.
 */
export const noRoom = () => {
  const { add } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.add = function (value, key) {
    const request = add.call(this, value, key);
    if (!globalThis.crowded?.test(value)) return request;
    const { transaction } = this;
    request.onsuccess = () => {
      Object.defineProperty(transaction, "error", {
        value: new DOMException("no room", "QuotaExceededError"),
      });
      transaction.abort();
    };
    return request;
  };
};
