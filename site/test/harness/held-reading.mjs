// A file large enough for several workers, of which the reading stops in the middle until a test
// lets it go on: all who take part in it are alive then.

import assert from "node:assert/strict";
import { smallTable, account, chooseLarge } from "./studio.mjs";
import { attack } from "./probes.mjs";

/** More than what a single worker reads alone; see client/limits.ts. */
const megabytes = 20;

/** Lines so long that there are few rows in as much: a model of them takes little time. */
const longLines = smallTable(4000).replaceAll(/,([ABC]),/g, (_, ward) => `,${ward.repeat(80)},`);

/**
 * Has a worker that reads a file stop at its fourth piece. They are made from blobs, so it is put
 * into their source. Before the page is opened.
 */
export function holdable(page) {
  return page.addInitScript(() => {
    const stop = `{
      const { arrayBuffer } = Blob.prototype;
      const channel = new BroadcastChannel("held reading");
      let pieces = 0;
      let go = () => {};
      channel.onmessage = ({ data }) => {
        if (data === "hold") pieces = 0;
        if (data === "go") (pieces = -Infinity), go();
      };
      Blob.prototype.arrayBuffer = async function () {
        if (++pieces > 3) {
          await new Promise((then) => {
            go = then;
            channel.postMessage("held");
          });
        }
        return arrayBuffer.call(this);
      };
    }\n`;
    globalThis.Blob = new Proxy(Blob, {
      construct: (target, [parts, options]) =>
        new target(options?.type === "text/javascript" ? [stop, ...parts] : parts, options),
    });
    const channel = new BroadcastChannel("held reading");
    globalThis.held = 0;
    channel.onmessage = () => globalThis.held++;
    globalThis.hold = () => ((globalThis.held = 0), channel.postMessage("hold"));
    globalThis.readOn = () => channel.postMessage("go");
  });
}

/**
 * Does what makes a worker read, and attacks all when it is in the middle of that, and when no
 * fewer workers than these take part in it.
 */
async function attackReading(page, endpoint, act, when, workers) {
  await page.evaluate(() => globalThis.hold());
  await act();
  await page.waitForFunction(() => globalThis.held >= 1, null, { timeout: 60_000 });
  assert.ok(page.workers().length >= workers, when);
  await attack(page, endpoint, when);
  await page.evaluate(() => globalThis.readOn());
}

/** Goes with a large file from its first reading to a model, and attacks the page on the way. */
export async function attackLarge(page, endpoint) {
  await attackReading(
    page,
    endpoint,
    () => chooseLarge(page, longLines, megabytes),
    "a large file is looked at",
    1,
  );
  await page.waitForFunction(() => document.querySelectorAll(".column").length === 2, null, {
    timeout: 60_000,
  });
  await account(page);
  await attackReading(
    page,
    endpoint,
    () => page.click("#fit-button"),
    "a large file is read for a fit",
    2,
  );
  await page.waitForSelector(".verdict", { timeout: 120_000 });
  await attack(page, endpoint, "a model of a large file is there");
}
