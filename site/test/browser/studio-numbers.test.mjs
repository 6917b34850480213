// A number as the label, the whole way by keyboard: fitted, published with its privacy report,
// verified, and read by one of the people in the table. And a release of moments, whose readers are
// told what was released, what was computed from it, and that there is no such report.

import assert from "node:assert/strict";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { open } from "../harness/browser.mjs";
import { openClient } from "../harness/client.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { check, openVerifier } from "../harness/verifier.mjs";
import { choose, drawn, json, kinds } from "../harness/studio.mjs";

const { server, browser, inStudio } = await setUpStudio();
const client = await openClient();

/** Tabs on to a control, by a selector and by what it says where that is not enough. */
async function stop(page, selector, says = "") {
  const there = () =>
    page.evaluate(
      ([selector, says]) => {
        const at = document.activeElement;
        return at?.matches(selector) && at.textContent.includes(says);
      },
      [selector, says],
    );
  for (let i = 0; !(await there()); i++) {
    assert.ok(i < 200, `there is no stop ${selector} ${says}`);
    await page.keyboard.press("Tab");
  }
}

async function press(page, selector, says) {
  await stop(page, selector, says);
  await page.keyboard.press("Enter");
}

/** Tabs to a field and types over what is there. */
async function type(page, selector, value) {
  await stop(page, selector);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(value);
  await drawn(page);
}

/** What a button saves that is pressed. */
async function saved(page, selector, says) {
  await stop(page, selector, says);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.keyboard.press("Enter"),
  ]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Fits days in hospital; `way` is pressed to, of those that Compare offers. */
async function fitted(page, way) {
  await choose(page, kinds.numbers(4000), "table.csv", 3);
  await stop(page, "#label-name");
  await page.keyboard.type("days");
  await drawn(page);
  await type(page, "#label-min", "0");
  await type(page, "#label-max", "40");
  await press(page, "#next-public");
  await type(page, "#epsilon", "4");
  await page.waitForSelector('#account:not([data-phase="idle"])');
  await page.waitForSelector("#account-fix");
  await type(page, "#account-epsilon", "9");
  await press(page, "#account-fix");
  await page.waitForSelector("#account .spending");
  await press(page, "#next-budget");
  if (way) {
    await page.getByText("Compare methods").waitFor();
    await press(page, "summary", "Compare methods");
    const wanted = page.locator(`input[name="way"][value="${way}"]`);
    await stop(page, 'input[name="way"]');
    for (let k = 0; !(await wanted.isChecked()); k++) {
      assert.ok(k < 12, "the arrow keys come to it");
      await page.keyboard.press("ArrowDown");
      await drawn(page);
    }
  }
  await press(page, "#fit-button");
  await page.waitForSelector("#to-report, #publish", { timeout: 60_000 });
  return JSON.parse(await saved(page, "button", "Save the release"));
}

test("a number: fit, publish, verify, and a reader's own bound, by keyboard", () =>
  inStudio(async (page) => {
    const release = await fitted(page);
    assert.deepEqual(
      [release.model.loss, release.schema.label.type, release.schema.label.max],
      ["squared", "numeric", 40],
    );
    await press(page, "#to-report");
    await page.waitForFunction(() => document.activeElement?.matches("#report > summary"));
    await stop(page, "#report-free");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#report-made");
    const report = JSON.parse(await saved(page, "#report-save"));
    assert.equal((await client.inspectReport(release, report)).kind, "data-independent");

    const verifier = await openVerifier(browser, server.url);
    const { whole } = await check(verifier.page, JSON.stringify(release));
    assert.match(whole, /days/);
    assert.doesNotMatch(whole, /NaN|undefined|Infinity/);
    await accessible(verifier.page, "a number");
    verifier.quiet();
    await verifier.close();

    const reader = await open(browser);
    await reader.page.goto(`${server.url}my-privacy.html`);
    await reader.page.waitForSelector("#published-files:not([disabled])", { state: "attached" });
    await stop(reader.page, "#published-files");
    const [chooser] = await Promise.all([
      reader.page.waitForEvent("filechooser"),
      reader.page.keyboard.press("Space"),
    ]);
    await chooser.setFiles([json(release, "release.json"), json(report, "report.json")]);
    const mine = reader.page.locator("my-privacy");
    await mine.and(reader.page.locator("[ready]")).waitFor();
    for (const [column, value] of [
      ["age", "55"],
      ["ward", "B"],
      ["days", "21"],
    ]) {
      const field = mine.getByLabel(column, { exact: true });
      for (let i = 0; !(await field.evaluate((one) => one.matches(":focus"))); i++) {
        assert.ok(i < 40, `there is no stop ${column}`);
        await reader.page.keyboard.press("Tab");
      }
      await reader.page.keyboard.type(value);
    }
    await reader.page.keyboard.press("Tab");
    await reader.page.keyboard.press("Enter");
    await mine.locator("[part=sentence]").waitFor();
    const bound = await mine.evaluate((one) => one.bound);
    // A bound on the logarithm of odds, below what ε and δ alone would say.
    assert.ok(bound.largest > 0 && bound.largest < 4, String(bound.largest));
    assert.match(await mine.locator("[part=sentence]").innerText(), /can be at most [\d.]+ times/);
    for (const width of [1280, 390]) {
      await reader.page.setViewportSize({ width, height: 844 });
      await fitsWindow(reader.page, `a number's reader, ${width}`);
      await accessible(reader.page, `a number's reader, ${width}`);
    }
    reader.quiet();
    await reader.close();
  }));

test("moments: what was released and what was computed from it is said, by keyboard", () =>
  inStudio(async (page) => {
    const release = await fitted(page, "suffstats");
    assert.ok(release.model.moments);
    const verifier = await openVerifier(browser, server.url);
    const { whole } = await check(verifier.page, JSON.stringify(release));
    assert.match(whole, /second moments/i);
    assert.match(whole, /coefficients are computed from them[^]*at no further cost/);
    assert.match(whole, /Standard errors can be worked out from the sums/);
    assert.doesNotMatch(whole, /steps|NaN|undefined|Infinity/);
    await accessible(verifier.page, "moments");
    await fitsWindow(verifier.page, "moments");
    verifier.quiet();
    await verifier.close();
  }));
