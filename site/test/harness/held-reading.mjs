// A file large enough for several workers, of which the reading stops in the middle until a test lets it go on: all who take part in it are alive then.

import assert from "node:assert/strict";
import { smallTable, account, chooseLarge } from "./studio.mjs";
import { attack } from "./probes.mjs";

/** More than what a single worker reads alone; see client/digest.ts. */
const megabytes = 20;

/** Lets the page stop at its fourth piece of a file, and notes which workers are given bytes. Before the page is opened. */
export function holdable(page) {
  return page.addInitScript(() => {
    const { arrayBuffer } = Blob.prototype;
    const { postMessage } = Worker.prototype;
    let pieces = -Infinity;
    let go = () => {};
    globalThis.hold = () => ((pieces = 0), (globalThis.given = new Set()), (globalThis.held = false));
    globalThis.readOn = () => ((pieces = -Infinity), go());
    Blob.prototype.arrayBuffer = async function () {
      // Pieces of a file are large; what else the page reads is not.
      if (this.size >= 2 ** 20 && ++pieces > 3) {
        await new Promise((then) => {
          go = then;
          globalThis.held = true;
        });
      }
      return arrayBuffer.call(this);
    };
    Worker.prototype.postMessage = function (message, transfer) {
      if (transfer?.length > 0) globalThis.given?.add(this);
      return postMessage.call(this, message, transfer);
    };
  });
}

/** Does what makes the page read, and attacks it when it is in the middle of that: two workers at least have been given parts of the file. */
async function attackReading(page, endpoint, act, when) {
  await page.evaluate(() => globalThis.hold());
  await act();
  await page.waitForFunction(() => globalThis.held, null, { timeout: 60_000 });
  const given = await page.evaluate(() => globalThis.given.size);
  assert.ok(given >= 2, `${given} worker has parts of the file: ${when}`);
  assert.ok(page.workers().length >= given);
  await attack(page, endpoint, when);
  await page.evaluate(() => globalThis.readOn());
}

/** Goes with a large file from its first reading to a model, and attacks the page on the way. */
export async function attackLarge(page, endpoint) {
  await attackReading(page, endpoint, () => chooseLarge(page, smallTable(4000), megabytes), "a large file is looked at");
  await page.waitForFunction(() => document.querySelectorAll(".column").length === 2, null, { timeout: 60_000 });
  await account(page);
  await attackReading(page, endpoint, () => page.click("#fit-button"), "a large file is read for a fit");
  await page.waitForSelector(".verdict", { timeout: 120_000 });
  await attack(page, endpoint, "a model of a large file is there");
}
