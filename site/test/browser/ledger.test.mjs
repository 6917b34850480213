// The ledger in Chromium: workers, tabs and browsers that are killed in the middle of a purchase,
// tabs that buy at the same time, and a disk that is full. CLOISTER_AUDIT=long does it at length.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { csv, schema } from "../client/sample.mjs";
import { chromium, findChromium } from "../harness/browser.mjs";
import { noRoom } from "../harness/faults.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";

const long = process.env.CLOISTER_AUDIT === "long";

const { server, browser } = await setUp();

const table = csv(6000);
const budget = { adjacency: "add-remove", epsilon: 20, delta: 1e-5 };
const request = { adjacency: "add-remove", epsilon: 0.1, delta: 1e-6 };

/** A profile of its own, whose pages hand what was released to `handed`. */
async function profile(context) {
  const handed = [];
  const home = {
    context,
    handed,
    reserving: () => {},
    released: () => {},
    close: () => context.close(),
  };
  await context.exposeFunction("handOut", (release) => {
    handed.push(release);
    home.released();
  });
  await context.exposeFunction("isReserving", () => home.reserving());
  await context.route(/\/empty$/, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>empty</title>" }),
  );
  return home;
}

/** A tab with the client in it and the table open; `buy` is the fit of these tests. */
async function tab({ context }, text = table) {
  const page = await context.newPage();
  await page.goto(`${server.url}empty`);
  await page.evaluate(
    async ([text, schema, request]) => {
      const module = await import("/client.js");
      globalThis.cloister = module;
      globalThis.client = await module.load();
      globalThis.dataset = await client.openDataset(new Blob([text]), schema);
      globalThis.buy = async (more = {}) => {
        const bought = await client.ledger.fit(dataset, { ...request, ...more });
        await globalThis.handOut(bought.release);
        return bought;
      };
      // Everything that can be bought of a data set. What is measured or reported on is a model
      // made without the account: a report needs one of the same worker.
      const model = async () => (await client.fit(dataset, request)).release;
      const { adjacency, epsilon } = request;
      globalThis.buyOne = async (kind, more = {}) => {
        const bought = await {
          fit: () => client.ledger.fit(dataset, { ...request, ...more }),
          bounds: () =>
            client.ledger.bounds(dataset, {
              columns: ["age", "dose"],
              adjacency,
              epsilon,
              ...more,
            }),
          evaluate: async () =>
            client.ledger.evaluate(await model(), dataset, { adjacency, epsilon, ...more }),
          categories: () =>
            client.ledger.categories(dataset, {
              adjacency,
              epsilon,
              delta: 2e-9,
              columns: [schema.features.find((f) => f.type === "categorical").name],
              ...more,
            }),
          report: async () =>
            client.ledger.report(dataset, await model(), {
              kind: "data-dependent",
              epsilon,
              delta: request.delta,
              ...more,
            }),
        }[kind]();
        await globalThis.handOut(bought.report ?? bought.release);
        return bought;
      };
      // `reached` is called when the reservation begins, or when the first phase after it does.
      globalThis.buyPast = (kind, reserved, reached) => {
        let begun = false;
        const onProgress = ({ phase }) => {
          if (reserved ? begun && phase !== "reserving" : phase === "reserving") reached();
          begun ||= phase === "reserving";
        };
        return buyOne(kind, { onProgress });
      };
      globalThis.failure = (promise) =>
        promise.then(
          () => ({ code: "none" }),
          ({ code, message, field, charged }) => ({ code, message, field, charged }),
        );
    },
    [text, schema, request],
  );
  return page;
}

const open = (page, given) =>
  page.evaluate((budget) => client.ledger.create(dataset, "table", budget), given);

/** Numbers from 0 to 1, the same every time. */
function* moments() {
  for (let state = 20260101; ;) {
    state = (state * 48271) % 2147483647;
    yield state / 2147483647;
  }
}

/** What can be bought, by the names that charges have. */
const kinds = ["fit", "bounds", "categories", "evaluate", "report"];

/**
 * What must hold at every moment: the ledger is readable, every release has its charge, there are
 * as many charges at least, and what a charge was committed for can be had again, whether it was
 * handed out or not. The last `imported` charges came with a file, which holds no releases. What
 * `known` has from a check before need not be had again.
 */
async function check(page, id, handed, { imported = 0, known = new Map() } = {}) {
  const { account, paid, again } = await page.evaluate(
    async ([id, releases, known]) => {
      const { account } = await client.ledger.account(id);
      const paid = await Promise.all(releases.map((release) => client.ledger.paidBy(release)));
      const again = await Promise.all(
        account.charges.map(async ({ id }) => {
          if (id in known) return known[id];
          const got = await client.ledger.kept(id).catch(({ code }) => ({ code }));
          return got.code ?? (await client.ledger.paidBy(got.release)).charge.digest;
        }),
      );
      return { account, paid, again };
    },
    [id, handed, Object.fromEntries(known)],
  );
  for (const [i, charge] of account.charges.entries()) {
    const kept = charge.state === "committed" && i < account.charges.length - imported;
    assert.equal(again[i], kept ? charge.digest : "ledger", `a charge that is ${charge.state}`);
    assert.equal(charge.kept ?? false, kept);
    if (kept) known.set(charge.id, charge.digest);
  }
  assert.ok(
    account.charges.length >= handed.length,
    `${account.charges.length} charges, ${handed.length} releases`,
  );
  // Two purchases of bounds may come to the same, and then have one digest.
  for (const { charge } of paid) {
    const same = (list) => list.filter((c) => c.digest === charge.digest).length;
    assert.ok(
      same(account.charges) >= same(paid.map((p) => p.charge)),
      "each release has a charge of its own",
    );
  }
  for (const { charge, account: home } of paid) {
    assert.equal(charge.state, "committed");
    assert.equal(home, id);
  }
  assert.ok(account.spent <= account.budget.epsilon);
  return account;
}

test("a purchase is charged, and its release says by which charge", async () => {
  const home = await profile(await browser.newContext());
  const page = await tab(home);
  const { before, unfunded, phases, bought, total, afford } = await page.evaluate(
    async (budget) => {
      const before = await client.ledger.find(dataset);
      const unfunded = await failure(buy());
      const { id } = await client.ledger.create(dataset, "table", budget);
      const phases = [];
      const bought = await buy({
        onProgress: ({ phase }) => phases.at(-1) === phase || phases.push(phase),
      });
      const { total } = await client.ledger.account(id);
      const afford = await client.ledger.afford(id, bought.release.event);
      return { before, unfunded, phases, bought, total, afford };
    },
    budget,
  );
  assert.equal(before, null);
  assert.equal(unfunded.code, "budget");
  assert.deepEqual(phases, ["calibrating", "reserving", "solving", "releasing", "committing"]);
  assert.equal(bought.charge.state, "committed");
  assert.equal(bought.release.format, "cloister-release");
  assert.equal(JSON.parse(bought.text).format, "cloister-release");
  assert.ok(bought.diagnostics.gradientNorm <= bought.diagnostics.tau);
  assert.ok(total.epsilon <= request.epsilon, "at a larger δ it costs less");
  assert.equal(afford.affords, true);
  const account = await page.evaluate(() => client.ledger.find(dataset));
  await check(page, account.id, home.handed);
  assert.equal(account.charges[0].digest, bought.charge.digest);
  await home.close();
});

test("killed workers and tabs leave the charge standing, and never a release without one", async (t) => {
  const home = await profile(await browser.newContext());
  const witness = await tab(home);
  const { id } = await open(witness, budget);
  let victim = await tab(home);
  await victim.evaluate(() => buy());
  // How long a purchase takes, and what part of that is before the reservation.
  const time = (kind) =>
    victim.evaluate(async (kind) => {
      const start = performance.now();
      let reserving = 0;
      const onProgress = ({ phase }) =>
        phase === "reserving" ? (reserving = performance.now()) : 0;
      await buyOne(kind, { onProgress });
      return [performance.now() - start, reserving - start];
    }, kind);
  const times = {};
  for (const kind of kinds) times[kind] = await time(kind);
  // Every kind of purchase is ended in each of the three ways: at a moment by the clock, or at once
  // when the first phase after the reservation is told. The clock alone may miss what lies between
  // the reservation and the commit. Then it goes on for as long as it takes to end one there.
  const [rounds, most] = long ? [60, 60] : [21, 60];
  const moment = moments();
  let begun = 1 + kinds.length;
  const seen = { reserved: 0, committed: 0, nothing: 0 };
  const stood = new Set();
  const known = new Map();
  let last = (await check(witness, id, home.handed, { known })).charges.length;
  for (let round = 0; round < rounds || (seen.reserved === 0 && round < most); round++) {
    // From the beginning on, or from when the reservation begins; and a little past the end.
    const reserved = round >= rounds || round % 2 === 1;
    const fromReserving = reserved || round % 7 !== 0;
    const kind = kinds[round % kinds.length];
    const [whole, before] = times[kind];
    const wait = reserved ? 0 : 2 * (fromReserving ? whole - before : whole) * moment.next().value;
    begun++;
    if (round % 3 === 0) {
      // The worker, from outside.
      await victim.evaluate(
        async ([kind, fromReserving, reserved, wait]) => {
          const end = () =>
            wait === 0 ? client.terminate() : setTimeout(() => client.terminate(), wait);
          const bought = failure(buyPast(kind, reserved, fromReserving ? end : () => {}));
          if (!fromReserving) end();
          await bought;
        },
        [kind, fromReserving, reserved, wait],
      );
    } else {
      // The tab: closed, or its process killed. It answers nothing any more.
      const reserving = new Promise((now) => (home.reserving = now));
      const failed = victim.evaluate(
        ([kind, reserved]) =>
          buyPast(kind, reserved, isReserving).then(() => new Promise(() => {})),
        [kind, reserved],
      );
      failed.catch(() => {}); // once it is killed
      if (fromReserving) await Promise.race([reserving, failed]);
      await new Promise((done) => setTimeout(done, wait));
      if (round % 3 === 1) await victim.close();
      else await crash(victim);
      victim = await tab(home);
    }
    const account = await check(witness, id, home.handed, { known });
    assert.ok(account.charges.length <= begun);
    const fresh = account.charges.slice(last);
    seen[fresh[0]?.state ?? "nothing"]++;
    // One that was killed may have been written a moment later than it was looked for.
    for (const { state, purpose } of fresh) if (state === "reserved") stood.add(purpose);
    last = account.charges.length;
  }
  const each = kinds.map((kind) => `${kind} ${times[kind][0].toFixed(0)} ms`).join(", ");
  t.diagnostic(
    `purchases: ${each}; charges that stand without a release: of ${[...stood].join(", ")}; killed before the reservation ${seen.nothing} times, between ${seen.reserved}, after the commit ${seen.committed}`,
  );
  assert.ok(seen.reserved > 0, "else the kills missed what they are for");
  // What is there can be used.
  await victim.evaluate(() => buy());
  await check(witness, id, home.handed);
  await home.close();
});

/** Kills the process of a tab. */
async function crash(page) {
  const session = await page.context().newCDPSession(page);
  const gone = new Promise((done) => page.on("crash", done));
  session.send("Page.crash").catch(() => {});
  await gone;
  await page.close();
}

test("a killed browser leaves the charge standing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cloister-"));
  const start = async () => {
    const args = [
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--remote-debugging-port=0",
    ];
    return profile(
      await chromium.launchPersistentContext(folder, {
        executablePath: findChromium(),
        chromiumSandbox: process.getuid?.() !== 0,
        args,
      }),
    );
  };
  const handed = [];
  let id;
  const moment = moments();
  try {
    for (let round = 0; round < (long ? 12 : 2); round++) {
      const home = await start();
      const page = await tab(home);
      id ??= (await open(page, budget)).id;
      const first = new Promise((now) => (home.released = now));
      // As many purchases as come to an end before it is killed, and one more that does not.
      const buying = page.evaluate(async () => {
        for (;;) await buy();
      });
      // However slow the machine is, it is killed between one purchase and the next, or in the
      // middle of one.
      await Promise.race([first, buying]);
      buying.catch(() => {});
      await new Promise((done) => setTimeout(done, 700 * moment.next().value));
      const closed = new Promise((done) => home.context.on("close", done));
      await killed(home.context, page);
      await closed;
      handed.push(...home.handed);
      const again = await start();
      const account = await check(await tab(again), id, handed);
      assert.ok(account.charges.length <= handed.length + 2 * (round + 1));
      await again.close();
    }
    assert.ok(handed.length > 0, "else nothing was tried");
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

/** Ends the browser's process at once. */
async function killed(context, page) {
  const session = await context.newCDPSession(page);
  session.send("Browser.crash").catch(() => {});
}

test("tabs that buy at the same time stay within the budget and lose no charge", async (t) => {
  const home = await profile(await browser.newContext());
  const each = 50;
  const small = { ...budget, epsilon: 0.8 };
  const tabs = await Promise.all([1, 2, 3, 4].map(() => tab(home)));
  const { id } = await open(tabs[0], small);
  const outcomes = await Promise.all(
    tabs.map((page) =>
      page.evaluate(async (each) => {
        const out = [];
        for (let i = 0; i < each; i++) {
          await buy().then(
            ({ charge }) => out.push(charge.id),
            ({ code }) => out.push(code),
          );
        }
        return out;
      }, each),
    ),
  );
  const all = outcomes.flat();
  const bought = all.filter((one) => one.length === 32);
  const refused = all.filter((one) => one === "budget");
  assert.equal(bought.length + refused.length, 4 * each, `only purchases and refusals: ${all}`);
  assert.ok(refused.length > 0, "the budget is not enough for all");
  const account = await check(tabs[3], id, home.handed);
  assert.deepEqual(
    account.charges.map((c) => c.id).sort(),
    bought.sort(),
    "no charge is lost, and none is there that nobody made",
  );
  assert.ok(account.charges.every((c) => c.state === "committed"));
  assert.equal(account.condition, "open");
  const { affords } = await tabs[1].evaluate(
    ([id, event]) => client.ledger.afford(id, event),
    [id, account.charges[0].event],
  );
  assert.equal(affords, false, "all that could be afforded was");
  t.diagnostic(
    `${bought.length} of ${4 * each} fits at ε = ${request.epsilon} afforded by ε = ${small.epsilon}: ${outcomes.map((o) => o.filter((one) => one.length === 32).length).join(" + ")}; spent ${account.spent.toFixed(4)}`,
  );
  await home.close();
});

/** Runs in the worker before all else: a message says what finds no room from then on. */
const crowded = () => {
  addEventListener("message", (event) => {
    if (!("crowded" in event.data)) return;
    globalThis.crowded = event.data.crowded;
    event.stopImmediatePropagation();
  });
};

test("a disk that is full when the release is to be committed, or when it is to be charged", async () => {
  const home = await profile(await browser.newContext());
  const page = await tab(home);
  const { id } = await open(page, budget);
  const { unpaid, uncharged } = await page.evaluate(
    async ([text, schema, request, crowded]) => {
      let port;
      const client = await cloister.load({
        wasmURL: "/cloister.wasm?crowded",
        worker: (source) => (port = cloister.blobWorker(`${crowded};\n${source}`)),
      });
      const dataset = await client.openDataset(text, schema);
      const buy = () =>
        failure(
          client.ledger.fit(dataset, request).then(({ release }) => globalThis.handOut(release)),
        );
      port.post({ crowded: /"kind":"commit"/ });
      const unpaid = await buy();
      port.post({ crowded: /"kind":"reserve"/ });
      const uncharged = await buy();
      port.post({ crowded: undefined });
      await buy();
      client.terminate();
      return { unpaid, uncharged };
    },
    [table, schema, request, `(${noRoom})();\n(${crowded})()`],
  );
  for (const { code, field, message } of [unpaid, uncharged])
    assert.deepEqual([code, field], ["storage", "full"], message);
  assert.match(unpaid.message, /Nothing was released, and the charge for it stands/);
  assert.equal(uncharged.charged, undefined);
  assert.equal(home.handed.length, 1, "once there was room again");
  const account = await check(page, id, home.handed);
  assert.deepEqual(
    account.charges.map(({ state }) => state),
    ["reserved", "committed"],
  );
  assert.equal(account.charges[0].id, unpaid.charged);
  await home.close();
});

test("a site that may store nothing", async () => {
  const home = await profile(await browser.newContext());
  const page = await tab(home);
  const session = await home.context.newCDPSession(page);
  await session.send("Storage.overrideQuotaForOrigin", {
    origin: new URL(server.url).origin,
    quotaSize: 1,
  });
  const failed = await page.evaluate(
    (budget) => failure(client.ledger.create(dataset, "table", budget)),
    budget,
  );
  assert.deepEqual([failed.code, failed.field], ["storage", "full"], failed.message);
  await home.close();
});

test("a cancelled purchase says that it may have been charged", async () => {
  const home = await profile(await browser.newContext());
  const page = await tab(home, csv(40000));
  await open(page, budget);
  const [early, late] = await page.evaluate(async () => {
    const cancelled = (at) => {
      const controller = new AbortController();
      return failure(
        buy({
          signal: controller.signal,
          onProgress: ({ phase }) => phase === at && controller.abort(),
        }),
      );
    };
    return [await cancelled("calibrating"), await cancelled("solving")];
  });
  assert.equal(early.code, "aborted");
  assert.equal(early.charged, undefined);
  assert.equal(late.code, "aborted");
  assert.equal(late.charged, "unknown");
  const { charges } = await page.evaluate(() => client.ledger.find(dataset));
  assert.deepEqual(
    charges.map((c) => c.state),
    ["reserved"],
  );
  await home.close();
});

test("a ledger goes from one browser to another as a file", async () => {
  const [here, there] = [
    await profile(await browser.newContext()),
    await profile(await browser.newContext()),
  ];
  const [from, to] = [await tab(here), await tab(there)];
  const { id } = await open(from, budget);
  await from.evaluate(() => buy());
  const file = await from.evaluate(() => client.ledger.export());
  const result = await to.evaluate(
    async ([file, id]) => {
      const first = await client.ledger.import(file);
      const known = await client.ledger.find(dataset);
      const account = await client.ledger.same(dataset, id);
      await buy();
      const bad = [];
      for (const text of [
        file.slice(0, -9),
        file.replace('"epsilon": 20', '"epsilon": 2000'),
        file.replace('"version": 1', '"version": 2'),
        "",
        "{}",
      ])
        bad.push(await failure(client.ledger.import(text)));
      return {
        first,
        known,
        charges: account.charges.length,
        bad,
        back: await client.ledger.export(),
      };
    },
    [file, id],
  );
  assert.deepEqual(result.first, {
    changed: true,
    accounts: 1,
    added: 1,
    committed: 0,
    budgets: 0,
  });
  assert.equal(result.known, null, "the content is recognised by a key that is in no file");
  assert.equal(result.charges, 1);
  assert.deepEqual(
    result.bad.map(({ code, field }) => [code, field]),
    [
      ["ledger", undefined],
      ["ledger", undefined],
      ["ledger", "version"],
      ["ledger", undefined],
      ["ledger", undefined],
    ],
  );
  for (const [i, part] of [
    "cut short",
    "checksum",
    "newer version",
    "empty",
    "is no ledger",
  ].entries())
    assert.ok(result.bad[i].message.includes(part), result.bad[i].message);
  const merged = await from.evaluate((file) => client.ledger.import(file), result.back);
  assert.deepEqual(merged, { changed: true, accounts: 0, added: 1, committed: 0, budgets: 0 });
  await check(from, id, [...here.handed, ...there.handed], { imported: 1 });
  await here.close();
  await there.close();
});

test("without IndexedDB the ledger says so, and the rest works", async () => {
  const home = await profile(await browser.newContext());
  const page = await tab(home);
  const { failed, released } = await page.evaluate(
    async ([text, schema, request]) => {
      const without = "Object.defineProperty(globalThis, 'indexedDB', { value: undefined });\n";
      const client = await cloister.load({
        wasmURL: "/cloister.wasm?without",
        worker: (source) => cloister.blobWorker(without + source),
      });
      const dataset = await client.openDataset(text, schema);
      const failed = await failure(client.ledger.fit(dataset, request));
      const { release } = await client.fit(dataset, request);
      client.terminate();
      return { failed, released: release.format };
    },
    [table, schema, request],
  );
  assert.equal(failed.code, "storage");
  assert.equal(failed.field, "missing");
  assert.equal(released, "cloister-release");
  const persistence = await page.evaluate(() => client.ledger.persistence());
  assert.equal(typeof persistence.persisted, "boolean");
  assert.ok(persistence.quota > 0);
  await home.close();
});
