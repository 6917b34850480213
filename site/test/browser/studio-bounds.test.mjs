// Bounds that nobody knows: bought from the file with noise, through its account, and said so
// wherever they go.

import assert from "node:assert/strict";
import { column, inOrder, priced, review, tag } from "../harness/columns.mjs";
import { open } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import {
  account,
  confirm,
  drawn,
  fit,
  kinds,
  lookUp,
  savedFile,
  savedRelease,
  smallTable,
  withoutStorage,
} from "../harness/studio.mjs";

const { server, browser, inStudio } = await setUpStudio();

const whence = (page, of, words) => of.getByRole("radio", { name: words }).check();

async function buy(page) {
  await page.locator("#bounds-price").waitFor();
  await page.click("#bounds-buy");
  await page.waitForSelector("#bounds-found");
}

test("bounds are bought: priced beforehand, charged, put in place, and named in the release, the card and the verifier", () =>
  inStudio(async (page) => {
    await lookUp(page, smallTable(3000));
    assert.equal(await tag(page, "age"), "from your data");
    await review(page, "age");
    const age = column(page, "age");
    assert.equal(
      await age.getByRole("radio", { checked: true, name: /knowledge|Buy|Keep/ }).count(),
      0,
      "nothing is decided for the person",
    );
    await inOrder(page, "bounds undecided");
    await whence(page, age, /^Buy private bounds/);
    assert.equal(await tag(page, "age"), "to be bought");
    // There is no total yet to pay from, and the page leads to it.
    assert.equal(await page.locator("#bounds-buy").count(), 0);
    await inOrder(page, "bounds without a total");
    await priced(page, "bounds");
    // T for one column and scale 2, as core/learn/bounds has it.
    await page.locator("#bounds-price", { hasText: "21 rows" }).waitFor();
    const price = await page.locator("#bounds-price").innerText();
    assert.match(
      price,
      /surely from 41 on[^]*costs ε = 0\.5\. After it, ε = [34]\.\d+ of 5 would be left/,
    );
    await inOrder(page, "bounds before buying");
    await buy(page);
    assert.match(await page.locator("#bounds-found").innerText(), /age: 15 to 80, bought/);
    assert.deepEqual(
      [await page.inputValue("#c0-min"), await page.inputValue("#c0-max")],
      ["15", "80"],
    );
    assert.equal(await tag(page, "age"), "bought");
    await page.locator("#account").getByText("1 purchase has used").waitFor();
    await inOrder(page, "bounds bought");
    const left = /ε = ([\d.]+) of 5 would be left/.exec(price)[1];
    await page.locator("#account").getByText(`ε = ${left} is left of 5`).waitFor();
    await page.locator("#account summary", { hasText: "What it was spent on" }).click();
    assert.match(await page.locator(".charges").innerText(), /bounds of columns/);

    // A bound of the file's is noticed; public knowledge beside what was bought is not the file's.
    await page.fill("#c0-min", "0");
    assert.equal(await tag(page, "age"), "bought");
    await page.fill("#c0-min", "20");
    assert.equal(await tag(page, "age"), "from your data");
    await page.fill("#c0-min", "15");
    assert.equal(await tag(page, "age"), "bought");

    await confirm(page);
    await page.getByText("Every entry is confirmed as public knowledge, or bought").waitFor();
    assert.equal(await fit(page), "done");
    const release = await savedRelease(page);
    assert.equal(release.schema.version, 6, "columns of missing values");
    const [feature] = release.schema.features;
    assert.deepEqual(
      [feature.min, feature.max, feature.provenance, feature.purchase.epsilon],
      [15, 80, "bought", 0.5],
    );
    assert.equal(release.guarantee.covers, true);
    assert.match(feature.purchase.charge, /^[0-9a-f]{32}$/);
    const html = await savedFile(page, "Save a model card");
    assert.ok(
      html.includes(feature.purchase.charge) &&
        /together are covered at ε&nbsp;=&nbsp;1\.5/.test(html),
      "the card says by which charge",
    );
    await page.setInputFiles("#release-file", {
      name: "release.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(release)),
    });
    await page.locator("#check summary", { hasText: "What was checked" }).click();
    await page.getByText(`charge "${feature.purchase.charge}" at ε = 0.5`).waitFor();
    await page.getByText("together covered at ε = 1.5").waitFor();
  }));

test("what the budget does not allow is not bought, and what cannot be told is said", () =>
  inStudio(async (page) => {
    await lookUp(page, smallTable(400));
    await account(page, { epsilon: 0.8 });
    await review(page, "age");
    await whence(page, column(page, "age"), /^Buy private bounds/);
    await page.fill("#bounds-epsilon", "4");
    await page.locator("#buy-bounds").getByText("This is more than is left").waitFor();
    await page.click("#bounds-buy");
    await page.waitForSelector("#bounds-failed");
    assert.match(
      await page.locator("#bounds-failed").innerText(),
      /Nothing was run, and nothing was spent/,
    );
    await inOrder(page, "bounds refused");
    assert.match(await page.locator("#account").innerText(), /Nothing is spent yet/);

    // 400 rows do not fill a range at ε = 0.05: T is 200 there.
    await page.fill("#bounds-epsilon", "0.05");
    await page.locator("#bounds-price", { hasText: "200 rows" }).waitFor();
    await buy(page);
    assert.match(await page.locator("#bounds-found").innerText(), /age: no bounds could be told/);
    await inOrder(page, "bounds not found");
    await page.locator("#account").getByText("1 purchase has used").waitFor();
    assert.equal(await tag(page, "age"), "to be bought");
    // Kept knowingly, and the page says what that means.
    await whence(page, column(page, "age"), /^Keep what was read/);
    assert.equal(await tag(page, "age"), "not covered");
    await confirm(page);
    await page.getByText("One entry is read from your data").waitFor();
    await page.fill("#epsilon", "0.2");
    assert.equal(await fit(page), "done");
    const { guarantee, schema } = await savedRelease(page);
    assert.equal(guarantee.covers, false);
    assert.equal(schema.version, 5);
  }));

test("the label's bounds and a column's are bought together, by the keyboard alone", () =>
  inStudio(async (page) => {
    await lookUp(page, kinds.numbers(3000));
    await page.selectOption("#label-name", { label: "days" });
    await account(page, { epsilon: 5 });
    const press = async (key) => {
      await page.keyboard.press(key);
      await drawn(page);
    };
    const focused = () =>
      page.evaluate(() => ({
        id: document.activeElement.id,
        text: (
          document.activeElement.closest("label") ?? document.activeElement
        ).textContent.trim(),
      }));
    const tabTo = async (what, wanted) => {
      for (let i = 0; i < 150; i++) {
        await press("Tab");
        if (wanted(await focused())) return;
      }
      assert.fail(`Tab never reached ${what}`);
    };
    await page.focus("#label-name");
    await tabTo("where the label's bounds come from", ({ id }) => id === "label-known");
    await press("ArrowDown");
    assert.match((await focused()).text, /^Buy private bounds/);
    await tabTo("the table of columns", ({ id }) => id === "label-use-cell");
    await press("ArrowDown");
    assert.equal((await focused()).id, "c0-use-cell");
    await press("End");
    assert.match((await focused()).text, /^Review\s*age$/);
    await press("Enter");
    await tabTo("where its bounds come from", ({ id }) => id === "c0-known");
    await press("ArrowDown");
    await tabTo("ε of the bounds", ({ id }) => id === "bounds-epsilon");
    await press("Control+A");
    await page.keyboard.type("1");
    await page.locator("#bounds-price", { hasText: "costs ε = 1 (0.5 a column)." }).waitFor();
    await press("Enter");
    await page.waitForSelector("#bounds-found");
    assert.match(
      await page.locator("#bounds-found").innerText(),
      /age: 15 to 80, bought\s+days: \d+ to 40, bought/,
    );
    assert.notEqual((await focused()).id, "", "the focus is not lost");
    await confirm(page);
    assert.equal(await fit(page), "done");
    const { schema } = await savedRelease(page);
    assert.equal(schema.label.provenance, "bought");
    assert.equal(schema.label.purchase.charge, schema.features[0].purchase.charge);
    assert.equal(schema.label.purchase.epsilon, 1);
  }));

test("without a ledger nothing is sold", async () => {
  const tab = await open(browser);
  const { page } = tab;
  await withoutStorage(page);
  await page.goto(server.url);
  await page.waitForSelector("#fit-button:not([disabled])");
  await lookUp(page, smallTable(3000));
  await review(page, "age");
  await whence(page, column(page, "age"), /^Buy private bounds/);
  await page
    .locator("#buy-bounds")
    .getByText("can be bought only with a ledger, which notes the price, and there is none")
    .waitFor();
  assert.equal(await page.locator("#bounds-buy").count(), 0);
  tab.quiet();
  await tab.close();
});
