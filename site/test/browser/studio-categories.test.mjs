// Categories that nobody knows: bought from the file, through its account, and said so wherever
// they go; and what was bought and lost with the tab.

import assert from "node:assert/strict";
import { column, inOrder, priced, review, tag } from "../harness/columns.mjs";
import { freshProfile } from "../harness/browser.mjs";
import { silentAfterCommit, visitWith } from "../harness/faults.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import {
  account,
  confirm,
  csv,
  fit,
  left,
  lookUp,
  savedFile,
  savedRelease,
  smallTable,
} from "../harness/studio.mjs";

const { server, browser, inStudio } = await setUpStudio();

/** Three wards that many share, and one of a single person. */
const rows = `${smallTable(3000)}\n63,Isolation room,yes`;

const text = (page, selector) => page.locator(selector).innerText();

/** Says that both columns are to be bought. */
async function wish(page) {
  for (const [name, words] of [
    ["age", /^Buy private bounds/],
    ["ward", /^Buy private categories/],
  ]) {
    await review(page, name);
    await column(page, name).getByRole("radio", { name: words }).check();
  }
}

test("categories are bought beside bounds: priced beforehand, charged, put in place, and named in the release, the card and the verifier", () =>
  inStudio(async (page) => {
    await lookUp(page, rows);
    assert.match(
      await column(page, "ward").locator(".column-summary").innerText(),
      /Isolation room/,
      "read from the file",
    );
    await wish(page);
    assert.equal(await tag(page, "ward"), "to be bought");
    assert.equal(
      await page.locator("#categories-buy").count(),
      0,
      "there is no total yet to pay from",
    );
    await priced(page, "categories");
    // δ is 1e-5/64/16; the counts from the closed form of the rule in mpmath (40 digits).
    await page.locator("#categories-price", { hasText: "35 rows" }).waitFor();
    assert.match(
      await text(page, "#categories-price"),
      /from 35 rows on, and surely from 70 on[^]*costs ε = 0\.5 and δ = 9\.77.×.10⁻⁹\. After it, ε = [34]\.\d+ of 5 would be left/,
    );
    await inOrder(page, "both before buying");
    await page.click("#bounds-buy");
    await page.waitForSelector("#bounds-found");
    await page.click("#categories-buy");
    await page.waitForSelector("#categories-found");
    assert.match(await text(page, "#categories-found"), /ward: A, B, C, bought/);
    assert.equal(await page.inputValue("#c1-categories"), "A\nB\nC");
    assert.equal(await page.inputValue("#c1-unknown"), "zero", "the others count as none of these");
    assert.deepEqual([await tag(page, "age"), await tag(page, "ward")], ["bought", "bought"]);
    await left(page, "2 purchases have used");
    await inOrder(page, "both bought");
    await page.locator("#account summary", { hasText: "What it was spent on" }).click();
    assert.match(await text(page, ".charges"), /categories of columns/);
    assert.equal(
      await page.locator("#bought-before").count(),
      0,
      "what is in place is not offered again",
    );

    // What the file alone has is noticed; what is public beside what was bought is not the file's.
    await page.fill("#c1-categories", "A\nB\nC\nIsolation room");
    assert.equal(await tag(page, "ward"), "from your data");
    await page.fill("#c1-categories", "A\nB\nC\nDay clinic");
    assert.equal(await tag(page, "ward"), "bought");

    await confirm(page);
    await page.getByText("Every entry is confirmed as public knowledge, or bought").waitFor();
    assert.equal(await fit(page), "done");
    const release = await savedRelease(page);
    assert.equal(release.schema.version, 6, "columns of missing values");
    assert.equal(release.guarantee.covers, true);
    const [, ward] = release.schema.features;
    assert.deepEqual(
      [ward.categories, ward.provenance, ward.unknown, ward.purchase.epsilon, ward.purchase.delta],
      [["A", "B", "C", "Day clinic"], "bought", "zero", 0.5, 1e-5 / 1024],
    );
    assert.doesNotMatch(JSON.stringify(release), /Isolation/);
    const html = await savedFile(page, "Save a model card");
    assert.match(
      html,
      new RegExp(
        `Some bounds and categories were bought[^]*${ward.purchase.charge}[^]*together are covered at ε&nbsp;=&nbsp;1\\.75 and δ&nbsp;=&nbsp;10⁻⁵ \\+ 9\\.77`,
      ),
    );
    await page.setInputFiles("#release-file", {
      name: "release.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(release)),
    });
    await page.locator("#check summary", { hasText: "What was checked" }).click();
    await page.getByText(`charge "${ward.purchase.charge}" at ε = 0.5 and δ = `).waitFor();
    // The bounds cost ε = 0.25000000000000006: the sum is rounded to the side that holds.
    await page.getByText(/together covered at ε = 1\.75001 and δ = 1\.0\d+e-05/).waitFor();
  }));

test("what few share is not told, and that is said", () =>
  inStudio(async (page) => {
    await lookUp(page, rows);
    await account(page, { epsilon: 2 });
    await review(page, "ward");
    await column(page, "ward")
      .getByRole("radio", { name: /^Buy private categories/ })
      .check();
    await page.fill("#categories-epsilon", "9");
    await page.locator("#buy-categories").getByText("This is more than is left").waitFor();
    // A thousand rows a ward are too few for ε = 0.005.
    await page.fill("#categories-epsilon", "0.005");
    await page.locator("#categories-price", { hasText: "ε = 0.005" }).waitFor();
    await page.click("#categories-buy");
    await page.waitForSelector("#categories-found");
    assert.match(await text(page, "#categories-found"), /ward: no categories could be told/);
    assert.equal(await tag(page, "ward"), "to be bought");
    if (process.env.CLOISTER_SHOTS) await inOrder(page, "no categories");
    await column(page, "ward")
      .getByRole("radio", { name: /^Keep what was read/ })
      .check();
    assert.equal(await tag(page, "ward"), "not covered");
  }));

/** A tab with the studio in it, and perhaps a fault in its workers. */
const visit = async (context, code) => (await visitWith(context, server.url, { code })).page;

test("what was bought and lost with the tab is offered again, for nothing; and so is the number of rows that was entered", async () => {
  const context = await freshProfile(browser);
  const first = await visit(context, silentAfterCommit);
  await lookUp(first, rows);
  await account(first, { epsilon: 3 });
  await first.fill("#records", "4,200");
  await wish(first);
  await first.locator("#categories-price").waitFor();
  await first.click("#categories-buy");
  await first.waitForFunction(() => globalThis.heard.includes("committed"));
  assert.equal(await first.locator("#categories-found").count(), 0, "nobody has seen it");
  await first.close({ runBeforeUnload: false });

  const page = await visit(context);
  await lookUp(page, rows);
  await left(page, "1 purchase has used");
  assert.equal(await page.inputValue("#records"), "4,200");
  await page.waitForSelector("#bought-before");
  assert.match(
    await text(page, "#bought-before"),
    /ward: A, B, C for ε = 0\.3, charge [0-9a-f]{8}/,
  );
  await inOrder(page, "bought before");
  await page.click("#bought-again");
  await page.waitForSelector("#bought-before", { state: "detached" });
  assert.equal(await tag(page, "ward"), "bought");
  assert.match(await column(page, "ward").locator(".column-summary").innerText(), /^A, B, C$/);
  await left(page, "1 purchase has used");
  assert.doesNotMatch(await text(page, "#account"), /2 purchases/);
  await page.locator("#account summary", { hasText: "What it was spent on" }).click();
  assert.doesNotMatch(await text(page, ".charges"), /not handed out/);
  await context.close();
});

test("a ledger that is damaged, or of a later version, is said to be, and is left as it is", async () => {
  const context = await freshProfile(browser);
  const first = await visit(context);
  await lookUp(first, rows);
  await account(first, { epsilon: 3 });
  for (const [from, to, said] of [
    ['"version":3', '"version":99', /version 99[^]*newer version/],
    ['"version":99', '"version":3,"kind":"x', /damaged/],
  ]) {
    const changed = await first.evaluate(
      ([from, to]) =>
        new Promise((resolve, reject) => {
          const opening = indexedDB.open("cloister-ledger");
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const db = opening.result;
            const list = db.transaction("entries", "readwrite").objectStore("entries");
            list.get(2).onsuccess = ({ target }) => {
              const text = target.result.replace(from, to);
              list.put(text, 2).onsuccess = () => (db.close(), resolve(text));
            };
          };
        }),
      [from, to],
    );
    assert.ok(changed.includes(to));
    const page = await visit(context);
    await page.setInputFiles("#file", csv(rows, "ward-round.csv"));
    await page.waitForSelector('#account:is([data-phase="unavailable"], [data-phase="unread"])');
    await page.locator("#account", { hasText: said }).waitFor();
    assert.equal(await page.locator("#account-fix").count(), 0, "no account is opened beside it");
    await page.close({ runBeforeUnload: false });
    const now = await first.evaluate(
      () =>
        new Promise((resolve) => {
          const opening = indexedDB.open("cloister-ledger");
          opening.onsuccess = () => {
            opening.result.transaction("entries").objectStore("entries").getAll().onsuccess = ({
              target,
            }) => (opening.result.close(), resolve(target.result));
          };
        }),
    );
    assert.equal(now[1], changed);
    assert.equal(now.length, 2);
  }
  await context.close();
});
