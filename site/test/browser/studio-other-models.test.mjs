// Numbers as labels, from one purchase: fitted by moments, other models of them by keyboard, all of
// it published, and checked by whoever has the files.

import assert from "node:assert/strict";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { openClient } from "../harness/client.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { check, openVerifier } from "../harness/verifier.mjs";
import {
  account,
  chooseDays,
  drawn,
  fit,
  json,
  openSection,
  savedFile,
  savedRelease,
} from "../harness/studio.mjs";

const { server, browser, inStudio } = await setUpStudio();
const client = await openClient();

const says = (page) => page.locator("#other-says").innerText();

/** Waits until the panel speaks of this model. */
const shown = (page, words) =>
  page.waitForFunction(
    (words) => words.every((w) => document.querySelector("#other-says")?.textContent.includes(w)),
    words,
  );

/** A model of days in hospital by moments. */
async function fitted(page) {
  await chooseDays(page, 4000);
  await account(page, { epsilon: 9 });
  const summary = page.getByText("Compare methods");
  await summary.waitFor();
  const moments = page.locator('input[name="way"][value="suffstats"]');
  if (!(await moments.isVisible())) await summary.click();
  await moments.check();
  assert.equal(await fit(page), "done");
}

const saved = (page) => savedFile(page, "Save this model");

test("one purchase: another target, fewer columns, another ridge, by keyboard; saved, and checked", () =>
  inStudio(async (page) => {
    await fitted(page);
    const used = async () =>
      /1 purchase has used ε = [\d.]+/.exec(await page.locator("#account").innerText())?.[0];
    const spent = await used();
    assert.ok(spent);
    const release = await savedRelease(page);
    assert.ok(release.model.moments, "the release has the moments");

    const summary = page.locator("details#other-models > summary");
    await summary.focus();
    await page.keyboard.press("Enter");
    await shown(page, ["days from these columns"]);
    // As it was fitted.
    const own = JSON.parse(await saved(page));
    own.coefficients.forEach((c, j) =>
      assert.ok(Math.abs(c - release.model.coefficients[j]) < 1e-9),
    );

    await summary.focus();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "other-target");
    await page.keyboard.press("ArrowDown");
    await shown(page, ["age from these columns"]);
    assert.equal(await page.locator("#other-column-0").count(), 0, "not from itself");
    await page.keyboard.press("Tab");
    await page.keyboard.type("5");
    await shown(page, ["λ is 5."]);
    const text = await saved(page);
    const derived = JSON.parse(text);
    assert.deepEqual(
      [derived.target, derived.label, derived.ridge, derived.columns],
      ["age", false, 5, ["ward=A", "ward=B", "ward=C", "(intercept)"]],
    );
    assert.deepEqual(await client.checkDerived(release, derived), derived);
    for (const { coefficient, error } of derived.original)
      assert.ok(error > 0 && Number.isFinite(coefficient));
    assert.match(await says(page), /There are about [34],?\d{3} rows/);
    assert.equal(await used(), spent, "nothing was charged");

    // Without the only column, and with it again.
    await page.locator("#other-ridge").focus();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "other-column-1");
    await page.keyboard.press("Space");
    await shown(page, ["age from nothing but its mean"]);
    await page.keyboard.press("Space");
    await page.waitForSelector("#other-found");

    await page.fill("#other-ridge", "-1");
    await drawn(page);
    assert.match(await page.locator("#other-ridge-error").innerText(), /above 0/);
    await page.fill("#other-ridge", "1e-200");
    await page.waitForSelector("#other-failed");
    assert.match(await page.locator("#other-failed").innerText(), /ridge/);
    await page.fill("#other-ridge", "");
    await page.waitForSelector("#other-failed", { state: "detached" });
    await page.selectOption("#other-target", { label: "whether ward is B" });
    await shown(page, ["ward=B from these columns"]);

    await accessible(page, "other models");
    await fitsWindow(page, "other models");
    await page.setViewportSize({ width: 390, height: 800 });
    await drawn(page);
    await accessible(page, "other models, 390 px");
    await fitsWindow(page, "other models, 390 px");

    // Publish, and verify: the release, and the model beside it.
    const verifier = await openVerifier(browser, server.url);
    const checked = await check(verifier.page, JSON.stringify(release));
    assert.match(checked.whole, /second moments/i);
    await verifier.page.setInputFiles("#release-file", json(derived, "derived-model.json"));
    await verifier.page.waitForSelector("#derived-report");
    assert.match(
      await verifier.page.locator("#derived-report").innerText(),
      /follows from[^]*regression of age[^]*costs nothing/,
    );
    await accessible(verifier.page, "a derived model");
    const edited = { ...derived, ridge: 6 };
    await verifier.page.setInputFiles("#release-file", json(edited, "edited.json"));
    await verifier.page.waitForFunction(() =>
      /does not follow/.test(document.querySelector("#derived-report")?.textContent),
    );
    verifier.quiet();
    await verifier.close();
  }));

test("only a release of moments has other models", () =>
  inStudio(async (page) => {
    assert.equal(await fit(page), "done");
    await openSection(page, "proof");
    assert.equal(await page.locator("#other-models").count(), 0);
  }));
