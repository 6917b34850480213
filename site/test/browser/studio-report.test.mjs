// The privacy report beside a release: offered with what it costs, charged, saved, told in the
// card; and the true losses, which go nowhere.

import assert from "node:assert/strict";
import { openClient } from "../harness/client.mjs";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { openVerifier } from "../harness/verifier.mjs";
import {
  account,
  choose,
  csv,
  fit,
  json,
  kinds,
  look,
  openSection,
  savedFile,
  savedRelease,
  schemaOf,
  smallTable,
  text,
} from "../harness/studio.mjs";

const verified = schemaOf({
  features: ["age", "dose"].map((name) => ({
    name,
    type: "numeric",
    min: 0,
    max: 100,
    provenance: "public",
  })),
});

const { server, browser, inStudio } = await setUpStudio();
const client = await openClient();

/** A table of numbers that differ, of which standard errors can be told. */
function numbers(rows) {
  const line = (i) => {
    const [age, dose] = [(i * 37) % 100, (i * 61) % 100];
    return `${age},${dose},${(i * 13) % 100 < 20 + 0.6 * age ? "yes" : "no"}`;
  };
  return ["age,dose,ill", ...Array.from({ length: rows }, (_, i) => line(i))].join("\n");
}

test("a free report of the sample, by keyboard; it belongs to its release alone, and the losses stay in the fence", () =>
  inStudio(async (page) => {
    await page.fill("#records", ""); // the usual way without it has reports
    assert.equal(await fit(page), "done");
    const release = await savedRelease(page);
    // "Make a privacy report" opens its section, and puts the focus there.
    await page.focus("#to-report");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.matches("#report > summary"));
    await page.locator("#report-free").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#report-made");
    assert.match(await text(page, "#report-made"), /cost nothing/);
    const report = JSON.parse(await savedFile(page, page.locator("#report-save")));
    const inspected = await client.inspectReport(release, report);
    assert.deepEqual([inspected.kind, inspected.epsilon], ["data-independent", 0]);

    await openSection(page, "losses");
    await page.click("#losses-look");
    await page.waitForSelector("#losses-says");
    const numbers = (await text(page, "#losses-says")).match(/[\d.]+(?=,| than|\.)/g);
    assert.ok(numbers.length > 0);
    assert.match(await text(page, "#losses"), /For your eyes only/);
    assert.deepEqual(await page.locator("#losses tbody th").allInnerTexts(), [
      "Truth",
      "Free report",
    ]);
    await accessible(page, "a report and the true losses");
    await fitsWindow(page, "a report and the true losses");
    const card = await savedFile(page, "Save a model card");
    assert.match(
      card,
      /What it cost one person[^]*what it cost them at most; that holds for them with probability\s95.%\. The report follows from the release and cost nothing/,
    );
    assert.match(card, /No standard errors are given/);
    for (const published of [card, JSON.stringify(report), JSON.stringify(release)])
      assert.doesNotMatch(published, /histogram|"losses"|What it really cost/i);

    // Another model is another release.
    assert.equal(await fit(page), "done");
    await assert.rejects(
      client.inspectReport(await savedRelease(page), report),
      /belongs to another release/,
    );
    assert.equal(await page.locator("#report-made").count(), 0);
  }));

test("a bought one is charged to the file, stands in the card with standard errors, and cannot cost more than is left", () =>
  inStudio(
    async (page) => {
      await choose(page, numbers(20_000), "table.csv", 2);
      await account(page, { epsilon: 3 });
      assert.equal(await fit(page), "done");
      const release = await savedRelease(page);
      await openSection(page, "report");
      await page.check("#report-bought");
      await page.fill("#report-epsilon", "9");
      await page.waitForSelector("#report .notice-bad");
      assert.match(await text(page, "#report"), /more than is left/);
      await page.fill("#report-epsilon", "x");
      await page.click("#report-make");
      await page.waitForSelector("#report-epsilon-error");
      await page.fill("#report-epsilon", "1");
      await page.waitForFunction(() =>
        /is left for this\s+file/.test(document.querySelector("#report")?.textContent ?? ""),
      );
      await accessible(page, "a report to be bought");
      await fitsWindow(page, "a report to be bought");
      await page.click("#report-make");
      await page.waitForSelector("#report-made");
      assert.match(await text(page, "#report-made"), /standard errors/);
      const report = JSON.parse(await savedFile(page, page.locator("#report-save")));
      const inspected = await client.inspectReport(release, report);
      assert.equal(inspected.kind, "data-dependent");
      assert.ok(inspected.intervals.every((i) => i && i.low < i.high));
      const card = await savedFile(page, "Save a model card");
      assert.match(card, /Standard error/);
      assert.match(card, /cost ε&nbsp;=&nbsp;1 of its own, not in the ε above/);
      await page.waitForFunction(() =>
        /a privacy report/.test(document.querySelector("#account")?.textContent ?? ""),
      );
      await look(page);
      await openSection(page, "losses");
      await page.click("#losses-look");
      await page.waitForSelector("#losses-says");
      assert.match(await text(page, "#losses"), /Bought report/);
      await accessible(page, "losses beside a bought report");
      await fitsWindow(page, "losses beside a bought report");

      // With another file the rows are gone, and with them what a closer report is made from.
      await choose(page, smallTable(300), "table.csv", 2);
      assert.match(
        await text(page, "#report-blocked"),
        /needs the noise of this fit, and that noise is gone/,
      );
      assert.equal(await page.locator("#losses").count(), 0);
    },
    { width: 390, height: 844, theme: "dark" },
  ));

test("the verifier says whether a report belongs to the release it is chosen with", async () => {
  const dataset = await client.openDataset(numbers(2000), verified);
  const { release } = await client.fit(dataset, {
    adjacency: "add-remove",
    epsilon: 1,
    delta: 1e-5,
  });
  const { release: other } = await client.fit(dataset, {
    adjacency: "add-remove",
    epsilon: 2,
    delta: 1e-5,
  });
  const { report } = await client.report(dataset, release, {
    kind: "data-dependent",
    epsilon: 0.5,
    delta: 1e-5,
  });
  const tab = await openVerifier(browser, server.url);
  const { page } = tab;
  const choose = (...files) =>
    page.setInputFiles(
      "#release-file",
      files.map(([tree, name]) => json(tree, name)),
    );
  await choose([report, "alone.json"]);
  await page.locator(".judged-name", { hasText: "alone.json" }).waitFor();
  assert.match(await page.locator(".judged").innerText(), /belongs beside a release/);
  await choose([report, "privacy-report.json"], [release, "release.json"]);
  await page.locator("#privacy-report").waitFor();
  assert.match(
    await page.locator("#privacy-report").innerText(),
    /belongs to release\.json[^]*ε = 0\.5/,
  );
  await accessible(page, "a release with its report");
  await choose([other, "other.json"]);
  await page.locator(".judged-name", { hasText: "other.json" }).waitFor();
  assert.equal(await page.locator("#privacy-report").count(), 0);
  await choose([report, "privacy-report.json"]);
  await page.locator("#privacy-report.notice-bad").waitFor();
  assert.match(await page.locator("#privacy-report").innerText(), /belongs to another release/);
  tab.quiet();
  await tab.close();
});

test("where there can be no report, the page says why and offers none", () =>
  inStudio(async (page) => {
    await page.setInputFiles("#file", csv(kinds.classes(), "table.csv"));
    await page.waitForFunction(
      () =>
        document.querySelector(".file-name")?.textContent.includes("table.csv") &&
        document.querySelectorAll(".column").length === 3,
    );
    await page.selectOption("#label-name", { label: "state" });
    await account(page, { epsilon: 9 });
    assert.equal(await fit(page), "done");
    await openSection(page, "report");
    assert.match(await text(page, "#report"), /several classes/);
    assert.equal(await page.locator("#report button, #losses, #to-report").count(), 0);
  }));
