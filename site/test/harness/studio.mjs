// The page under test: how it is opened, what it must not do, and how its states are looked at.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import { open } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Opens the page and waits until it is sealed and the sample is ready. */
export async function openStudio(browser, url, options) {
  const tab = await open(browser, options);
  await tab.page.goto(url);
  await tab.page.waitForSelector("#fit-button:not([disabled])");
  return tab;
}

/** Fits and waits for what comes of it: "done", or the text of the failure. */
export async function fit(page, timeout = 60_000) {
  await page.click("#fit-button");
  await drawn(page);
  await page.waitForSelector("#fit-button", { timeout });
  const failed = page.locator("#fit-problem");
  return (await failed.count()) > 0 ? failed.innerText() : "done";
}

/** Waits until what was done last has been drawn: the page draws once a frame. */
export function drawn(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Asserts that axe-core finds nothing. It goes in by evaluation: a script tag would be stopped by the page's seal. */
export async function accessible(page, state) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => `${n.target.join(" ")} ${n.failureSummary}`).join(" | ")}`);
  });
  assert.deepEqual(found, [], `axe-core on: ${state}`);
}

/** Asserts that nothing is wider than the window. */
export async function fitsWindow(page, state) {
  const over = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll("body *")]
      .filter((e) => e.getBoundingClientRect().right > width + 1 && !e.closest(".scroll"))
      .map((e) => `${e.tagName.toLowerCase()}.${e.getAttribute("class")}`);
  });
  assert.deepEqual(over, [], `wider than the window: ${state}`);
}

const shots = process.env.CLOISTER_SHOTS === undefined ? undefined : fileURLToPath(new URL("../shots/", import.meta.url));

/** Keeps a picture of the whole page under test/shots, if $CLOISTER_SHOTS is set. */
export async function picture(page, name) {
  if (shots) await page.screenshot({ path: `${shots}${name}.png`, fullPage: true });
}
