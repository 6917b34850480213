// "Attack it yourself": a fit is attacked in the background, as it is and with less noise; it can
// be cancelled, by keyboard too, and the page stays usable meanwhile.

import assert from "node:assert/strict";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { csv, fit, smallTable } from "../harness/studio.mjs";

const { inStudio } = await setUpStudio();

const text = async (page, selector) =>
  (await page.locator(selector).first().innerText()).replace(/\s+/g, " ");

/** Opens the part by keyboard, once the model is there. */
async function opened(page) {
  assert.equal(await fit(page), "done");
  const summary = page.locator("#attack > summary");
  await summary.focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("#attack-start", { state: "visible" });
}

async function attacked(page) {
  await page.locator("#attack-start").focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("#attack-progress");
  await page.waitForSelector("#attack-says", { timeout: 200_000 });
}

/** The button that starts an attack has the focus, and is on the screen. */
async function startFocused(page, when) {
  await page.waitForFunction(() => document.activeElement.id !== "");
  const [id, top, bottom, height] = await page.evaluate(() => {
    const { top, bottom } = document.activeElement.getBoundingClientRect();
    return [document.activeElement.id, top, bottom, innerHeight];
  });
  assert.equal(id, "attack-start", when);
  assert.ok(top >= 0 && bottom <= height, `${when}: from ${top} to ${bottom} of ${height} px`);
}

const broken = (page) => page.locator(".attack-found").getAttribute("data-broken");

test("the fit as it is withstands the attack, and one with less noise is found out", () =>
  inStudio(async (page) => {
    await page.fill("#epsilon", "8");
    await opened(page);
    await accessible(page, "an attack that is offered");
    await page.locator("#attack-start").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("#attack-progress");
    assert.equal(
      await page.evaluate(() => document.activeElement.textContent),
      "Cancel",
      "the focus goes to Cancel",
    );
    await page.waitForSelector("#attack-says", { timeout: 200_000 });
    await startFocused(page, "an attack that ended");
    assert.equal(await broken(page), "false");
    assert.match(await text(page, "#attack-says"), /^No fault was found in [\d,]+ runs\./);
    assert.match(await text(page, ".attack-found"), /This proves nothing/);
    assert.ok((await page.locator(".attack-chart svg path").count()) >= 2, "curves are drawn");
    await accessible(page, "an attack that found nothing");
    await fitsWindow(page, "an attack that found nothing");

    await page.locator("#attack-shipped").focus();
    await page.keyboard.press("ArrowDown");
    // It was not attacked yet.
    await page.waitForFunction(() => !document.querySelector("#attack-says"));
    await attacked(page);
    assert.equal(await broken(page), "true");
    assert.match(
      await text(page, "#attack-says"),
      /^The broken fit was found out, by [\d,]+ runs\./,
    );
    await page.getByText("The same in numbers").click();
    assert.match(await text(page, "#attack table"), /broken: /, "and the table says where");
    await accessible(page, "an attack that found a fault");

    // What was found before is kept.
    await page.check("#attack-shipped");
    await page.waitForFunction(
      () => document.querySelector(".attack-found")?.dataset.broken === "false",
    );
  }));

test("an attack can be cancelled, and the page is used while it runs", () =>
  inStudio(async (page) => {
    await page.fill("#epsilon", "0.05"); // so little that it takes long
    await opened(page);
    await page.click("#attack-start");
    await page.waitForSelector("#attack-progress");
    await page.setInputFiles("#file", csv(smallTable(), "another.csv"));
    await page.waitForFunction(() =>
      document.querySelector(".file-name")?.textContent.includes("another.csv"),
    );
    assert.equal(await page.locator("#attack-progress").count(), 1, "it goes on");
    await page.locator("#attack .progress button").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("#attack-cancelled");
    assert.match(await text(page, "#attack-cancelled"), /stopped half-way says nothing/);
    assert.equal(await page.locator("#attack-says").count(), 0);
    await page.waitForSelector("#attack-start");
    await startFocused(page, "an attack that was cancelled");
  }));
