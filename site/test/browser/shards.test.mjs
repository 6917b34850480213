// Large files in Chromium: the workers read them by themselves, and several fit together.

import assert from "node:assert/strict";
import { after } from "node:test";
import { open } from "../harness/browser.mjs";
import { emptyPage, largeTable } from "../harness/large.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";

const { server, browser } = await setUp();
const table = largeTable(34); // enough for four workers
after(() => table.remove());

/**
 * Has workers draw the same numbers in their first fit, and say what they ask of one another. They
 * are made from blobs, so it is put into their source.
 */
function prepare(page) {
  return page.addInitScript(() => {
    const before = `{
      let state = 1;
      addEventListener("message", ({ data }) => data.method === "fit" && (state = 1));
      crypto.getRandomValues = (bytes) => bytes.forEach((_, i) => (bytes[i] = (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24));
      const channel = new BroadcastChannel("asked");
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (message, ...more) {
        if (message.method) channel.postMessage({ method: message.method, bytes: message.params.bytes?.length ?? 0 });
        return postMessage.call(this, message, ...more);
      };
    }\n`;
    globalThis.Blob = new Proxy(Blob, {
      construct: (target, [parts, options]) =>
        new target(options?.type === "text/javascript" ? [before, ...parts] : parts, options),
    });
    Object.defineProperty(Navigator.prototype, "hardwareConcurrency", {
      get: () => seen.processors,
    });
    globalThis.seen = { processors: 2, helpers: [], bytes: 0, asked: [], told: () => {} };
    new BroadcastChannel("asked").onmessage = ({ data }) => {
      seen.asked.push(data);
      seen.told();
    };
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...more) {
      if (message.method === "worker.serve") seen.helpers.push(this);
      if (message.method === "read.append") seen.bytes += message.params.bytes.length;
      return postMessage.call(this, message, ...more);
    };
  });
}

test("workers read a large file themselves, and several fit what one does to the last bit, also if one of them dies", async () => {
  const tab = await open(browser);
  const { page } = tab;
  await prepare(page);
  await emptyPage(page, server.url, table.path);
  const opened = await page.evaluate(async () => {
    const { client } = globalThis;
    seen.bytes = 0;
    const read = [];
    /** In a worker that has not drawn any number. */
    globalThis.reopen = async (label) => {
      if (globalThis.client !== client) globalThis.client.terminate();
      globalThis.client = client.beside();
      const features = schema.features.filter(({ name }) => name !== label?.name);
      const asked = label
        ? {
            ...schema,
            version: 2,
            features,
            label: { ...label, missing: "drop", provenance: "public" },
          }
        : schema;
      globalThis.dataset = await globalThis.client.openDataset(file, asked, {
        onProgress: (p) => read.push(p.fraction),
      });
    };
    await reopen();
    client.terminate();
    return { rows: dataset.rows, read, bytes: seen.bytes };
  });
  assert.equal(opened.bytes, 0, "the page sees none of the file's bytes");
  assert.equal(opened.rows, table.rows);
  assert.ok(
    opened.read.length > 0 && opened.read.every((share) => share > 0 && share <= 1),
    String(opened.read),
  );

  /**
   * Fits with so many processors; the first helper is ended when they have been asked for the third
   * time for this.
   */
  const fit = (processors, options = {}, ends) =>
    page.evaluate(
      async ([processors, options, ends]) => {
        Object.assign(seen, { processors, helpers: [], asked: [] });
        seen.told = () =>
          seen.asked.filter(({ method }) => method === ends).length === 3 &&
          seen.helpers[0].terminate();
        const { text, release } = await client.fit(dataset, {
          adjacency: "add-remove",
          epsilon: 1,
          delta: 1e-6,
          ...options,
        });
        const { confusion, rows } = await client.exactFigures(release, dataset);
        await new Promise((then) => setTimeout(then, 50)); // for what was said last
        return {
          text,
          holds: (await client.reprice(release)).holds,
          rows: confusion ? Object.values(confusion).reduce((sum, n) => sum + n) : rows,
          helpers: seen.helpers.length,
          asked: seen.asked,
        };
      },
      [processors, options, ends],
    );
  const count = ({ asked }, wanted) => asked.filter(({ method }) => method === wanted).length;

  const alone = await fit(1);
  assert.deepEqual([alone.helpers, alone.asked], [0, []]);
  assert.equal(alone.holds, true);
  assert.equal(alone.rows, table.rows);

  await page.evaluate(() => reopen());
  const together = await fit(2);
  assert.equal(together.text, alone.text);
  assert.equal(together.helpers, 1);
  assert.ok(count(together, "shard.sums") > 3);
  const sent = together.asked.reduce((sum, { bytes }) => sum + bytes, 0);
  assert.ok(
    sent > 0.4 * table.matrix && sent < 0.6 * table.matrix,
    `half of the rows were sent, in ${sent} bytes`,
  );
  assert.ok(together.asked.every(({ bytes }) => bytes <= 2 ** 20));
  assert.equal(page.workers().length, 1, "it ends with the fit");

  for (const ends of ["shard.fill", "shard.sums"]) {
    await page.evaluate(() => reopen());
    const bereft = await fit(2, {}, ends);
    assert.equal(bereft.text, alone.text, `the helper is ended at ${ends}`);
    assert.ok(count(bereft, "shard.sums") < count(together, "shard.sums"));
  }

  for (const [processors, workers, deaths] of [
    [3, 3, [undefined, "shard.sums"]],
    [5, 4, ["shard.fill"]],
  ]) {
    for (const ends of deaths) {
      await page.evaluate(() => reopen());
      const more = await fit(processors, {}, ends);
      assert.equal(more.text, alone.text, `${workers} workers, one ended at ${ends}`);
      assert.equal(more.helpers, workers - 1);
      assert.ok(count(more, "shard.sums") >= count(together, "shard.sums"), "the others go on");
      assert.equal(page.workers().length, 1);
    }
  }

  assert.ok(count(await fit(2, { method: "outpert", records: table.rows }), "shard.sums") > 3);
  const kin = ["Husband", "Not-in-family", "Wife", "Own-child", "Unmarried"];
  const classes = { name: "relationship", type: "classes", classes: kin.map((name) => [name]) };
  const hours = { name: "hours", type: "numeric", min: 0, max: 100 };
  for (const [label, options] of [
    [classes, { method: "amp", loss: "softmax" }],
    [classes, { method: "amp", loss: "logistic" }],
    [hours, { method: "suffstats" }],
  ]) {
    const texts = [];
    for (const processors of [1, 3]) {
      await page.evaluate((label) => reopen(label), label);
      const fitted = await fit(processors, options, processors > 1 ? "shard.sums" : undefined);
      texts.push(fitted.text);
      assert.equal(count(fitted, "shard.sums") > 0, processors > 1);
    }
    assert.deepEqual(texts, Array(2).fill(texts[0]), JSON.stringify(options));
  }
  await page.evaluate(() => reopen());
  const descent = await fit(2, { method: "dpgd", records: table.rows });
  assert.deepEqual([descent.helpers, descent.asked], [0, []]);

  await page.evaluate(() => dataset.close());
  assert.equal(page.workers().length, 1);
  tab.quiet();
  await tab.close();
});
