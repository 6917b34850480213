// What goes wrong around the ledger, as the page shows it: purchases that end in the middle, a full
// disk, a clock set back, files that are cut or from the future, and totals that disagree.

import assert from "node:assert/strict";
import { describe } from "node:test";
import { accessible } from "../harness/axe.mjs";
import { stepping } from "../harness/steps.mjs";
import { freshProfile } from "../harness/browser.mjs";
import { noRoom, stopsAt, visitWith } from "../harness/faults.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";
import {
  account,
  charges,
  fit,
  left,
  lookUp,
  openStudio,
  savedFile,
  savedRelease,
} from "../harness/studio.mjs";

const { server, browser } = await setUp();

/** A tab with the studio in it, and a fault in its workers. */
const visit = (context, code) => visitWith(context, server.url, { code });

const text = (page, selector) => page.locator(selector).innerText();

const stopsAtCommit = stopsAt("commit");
const noRoomToCommit = `globalThis.crowded = /"kind":"commit"/; (${noRoom})()`;

/** In the worker: a clock that is 400 days behind. */
const setBack = () => {
  const { Date } = globalThis;
  const behind = () => Date.now() - 400 * 864e5;
  globalThis.Date = class extends Date {
    constructor(...given) {
      super(...(given.length === 0 ? [behind()] : given));
    }
    static now = behind;
  };
};

/** Begins a fit that gets as far as the commit, and no further. */
async function stopAtCommit(page) {
  await lookUp(page);
  await account(page);
  await page.click("#fit-button");
  await page.waitForFunction(() => globalThis.heard.includes("at the commit"));
}

describe("a purchase that ends in the middle", () => {
  test("by the tab: the next visit finds it charged, and says that nothing was handed out", async () => {
    const context = await freshProfile(browser);
    const first = await visit(context, stopsAtCommit);
    await stopAtCommit(first.page);
    assert.equal(
      await first.page.locator(".verdict").count(),
      0,
      "nothing is shown before it is paid for",
    );
    await first.page.close({ runBeforeUnload: false });

    const { page, quiet } = await visit(context);
    await lookUp(page);
    await left(page, "1 purchase has used");
    const [row] = await charges(page);
    assert.match(row, /a model\s+not handed out/);
    assert.match(
      await text(page, "#account"),
      /the page ended before the model was shown\. It counts all the same/,
    );
    await accessible(page, "a charge without a release");
    // And it can be gone on from.
    assert.equal(await fit(page), "done");
    await left(page, "2 purchases have used");
    quiet();
    await context.close();
  });

  test("by hand: cancelled after the reservation, the page says that it counts, and shows it", async () => {
    const context = await freshProfile(browser);
    const { page, quiet } = await visit(context, stopsAtCommit);
    await stopAtCommit(page);
    await page.locator("#fit").getByRole("button", { name: "Cancel" }).click();
    // "May have been" at first; what it came to, once the ledger has been read again.
    await page.locator("#fit .notice-warn", { hasText: "and counts" }).waitFor();
    assert.match(
      await text(page, "#fit .notice-warn:has-text('Cancelled')"),
      /Nothing was released, but its cost had been noted in the ledger, and counts/,
    );
    await left(page, "1 purchase has used");
    assert.match((await charges(page))[0], /not handed out/);
    assert.equal(await page.locator(".verdict").count(), 0);
    quiet();
    await context.close();
  });

  test("by its worker, which ends without a word: the page says so, that it counts, and goes on", async () => {
    const context = await freshProfile(browser);
    const { page, quiet } = await visitWith(context, server.url, {
      code: stopsAtCommit,
      prepare: () => {
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (message, ...more) {
          if (message.method === "ledger.buy") globalThis.buyer = this;
          return postMessage.call(this, message, ...more);
        };
      },
    });
    await stopAtCommit(page);
    await page.evaluate(() => globalThis.buyer.terminate());
    await page.locator("#fit-problem").waitFor();
    assert.match(
      await text(page, "#fit-problem"),
      /The computation stopped[^]*The page can be used again at once/,
    );
    assert.equal(await page.locator(".verdict").count(), 0);
    await left(page, "1 purchase has used");
    assert.match((await charges(page))[0], /not handed out/);
    quiet();
    await context.close();
  });

  test("by a full disk: no model is shown, the charge stands, and the page says both", async () => {
    const context = await freshProfile(browser);
    const { page, quiet } = await visit(context, noRoomToCommit);
    await lookUp(page);
    const said = await fit(page);
    assert.match(
      said,
      /The ledger cannot be kept here[^]*Nothing was released, and the charge for it stands/,
    );
    assert.equal(await page.locator(".verdict").count(), 0);
    await left(page, "1 purchase has used");
    assert.match((await charges(page))[0], /not handed out/);
    await accessible(page, "a disk that is full in the middle of a commit");
    quiet();
    await context.close();
  });
});

test("a clock set back changes when, and not what is left", async () => {
  const context = await freshProfile(browser);
  const now = await visit(context);
  await lookUp(now.page);
  assert.equal(await fit(now.page), "done");
  await left(now.page, "1 purchase has used");
  const spent = async (page) =>
    Number(/ha(?:s|ve) used ε = (\d+(?:\.\d+)?)/.exec(await text(page, "#account"))[1]);
  const before = await spent(now.page);
  await savedRelease(now.page);
  await now.page.close();

  const { page, quiet } = await visit(context, setBack);
  await lookUp(page);
  await left(page, "1 purchase has used");
  assert.equal(await spent(page), before, "what was spent in the future counts");
  assert.equal(await fit(page), "done");
  await left(page, "2 purchases have used");
  assert.ok((await spent(page)) > before);
  const year = (row) => Number(/\b20\d\d\b/.exec(row)[0]);
  const [one, two] = (await charges(page)).map(year);
  assert.ok(
    two < one,
    `the second charge, of ${two}, is noted as the clock had it; the first is of ${one}`,
  );
  quiet();
  await context.close();
});

describe("a ledger file", () => {
  /** The ledger as its file. */
  async function kept(page) {
    await page.evaluate(() => (document.querySelector("#books").open = true));
    return savedFile(page, /^Save the ledger/);
  }
  const take = (page, given) =>
    page.setInputFiles("#ledger-file", {
      name: "ledger.json",
      mimeType: "application/json",
      buffer: Buffer.from(given),
    });

  test("that is cut, changed, from the future, or something else, is refused in words, and changes nothing", async () => {
    const { page, quiet, close } = await openStudio(browser, server.url);
    await lookUp(page);
    assert.equal(await fit(page), "done");
    await left(page, "1 purchase has used");
    const file = await kept(page);
    const list = await text(page, "#books table");
    assert.match(list, /ward-round\.csv\s+1\s+[\d.]+ of 3/);
    for (const [name, given, said] of [
      ["cut", file.slice(0, file.length / 2), /cut short/],
      ["changed", file.replace('"epsilon": 3', '"epsilon": 300'), /checksum/],
      ["newer", file.replace(/"version": \d+/, '"version": 99'), /version 99[^]*newer version/],
      ["empty", "", /empty/],
      ["not JSON", "dear reader", /not JSON/],
      ["in another encoding", Buffer.from(`${file}\u00e4`, "latin1"), /not UTF-8 text/],
      ["a release", JSON.stringify(await savedRelease(page)), /cloister-ledger/],
    ]) {
      await take(page, given);
      const problem = page.locator("#books-problem", { hasText: said });
      await problem.waitFor({ timeout: 5000 }).catch(() => {});
      assert.match(await text(page, "#books"), said, name);
      assert.match(await problem.innerText(), /The ledger cannot be used/, name);
      assert.equal(await text(page, "#books table"), list, name);
      await left(page, "1 purchase has used");
    }
    await accessible(page, "a ledger file that is refused");
    await take(page, file);
    await page.getByText("nothing that was not here already").first().waitFor();
    quiet();
    await close();
  });

  test("whose total is another: the page says so, and keeps the smaller when asked", async () => {
    const [here, there] = [await freshProfile(browser), await freshProfile(browser)];
    const first = await visit(here);
    await lookUp(first.page);
    await account(first.page, { epsilon: 3 });
    const original = await kept(first.page);
    // Elsewhere the same account, in which nothing was spent yet, was given another total.
    const other = stepping(await there.newPage());
    await other.route(/\/empty$/, (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html><title>empty</title>" }),
    );
    await other.goto(`${server.url}empty`);
    const theirs = await other.evaluate(async (file) => {
      const client = await (await import("/client.js")).load();
      await client.ledger.import(file);
      const [{ id }] = await client.ledger.accounts();
      await client.ledger.setBudget(id, { adjacency: "add-remove", epsilon: 2, delta: 1e-5 });
      return client.ledger.export();
    }, original);

    const { page, quiet } = first;
    await take(page, theirs);
    const problem = page.locator("#books-problem");
    await problem.waitFor();
    assert.match(await problem.innerText(), /smaller/);
    await left(page, "ε = 3 is left of 3");
    await accessible(page, "totals that disagree");
    await problem.getByRole("button", { name: "Keep the smaller total of each" }).click();
    await page.getByText("1 total changed").first().waitFor();
    await left(page, "ε = 2 is left of 2");
    assert.equal(await page.locator("#books-problem").count(), 0);
    // The larger one does not come back with its file.
    await take(page, original);
    await problem.waitFor();
    await problem.getByRole("button", { name: "Keep the smaller total of each" }).click();
    await page.getByText("nothing that was not here already").first().waitFor();
    await left(page, "ε = 2 is left of 2");
    quiet();
    await Promise.all([here.close(), there.close()]);
  });
});
