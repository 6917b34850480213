// The made-up tables of the first step: each opened by its card and by its address, to a release
// with a finding; the address through the steps, a reload and Back; and one that names no table.

import assert from "node:assert/strict";
import { describe } from "node:test";
import { openClient } from "../harness/client.mjs";
import { accessible } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { csv, drawn, savedRelease, smallTable } from "../harness/studio.mjs";

const { server, inStudio } = await setUpStudio({ goes: false });
const client = await openClient();

const tables = {
  stays: { title: "Hospital stays", noun: "hospital stays", label: "readmitted", columns: 9 },
  loans: { title: "Loan defaults", noun: "loans", label: "defaulted", columns: 8 },
  species: { title: "Penguin species", noun: "penguins", label: "species", columns: 5 },
  wages: { title: "Wages", noun: "employees", label: "hourly_wage", columns: 7 },
};

/** Waits until a table is open, and nothing of another is on the page. */
async function opened(page, name) {
  const { title, noun, columns } = tables[name];
  await page.locator(".card", { hasText: title }).getByText("open", { exact: true }).waitFor();
  await page.waitForFunction((n) => document.querySelectorAll(".column").length === n, columns);
  assert.deepEqual(await page.locator(".card [aria-current]").allInnerTexts(), [title]);
  assert.equal(await page.getByRole("button", { name: `Try it on made-up ${noun}` }).count(), 1);
}

/**
 * Two clicks: fits the open table, and saves a release that holds and has found something, or says
 * that it has not: of several classes by steps nothing is known of the noise.
 */
async function released(page, name) {
  const { noun, label, columns } = tables[name];
  await page.getByRole("button", { name: `Try it on made-up ${noun}` }).click();
  await page.locator("#result .verdict").waitFor({ timeout: 60_000 });
  const release = await savedRelease(page);
  assert.ok((await client.reprice(release)).holds);
  assert.equal(release.guarantee.covers, true);
  assert.equal(release.schema.label.name, label);
  assert.equal(release.schema.features.length, columns);
  const found = await page.locator("#result .found").count();
  if (name === "species") {
    assert.equal(release.event.sigmas.length, 120);
    assert.equal(found, 0);
    assert.match(await page.locator(".findings-lead").innerText(), /does not say enough/);
  } else if (name === "wages") {
    // Steps of a number may move each by as much as its differences are.
    assert.match(
      await page.locator(".findings-lead").innerText(),
      /^(None|\d+) of (these )?\d+ differences in hourly_wage/,
    );
  } else assert.ok(found > 0, "a difference is more than noise");
  return release;
}

const search = (page) => page.evaluate(() => location.search + location.hash);

for (const [name, { title, noun }] of Object.entries(tables)) {
  test(`${title}: by its address to a release, and by its card in three clicks`, () =>
    inStudio(
      async (page) => {
        await opened(page, name);
        await page.getByRole("button", { name: "Next: What is public" }).click();
        await drawn(page);
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        assert.ok(height <= 1800, `what is public is ${height} px tall`);
        await page.locator(".rail a").first().click();
        const { schema } = await released(page, name);
        assert.equal(schema.label.type, { species: "classes", wages: "numeric" }[name]);
        assert.equal(await search(page), `?sample=${name}#result`);
        const rail = await page.locator(".rail-summary").first().innerText();
        assert.equal(rail.replace(/\s+/g, " "), `made-up ${noun} · Change`);

        // From another table, so that the card opens something.
        await page.locator(".rail a").first().click();
        const [other] = Object.keys(tables).filter((one) => one !== name);
        await page.getByRole("link", { name: tables[other].title }).click();
        await opened(page, other);
        await page.getByRole("link", { name: title }).click();
        await opened(page, name);
        assert.equal(await search(page), `?sample=${name}#data`);
        await released(page, name);
        assert.equal(await page.getByRole("radio", { name: "Model 2" }).isChecked(), true);
      },
      { path: `?sample=${name}` },
    ));
}

describe("the address", () => {
  test("lasts through the steps and a reload, and Back opens what was open", () =>
    inStudio(async (page) => {
      await opened(page, "stays");
      await page.getByRole("link", { name: "Wages" }).click();
      await opened(page, "wages");
      assert.equal(await page.evaluate(() => document.activeElement.id), "sample-wages");
      await page.getByRole("link", { name: "Loan defaults" }).click();
      await opened(page, "loans");
      await page.getByRole("button", { name: "Next: What is public" }).click();
      await page.waitForFunction(() => location.hash === "#public");
      assert.equal(await search(page), "?sample=loans#public");
      assert.equal(
        await page.locator("#c1-why-cell").innerText(),
        "a year; the form’s limits",
        "the code book says why each entry is public",
      );
      await page.reload();
      await page.waitForSelector("#fit-button:not([disabled])", { state: "attached" });
      assert.equal(await search(page), "?sample=loans#public");
      assert.equal(await page.locator("#public").isVisible(), true);
      assert.match(await page.locator("#public").innerText(), /late_payments/);
      await page.goBack();
      await opened(page, "loans");
      await page.goBack();
      await opened(page, "wages");
      await page.goBack();
      await opened(page, "stays");
      assert.equal(await search(page), "");
      await page.goForward();
      await opened(page, "wages");
      await drawn(page);
      assert.equal(await search(page), "?sample=wages#data");
    }));

  test("leads to a step too, and its table is fitted there", () =>
    inStudio(
      async (page) => {
        assert.equal(await page.locator("#fit").isVisible(), true);
        assert.match(
          (await page.locator("#fit").innerText()).replace(/\s+/g, " "),
          /Predict hourly_wage from 7 columns of 12,000 made-up employees/,
        );
      },
      { path: "?sample=wages#fit" },
    ));

  test("of a table that there is not is said, and the page is of use all the same", () =>
    inStudio(
      async (page) => {
        const said = page.locator("#sample-unknown");
        assert.match(
          (await said.innerText()).replace(/\s+/g, " "),
          /^There is no made-up table called “wage<b>s”.*the hospital stays are open/,
        );
        await opened(page, "stays");
        await accessible(page, "an address that names no table");
        await page.getByRole("link", { name: "Penguin species" }).click();
        await opened(page, "species");
        assert.equal(await said.count(), 0);
      },
      { path: "?sample=wage%3Cb%3Es#budget" },
    ));

  test("closes no file of the person's own: Back leads through the steps with it", () =>
    inStudio(async (page) => {
      await page.getByRole("link", { name: "Wages" }).click();
      await opened(page, "wages");
      await page.getByRole("link", { name: "Loan defaults" }).click();
      await opened(page, "loans");
      await page.setInputFiles("#file", csv(smallTable(), "ward-round.csv"));
      await page.waitForFunction(() => location.hash === "#public");
      assert.equal(await search(page), "#public", "a reload would not open another table");
      for (let back = 0; back < 2; back++) {
        await page.goBack();
        await page.locator(".file-name", { hasText: "ward-round.csv" }).waitFor();
        await drawn(page);
        assert.equal(await search(page), "#data");
      }
      assert.equal(await page.locator(".gallery").count(), 0);
      await page.getByRole("button", { name: "Go back to the made-up tables" }).click();
      await opened(page, "loans");
      assert.equal(await search(page), "?sample=loans#data");
      assert.equal(await page.evaluate(() => document.activeElement.id), "sample-loans");
    }));

  test("opens its table without a network", () =>
    inStudio(
      async (page) => {
        await page.evaluate(async () => void (await navigator.serviceWorker.ready));
        await page.context().setOffline(true);
        await page.goto(`${server.url}?sample=species`);
        await page.waitForSelector("#fit-button:not([disabled])", { state: "attached" });
        await opened(page, "species");
      },
      { offline: true },
    ));
});
