// At twice the size every step is still all there: nothing runs out to the side, what has the focus
// lies under no bar, and zooming keeps the step and the focus.

import assert from "node:assert/strict";
import { after } from "node:test";
import { fitsWindow } from "../harness/axe.mjs";
import { launch } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";
import { goTo } from "../harness/steps.mjs";
import { drawn, fit, oneTrial, openStudio } from "../harness/studio.mjs";

const { server, browser } = await setUp();
// Text of twice the size, as the settings of a browser make it.
const large = await launch(["--blink-settings=defaultFontSize=32"]);
after(() => large.close());

const steps = ["data", "public", "budget", "fit", "result", "check"];

/** What has the focus, if something else is drawn over all of it. */
function coveredFocus() {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const box = one.getBoundingClientRect();
  const x = Math.min(innerWidth - 2, Math.max(1, box.left + Math.min(20, box.width / 2)));
  const inside = Math.min(6, box.height / 2);
  const seen = [box.top + inside, (box.top + box.bottom) / 2, box.bottom - inside].some((y) => {
    const at = document.elementFromPoint(x, y);
    return at && (one.contains(at) || at.contains(one) || one.closest("label")?.contains(at));
  });
  return seen ? null : one.outerHTML.slice(0, 160);
}

/** Every step of the sample, with a model: it fits the window, and Tab leads under no bar. */
async function everyStep(page, how) {
  assert.equal(await fit(page), "done");
  for (const step of steps) {
    await goTo(page, step);
    await drawn(page);
    await fitsWindow(page, `${step}, ${how}`);
    for (let i = 0; i < 25; i++) {
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(coveredFocus), null, `${step}, ${how}`);
    }
  }
}

test("a window of 1280 × 900 at 200 %", async () => {
  const { page, quiet, close } = await openStudio(browser, server.url, { width: 640, height: 450 });
  await everyStep(page, "at 200 %");
  quiet();
  await close();
});

test("text of twice the size", async () => {
  const { page, quiet, close } = await openStudio(large, server.url);
  const size = await page.evaluate(() => getComputedStyle(document.body).fontSize);
  assert.ok(Number.parseFloat(size) >= 30, `the page follows: ${size}`);
  await everyStep(page, "with large text");
  quiet();
  await close();
});

test("zooming in and out keeps the step, the focus and what was typed", async () => {
  const { page, quiet, close } = await openStudio(browser, server.url, {
    goes: false,
    rests: oneTrial,
  });
  await goTo(page, "budget");
  await page.fill("#records", "5000");
  await page.waitForSelector(".expectation-says", { timeout: 60_000 });
  await drawn(page);
  for (const [width, height] of [
    [640, 450],
    [320, 256],
    [1280, 900],
  ]) {
    await page.setViewportSize({ width, height });
    await drawn(page);
    const now = await page.evaluate(() => ({
      step: location.hash,
      focus: document.activeElement.id,
      value: document.activeElement.value,
    }));
    assert.deepEqual(now, { step: "#budget", focus: "records", value: "5000" }, `${width} wide`);
    await fitsWindow(page, `the budget, ${width} wide`);
    await drawn(page);
    assert.equal(await page.evaluate(coveredFocus), null, `${width} wide`);
  }
  quiet();
  await close();
});
