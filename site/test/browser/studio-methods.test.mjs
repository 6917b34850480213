// Other ways to fit, behind "Compare methods": chosen by keyboard, paid for, side by side, checked,
// and disabled where they cannot be.

import assert from "node:assert/strict";
import { openClient } from "../harness/client.mjs";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { check, openVerifier } from "../harness/verifier.mjs";
import {
  account,
  choose,
  chooseDays,
  compareMethods,
  drawn,
  fit,
  json,
  kinds,
  look,
  savedFile,
  savedRelease,
  smallTable,
  text,
  way,
} from "../harness/studio.mjs";

const { server, browser, inStudio } = await setUpStudio();
const client = await openClient();

/** Goes down the ways by keyboard until one is chosen. */
async function takeByKeyboard(page, value) {
  const summary = await compareMethods(page);
  await summary.focus();
  // Past the table of what to expect, where there is one.
  for (let i = 0; i < 3 && (await page.evaluate(() => document.activeElement.name)) !== "way"; i++)
    await page.keyboard.press("Tab");
  for (let i = 0; i < 6 && !(await way(page, value).isChecked()); i++) {
    await page.keyboard.press("ArrowDown");
    await drawn(page);
  }
  assert.ok(await way(page, value).isChecked(), value);
}

const noise = {
  amp: ["approximate-minima-perturbation", "noise in the problem"],
  "amp-paper": ["approximate-minima-perturbation", "as published"],
  outpert: ["gaussian", "noise on the solution"],
  dpgd: ["gradient-descent", "noise in every step"],
  dpsgd: ["subsampled-gaussian", "on samples"],
};

const inCard = {
  amp: /Objective perturbation/,
  "amp-paper": /Objective perturbation/,
  outpert: /Output perturbation[^]*taken for public/,
  dpgd: /Gradient descent in 100 steps[^]*taken for public/,
  dpsgd:
    /Stochastic gradient descent \(DP-SGD\) in 1000 steps: each took every record with probability 0\.\d+[^]*taken for public/,
};

test("each way is chosen by keyboard, paid for from the ledger, and stands beside the usual one; every release holds", () =>
  inStudio(async (page) => {
    await choose(page, smallTable(900), "table.csv", 2);
    await account(page, { epsilon: 9 });
    assert.equal(await page.inputValue("#records"), "", "nothing is assumed of a file");
    await page.fill("#records", "5000");
    await compareMethods(page);
    assert.ok(await way(page, "usual").isChecked());
    assert.match(await text(page, "#way-records"), /5,000 rows/, "the usual way is told of them");
    assert.equal(await fit(page), "done");
    const usual = await savedRelease(page);
    assert.equal(usual.event.sigmas.length, 120, "5,000 times ε = 1 is below the border");
    assert.deepEqual((await client.reprice(usual)).problems, []);
    const usualCard = await savedFile(page, "Save a model card");
    assert.match(usualCard, /Gradient descent in 120 steps[^]*taken for public/);
    await look(page);
    const verifier = await openVerifier(browser, server.url);
    for (const [value, [mechanism, name]] of Object.entries(noise)) {
      await takeByKeyboard(page, value);
      assert.equal(await page.locator("#way-records").count(), value.startsWith("amp") ? 0 : 1);
      assert.equal(await fit(page), "done", value);
      const release = await savedRelease(page);
      assert.equal(release.event.mechanism, mechanism);
      assert.equal(release.guarantee.epsilon, 1, "the same promise");
      assert.deepEqual((await client.reprice(release)).problems, []);
      assert.match(await text(page, ".releases tbody tr"), new RegExp(name));
      // Release, card and verifier say the same.
      const card = await savedFile(page, "Save a model card");
      assert.match(card, inCard[value], value);
      assert.deepEqual(JSON.parse(/id="release">([^<]*)</.exec(card)[1]), release);
      const checked = await check(verifier.page, card, "model-card.html");
      assert.equal(checked.title, (await check(verifier.page, JSON.stringify(release))).title);
      assert.deepEqual(checked.named, []);
      assert.equal(/The number of records/.test(checked.whole), !value.startsWith("amp"), value);
      await page.setInputFiles("#release-file", json(release, "release.json"));
      await page.locator("#check .notice-warn, #check .notice-good").waitFor();
      // Folded, under "More of these".
      const fence = await page.locator(".fence:has(#fence-title)").textContent();
      assert.match(
        fence.replace(/\s+/g, " "),
        {
          dpgd: /100 steps of gradient descent/,
          dpsgd: /1,?000 steps of gradient descent/,
        }[value] ?? /to a certified/,
      );
    }
    verifier.quiet();
    await verifier.close();
    assert.equal(await page.locator(".releases tbody tr").count(), 6);
    assert.match(await text(page, "#account"), /6 purchases/);
    await page.getByText("Models of these rows side by side").click();
    const heads = await page.locator(".side-by-side thead th").allInnerTexts();
    assert.deepEqual(
      heads.map((head) => head.replace(/\s+/g, " ").trim()),
      [
        "Model 1 noise in every step, with the mean of the last",
        "Model 2 noise in the problem",
        "Model 3 as published in 2023",
        "Model 4 noise on the solution",
        "Model 5 noise in every step",
        "Model 6 noise in every step, on samples",
      ],
    );
    const beside = (await page.locator(".side-by-side tbody tr").allInnerTexts()).map((row) =>
      row.split(/\t/).map((cell) => cell.trim()),
    );
    assert.deepEqual(beside[0], ["ε", "1", "1", "1", "1", "1", "1"]);
    assert.deepEqual(beside[2], ["Predicted right", ...Array(6).fill("not bought")]);
    const last = await savedRelease(page);
    const [{ coefficients, original }] = [last.model];
    for (const [i, { feature, category }] of original.entries()) {
      const row = beside.find(
        ([name]) => name === (category === undefined ? feature : `${feature}: ${category}`),
      );
      assert.ok(
        Math.abs(Number(row[6].replace("−", "-")) - coefficients[i]) <
          0.01 + 0.01 * Math.abs(coefficients[i]),
        `${row} and ${coefficients[i]}`,
      );
    }
    await accessible(page, "six ways side by side");
    await page.setViewportSize({ width: 390, height: 800 });
    await drawn(page);
    await fitsWindow(page, "six ways, 390 px");
    await accessible(page, "six ways, 390 px");
  }));

test("the number of rows comes from step 3, and is asked for where it is missing", () =>
  inStudio(async (page) => {
    await takeByKeyboard(page, "outpert");
    assert.match(await text(page, "#way-records"), /12,000 rows/, "those of the sample");
    await page.fill("#records", "");
    await drawn(page);
    assert.match(await text(page, "#records-error"), /Enter about how many rows there are/);
    await page.fill("#records", "lots");
    await drawn(page);
    assert.match(await text(page, "#way-records"), /needs about how many rows there are/);
    assert.match(await fit(page), /need a correction/);
    await page.getByRole("button", { name: "Show me where" }).click();
    await drawn(page);
    assert.equal(await page.evaluate(() => document.activeElement.id), "records");
    await page.fill("#records", "2000");
    await drawn(page);
    assert.match(await text(page, "#way-records"), /2,000 rows/);
    assert.equal(await fit(page), "done");
    const few = (await savedRelease(page)).model.lambda;
    await page.fill("#records", "200000");
    assert.equal(await fit(page), "done");
    assert.ok(
      (await savedRelease(page)).model.lambda > few,
      "more rows, a stronger regulariser of the sum",
    );
  }));

test("a way that cannot be is disabled, and says why", () =>
  inStudio(async (page) => {
    await takeByKeyboard(page, "amp-paper");
    await choose(page, smallTable(400), "table.csv", 2);
    await page.waitForSelector("#account-fix");
    await page.getByText("Details: what one person’s difference is").click();
    await page.locator('#account input[value="replace-one"]').check();
    await drawn(page);
    await compareMethods(page);
    assert.ok(await way(page, "amp-paper").isDisabled());
    assert.ok(await way(page, "usual").isChecked(), "the usual one is taken");
    assert.ok(await way(page, "dpsgd").isDisabled());
    assert.ok(await way(page, "dpgd").isEnabled());
    assert.match(
      await page.locator("label", { has: way(page, "amp-paper") }).innerText(),
      /one record replaced/,
    );
    await way(page, "dpgd").check();
    await page.fill("#records", "400");
    assert.equal(await fit(page), "done");
    assert.deepEqual(
      [(await savedRelease(page)).event.mechanism, (await savedRelease(page)).event.adjacency],
      ["gradient-descent", "replace-one"],
    );

    await choose(page, kinds.classes(), "table.csv", 3);
    await page.selectOption("#label-name", { label: "state" });
    await drawn(page);
    await page.locator("#two-ways").waitFor({ state: "attached" });
    await page
      .locator("details:has(#two-ways)")
      .first()
      .evaluate((one) => (one.open = true));
    await drawn(page);
    assert.match(await text(page, "#two-ways"), /softmax loss all classes are fitted at once/);
    assert.deepEqual(
      await page.locator('input[name="way"]').evaluateAll((list) => list.map((i) => i.value)),
      ["usual", "amp", "steps", "chooseLambda", "chooseMethod"],
    );
    assert.equal(await page.locator('input[name="loss"]').count(), 4);
    assert.ok(await page.locator('input[name="loss"][value="softmax"]').isChecked());
    assert.ok(await way(page, "steps").isEnabled());
    await accessible(page, "several classes, two ways");
    await page.fill("#records", "400");
    assert.equal(await fit(page), "done");
    const release = await savedRelease(page);
    assert.deepEqual(
      [release.event.mechanism, release.model.loss, release.model.classes.length],
      ["gradient-descent", "softmax", 3],
    );
    assert.deepEqual((await client.reprice(release)).problems, []);
    // One against the rest is another method's.
    await page.locator('input[name="loss"][value="huber"]').check();
    await page.locator('input[name="way"][value="steps"]:disabled').waitFor({ state: "attached" });
  }));

test("a number takes another way too", () =>
  inStudio(async (page) => {
    await chooseDays(page);
    await account(page, { epsilon: 9 });
    await takeByKeyboard(page, "dpgd");
    await page.fill("#records", "1000");
    assert.equal(await fit(page), "done");
    const release = await savedRelease(page);
    assert.deepEqual(
      [release.event.mechanism, release.model.loss],
      ["gradient-descent", "squared"],
    );
    assert.ok((await client.reprice(release)).holds);
  }));
