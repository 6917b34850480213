// A scorecard in the studio: described, chosen, tried on a person, published and checked, by
// pointer and by keyboard; what is wrong is said where it is, and the page goes on.

import assert from "node:assert/strict";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { goTo } from "../harness/steps.mjs";
import { account, charges, choose, drawn, fit, saved } from "../harness/studio.mjs";
import { check, openVerifier } from "../harness/verifier.mjs";

const { server, browser, inStudio } = await setUpStudio();

const scorecard = (page) => page.check('input[name="making"][value="card"]');
const merge = (page, name) =>
  page.getByRole("button", { name: `Merge the ticked levels of ${name}` });
/** The column of a name, by its id in the page, once it is drawn. */
const column = async (page, name) => {
  const id = await page.waitForFunction(
    (name) =>
      [...document.querySelectorAll(".card-attribute")].find(
        (one) => one.querySelector("strong").textContent === name,
      )?.dataset.column,
    name,
  );
  return id.jsonValue();
};
const error = (page, id) => page.locator(`#${id}-error`).innerText();
const until = (page, selector, words) =>
  page.waitForFunction(
    ([selector, words]) =>
      document.querySelector(selector)?.textContent.replace(/\s+/g, " ").includes(words),
    [selector, words],
  );

test("the sample by pointer: levels, budget, search, a person, publish, verify", () =>
  inStudio(async (page) => {
    await scorecard(page);
    await drawn(page);
    const [age, smoking, systolic] = await Promise.all(
      ["age", "smoking", "systolic"].map((name) => column(page, name)),
    );
    await page.uncheck(`#card-${systolic}-use`);
    await page.fill(`#card-${age}-cuts`, "50; 65, 80");
    await until(page, "#card-attributes", "65 to below 80");
    // Both ticks count, even if the page is not drawn between them.
    await page.evaluate(
      (ids) => ids.forEach((id) => document.getElementById(id).click()),
      [1, 2].map((level) => `card-${smoking}-level-${level}`),
    );
    await merge(page, "smoking").click();
    await page.fill(`#card-${smoking}-name-1`, "ever");
    await until(page, "#card-size", "4 attributes with 11 levels");
    await accessible(page, "levels");
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await drawn(page);
      await fitsWindow(page, `levels, ${width} px`);
    }

    await goTo(page, "budget");
    await until(page, "#card-excess", "177,147 cards");
    assert.equal(await page.locator("#delta").count(), 0, "a card has no δ");
    await page.fill("#epsilon", "40");
    await page.waitForSelector("#card-refused");
    assert.match(await page.locator("#card-refused").innerText(), /2\^-20 to 32/);
    await page.fill("#epsilon", "2");
    await until(page, "#card-excess", "at most 8 rows");
    await accessible(page, "budget");

    await goTo(page, "fit");
    assert.match(await page.locator("#card-intention").innerText(), /ε = 2 and δ = 0/);
    await accessible(page, "fit");
    assert.equal(await fit(page), "done");
    await page.waitForSelector("#card-found");
    const { text, name } = await saved(page, "Save the release");
    const release = JSON.parse(text);
    assert.equal(name, "scorecard.json");
    assert.deepEqual(
      release.card.attributes.map((a) => [a.name, a.levels.map((l) => l.name)]),
      [
        ["age", ["below 50", "50 to below 65", "65 to below 80", "80 or more"]],
        ["sex", ["female", "male"]],
        ["smoking", ["never", "ever"]],
        ["bmi", ["below 31", "31 to below 51", "51 or more"]],
      ],
    );
    assert.deepEqual(release.schema.attributes[2].levels[1].values, ["former", "current"]);
    assert.equal(release.guarantee.covers, true);
    assert.equal(release.guarantee.epsilon, 2);

    const highest = release.card.attributes.map(({ levels }) =>
      levels.reduce((best, l, i) => (l.points > levels[best].points ? i : best), 0),
    );
    const total = highest.reduce(
      (sum, l, g) => sum + release.card.attributes[g].levels[l].points,
      0,
    );
    for (const [g, { name, levels }] of release.card.attributes.entries())
      await page.getByRole("radio", { name: `${name}: ${levels[highest[g]].name}` }).check();
    await until(page, "#card-total", `Total ${String(total).replace("-", "−")}`);
    assert.match(await page.locator("#card-total").innerText(), total >= 1 ? /“yes”/ : /“no”/);
    await accessible(page, "the card");
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await drawn(page);
      await fitsWindow(page, `the card, ${width} px`);
    }

    const card = await saved(page, "Save the card");
    assert.match(card.text, /readmitted: “yes” or “no”\?/);
    for (const [language, file] of [
      ["Python", "card.py"],
      ["R", "card.R"],
      ["JavaScript", "card.mjs"],
      ["Go", "card.go"],
    ])
      assert.equal((await saved(page, language)).name, file);

    const verifier = await openVerifier(browser, server.url);
    for (const [file, name] of [
      [text, "scorecard.json"],
      [card.text, "scorecard.html"],
    ])
      assert.equal(
        (await check(verifier.page, file, name)).title,
        "It tells the truth: the guarantee holds",
      );
    verifier.quiet();
    await verifier.close();
  }));

test("by keyboard alone, from the switch to the card", () =>
  inStudio(async (page) => {
    await goTo(page, "public");
    await page.locator('input[name="making"][value="model"]').focus();
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector("#card-attributes");
    const sex = await column(page, "sex");
    await page.locator(`#card-${sex}-use`).focus();
    await page.keyboard.press("Space");
    await until(page, "#card-size", "4 attributes");
    const smoking = await column(page, "smoking");
    await page.locator(`#card-${smoking}-use`).focus();
    for (const key of ["Tab", "Space", "Tab", "Space", "Tab", "Tab", "Enter"]) {
      await page.keyboard.press(key);
      await drawn(page); // what a tick allows can have the focus only then
    }
    await until(page, `#card-${smoking}-levels`, "never, former");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector('.screen[data-screen="budget"]:not([hidden])');
    await until(page, "#card-excess", "cards");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector('.screen[data-screen="fit"]:not([hidden])');
    await page.locator("#fit-button").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("#card-found");
    await page.locator("#card-found input[type=radio]").first().focus();
    await page.keyboard.press("Space");
    await until(page, "#card-total", "more attributes to choose");
  }));

test("what is wrong is said where it is, and can be put right", () =>
  inStudio(async (page) => {
    await scorecard(page);
    const age = await column(page, "age");
    const cuts = `card-${age}-cuts`;
    for (const [typed, says] of [
      ["65, 40", /40 comes after 65/],
      ["65, 65", /there twice/],
      ["120", /120 is not between the bounds of age, 18 and 105/],
      ["old", /“old” is not a number/],
      ["", /age has one level/],
    ]) {
      await page.fill(`#${cuts}`, typed);
      await page.locator(`#${cuts}`).blur();
      await page.waitForSelector(`#${cuts}-error`);
      assert.match(await error(page, cuts), says);
    }
    await page.click("#next-public");
    assert.equal(await page.evaluate(() => document.activeElement.id), cuts);
    await accessible(page, "errors");
    await page.fill(`#${cuts}`, Array.from({ length: 30 }, (_, i) => 20 + 2 * i).join(" "));
    await page.waitForSelector("#card-attributes-error");
    assert.match(
      await error(page, "card-attributes"),
      /42 levels together, and 32 are the most: merge some levels of age, which has 31/,
    );
    // 29 levels are few enough, and 5 points for each are not.
    await page.fill(`#${cuts}`, Array.from({ length: 17 }, (_, i) => 20 + 2 * i).join(" "));
    await page.waitForSelector("#card-attributes-error", { state: "detached" });
    await goTo(page, "fit");
    await page.check('input[name="points"][value="2"]');
    await goTo(page, "public");
    await page.waitForSelector("#card-attributes-error");
    assert.match(
      await error(page, "card-attributes"),
      /too many cards to choose from: take points from −1 to 1 in step 4, or merge some levels of age/,
    );
    await accessible(page, "too many cards");
    await goTo(page, "fit");
    await page.check('input[name="points"][value="1"]');
    await goTo(page, "public");
    await page.fill(`#${cuts}`, "65");
    await drawn(page);
    const all = page.locator(".card-attribute > .choice input");
    for (let i = 0; i < 9; i++) await all.nth(i).check();
    await page.waitForSelector("#card-attributes-error");
    assert.match(await error(page, "card-attributes"), /9 attributes, and 8 are the most/);
    for (let i = 0; i < 9; i++) await all.nth(i).uncheck();
    assert.match(await error(page, "card-attributes"), /at least one attribute/);
    const sex = await column(page, "sex");
    const smoking = await column(page, "smoking");
    await page.check(`#card-${smoking}-use`);
    await page.check(`#card-${smoking}-level-1`);
    await page.check(`#card-${smoking}-level-2`);
    await merge(page, "smoking").click();
    for (const [name, says] of [
      ["", /Give each merged level a name/],
      ["never", /Two levels are called “never”/],
    ]) {
      await page.fill(`#card-${smoking}-name-1`, name);
      await page.waitForSelector(`#card-${smoking}-levels-error`);
      assert.match(await error(page, `card-${smoking}-levels`), says);
    }
    await page.uncheck(`#card-${smoking}-use`);
    await page.check(`#card-${sex}-use`);
    await page.check(`#card-${sex}-level-0`);
    await page.check(`#card-${sex}-level-1`);
    await merge(page, "sex").click();
    await page.waitForSelector(`#card-${sex}-levels-error`);
    assert.match(await error(page, `card-${sex}-levels`), /sex has one level/);
    await page.click("#undo");
    await page.waitForSelector(`#card-${sex}-levels-error`, { state: "detached" });
    assert.equal(await fit(page), "done");
    await page.waitForSelector("#card-found");
  }));

test("a file of one's own: charged first, marked as read from it, listed", () =>
  inStudio(async (page) => {
    await choose(page);
    await scorecard(page);
    const age = await column(page, "age");
    await until(page, ".card-attribute", "from your data");
    await account(page, { epsilon: 5 });
    assert.equal(await fit(page), "done");
    await page.waitForSelector("#card-found");
    const first = JSON.parse((await saved(page, "Save the release")).text);
    assert.equal(first.guarantee.covers, false);
    assert.match(first.guarantee.caveats[0], /levels of "age" and "ward" were read off/);
    assert.match((await charges(page)).join(), /a scorecard/);

    // Cut points typed on from the page's are known with the bounds that they come from. Of other
    // bounds they are marked until the person knew them.
    const cuts = page.locator(`#card-${age}-cuts`);
    const [one] = (await cuts.inputValue()).split(", ");
    await cuts.fill(`${one}, 70`);
    await page.getByRole("button", { name: /^From our code book/ }).click();
    await page.fill("#read-all-reason", "code book");
    await page.getByRole("button", { name: "Confirm", exact: true }).click();
    const knew = page.getByRole("button", { name: "We knew this cut point beforehand" });
    await page.waitForFunction(
      () => !document.querySelector(".card-attribute").innerText.includes("from your data"),
    );
    assert.equal(await knew.count(), 0);
    await page.getByRole("button", { name: "Edit age" }).click();
    await page.fill(`#${age}-min`, "1");
    await page.fill(`#${age}-max`, "140");
    await knew.click();
    assert.equal(await fit(page), "done");
    const second = JSON.parse((await saved(page, "Save the release")).text);
    assert.equal(second.guarantee.covers, true);
    assert.deepEqual(second.schema.attributes[0].reason, "code book");
    await page.getByRole("button", { name: "Scorecard 1" }).click();
    await until(page, "#promise", "does not cover everything");
  }));
