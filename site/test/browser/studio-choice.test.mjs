// How one model among several comes to be published: private figures stay closed until it is said
// what a look will not change, and the release says how its model was chosen.

import assert from "node:assert/strict";
import { describe } from "node:test";
import { openClient } from "../harness/client.mjs";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { check, openVerifier } from "../harness/verifier.mjs";
import {
  account,
  besides,
  choose,
  drawn,
  fit,
  look,
  savedFile,
  savedRelease,
  smallTable,
  text,
} from "../harness/studio.mjs";

const { server, browser, inStudio } = await setUpStudio();
const client = await openClient();

const fence = ".fence:has(#fence-title)";

/** A file with an account, and so many models of it. */
async function fitted(page, models = 1) {
  await choose(page, smallTable(), "table.csv", 2);
  await account(page, { epsilon: 9 });
  for (let k = 0; k < models; k++) assert.equal(await fit(page), "done");
}

describe("private figures of a file", () => {
  test("are closed from the first model on, and open by keyboard once it is said what a look will not change", () =>
    inStudio(async (page) => {
      await fitted(page);
      assert.match(
        await text(page, fence),
        /Looking at these binds you to publish all models of this file, or none/,
      );
      assert.doesNotMatch(
        await text(page, "#result"),
        /Right on your rows|Rows used|what it really cost each row/,
      );
      assert.ok(await page.isDisabled("#pledge-look"), "nothing is opened by a click alone");
      await accessible(page, "a closed fence");
      await fitsWindow(page, "a closed fence");
      await page.focus("#pledge-all");
      await page.keyboard.press("Space");
      await drawn(page);
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.id), "pledge-look");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#fence-pledge");
      assert.equal(
        await page.evaluate(() => document.activeElement.id),
        "fence-title",
        "the focus stays where the figures are",
      );
      assert.match(
        await text(page, fence),
        /you publish every model of this file[^]*Right on your rows[^]*Rows used/,
      );
      assert.equal(await page.locator("#losses").count(), 1);
      await accessible(page, "an open fence");
      // The next fit is told what the look binds it to.
      assert.match(
        await text(page, "#bound"),
        /publish every model of it, the next one too[^]*Fit only what you had planned before you looked/,
      );
      // The release says what was promised, until the person says that it is the only one. With
      // another it is one of two, all published, and the first has to be saved again.
      assert.equal((await savedRelease(page)).choice, "all-published");
      await page.click("#choice > summary");
      await page.check("#choice-only-model");
      await drawn(page);
      const first = await savedRelease(page);
      assert.equal(first.choice, "only-model");
      assert.equal(await fit(page), "done");
      assert.match(
        await text(page, fence),
        /Right on your rows/,
        "what was said holds for later models",
      );
      assert.match(await text(page, "#choice"), /all 2 models of this file are published/);
      assert.match(
        (await page.locator(".releases tbody tr").allInnerTexts())[1],
        /its file is out of date: save it again/,
      );
      const second = await savedRelease(page);
      assert.equal(second.choice, "all-published");
      for (const release of [first, second])
        assert.deepEqual((await client.reprice(release)).problems, []);
    }));

  test("are shown to who publishes nothing, and then nothing is saved", () =>
    inStudio(async (page) => {
      await fitted(page);
      await look(page, "none");
      assert.match(
        await text(page, fence),
        /you publish no model of this file[^]*Right on your rows/,
      );
      assert.match(await text(page, "#choice"), /Not to be published/);
      assert.ok(await page.getByRole("button", { name: "Save the release" }).isDisabled());
      assert.equal(await page.getByRole("button", { name: "Save a model card" }).count(), 0);
      await accessible(page, "a model that is not published");
    }));

  test("stay bound in another visit", () =>
    inStudio(async (page) => {
      await fitted(page);
      await look(page, "all");
      page.on("dialog", (dialog) => dialog.accept());
      await page.reload();
      await page.waitForSelector("#fit-button:not([disabled])");
      await choose(page, smallTable(), "the-same-again.csv", 2);
      await page.waitForSelector('#account[data-phase="open"]');
      assert.match(await text(page, "#bound"), /You have looked at private figures of this file/);
      assert.equal(await fit(page), "done");
      assert.match(await text(page, fence), /Right on your rows/);
      assert.equal(
        (await savedRelease(page)).choice,
        "all-published",
        "the model of the first visit counts",
      );
    }));

  test("stay bound in another tab that was open before", () =>
    inStudio(async (page) => {
      await fitted(page);
      await page.click("#choice > summary");
      await page.check("#choice-only-model");
      const other = await besides(page);
      await choose(other, smallTable(), "table.csv", 2);
      await other.waitForSelector('#account[data-phase="open"]');
      assert.equal(await fit(other), "done");
      assert.equal((await savedRelease(page)).choice, undefined, "there is another one");

      await look(page, "none");
      await other.getByRole("button", { name: "Save the release" }).click();
      await other.waitForFunction(() =>
        /Not to be published/.test(document.querySelector("#choice")?.textContent ?? ""),
      );
      assert.ok(await other.getByRole("button", { name: "Save the release" }).isDisabled());
      assert.match(await text(other, fence), /you publish no model of this file/);
    }));

  test("open under the first promise alone, whichever tab had it", () =>
    inStudio(async (page) => {
      await fitted(page);
      const other = await besides(page);
      await choose(other, smallTable(), "table.csv", 2);
      await other.waitForSelector('#account[data-phase="open"]');
      assert.equal(await fit(other), "done");
      await look(page, "none");
      await look(other, "all");
      assert.match(await text(other, fence), /you publish no model of this file/);
      assert.ok(await other.getByRole("button", { name: "Save the release" }).isDisabled());
    }));

  test("of the sample are open: it is nobody's data, and nothing is stated of it", () =>
    inStudio(async (page) => {
      assert.equal(await fit(page), "done");
      assert.match(await text(page, fence), /nobody’s data, so this is open[^]*Right on your rows/);
      assert.equal(await page.locator("#choice").count(), 0);
      const release = await savedRelease(page);
      assert.deepEqual([release.version, release.choice], [1, undefined]);
    }));
});

describe("how a model was chosen", () => {
  test("is asked of the only one known, and reads the same in the release, the card and the verifier", () =>
    inStudio(async (page) => {
      await fitted(page);
      assert.match(await text(page, "#choice"), /^Any other models\? Not said$/);
      assert.equal((await savedRelease(page)).choice, undefined, "nobody has said");
      const line = await page.locator("#choice").boundingBox();
      assert.ok(line.height < 32, `one line: ${line.height} px`);
      await page.click("#choice > summary");
      await page.check("#choice-only-model");
      await drawn(page);
      assert.match(await text(page, "#choice > summary"), /^Any other models\? No$/);
      await accessible(page, "the only model known");
      const release = await savedRelease(page);
      assert.deepEqual([release.version, release.choice], [3, "only-model"]);
      const card = await savedFile(page, "Save a model card");
      assert.match(
        card,
        /How it was chosen[^]*states that this is the only model fitted to these records[^]*word of whoever published it/,
      );
      assert.deepEqual(JSON.parse(/id="release">([^<]*)</.exec(card)[1]), release);
      const verifier = await openVerifier(browser, server.url);
      const checked = await check(verifier.page, JSON.stringify(release));
      assert.match(
        checked.whole,
        /How the model was chosen\s+Not checked: it is stated to be the only model/,
      );
      assert.match(await text(verifier.page, "#chosen"), /the only model fitted/);
      delete release.choice;
      release.version = 2;
      Object.assign(release.guarantee, { method: "closed" });
      assert.match(
        (await check(verifier.page, JSON.stringify(release))).whole,
        /does not state how its model was chosen/,
      );
      assert.match(await text(verifier.page, "#chosen"), /^Not stated\./);
      await verifier.page.close();
    }));

  test("is asked of several that nobody looked at, and not stated until it is said", () =>
    inStudio(async (page) => {
      await fitted(page, 2);
      assert.match(
        await text(page, "#choice"),
        /2 models were fitted to this file\. How was this one chosen\?/,
      );
      assert.match(
        await text(page, ".releases + p"),
        /may not choose by how they do on your own rows/,
      );
      assert.equal("choice" in (await savedRelease(page)), false);
      assert.match(
        await savedFile(page, "Save a model card"),
        /How it was chosen[^]*Not stated\. Ask whoever published it/,
      );
      await page.check("#choice-paid-figures");
      await drawn(page);
      assert.equal((await savedRelease(page)).choice, "paid-figures");
      await accessible(page, "a choice among models");
      await fitsWindow(page, "a choice among models");
      await page.setViewportSize({ width: 390, height: 844 });
      await fitsWindow(page, "a choice among models, 390 px");
      // Who looks after that has bound themselves, and the release says so.
      await look(page);
      assert.equal((await savedRelease(page)).choice, "all-published");
    }));
});

test("one release has one figure for the best attack, wherever it stands", () =>
  inStudio(async (page) => {
    const found = (words) =>
      /finds? at most\s+([\d.]+)\s*%/.exec(words)?.[1] ??
      /says yes of at most ([\d.]+)/.exec(words)?.[1];
    await page.waitForFunction(
      () =>
        /\d/.test(
          [...document.querySelectorAll("#budget .meaning .after")].at(-1)?.textContent ?? "",
        ),
      null,
      { timeout: 60_000 },
    );
    const inBudget = found(await text(page, "#budget .meaning"));
    assert.equal(await fit(page), "done");
    const card = await savedFile(page, "Save a model card");
    const verifier = await openVerifier(browser, server.url);
    await check(verifier.page, JSON.stringify(await savedRelease(page)));
    const figures = [
      inBudget,
      found(await text(page, ".verdict")),
      found(card.replaceAll("&nbsp;", " ")),
      found(await text(verifier.page, "#promise")),
    ];
    assert.match(figures[0] ?? "", /^\d/);
    assert.deepEqual(
      figures,
      figures.map(() => figures[0]),
    );
    // Once fitted it stands there still, and it follows ε.
    assert.equal(found(await text(page, "#budget .meaning")), figures[0]);
    await page.fill("#epsilon", "0.3");
    await page.waitForFunction(
      (old) =>
        /\d/.test(
          [...document.querySelectorAll("#budget .meaning .after")].at(-1)?.textContent ?? "",
        ) &&
        !document
          .querySelector("#budget .meaning")
          .textContent.replace(/\s+/g, " ")
          .includes(`${old} %`),
      figures[0],
      { timeout: 60_000 },
    );
    assert.ok(Number(found(await text(page, "#budget .meaning"))) < Number(figures[0]));
    await verifier.page.close();
  }));
