// Exploring scorecards in the studio: noisy counts are bought once, and cards are made of them by
// hand or by a search, for no more; by keyboard, and on a file with an account.

import assert from "node:assert/strict";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { goTo } from "../harness/steps.mjs";
import { account, charges, choose, drawn, fit, saved } from "../harness/studio.mjs";
import { check, openVerifier } from "../harness/verifier.mjs";

const { server, browser, inStudio } = await setUpStudio();

const until = (page, selector, words) =>
  page.waitForFunction(
    ([selector, words]) =>
      document.querySelector(selector)?.textContent.replace(/\s+/g, " ").includes(words),
    [selector, words],
  );
const wrong = async (page) =>
  Number(
    /gets (−?[\d,]+) of/
      .exec(await page.locator("#explore-said").innerText())[1]
      .replace("−", "-")
      .replace(",", ""),
  );
/** Waits until the counts say something else of the card. */
const other = (page, before) =>
  page.waitForFunction(
    (before) => document.querySelector("#explore-said")?.textContent !== before,
    before,
  );

test("by keyboard: counts bought once, points by hand, attributes left out, the best card", () =>
  inStudio(async (page) => {
    await page.check('input[name="making"][value="card"]');
    await goTo(page, "budget");
    await page.fill("#epsilon", "4");
    await goTo(page, "fit");
    await page.locator('input[name="many"][value="one"]').focus();
    await page.keyboard.press("ArrowDown");
    await until(page, "#card-intention", "Buy noisy counts to explore scorecards");
    await until(page, "#card-intention", "off by about");
    await until(page, "#fit-button", "Buy the noisy counts");
    await accessible(page, "what to buy");
    await goTo(page, "budget");
    await until(page, "#card-deviation", "counts, each with noise");
    await accessible(page, "how noisy");
    await goTo(page, "fit");
    await page.locator("#fit-button").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("#explore-said");
    const none = await wrong(page);

    const without = await page.locator("#explore-said").textContent();
    await page.locator("#explore-0-1").focus();
    await page.keyboard.press("ArrowDown");
    await other(page, without); // a search begins when the counts have answered
    const before = await page.locator("#explore-said").textContent();
    await page.keyboard.press("Tab");
    await page.locator("#explore-search").focus();
    await page.keyboard.press("Enter");
    await other(page, before);
    await page.waitForSelector("#explore-search");
    const best = await wrong(page);
    assert.ok(best < none, `${best} of the best, ${none} without points`);
    const cells = JSON.parse((await saved(page, "Save the noisy counts")).text);
    const { text } = await saved(page, "Save the release");
    const release = JSON.parse(text);
    assert.equal(release.from_counts, true);
    assert.deepEqual(release.event, cells.event);

    // Another point, by hand: the figure is that of the counts.
    const at = page.locator("#explore-0-0");
    const was = Number((await at.inputValue()).replace("−", "-"));
    await at.selectOption(String(was === 1 ? -1 : 1));
    await drawn(page);
    await page.locator("#explore-1").focus();
    await page.keyboard.press("Space");
    // An attribute without points may be left out without a change of the figure.
    await page.waitForFunction(
      () =>
        document.querySelector("#explore-1-0").disabled &&
        !document.querySelector("#explore-0-0").disabled,
    );
    const printed = await saved(page, "Save the card");
    assert.match(printed.text, /made from counts with noise, bought once for this ε/);
    const fewer = JSON.parse((await saved(page, "Save the release")).text);
    assert.equal(fewer.schema.attributes.length, cells.schema.attributes.length - 1);
    assert.ok((await wrong(page)) >= best);
    await accessible(page, "exploring");
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await drawn(page);
      await fitsWindow(page, `exploring, ${width} px`);
      if (process.env.SHOTS)
        for (const colorScheme of ["light", "dark"]) {
          await page.emulateMedia({ colorScheme });
          await page.screenshot({
            path: `${process.env.SHOTS}/explore-${width}-${colorScheme}.png`,
            fullPage: true,
          });
        }
    }

    const verifier = await openVerifier(browser, server.url);
    for (const [file, name] of [
      [JSON.stringify(cells), "noisy-cells.json"],
      [text, "scorecard.json"],
      [JSON.stringify(fewer), "fewer.json"],
    ])
      assert.equal(
        (await check(verifier.page, file, name)).title,
        "It tells the truth: the guarantee holds",
      );
    verifier.quiet();
    await verifier.close();
  }));

test("a file of one's own: charged once, whatever is done with the counts", () =>
  inStudio(async (page) => {
    await choose(page);
    await page.check('input[name="making"][value="card"]');
    await account(page, { epsilon: 5 });
    await goTo(page, "fit");
    await page.check('input[name="many"][value="many"]');
    await until(page, "#fit-button", "Buy the noisy counts");
    assert.equal(await fit(page), "done");
    await page.waitForSelector("#explore-said");
    assert.equal(
      await page.locator("#explore-0").isDisabled(),
      true,
      "read off the file: it stays",
    );
    const before = await page.locator("#explore-said").textContent();
    await page.click("#explore-search");
    await other(page, before);
    await page.waitForSelector("#explore-search");
    const bought = (await charges(page)).filter((line) => /noisy counts/.test(line));
    assert.equal(bought.length, 1);
    assert.equal((await charges(page)).length, 1);
  }));
