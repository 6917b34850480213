// A file of one's own: with a suggested schema, in parts, long, and Adult where it is present.

import assert from "node:assert/strict";
import { after, describe } from "node:test";
import { openClient } from "../harness/client.mjs";
import { adult, withoutAdult } from "../harness/shared-data.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import {
  choose,
  chooseLarge,
  confirm,
  csv,
  drawn,
  fit,
  json,
  look,
  openSection,
  saved,
  savedRelease,
  schemaOf,
  smallTable,
} from "../harness/studio.mjs";

const { inStudio } = await setUpStudio();
const client = await openClient();

const text = (page, selector) => page.locator(selector).innerText();

describe("a file of one's own", () => {
  test("what was read from it is marked, said before and after, and covered once it is confirmed", () =>
    inStudio(async (page) => {
      await choose(page);
      assert.match(await text(page, "#public .notice-warn"), /3 entries are read from your data/);
      assert.match(
        await text(page, "#fit .notice-warn"),
        /will not cover everything[^]*age, ward, ill/,
      );
      assert.equal(await fit(page), "done");
      assert.match(await text(page, ".verdict"), /does not cover everything[^]*"age"/);
      const partly = await savedRelease(page);
      assert.equal(partly.guarantee.covers, false);
      assert.equal(partly.guarantee.caveats.length, 4);

      // One is replaced, one confirmed, and the label too.
      await page.getByRole("button", { name: "Review age" }).click();
      await page.fill("#c0-min", "0");
      await page.fill("#c0-max", "125");
      await page.getByRole("button", { name: "Review ward" }).click();
      await page.check("#c1-known");
      await page.check("#label-known");
      await page.uncheck("#label-known");
      await drawn(page);
      assert.match(await text(page, "#public .notice-warn"), /One entry is read from your data/);
      await page.check("#label-known");
      await drawn(page);
      assert.match(await text(page, "#public .notice-good"), /Every entry is confirmed/);
      assert.equal(await page.locator("#fit .notice-warn").count(), 0);
      await page.getByText("1 purchase has used").waitFor();
      assert.equal(await fit(page), "done");
      assert.match(await text(page, ".verdict"), /covers the whole release/);
      const whole = await savedRelease(page);
      assert.equal(whole.guarantee.covers, true);
      assert.deepEqual([whole.schema.features[0].min, whole.schema.features[0].max], [0, 125]);
      await page.getByText("2 purchases have used").waitFor();
    }));

  test("in several parts is one table", () =>
    inStudio(async (page) => {
      const lines = smallTable().split("\n");
      const parts = [lines.slice(0, 150), [lines[0], ...lines.slice(150)]].map((part, i) =>
        csv(part.join("\r\n"), `part-${i + 1}.csv`),
      );
      await page.setInputFiles("#file", parts);
      await page.waitForSelector(".column .tag-warn");
      assert.match(await text(page, "#data .file"), /part-1\.csv, part-2\.csv\s+2 parts/);
      assert.equal(await fit(page), "done");
      await look(page);
      assert.match(await text(page, ".fence:has(#fence-title)"), /Rows used\s+400/);
    }));

  test("another column can be made the label, and the former one is left out of the model", () =>
    inStudio(async (page) => {
      await choose(page, smallTable().replaceAll(",C,", ",B,"));
      await page.selectOption("#label-name", { label: "ward" });
      await drawn(page);
      assert.equal(await page.inputValue("#label-positive"), "B");
      assert.match(await page.locator(".column", { hasText: "ill" }).innerText(), /left out/);
      assert.equal(await fit(page), "done");
      const release = await savedRelease(page);
      assert.equal(release.schema.label.name, "ward");
      assert.deepEqual(
        release.schema.features.map((f) => f.name),
        ["age"],
      );
    }));

  test("a schema saved is the schema imported, and with it the file is not looked at", () =>
    inStudio(async (page) => {
      await choose(page);
      await confirm(page);
      await page.getByText("Schema as a file").click();
      const kept = await saved(page, "Save the schema");
      assert.equal(kept.name, "schema.json");
      const schema = JSON.parse(kept.text);
      await page.reload();
      await page.waitForSelector("#fit-button:not([disabled])");
      await page.setInputFiles("#schema-file", json(schema));
      await page.waitForFunction(() => document.querySelectorAll(".column").length === 2);
      await choose(page);
      assert.equal(await page.locator(".column .tag-warn").count(), 0);
      assert.equal(await fit(page), "done");
      assert.deepEqual(
        (await savedRelease(page)).schema,
        (await client.checkSchema(schema)).schema,
      );
    }));
});

describe("long work", () => {
  test("reading can be cancelled, and the page goes on", () =>
    inStudio(async (page) => {
      await chooseLarge(page, smallTable(1000), 400);
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("Reading was cancelled").first().waitFor();
      await page.getByRole("button", { name: "Go back to the made-up tables" }).click();
      await page.waitForSelector("#fit-button:not([disabled])");
      assert.equal(await fit(page), "done");
    }));

  test("a fit shows how far it is, can be cancelled, releases nothing, and can be started again", () =>
    inStudio(async (page) => {
      await page.setInputFiles("#schema-file", json(schemaOf({ intercept: 1 })));
      await page.waitForFunction(() => document.querySelectorAll(".column").length === 1);
      await chooseLarge(page, smallTable(1000), 300);
      await page.waitForFunction(() =>
        document.querySelector(".file-name")?.textContent.includes("large.csv"),
      );
      // The file is looked up first, which reads it: that can be cancelled, and is taken up again
      // by the fit.
      await page.waitForFunction(() => document.querySelector("#account progress")?.value > 0.02);
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.waitForSelector('#account[data-phase="unread"]');
      // By keyboard, whose focus has to outlive the buttons that come and go.
      await page.focus("#fit-button");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.querySelector("#fit progress")?.value > 0.02);
      assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "Cancel");
      await page.keyboard.press("Enter");
      await page.getByText("nothing of the budget was used").waitFor();
      assert.equal(await page.evaluate(() => document.activeElement.id), "fit-button");
      assert.equal(await page.locator(".verdict").count(), 0);
      await page.getByRole("button", { name: "Go back to the made-up tables" }).click();
      await page.locator(".card", { hasText: "Hospital stays" }).getByText("open").waitFor();
      assert.equal(await fit(page), "done");
    }));
});

describe("Adult", () => {
  test("from two files to a published model", { skip: withoutAdult }, () =>
    inStudio(async (page) => {
      await page.setInputFiles("#file", adult);
      await page.waitForSelector(".column .tag-warn");
      assert.equal(await page.inputValue("#label-positive"), ">50K\n>50K.");
      await confirm(page);
      assert.equal(await fit(page), "done");
      await look(page);
      const fence = await text(page, ".fence:has(#fence-title)");
      const right = Number(/Right on your rows\s+([\d.]+)/.exec(fence)[1]);
      assert.ok(right > 83, `${right} % right on the rows it was fitted to, at ε = 1`);
      assert.match(fence, /Rows used\s+48,842\s+Rows left out\s+0/, "missing values are no reason");
      const release = await savedRelease(page);
      assert.equal(release.guarantee.covers, true);
      assert.ok((await client.reprice(release)).holds);
      await openSection(page, "all-coefficients");
      await page
        .locator("#all-coefficients")
        .getByRole("button", { name: /^Show all/ })
        .click();
      await drawn(page);
      assert.equal(
        await page.locator(".coefficients tbody tr").count(),
        release.model.original.length,
      );
    }),
  );
});
