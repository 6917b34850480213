// A ledger that an earlier program has left in the browser: it knows files by the digest of all of
// their bytes at once. Whatever is read, and in whichever way, its account is found.

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { after } from "node:test";
import { csv, schema } from "../client/sample.mjs";
import { launch, open } from "../harness/browser.mjs";
import { emptyPage, largeTable } from "../harness/large.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";

const { server, browser } = await setUp();
const table = largeTable(17);
after(() => table.remove());

const key = Buffer.alloc(32, 7);
const request = { adjacency: "add-remove", epsilon: 0.1, delta: 1e-6 };

/** What an earlier program had of a text of one part, without CR: with its line ends. */
function fingerprint(text) {
  const counts = Buffer.from(text.replace(/\n+$/, ""));
  const numbers = Buffer.alloc(16);
  numbers.writeBigUInt64BE(BigInt(counts.length), 0);
  numbers.writeBigUInt64BE(1n, 8);
  const digest = createHash("sha256").update(counts).update(numbers).digest();
  return createHmac("sha256", key).update("cloister content 1\n").update(digest).digest("hex");
}

/** The entries of an account for each of these texts, with one charge. */
function entries(texts) {
  const common = { version: 2, time: "2026-11-22T01:53:07Z" };
  const out = [{ ...common, kind: "begin", key: key.toString("hex") }];
  for (const [name, text] of Object.entries(texts)) {
    out.push({
      ...common,
      kind: "dataset",
      dataset: name,
      name,
      content: fingerprint(text),
      budget: { adjacency: "add-remove", epsilon: 1, delta: 1e-5 },
    });
    out.push({
      ...common,
      kind: "reserve",
      dataset: name,
      charge: `charge of ${name}`,
      purpose: "fit",
      event: { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1, sigma: 20 },
    });
  }
  return out.map((entry) => JSON.stringify(entry));
}

/** A page with this ledger and the large file chosen, which notes what files are read for. */
async function left(texts, { url = server.url, of = browser } = {}) {
  const tab = await open(of);
  const { page } = tab;
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    globalThis.readFor = [];
    globalThis.helpers = 0;
    Worker.prototype.postMessage = function (message, ...more) {
      if (message.method === "read.open")
        readFor.push(message.params.purpose + (message.params.of ? " again" : ""));
      if (message.method === "worker.serve") helpers++;
      return postMessage.call(this, message, ...more);
    };
    globalThis.stored = (write = []) =>
      new Promise((then, fail) => {
        const opening = indexedDB.open("cloister-ledger", 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore("entries");
        opening.onerror = () => fail(opening.error);
        opening.onsuccess = () => {
          const change = opening.result.transaction("entries", "readwrite");
          const list = change.objectStore("entries");
          write.forEach((text, i) => list.add(text, i + 1));
          const all = list.getAll();
          change.oncomplete = () => (opening.result.close(), then(all.result));
        };
      });
    /** What it comes to, and what was read for it. */
    globalThis.tried = async (act) => {
      readFor.length = 0;
      const said = await act().catch(({ code, message }) => ({ code, message }));
      return { said, read: readFor.slice() };
    };
  });
  await emptyPage(page, url, table.path);
  await page.evaluate((entries) => stored(entries), entries(texts));
  return tab;
}

test("each file of an earlier ledger is found and charged, however it is read", async () => {
  const small = csv(300);
  const streamed = csv(310);
  const suggested = csv(320);
  const large = readFileSync(table.path, "latin1");
  const tab = await left({ small, streamed, suggested, large });
  const { page } = tab;
  const found = await page.evaluate(
    async ([small, streamed, suggested, others, schema, request]) => {
      const of = async (handle) => {
        const account = await client.ledger.find(handle);
        return account && [account.id, account.charges.length];
      };
      const out = {};
      // Not known: it is read once more, since one that is known might have been it.
      out.other = await tried(async () => of(await client.openDataset(others[0], schema)));
      // A purchase without a look before.
      out.bought = await tried(async () => {
        const dataset = await client.openDataset(new Blob([small]), schema);
        const { charge } = await client.ledger.fit(dataset, request);
        return charge.state;
      });
      out.small = await tried(async () => of(await client.openDataset(small, schema)));
      const stream = () => new Blob([streamed]).stream();
      out.streamed = await tried(async () => of(await client.openDataset(stream(), schema)));
      out.again = await tried(async () => of(await client.openDataset(stream(), schema)));
      // `schema` of the page is that of the large file.
      out.large = await tried(async () => of(await client.openDataset(file, globalThis.schema)));
      out.created = await tried(async () => {
        const { content } = await client.suggestSchema(suggested);
        return client.ledger.create(content, "as if it were new");
      });
      out.suggested = await tried(async () => {
        const { content } = await client.suggestSchema(suggested);
        return of(content);
      });
      // All are known by both digests.
      out.unknown = await tried(async () => of(await client.openDataset(others[1], schema)));
      out.largeAgain = await tried(async () =>
        of(await client.openDataset(file, globalThis.schema)),
      );
      return { ...out, stored: await stored() };
    },
    [small, streamed, suggested, [csv(330), csv(340)], schema, request],
  );
  const { stored, created, ...rest } = found;
  assert.equal(created.said.code, "ledger", created.said.message);
  assert.match(created.said.message, /knows this content already, as the data set "suggested"/);
  assert.deepEqual(rest, {
    other: { said: null, read: ["dataset", "content again"] },
    bought: { said: "committed", read: ["dataset", "content again"] },
    small: { said: ["small", 2], read: ["dataset"] },
    streamed: { said: ["streamed", 1], read: ["dataset"] },
    again: { said: ["streamed", 1], read: ["dataset"] },
    large: { said: ["large", 1], read: ["dataset", "content again"] },
    suggested: { said: ["suggested", 1], read: ["suggest", "content again"] },
    unknown: { said: null, read: ["dataset"] },
    largeAgain: { said: ["large", 1], read: ["dataset"] },
  });
  const seen = stored.map((text) => JSON.parse(text)).filter(({ kind }) => kind === "seen");
  assert.equal(seen.length, 4, "each file's second digest is noted once");
  tab.quiet();
  await tab.close();
});

test("a large file of an earlier ledger whose rows several workers keep is charged", async () => {
  const tab = await left({ large: readFileSync(table.path, "latin1") });
  const { page } = tab;
  const { helpers, said, read, charges, opened } = await page.evaluate(async (request) => {
    const dataset = await client.openDataset(file, schema);
    const { helpers } = globalThis;
    const { said, read } = await tried(() => client.ledger.fit(dataset, request));
    const accounts = await client.ledger.accounts();
    const { id, charges } = await client.ledger.find(dataset);
    return {
      helpers,
      said: said.charge?.state ?? said,
      read,
      charges: charges.length,
      opened: accounts.map((account) => account.id === id),
    };
  }, request);
  assert.ok(helpers > 0, "other workers keep rows");
  assert.equal(said, "committed");
  assert.deepEqual(read, ["content again"]);
  assert.equal(charges, 2);
  assert.deepEqual(opened, [true], "it is the one account that there is");
  tab.quiet();
  await tab.close();
});

test("a page that is not secure has the digests that a secure one has", async (t) => {
  const other = await launch([
    "--host-resolver-rules=MAP cloister.test 127.0.0.1",
    // The test answers for the empty page. Without this it could not ask a server of this machine.
    "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
  ]);
  t.after(() => other.close());
  const small = csv(300);
  const texts = { small, large: readFileSync(table.path, "latin1") };
  const seenIn = async (where) => {
    const tab = await left(texts, where);
    const found = await tab.page.evaluate(
      async ([small, schema, request]) => {
        const datasets = [
          await client.openDataset(small, schema),
          await client.openDataset(file, globalThis.schema),
        ];
        const accounts = [];
        for (const dataset of datasets) accounts.push((await client.ledger.find(dataset))?.id);
        const { charge } = await client.ledger.fit(datasets[0], request);
        const entries = (await stored()).map((text) => JSON.parse(text));
        const seen = entries.filter(({ kind }) => kind === "seen");
        return {
          secure: isSecureContext && crypto.subtle !== undefined,
          accounts,
          state: charge.state,
          seen: seen.map(({ content, whole }) => ({ content, whole })),
        };
      },
      [small, schema, request],
    );
    tab.quiet();
    await tab.close();
    return found;
  };
  const { secure, ...here } = await seenIn({});
  const there = await seenIn({
    url: server.url.replace("localhost", "cloister.test"),
    of: other,
  });
  assert.ok(secure);
  assert.deepEqual(here.accounts, ["small", "large"]);
  assert.equal(here.state, "committed");
  assert.equal(here.seen.length, 2);
  assert.deepEqual(there, { secure: false, ...here });
});

test("a file that has changed when the earlier digest is asked for is not charged", async () => {
  const small = csv(300);
  const tab = await left({ small });
  const { page } = tab;
  const { said, entries } = await page.evaluate(
    async ([small, other, schema, request]) => {
      let times = 0;
      // A source that is another one when it is read again: the ledger's.
      const source = {
        name: "table.csv",
        size: small.length,
        async *open() {
          const text = times++ === 0 ? other : small;
          yield new TextEncoder().encode(text);
        },
      };
      const dataset = await client.openDataset(source, schema);
      const said = await tried(() => client.ledger.fit(dataset, request));
      return { said, entries: (await stored()).length };
    },
    [small, csv(299), schema, request],
  );
  assert.equal(said.said.code, "dataset-lost");
  assert.match(said.said.message, /has changed since it was opened/);
  assert.deepEqual(said.read, ["content again"]);
  assert.equal(entries, 3, "nothing is charged");
  tab.quiet();
  await tab.close();
});
