// Large files in Chromium: the workers read them by themselves, and several fit together, each with
// rows that it alone has, or with copies.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { open } from "../harness/browser.mjs";
import { emptyPage, largeTable } from "../harness/large.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";

const { server, browser } = await setUp();
const table = largeTable(34, { longer: 240 }); // enough for four workers
after(() => table.remove());

/**
 * Has workers draw the same numbers in their first fit, and say what they ask of one another. They
 * are made from blobs, so it is put into their source.
 */
function prepare(page) {
  return page.addInitScript(() => {
    const before = `{
      let state = 1;
      addEventListener("message", ({ data }) => ["fit", "report"].includes(data.method) && (state = 1));
      crypto.getRandomValues = (bytes) => bytes.forEach((_, i) => (bytes[i] = (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24));
      const channel = new BroadcastChannel("asked");
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (message, ...more) {
        if (message.method) channel.postMessage({ method: message.method, bytes: message.params.bytes?.length ?? 0 });
        return postMessage.call(this, message, ...more);
      };
      let ready;
      const told = (handle) => ready((method, params, ...more) => {
        if (params.digest) channel.postMessage({ method: "digest", bytes: 0, digest: params.digest.join() });
        return handle(method, params, ...more);
      });
      Object.defineProperty(globalThis, "cloisterReady", {
        configurable: true, get: () => ready && told, set: (given) => (ready = given),
      });
    }\n`;
    // A file whose last third has 6 for 7 by the time at which it is read.
    const change = `{
      const { slice, arrayBuffer } = Blob.prototype;
      Blob.prototype.slice = function (from, to) {
        const part = slice.call(this, from, to);
        part.arrayBuffer = async () => {
          const buffer = await arrayBuffer.call(part);
          const bytes = new Uint8Array(buffer);
          const first = Math.max(0, Math.ceil(0.6 * this.size) - from);
          for (let at = first - 1; (at = bytes.indexOf(55, at + 1)) >= 0;) bytes[at] = 54;
          return buffer;
        };
        return part;
      };
    }\n`;
    globalThis.Blob = new Proxy(Blob, {
      construct: (target, [parts, options]) =>
        new target(
          options?.type === "text/javascript"
            ? [before, seen.changes ? change : "", ...parts]
            : parts,
          options,
        ),
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

test("workers read a large file themselves, keep a part of its rows each, and fit what one does to the last bit, also if one of them dies", async () => {
  const tab = await open(browser);
  const { page } = tab;
  await prepare(page);
  await emptyPage(page, server.url, table.path);
  await page.evaluate(() => {
    let { client } = globalThis;
    /**
     * Opens the file in a worker that has not drawn any number, with so many processors; the first
     * helper is ended once they have been asked three times for this, or once to read a range. What
     * others were asked before may come late, and before there is a helper.
     */
    globalThis.reopen = async (processors, ends, label) => {
      const before = client;
      client = globalThis.client = client.beside();
      before.terminate();
      begin(processors, ends);
      const features = schema.features.filter(({ name }) => name !== label?.name);
      const asked = label
        ? {
            ...schema,
            version: 2,
            features,
            label: { ...label, missing: "drop", provenance: "public" },
          }
        : schema;
      const read = [];
      globalThis.file = document.querySelector("#file").files[0];
      globalThis.dataset = await client.openDataset(file, asked, {
        onProgress: (p) => read.push(p.fraction),
      });
      return { rows: dataset.rows, classes: dataset.classes, read, ...(await said()) };
    };
    globalThis.begin = (processors, ends) => {
      Object.assign(seen, { processors, helpers: [], asked: [], bytes: 0 });
      let ended = false;
      seen.told = () => {
        const times = seen.asked.filter(({ method }) => method === ends).length;
        if (ended || times < (ends === "shard.read" ? 1 : 3) || seen.helpers.length === 0) return;
        ended = true;
        seen.helpers[0].terminate();
      };
    };
    globalThis.said = async () => {
      await new Promise((then) => setTimeout(then, 50)); // for what was said last
      return { bytes: seen.bytes, helpers: seen.helpers.length, asked: seen.asked };
    };
  });
  const reopen = (processors, ends, label) =>
    page.evaluate((given) => reopen(...given), [processors, ends, label]);

  /** Fits with so many processors; the first helper of the fit, or of the dataset, is ended. */
  const fit = (processors, options = {}, ends) =>
    page.evaluate(
      async ([processors, options, ends]) => {
        const { helpers } = seen;
        begin(processors, ends);
        if (dataset.kept) seen.helpers = helpers.slice();
        const before = seen.helpers.length;
        const { text, release } = await client.fit(dataset, {
          adjacency: "add-remove",
          epsilon: 1,
          delta: 1e-6,
          ...options,
        });
        const { asked, helpers: after } = await said();
        globalThis.release = release;
        return {
          text,
          holds: (await client.reprice(release)).holds,
          helpers: after - before,
          asked,
        };
      },
      [processors, options, ends],
    );
  const exactly = () =>
    page.evaluate(async () => {
      const figures = await client.exactFigures(release, dataset);
      await new Promise((then) => setTimeout(then, 50)); // workers end
      return figures;
    });
  /** A report of the release, and what is told of losses; the first helper is ended as for fits. */
  const report = (ends) =>
    page.evaluate(async (ends) => {
      const { helpers } = seen;
      begin(seen.processors, ends);
      seen.helpers = helpers.slice();
      const { text, report } = await client.report(dataset, release, {
        kind: "adaptive",
        epsilon: 1,
        delta: 1e-6,
        errors: true,
      });
      const { losses, ...more } = await client.trueLosses(dataset, release, { report });
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", losses)).join();
      const { asked } = await said();
      return { told: { text, digest, more, rows: losses.length }, asked };
    }, ends);
  const count = ({ asked }, wanted) => asked.filter(({ method }) => method === wanted).length;
  const sent = ({ asked }, wanted) =>
    asked.reduce((sum, { method, bytes }) => sum + (method === wanted ? bytes : 0), 0);

  const digest = ({ asked }) => asked.find(({ method }) => method === "digest").digest;

  const opened = await reopen(1);
  assert.equal(opened.bytes, 0, "the page sees none of the file's bytes");
  assert.equal(opened.rows, table.rows);
  assert.ok(
    opened.read.length > 0 && opened.read.every((share) => share > 0 && share <= 1),
    String(opened.read),
  );
  assert.equal(count(opened, "shard.rows"), 0);
  const alone = await fit(1);
  assert.deepEqual([alone.helpers, alone.asked], [0, []]);
  assert.equal(alone.holds, true);
  const exact = await exactly();
  assert.equal(
    Object.values(exact.confusion).reduce((sum, n) => sum + n),
    table.rows,
  );
  const { told, asked: nobody } = await report();
  assert.deepEqual([told.rows, nobody], [table.rows, []]);

  const halves = await reopen(2);
  assert.deepEqual([halves.bytes, halves.rows], [0, table.rows]);
  assert.deepEqual(halves.classes, opened.classes);
  assert.deepEqual(
    halves.asked.map(({ method }) => method),
    ["shard.read", "digest"],
    "each reads its range of the file, and no rows are handed over",
  );
  assert.ok(halves.read.every((share) => share > 0 && share <= 1));
  assert.equal(page.workers().length, 2, "the other one stays");
  const together = await fit(2);
  assert.equal(together.text, alone.text);
  assert.equal(together.helpers, 0);
  assert.ok(count(together, "shard.sums") > 3);
  assert.ok(together.asked.every(({ bytes }) => bytes === 0));
  assert.equal(page.workers().length, 2, "and stays after the fit");
  assert.deepEqual(await exactly(), exact);
  assert.equal(page.workers().length, 2, "and counts its rows for the exact figures");
  const reported = await report();
  assert.deepEqual(reported.told, told);
  assert.deepEqual(
    ["shard.report", "shard.losses"].map((method) => count(reported, method)),
    [1, 1],
  );
  assert.ok(count(reported, "shard.sums") > 3);
  assert.ok(reported.asked.every(({ bytes }) => bytes === 0));
  assert.equal(page.workers().length, 2, "and its rows' part of a report, and of their losses");
  await fit(2, { method: "dpgd", records: table.rows });
  assert.equal(page.workers().length, 1, "it ends when one needs all rows");

  // Copies of half of the rows, for one fit.
  const copied = await fit(2);
  assert.equal(copied.helpers, 1);
  assert.ok(count(copied, "shard.sums") > 3);
  const copies = sent(copied, "shard.fill");
  assert.ok(
    copies > 0.4 * table.matrix && copies < 0.6 * table.matrix,
    `half of the rows were sent, in ${copies} bytes`,
  );
  assert.equal(page.workers().length, 1, "it ends with the fit");

  // Deaths while the file is read, and in a fit.
  for (const [processors, workers, [reading, fitting]] of [
    [2, 2, ["shard.read", undefined]],
    [2, 2, [undefined, "shard.sums"]],
    [3, 3, [undefined, undefined]],
    [3, 3, [undefined, "shard.sums"]],
    [5, 4, ["shard.read", undefined]],
  ]) {
    const read = await reopen(processors, reading);
    assert.equal(read.rows, table.rows);
    assert.deepEqual(read.classes, opened.classes);
    assert.equal(digest(read), digest(opened));
    assert.equal(count(read, "shard.read"), workers - 1);
    const died = reading || fitting ? 1 : 0;
    assert.equal(page.workers().length, workers - (reading ? 1 : 0));
    const more = await fit(processors, {}, fitting);
    const what = `${workers} workers, one ended at ${reading ?? fitting}`;
    assert.equal(more.text, alone.text, what);
    assert.equal(page.workers().length, workers - died, what);
    const all = count(together, "shard.sums");
    if (workers > 2 || died === 0) assert.ok(count(more, "shard.sums") >= all, "others go on");
    else if (!reading) assert.ok(count(more, "shard.sums") < all, what);
    if (workers === 3) {
      assert.deepEqual(await exactly(), exact);
      // Of a file all of whose keepers are there, one dies.
      const ends = died ? undefined : "shard.sums";
      assert.deepEqual((await report(ends)).told, told, `a report; one ended at ${ends}`);
      assert.equal(page.workers().length, 2);
    }
  }

  // Deaths of one that has copies.
  for (const ends of ["shard.fill", "shard.sums"]) {
    // On a busy machine the page may hear too late that it is to end the helper: then once more.
    let bereft;
    for (let turn = 0; turn < 5; turn++) {
      await reopen(1);
      bereft = await fit(2, {}, ends);
      assert.equal(bereft.text, alone.text, `the helper is ended at ${ends}`);
      if (count(bereft, "shard.sums") < count(copied, "shard.sums")) break;
    }
    assert.ok(count(bereft, "shard.sums") < count(copied, "shard.sums"));
  }

  await reopen(2);
  const other = await fit(2, { method: "outpert", records: table.rows });
  assert.ok(count(other, "shard.sums") > 3);
  assert.equal(count(other, "shard.fill"), 0);
  const kin = ["Husband", "Not-in-family", "Wife", "Own-child", "Unmarried"];
  const classes = { name: "relationship", type: "classes", classes: kin.map((name) => [name]) };
  const hours = { name: "hours", type: "numeric", min: 0, max: 100 };
  // Workers that end in a fit of several classes, and copies of their rows, are tried by Go's tests
  // of wasm/api/fitting.
  for (const [label, options, ends] of [
    [classes, { method: "amp", loss: "softmax" }],
    [classes, { method: "amp", loss: "logistic" }],
    [hours, { method: "amp" }, "shard.sums"],
    [hours, { method: "suffstats" }, "shard.sums"],
  ]) {
    const texts = [];
    for (const processors of [1, 3]) {
      const read = await reopen(processors, undefined, label);
      assert.equal(count(read, "shard.read") > 0, processors > 1);
      const dies = processors > 1 ? ends : undefined;
      const fitted = await fit(processors, options, dies);
      texts.push(fitted.text);
      if (options.method === "amp") {
        assert.equal(count(fitted, "shard.sums") > 0, processors > 1);
        assert.equal(count(fitted, "shard.fill"), 0);
        assert.equal(page.workers().length, processors - (dies ? 1 : 0), "the others stay");
      } else {
        const again = await fit(processors, options, dies);
        assert.equal(count(again, "shard.sums") > 0, processors > 1);
      }
    }
    assert.deepEqual(texts, Array(2).fill(texts[0]), JSON.stringify(options));
  }
  await reopen(2);
  const descent = await fit(2, { method: "dpgd", records: table.rows });
  assert.deepEqual([descent.helpers, count(descent, "shard.sums")], [0, 0]);
  assert.equal(page.workers().length, 1);

  await reopen(3);
  assert.equal(page.workers().length, 3);
  await page.evaluate(async () => {
    await dataset.close();
    await new Promise((then) => setTimeout(then, 50));
  });
  assert.equal(page.workers().length, 1);

  // The digest is of the bytes that are parsed, whoever reads them.
  await page.evaluate(() => (seen.changes = true));
  const [whole, inRanges] = [await reopen(1), await reopen(2)];
  await page.evaluate(() => (seen.changes = false));
  assert.notEqual(digest(whole), digest(opened));
  assert.equal(digest(inRanges), digest(whole));
  assert.deepEqual(inRanges.classes, whole.classes);

  // Line ends are counted for the digest, unless they change later: then ranges are not joined, and
  // the rows are handed over as they are parsed.
  const text = readFileSync(table.path, "latin1");
  const half = text.length / 2;
  for (const [name, other, ahead] of [
    ["cr-lf.csv", text.replaceAll("\n", "\r\n"), true],
    ["later.csv", text.slice(0, half) + text.slice(half).replaceAll("\n", "\r\n"), false],
  ]) {
    const path = join(dirname(table.path), name);
    writeFileSync(path, other, "latin1");
    await page.setInputFiles("#file", path);
    const all = await reopen(1);
    assert.equal(digest(all), digest(opened), "line ends of any kind are the same content");
    const { text: fitted } = await fit(1);
    for (const ends of ahead ? [undefined] : [undefined, "shard.rows"]) {
      const read = await reopen(2, ends);
      assert.equal(digest(read), digest(opened));
      assert.deepEqual([read.rows, read.classes], [all.rows, all.classes]);
      assert.equal(count(read, "shard.rows") > 0, !ahead);
      if (!ahead && !ends) {
        const handed = sent(read, "shard.rows");
        assert.ok(
          handed > 0.45 * table.matrix && handed < 0.55 * table.matrix,
          `half of the rows were handed over, in ${handed} bytes`,
        );
        assert.ok(read.asked.every(({ bytes }) => bytes <= 2 ** 21));
      }
      assert.equal((await fit(2)).text, fitted);
    }
  }
  await page.setInputFiles("#file", table.path);

  // Rows of one scale are for steps, which need all of them in one worker.
  await reopen(2);
  const kept = await page.evaluate(async () => {
    const scaled = { ...schema, version: 7, rows: { norm: "scale" } };
    const other = await client.openDataset(file, scaled);
    const kept = [dataset.kept, other.kept];
    await other.close();
    return kept;
  });
  assert.deepEqual(kept, [true, false]);
  assert.equal(page.workers().length, 2);

  // One that is closed while it is fitted stays to the end of the fit.
  await reopen(2);
  const closed = await page.evaluate(async () => {
    let closing;
    seen.asked = [];
    seen.told = () => {
      if (seen.asked.some(({ method }) => method === "shard.sums")) closing ??= dataset.close();
    };
    const asked = { adjacency: "add-remove", epsilon: 1, delta: 1e-6 };
    const { text } = await client.fit(dataset, asked);
    seen.told = () => {};
    await closing;
    return { text, ...(await said()) };
  });
  assert.equal(closed.text, alone.text);
  assert.equal(count(closed, "shard.sums"), count(together, "shard.sums"));
  assert.equal(page.workers().length, 1);

  // A fit that is aborted, and the file, is read anew.
  await reopen(2);
  await page.evaluate(async () => {
    const ending = new AbortController();
    const asked = { adjacency: "add-remove", epsilon: 1, delta: 1e-6, signal: ending.signal };
    seen.told = () => ending.abort();
    await client.fit(dataset, asked).catch(() => undefined);
    seen.told = () => {};
  });
  const anew = await fit(2);
  assert.equal(anew.text, alone.text);
  assert.equal(page.workers().length, 2);

  // Rows that were read are not mixed with those of a file that has changed since.
  await reopen(2);
  writeFileSync(table.path, readFileSync(table.path, "latin1").replaceAll("Husband", "husband"));
  await assert.rejects(
    fit(2, { method: "dpgd", records: table.rows }),
    /A part of the file was needed again, and could not be read/,
  );
  tab.quiet();
  await tab.close();
});
