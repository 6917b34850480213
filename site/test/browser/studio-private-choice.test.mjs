// A setting that the rows choose, and pay for: what it costs stands beside the comparison of all
// ways; it is taken by keyboard, charged, published and verified.

import assert from "node:assert/strict";
import { openClient } from "../harness/client.mjs";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { check, openVerifier } from "../harness/verifier.mjs";
import {
  account,
  charges,
  choose,
  chooseDays,
  compareMethods,
  drawn,
  fit,
  kinds,
  openSection,
  restless,
  savedFile,
  savedRelease,
  smallTable,
  text,
  way,
} from "../harness/studio.mjs";

const { server, browser, inStudio } = await setUpStudio();
const client = await openClient();

/** Goes down the ways of the comparison by keyboard until one is chosen. */
async function takeByKeyboard(page, value) {
  await compareMethods(page);
  await page.locator('input[name="way"]:checked').focus();
  for (let k = 0; !(await way(page, value).isChecked()); k++) {
    assert.ok(k < 15, "the arrow keys come to it");
    await page.keyboard.press("ArrowDown"); // round the end
    await drawn(page);
  }
}

/** Waits until the comparison says what a choice by the rows is expected to come to. */
async function toldOf(page, choice) {
  await page
    .locator("#choice-says li", {
      hasText: new RegExp(`choose ${choice}[^]*On such made-up rows it predicts`),
    })
    .waitFor({ timeout: 120_000 });
  await restless(page);
}

/** Fits until a run is drawn: by chance, in fewer than 1 of 100, there is none. */
async function drew(page) {
  for (let k = 1; ; k++) {
    const came = await fit(page);
    if (came === "done") return k;
    assert.match(came, /drew no run at all[^]*The charge stays/);
  }
}

test("the rows choose λ: what it costs is said, it is charged, and every reader is told", () =>
  inStudio(
    async (page) => {
      await choose(page, smallTable(300), "table.csv", 2);
      await account(page, { epsilon: 9 });
      await page.fill("#records", "300");
      // Before it is taken: then it would be tried at every ε, too.
      await compareMethods(page);
      const says = page.locator("#choice-says");
      await says.waitFor();
      await page.waitForFunction(
        () => document.querySelectorAll("#choice-says li").length === 2,
        undefined,
        { timeout: 60_000 },
      );
      assert.match(await says.innerText(), /only if you have reason to doubt the usual choice/);
      const costs = await says.locator("li").allInnerTexts();
      for (const cost of costs) {
        const [, each] = /leaves each fit ε = ([\d.]+) of the 1 that is paid/.exec(cost);
        assert.ok(each > 0.2 && each < 0.6, cost);
      }
      await toldOf(page, "λ");
      await takeByKeyboard(page, "chooseLambda");
      const rows = await page.locator("#comparison tbody tr").allInnerTexts();
      assert.equal(rows.filter((row) => /Let the rows choose/.test(row)).length, 2);
      for (const theme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme: theme });
        await accessible(page, `a choice by the rows, ${theme}`, { contrast: theme === "dark" });
      }
      await page.setViewportSize({ width: 390, height: 800 });
      await drawn(page);
      await fitsWindow(page, "a choice by the rows, 390 px");
      await page.setViewportSize({ width: 1280, height: 800 });

      const charged = await drew(page);
      assert.equal((await charges(page)).length, charged, "one purchase a choice");
      assert.match(await text(page, "#choice"), /the rows chose its setting[^]*ε pays/);
      const release = await savedRelease(page);
      assert.deepEqual([release.version, release.choice], [6, "private-selection"]);
      assert.equal(release.guarantee.epsilon, 1, "of the whole");
      assert.ok(release.model.selected.candidate < 3);
      assert.deepEqual((await client.reprice(release)).problems, []);
      await openSection(page, "attack");
      assert.match(await text(page, "#attack"), /there is none of this model/);
      await openSection(page, "report");
      assert.match(
        await text(page, "#report"),
        /no privacy report of a model whose setting the rows chose/,
      );

      const card = await savedFile(page, "Save a model card");
      assert.match(card, /The rows chose this setting from 3[^]*Objective perturbation/);
      assert.match(card, /It was chosen from several by a private selection/);
      const verifier = await openVerifier(browser, server.url);
      for (const file of [card, JSON.stringify(release)]) {
        const checked = await check(verifier.page, file, file === card ? "card.html" : undefined);
        assert.deepEqual(checked.named, []);
        assert.match(checked.whole, /chosen by a private selection, which the event pays for/);
        assert.match(checked.whole, /Which candidate it is/);
      }
      release.choice = "only-model";
      const forged = await check(verifier.page, JSON.stringify(release));
      assert.match(forged.whole, /the event is a selection from several/);
      verifier.quiet();
      await verifier.close();

      // Another model: now there are two, and the page cannot say more of either than it knows.
      await takeByKeyboard(page, "usual");
      assert.equal(await fit(page), "done");
      assert.match(await text(page, ".releases"), /λ chosen by the rows/);
    },
    { rests: Infinity },
  ));

test("the rows choose the way to fit a number, and made-up rows say what that gives", () =>
  inStudio(
    async (page) => {
      await chooseDays(page, 300);
      await page.fill("#records", "300");
      await account(page, { epsilon: 20 });
      await takeByKeyboard(page, "chooseMethod");
      await toldOf(page, "the method");
      await page.fill("#records", "");
      assert.match(await fit(page), /need a correction/);
      await page.fill("#records", "300");
      await drew(page);
      const release = await savedRelease(page);
      assert.equal(release.event.base.parts[0].event.events.length, 3);
      assert.deepEqual((await client.reprice(release)).problems, []);
      assert.match(
        await savedFile(page, "Save a model card"),
        /The rows chose this setting from 3/,
      );
    },
    { rests: Infinity },
  ));

test("made-up rows choose too", () =>
  inStudio(async (page) => {
    await takeByKeyboard(page, "chooseMethod");
    await page.locator('input[name="loss"][value="huber"]').check();
    await drawn(page);
    assert.ok(await way(page, "chooseMethod").isChecked());
    await takeByKeyboard(page, "chooseLambda");
    await drew(page);
    assert.equal((await savedRelease(page)).choice, "private-selection");
  }));

test("the rows choose among fits of several classes, of one softmax or one against the rest", () =>
  inStudio(
    async (page) => {
      await choose(page, kinds.classes(300), "table.csv", 3);
      await page.selectOption("#label-name", { label: "state" });
      await drawn(page);
      await account(page, { epsilon: 20 });
      await page.fill("#records", "300");
      await page.fill("#epsilon", "4");
      await compareMethods(page);
      await toldOf(page, "the method");
      await takeByKeyboard(page, "chooseMethod");
      assert.equal(await page.locator("#choice-says li").count(), 2);
      await drew(page);
      const release = await savedRelease(page);
      assert.equal(release.choice, "private-selection");
      const mechanisms = ({ event }) =>
        event.base.parts[0].event.events.map(({ mechanism }) => mechanism);
      assert.deepEqual(mechanisms(release), [
        "approximate-minima-perturbation",
        "gradient-descent",
      ]);
      assert.deepEqual((await client.reprice(release)).problems, []);
      const card = await savedFile(page, "Save a model card");
      assert.match(card, /The rows chose this setting from 2/);
      const verifier = await openVerifier(browser, server.url);
      const checked = await check(verifier.page, card, "card.html");
      assert.deepEqual(checked.named, []);
      assert.match(checked.whole, /chosen by a private selection, which the event pays for/);
      verifier.quiet();
      await verifier.close();

      // One against the rest has one method, and so λ alone to choose.
      await page.locator('input[name="loss"][value="logistic"]').check();
      await drawn(page);
      assert.ok(await way(page, "chooseMethod").isDisabled());
      await takeByKeyboard(page, "chooseLambda");
      await drew(page);
      const against = await savedRelease(page);
      assert.deepEqual(mechanisms(against), ["composition", "composition", "composition"]);
      assert.deepEqual((await client.reprice(against)).problems, []);
      assert.match(await text(page, ".releases"), /λ chosen by the rows/);
    },
    { rests: Infinity },
  ));
