// How well a scorecard does, bought on held-out rows in the studio: on more made-up rows, on a file
// with a total of its own, and of a card on noisy counts.

import assert from "node:assert/strict";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { goTo } from "../harness/steps.mjs";
import {
  account,
  buysEvaluation,
  choose,
  csv,
  drawn,
  fit,
  saved,
  smallTable,
} from "../harness/studio.mjs";
import { check, openVerifier } from "../harness/verifier.mjs";

const { server, browser, inStudio } = await setUpStudio();

const scorecard = (page) => page.check('input[name="making"][value="card"]');
const release = async (page) => JSON.parse((await saved(page, "Save the release")).text);

async function shots(page, name) {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await drawn(page);
    await fitsWindow(page, `${name}, ${width} px`);
    if (process.env.SHOTS)
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        const path = `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png`;
        await page.screenshot({ path, fullPage: true });
      }
  }
}

test("of the sample: bought, in the release, on the printed card, and in the verifier", () =>
  inStudio(async (page) => {
    await scorecard(page);
    assert.equal(await fit(page), "done");
    await page.waitForSelector("#card-found");
    await page.locator("#card-found input[type=radio]").first().check();
    const before = await release(page);
    assert.match((await saved(page, "Save the card")).text, /Nobody paid for that figure/);
    await buysEvaluation(page);
    await page.getByRole("button", { name: "Use more made-up rows" }).click();
    await page.waitForSelector("#held-buy");
    await page.fill("#evaluation-epsilon", "0");
    await page.click("#held-buy");
    await page.waitForSelector("#evaluation-epsilon-error");
    await accessible(page, "to buy");
    await page.fill("#evaluation-epsilon", "0.5");
    await page.click("#held-buy");
    await page.waitForSelector("#figures");
    const figures = await page.locator("#figures").innerText();
    assert.match(figures, /Predicted right\s+\d\d(\.\d)?\s%/);
    assert.match(figures, /Right where it says “no”/);
    const after = await release(page);
    assert.deepEqual([before.version, after.version, after.evaluation.epsilon], [1, 2, 0.5]);
    assert.deepEqual(after.card, before.card);
    const printed = (await saved(page, "Save the card")).text;
    assert.match(printed, /How well it does/);
    assert.doesNotMatch(printed, /Nobody paid/);
    assert.equal(
      await page.locator("#card-found input[type=radio]").first().isChecked(),
      true,
      "the person to try stays",
    );
    await accessible(page, "measured");
    await shots(page, "card-evaluated");

    const verifier = await openVerifier(browser, server.url);
    for (const [text, name] of [
      [JSON.stringify(after), "scorecard.json"],
      [printed, "scorecard.html"],
    ]) {
      const { title, verdict, whole } = await check(verifier.page, text, name);
      assert.equal(title, "It tells the truth: the guarantee holds");
      assert.match(verdict, /All 11 claims/);
      assert.match(whole, /How well it does[^]*Right where it says “no”/);
      assert.match(whole, /The evaluation\s+Its form/);
    }
    await accessible(verifier.page, "verifier");
    await shots(verifier.page, "card-evaluated-verifier");
    after.evaluation.epsilon = 0.1;
    const { title, whole } = await check(verifier.page, JSON.stringify(after), "scorecard.json");
    assert.equal(title, "This file does not tell the truth");
    assert.doesNotMatch(whole, /Right where it says/);
    verifier.quiet();
    await verifier.close();

    // A card on the same sample that has none: nothing of this one is beside it.
    assert.equal(await fit(page), "done");
    await page.waitForSelector("#figures", { state: "detached" });
    assert.equal((await release(page)).evaluation, undefined);
    await page.getByRole("button", { name: "Scorecard 1" }).click();
    await page.waitForSelector("#figures");
  }));

test("on a file of one's own: by its own total, refused before it is charged, handed out again", () =>
  inStudio(async (page) => {
    await choose(page, smallTable(900));
    await scorecard(page);
    await account(page, { epsilon: 5 });
    assert.equal(await fit(page), "done");
    await page.waitForSelector("#card-found");
    await buysEvaluation(page);
    await page.setInputFiles("#held-file", csv(smallTable(700), "others.csv"));
    await page.waitForSelector("#held-fix");
    assert.equal(await page.locator("#held-buy").count(), 0, "not before there is a total");
    await page.fill("#held-epsilon", "1");
    await page.click("#held-fix");
    await page.fill("#evaluation-epsilon", "0.8");
    await page.click("#held-buy");
    await page.waitForSelector("#figures");
    await page.locator("#held").getByText("1 purchase has used").waitFor();
    assert.match(
      await page.locator("#account").innerText(),
      /1 purchase has used/,
      "the people of the card pay nothing",
    );
    assert.equal((await release(page)).evaluation.epsilon, 0.8);
    // The rest of that total is too little for as much again.
    await page.fill("#evaluation-epsilon", "0.9");
    await page.getByText("This is more than is left for those people").waitFor();
    await page.click("#held-buy");
    await page.waitForSelector("#held-failed");
    await page.locator("#held").getByText("What it was spent on").click();
    await page.locator("#held").getByText("an evaluation of a scorecard").waitFor();
    const again = await saved(page, /^Save it again: an evaluation of a scorecard/);
    assert.equal(JSON.parse(again.text).evaluation.epsilon, 0.8);

    // What cannot be counted by the card's levels is said, and nothing is charged for it.
    const wards = smallTable(300).replaceAll(",A,", ",a,");
    await page.setInputFiles("#held-file", csv(wards, "wards.csv"));
    await page.waitForSelector("#held-fix");
    await page.click("#held-fix");
    await page.fill("#evaluation-epsilon", "0.5");
    await page.click("#held-buy");
    await page.waitForSelector("#held-failed");
    assert.match(await page.locator("#held-failed").innerText(), /"a"/);
    await page.waitForSelector("#held .spending");
    assert.doesNotMatch(await page.locator("#held").innerText(), /1 purchase has used/);
  }));

test("of a card on noisy counts, until it is changed", () =>
  inStudio(async (page) => {
    await scorecard(page);
    await goTo(page, "fit");
    await page.check('input[name="many"][value="many"]');
    assert.equal(await fit(page), "done");
    await page.waitForSelector("#explore-said");
    await page.locator("#explore-0-1").selectOption("1");
    await drawn(page);
    await buysEvaluation(page);
    await page.getByRole("button", { name: "Use more made-up rows" }).click();
    await page.click("#held-buy");
    await page.waitForSelector("#figures");
    const { from_counts: found, evaluation } = await release(page);
    assert.ok(found && evaluation);
    await page.locator("#explore-0-1").selectOption("-1");
    await page.waitForSelector("#figures", { state: "detached" });
    assert.equal((await release(page)).evaluation, undefined);
  }));
