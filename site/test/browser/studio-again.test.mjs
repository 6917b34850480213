// What was bought and is not at hand: cancelled in the middle, lost with its tab, or come while
// another file was being chosen.

import assert from "node:assert/strict";
import { describe } from "node:test";
import { openClient } from "../harness/client.mjs";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { freshProfile } from "../harness/browser.mjs";
import { silentAfterCommit, stopsAt, visitWith } from "../harness/faults.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";
import {
  account,
  charges,
  fit,
  left,
  lookUp,
  openSection,
  saved,
  savedRelease,
  smallTable,
  text,
} from "../harness/studio.mjs";

const { server, browser } = await setUp();
const client = await openClient();

/** A tab with the studio in it: see visitWith. */
const visit = (context, code, prepare) => visitWith(context, server.url, { code, prepare });

async function buyReport(page) {
  await openSection(page, "report");
  await page.check("#report-bought");
  await page.fill("#report-epsilon", "0.5");
  await page.click("#report-make");
}

describe("a privacy report that is cancelled", () => {
  for (const [kind, words, purchases, row] of [
    ["reserve", /No report was made, and nothing was spent/, "1 purchase has used", undefined],
    [
      "commit",
      /No report was made, but its cost had been noted in the ledger, and counts/,
      "2 purchases have used",
      /a privacy report\s+not handed out/,
    ],
  ]) {
    test(`at the ${kind}: the page says what it cost, and that the noise went with it`, async () => {
      const context = await freshProfile(browser);
      const { page, quiet } = await visit(context, stopsAt(kind, 2));
      await lookUp(page);
      assert.equal(await fit(page), "done");
      await buyReport(page);
      await page.waitForFunction((at) => globalThis.heard.includes(at), `at the ${kind}`);
      assert.match(await text(page, "#report"), /What is noted in the ledger by then counts/);
      await accessible(page, "a report on its way");
      await page.locator("#report").getByRole("button", { name: "Cancel" }).click();
      await page.locator("#report-cancelled", { hasText: words }).waitFor();
      await left(page, purchases);
      assert.match((await charges(page))[1] ?? "", row ?? /^$/);
      assert.match(
        await text(page, "#report-blocked"),
        /needs the noise of this fit, and that noise is gone/,
      );
      // What needs no noise can be made all the same.
      await page.check("#report-free");
      await page.click("#report-make");
      await page.waitForSelector("#report-made");
      quiet();
      await context.close();
    });
  }
});

describe("what was bought", () => {
  test("and lost with its tab is had again for nothing: a model in step 5, a report as its file", async () => {
    const context = await freshProfile(browser);
    const first = await visit(context, silentAfterCommit);
    await lookUp(first.page);
    await account(first.page, { epsilon: 4 });
    await first.page.click("#fit-button");
    await first.page.waitForFunction(() => globalThis.heard.includes("committed"));
    assert.equal(await first.page.locator(".verdict").count(), 0, "nobody has seen it");
    await first.page.close({ runBeforeUnload: false });

    const { page, quiet } = await visit(context);
    await lookUp(page);
    await charges(page);
    await page.getByRole("button", { name: "Open it again: a model" }).click();
    await page.waitForSelector("#from-ledger");
    await page.waitForFunction(() => document.activeElement?.id === "result-title");
    const model = await savedRelease(page);
    assert.ok((await client.reprice(model)).holds);
    await page.locator("curve-chart").waitFor({ state: "attached" });
    assert.equal(
      await page.locator("#fence-title").count(),
      0,
      "what was for the data holder alone is not kept",
    );
    await openSection(page, "report");
    await page.check("#report-bought");
    assert.match(await text(page, "#report-blocked"), /never saved/);
    // Twice is the same model.
    await page.getByRole("button", { name: "Open it again: a model" }).click();
    await page.locator("#again-done").waitFor();
    assert.equal(await page.locator(".releases").count(), 0);
    await left(page, "1 purchase has used");

    // Another, with a report, of which the file is saved again; the first is looked at meanwhile.
    assert.equal(await fit(page), "done");
    const other = await savedRelease(page);
    await buyReport(page);
    await page.waitForSelector("#report-made");
    await left(page, "3 purchases have used");
    await page.getByRole("radio", { name: "Model 1" }).check();
    await page.waitForSelector("#from-ledger");
    assert.deepEqual(
      (await charges(page)).map((row) =>
        /a (?:model|privacy report)\s+(?:Open|Save) it again/.test(row),
      ),
      [true, true, true],
    );
    const again = await saved(page, /^Save it again: a privacy report/);
    const report = JSON.parse(again.text);
    assert.equal(again.name, "privacy-report.json");
    assert.equal((await client.inspectReport(other, report)).kind, "data-dependent");
    await assert.rejects(client.inspectReport(model, report), /belongs to another release/);
    assert.equal(await page.locator("#report-made").count(), 0, "it is not this model's");
    await left(page, "3 purchases have used");
    await page.setViewportSize({ width: 390, height: 844 });
    await fitsWindow(page, "a model had again");
    await accessible(page, "a model had again");
    quiet();
    await context.close();
  });

  test("while another file is chosen before it is drawn: it stays that of the file it was made from", async () => {
    const context = await freshProfile(browser);
    // What is asked of the accountant waits while the test says so: curves are drawn by it, after
    // the charge is committed.
    const { page, quiet } = await visit(context, undefined, () => {
      const { postMessage } = Worker.prototype;
      const waiting = [];
      globalThis.holding = false;
      globalThis.drawOn = () => ((globalThis.holding = false), waiting.forEach((go) => go()));
      Worker.prototype.postMessage = function (message, ...more) {
        if (!globalThis.holding || message?.method !== "account")
          return postMessage.call(this, message, ...more);
        globalThis.held = true;
        waiting.push(() => postMessage.call(this, message, ...more));
      };
    });
    await lookUp(page);
    await account(page, { epsilon: 3 });
    await page.evaluate(() => (globalThis.holding = true));
    await page.click("#fit-button");
    await page.waitForFunction(() => globalThis.held);
    await lookUp(
      page,
      smallTable(500).replaceAll("age", "years").replaceAll("ill", "cured"),
      "others.csv",
    );
    assert.equal(await page.locator(".verdict").count(), 0);
    await page.evaluate(() => globalThis.drawOn());
    await page.waitForSelector(".verdict");
    assert.match(
      await text(page, "[role=status].hidden"),
      /Model 1 of ward-round\.csv is in step 5/,
    );
    assert.match(await text(page, "#result .notice-warn"), /made from ward-round\.csv/);
    const { schema } = await savedRelease(page);
    assert.deepEqual([schema.features[0].name, schema.label.name], ["age", "ill"]);
    await page.locator("#fence-title").waitFor();
    await openSection(page, "report");
    await page.check("#report-bought");
    assert.match(
      await text(page, "#report-blocked"),
      /needs the noise of this fit, and that noise is gone/,
    );
    // The file that is open now has spent nothing; the other has.
    assert.equal(await page.locator("#account-fix").count(), 1);
    await lookUp(page);
    await left(page, "1 purchase has used");
    assert.match((await charges(page))[0], /a model\s+Open it again/);
    quiet();
    await context.close();
  });
});
