// Workers that end without a word, and files that change while they are read, in Chromium.

import assert from "node:assert/strict";
import { after } from "node:test";
import { open } from "../harness/browser.mjs";
import { emptyPage, largeTable } from "../harness/large.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";
import { inWorkers } from "../harness/workers.mjs";

const { server, browser } = await setUp();
const table = largeTable(17);
after(() => table.remove());

/**
 * No step here takes so long, with all that a busy machine adds: what is not done then stands
 * still.
 */
const timeout = 120_000;

/**
 * A page with the large file chosen, `before` run in its workers first: `client`, `file` and
 * `schema` are there.
 */
async function chosen(before) {
  const tab = await open(browser);
  const { page } = tab;
  await inWorkers(page, before);
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "hardwareConcurrency", {
      get: () => globalThis.processors ?? 2,
    });
    const { postMessage } = Worker.prototype;
    /** The workers by the methods that they were called with, and with what. */
    globalThis.called = {};
    Worker.prototype.postMessage = function (message, ...more) {
      const name = message.params?.purpose ?? message.method;
      (called[name] ??= []).push({ worker: this, params: message.params });
      return postMessage.call(this, message, ...more);
    };
    // What a worker may take to begin, in a tenth of the time.
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (then, ms, ...more) =>
      setTimeout(then, ms === 20_000 ? 2000 : ms, ...more);
  });
  await emptyPage(page, server.url, table.path);
  await page.evaluate(() => (told.length = 0));
  return tab;
}

/**
 * Locks that come 300 ms after they are asked for; who asks another worker for something tells it.
 * With a second, a worker that answers before it holds its lock was once not found out.
 */
const lateLocks = (tell) => {
  const { request } = LockManager.prototype;
  LockManager.prototype.request = async function (...given) {
    await new Promise((then) => setTimeout(then, 300));
    return request.apply(this, given);
  };
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (message, ...more) {
    if (message.method) tell({ asked: message.method });
    return postMessage.call(this, message, ...more);
  };
};

for (const [what, nth] of [
  ["copies of rows", 1],
  ["copies of rows", 2],
  ["copies of rows", 3],
  ["rows", 1],
  ["rows", 3],
]) {
  test(
    `a helper that has ${what} and is ended at request ${nth}, its lock being late, leaves a fit that is done`,
    { timeout },
    async () => {
      const tab = await chosen(lateLocks);
      const { holds, rows, ended } = await tab.page.evaluate(
        async ([what, nth]) => {
          const copies = what !== "rows";
          let lastWorker;
          globalThis.Worker = new Proxy(Worker, {
            construct: (target, given) => (lastWorker = new target(...given)),
          });
          globalThis.processors = copies ? 1 : 2;
          const opening = client.openDataset(file, schema);
          let ended = false;
          const watch = () => {
            globalThis.onTold = () => {
              if (told.filter(({ asked }) => asked.startsWith("shard.")).length !== nth) return;
              lastWorker.terminate();
              ended = true;
            };
          };
          if (!copies) watch();
          const dataset = await opening;
          if (copies) watch();
          globalThis.processors = 2;
          const { release } = await client.fit(dataset, {
            adjacency: "add-remove",
            epsilon: 1,
            delta: 1e-6,
          });
          return { holds: (await client.reprice(release)).holds, rows: dataset.rows, ended };
        },
        [what, nth],
      );
      assert.deepEqual([holds, rows, ended], [true, table.rows, true]);
      tab.quiet();
      await tab.close();
    },
  );
}

for (const [what, nth] of [
  ["copies of rows", 1],
  ["copies of rows", 3],
  ["rows", 3],
]) {
  test(
    `the first worker, ended when it has asked its helper, which has ${what}, ${nth} times, is an error of the fit; both are gone, and the next fit is done`,
    { timeout },
    async () => {
      const tab = await chosen(lateLocks);
      const { page } = tab;
      const { code, left, holds } = await page.evaluate(
        async ([what, nth]) => {
          const budget = { adjacency: "add-remove", epsilon: 1, delta: 1e-6 };
          globalThis.processors = what === "rows" ? 2 : 1;
          const dataset = await client.openDataset(file, schema);
          globalThis.processors = 2;
          told.length = 0;
          const { terminate } = Worker.prototype;
          let left = 0;
          Worker.prototype.terminate = function () {
            left++;
            terminate.call(this);
          };
          globalThis.onTold = () => told.length === nth && terminate.call(called.fit.at(-1).worker);
          const code = await client.fit(dataset, budget).then(
            () => "done",
            (error) => error.code,
          );
          globalThis.onTold = () => {};
          const ended = left;
          const { release } = await client.fit(dataset, budget);
          return { code, left: ended, holds: (await client.reprice(release)).holds };
        },
        [what, nth],
      );
      assert.deepEqual([code, left, holds], ["crashed", 2, true]);
      assert.equal(page.workers().length, 2, "the file was read anew, by two");
      tab.quiet();
      await tab.close();
    },
  );
}

test(
  "a worker that is ended before it is heard is a failure to load, and the next one works",
  { timeout },
  async () => {
    const tab = await chosen(lateLocks);
    const codes = await tab.page.evaluate(async () => {
      const { Worker } = globalThis;
      globalThis.Worker = new Proxy(Worker, {
        construct(target, given) {
          const worker = new target(...given);
          worker.terminate();
          return worker;
        },
      });
      const another = client.beside();
      const first = await another.start().then(
        () => "started",
        (error) => error.code,
      );
      globalThis.Worker = Worker;
      return [
        first,
        await another.start().then(
          () => "started",
          (error) => error.code,
        ),
      ];
    });
    assert.deepEqual(codes, ["load", "started"]);
    await tab.close();
  },
);

test(
  "the digest of a file whose content changes from one reading to the next is that of what was parsed",
  { timeout },
  async () => {
    const tab = await chosen((tell) => {
      // What the program is given.
      Object.defineProperty(globalThis, "cloisterReady", {
        configurable: true,
        set(ready) {
          const value = (handle) =>
            ready((method, params, ...more) => {
              if (method === "read.finish") tell({ given: [...params.digest] });
              return handle(method, params, ...more);
            });
          Object.defineProperty(globalThis, "cloisterReady", { configurable: true, value });
        },
      });
      // To each worker that reads it the file has digits of its own, in the middle.
      const { arrayBuffer, slice } = Blob.prototype;
      const places = new WeakMap();
      Blob.prototype.slice = function (from, to) {
        const piece = slice.call(this, from, to);
        places.set(piece, from);
        return piece;
      };
      Blob.prototype.arrayBuffer = async function () {
        const bytes = new Uint8Array(await arrayBuffer.call(this));
        const from = places.get(this);
        if (from > 0) {
          const text = new TextDecoder("latin1").decode(bytes.subarray(0, 1000));
          const at = text.search(/,\d{6},/) + 2;
          crypto
            .getRandomValues(new Uint8Array(5))
            .forEach((byte, i) => (bytes[at + i] = 48 + (byte % 10)));
        }
        // The place where another worker's range begins is looked for in what is not parsed.
        if (bytes.length !== 2 ** 16) tell({ from, bytes: bytes.slice() });
        return bytes.buffer;
      };
    });
    const read = await tab.page.evaluate(async () => {
      const { kept } = await client.openDataset(file, schema);
      await new Promise((then) => setTimeout(then, 200));
      const pieces = told.filter(({ from }) => from !== undefined);
      pieces.sort((a, b) => a.from - b.from);
      let end = 0;
      for (const { from, bytes } of pieces) end = from === end ? end + bytes.length : NaN;
      // As core/ledger has it of one part, whose text has no CR: without the line end at its end, a
      // digest of each MiB.
      const text = await new Blob(pieces.map(({ bytes }) => bytes)).bytes();
      const counts = text.subarray(0, -1);
      const number = (n) => {
        const view = new DataView(new ArrayBuffer(8));
        view.setBigUint64(0, BigInt(n));
        return view;
      };
      const list = ["cloister content list 1\n", number(1), number(counts.length)];
      for (let at = 0; at < counts.length; at += 2 ** 20)
        list.push(await crypto.subtle.digest("SHA-256", counts.subarray(at, at + 2 ** 20)));
      const all = await new Blob(list).bytes();
      const digest = [...new Uint8Array(await crypto.subtle.digest("SHA-256", all))];
      const given = told.flatMap((said) => (said.given ? [said.given] : []));
      return { digest, given, kept, once: end === file.size };
    });
    assert.deepEqual([read.once, read.kept], [true, true], "it is read once, by two workers");
    assert.deepEqual(read.given, [read.digest]);
    await tab.close();
  },
);
