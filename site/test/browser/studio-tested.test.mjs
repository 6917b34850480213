// Methods whose noise a test chooses: found under Compare where they can do what is asked, fitted,
// published and verified.

import assert from "node:assert/strict";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { check, openVerifier } from "../harness/verifier.mjs";
import { account, chooseDays, drawn, fit, savedFile, savedRelease } from "../harness/studio.mjs";

const { server, browser, inStudio } = await setUpStudio();

/** The ways that Compare offers, and which of them can be taken. */
async function offered(page) {
  const summary = page.getByText("Compare methods");
  await summary.waitFor();
  const ways = page.locator('input[name="way"]');
  if (!(await ways.first().isVisible())) await summary.click();
  return ways.evaluateAll((inputs) =>
    Object.fromEntries(inputs.map(({ value, disabled }) => [value, !disabled])),
  );
}

test("a tested draw: chosen by keyboard, fitted, on its card, and verified", () =>
  inStudio(async (page) => {
    await chooseDays(page, 4000);
    await account(page, { epsilon: 9 });
    const ways = await offered(page);
    assert.equal(ways["ops-ptr"], true);
    assert.equal(ways.ops, false, "for replaced records alone");
    assert.equal(ways.outptr, undefined, "for two classes alone");
    const tested = page.locator('input[name="way"][value="ops-ptr"]');
    await page.locator('input[name="way"]:checked').focus();
    for (let k = 0; !(await tested.isChecked()); k++) {
      assert.ok(k < 10, "the arrow keys come to it");
      await page.keyboard.press("ArrowDown");
      await drawn(page);
    }
    await accessible(page, "ways to fit a number");
    await fitsWindow(page, "ways to fit a number");
    assert.equal(await fit(page), "done");
    const release = await savedRelease(page);
    assert.equal(release.model.told.of, "tested-sample");
    const card = await savedFile(page, "Save a model card");
    assert.match(card, /A posterior sample:[^]*released first, with noise/);

    const verifier = await openVerifier(browser, server.url);
    const { whole } = await check(verifier.page, JSON.stringify(release));
    assert.match(whole, /noisy results of the tests/);
    await accessible(verifier.page, "a tested draw");
    release.model.told.gamma *= 2;
    const forged = await check(verifier.page, JSON.stringify(release));
    assert.match(forged.whole, /noise of the coefficients is not what/);
    verifier.quiet();
    await verifier.close();
  }));

test("tested noise on the solution is for the logistic loss of two classes", () =>
  inStudio(async (page) => {
    const ways = await offered(page);
    assert.equal(ways.outptr, true);
    assert.equal(ways.suffstats, undefined, "for numbers alone");
    await page.locator('input[name="way"][value="outptr"]').check();
    await page.locator('input[name="loss"][value="squared"]').check();
    await drawn(page);
    assert.equal((await offered(page)).outptr, false);
    await page.locator('input[name="loss"][value="logistic"]').check();
    await drawn(page);
    assert.equal(await fit(page), "done");
    assert.equal((await savedRelease(page)).model.told.of, "tested-curvature");
  }));
