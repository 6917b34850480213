// Real files, each taken through the studio as its holder would: chosen, what is asked answered,
// label and public table set by hand, by a code book or by the schema file beside the data, the
// total fixed, fitted, and a release and a model card saved. No way ends before that.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { openClient } from "../harness/client.mjs";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { adult, shared } from "../harness/shared-data.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";
import { csv, drawn, openStudio, savedFile } from "../harness/studio.mjs";

const { server, browser } = await setUp();
const client = await openClient();

const press = (page, name) => page.getByRole("button", { name }).first().click();

/** Waits until a step is on the screen. */
const at = (page, step) =>
  page.waitForFunction((step) => document.querySelector(`#${step}`)?.checkVisibility(), step);

/** Everything read from the file is in the code book. */
async function fromTheCodeBook(page) {
  await press(page, /^From our code book/);
  await page.fill("#read-all-reason", "code book");
  await press(page, /^Confirm$/);
  await page.waitForFunction(() =>
    /Every entry is confirmed/.test(document.querySelector("#public").textContent),
  );
}

async function withSchema(page, name) {
  await page.getByText("Schema as a file").click();
  await page.setInputFiles("#schema-file", shared(`more/${name}.schema.json`));
  await page.waitForFunction(
    () =>
      document.querySelector(".column") && !document.querySelector(".column .tag-warn, .tag-bad"),
  );
}

/** The table without its first line, as old programs save it: a byte order mark, lines by CR. */
function headerless(path) {
  const [, ...lines] = readFileSync(path, "utf8").trimEnd().split(/\r?\n/);
  return csv(`\ufeff${lines.join("\r")}\r`, "tumours.csv");
}

/** The table with its fields in columns, as a program for statistics prints it. */
function spaced(path) {
  const lines = readFileSync(path, "utf8").trimEnd().split(/\r?\n/);
  const wide = lines.map((line) => line.split(",").map((field) => field.padStart(12)));
  return csv(`${wide.map((fields) => fields.join(" ")).join("\n")}\n`, "measurements.txt");
}

/**
 * name → its files, what is done from its being chosen to a table of columns that is public, what
 * the release is to say of the label, and at least how many of what the page found.
 */
const cases = {
  Adult: {
    files: adult,
    describe: fromTheCodeBook,
    label: { name: "Y", positive: [">50K", ">50K."] },
    columns: 14,
  },
  "a headerless table with a byte order mark and lines that end in CR": {
    needs: [shared("breast_cancer.csv")],
    files: () => headerless(shared("breast_cancer.csv")),
    answer: (page) => page.click("#header-none"),
    async describe(page) {
      // Named in place, by the keys alone, as the description of the file has them.
      for (const [id, name] of [
        ["c0", "mean radius"],
        ["c29", "worst fractal dimension"],
      ]) {
        await page.focus(`#${id}-name-cell`);
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => document.activeElement.localName === "input");
        await page.keyboard.type(name);
        await page.keyboard.press("Enter");
        // The focus comes back to the cell when the table has been drawn.
        await page.waitForFunction((cell) => document.activeElement.id === cell, `${id}-name-cell`);
      }
      await page.fill("#label-called", "diagnosis");
      await accessible(page, "columns with names of the person's");
      await fromTheCodeBook(page);
    },
    label: { name: "diagnosis", positive: ["malignant"] },
    named: ["mean radius", "c2", "worst fractal dimension"],
    columns: 30,
  },
  "a space-separated table": {
    needs: [shared("more/body_weight.csv")],
    files: () => spaced(shared("more/body_weight.csv")),
    describe: (page) => withSchema(page, "body_weight"),
    label: { name: "wgt", min: 30, max: 150 },
    columns: 24,
  },
  iris: {
    files: [shared("iris.csv")],
    async answer(page) {
      await page.selectOption("#hint-label", "species");
      await press(page, "Read the file again");
    },
    describe: fromTheCodeBook,
    label: { name: "species", classes: [["setosa"], ["versicolor"], ["virginica"]] },
    columns: 4,
  },
  weekly_wage: {
    files: [shared("more/weekly_wage.csv")],
    async describe(page) {
      await page.selectOption("#label-name", { label: "wage" });
      await page.getByRole("radio", { name: "A number" }).check();
      await page.fill("#label-min", "0");
      await page.fill("#label-max", "2500");
      // The page had taken it for the outcome, and leaves the use of it to the person.
      await page.getByRole("checkbox", { name: "Use parttime" }).check();
      await fromTheCodeBook(page);
    },
    label: { name: "wage", min: 0, max: 2500 },
    columns: 6,
  },
  hmda: {
    files: [shared("more/hmda.csv")],
    describe: (page) => withSchema(page, "hmda"),
    label: { name: "deny", positive: ["yes"] },
    columns: 13,
  },
  chile_vote: {
    files: [shared("more/chile_vote.csv")],
    describe: (page) => withSchema(page, "chile_vote"),
    label: { name: "vote", classes: [["A"], ["N"], ["U"], ["Y"]] },
    columns: 7,
  },
  digits: {
    // The schema comes first: the page need not look at the file for one.
    before: (page) => withSchema(page, "digits"),
    files: [shared("more/digits.csv")],
    label: { name: "digit", classes: Array.from({ length: 10 }, (_, k) => [String(k)]) },
    columns: 64,
  },
};

/** Goes through the steps to a model, and asserts that nothing is in the way. */
async function toAModel(page, { before, files, answer, describe }) {
  if (before) {
    await page.locator('.rail a[href="#public"]').click();
    await before(page);
    await page.locator('.rail a[href="#data"]').click();
  }
  await page.setInputFiles("#file", typeof files === "function" ? files() : files);
  if (answer) {
    await page.waitForSelector("#data-problem");
    await fitsWindow(page, "what is asked of the file");
    await answer(page);
  }
  await at(page, "public");
  await page.waitForSelector(".column");
  await describe?.(page);
  await fitsWindow(page, "what is public");
  await page.click("#next-public");
  await at(page, "budget");
  await page.waitForSelector("#account-fix", { timeout: 60_000 });
  await fitsWindow(page, "the budget");
  await page.click("#next-budget");
  await at(page, "fit");
  await page.click("#fit-button");
  await page.waitForSelector(".verdict, #fit-problem", { timeout: 120_000 });
  assert.equal(await page.locator("#fit-problem").count(), 0);
  await at(page, "result");
  await page.waitForSelector("#findings-all, .findings-lead");
}

for (const [name, one] of Object.entries(cases)) {
  const missing = (one.needs ?? one.files).find((path) => !existsSync(path));
  test(name, { skip: missing ? `${missing} is not there` : false }, async () => {
    const { page, quiet, close } = await openStudio(browser, server.url, { goes: false });
    await toAModel(page, one);
    assert.match(
      await page.locator(".findings-lead").innerText(),
      /differences in .+ (is|are) (surely )?more than noise/,
    );
    assert.match(await page.locator(".verdict").innerText(), /covers the whole release/);
    const release = JSON.parse(await savedFile(page, "Save the release"));
    const { label, features } = release.schema;
    assert.deepEqual({ ...label, ...one.label }, label, "the label");
    assert.equal(features.length, one.columns);
    const names = features.map((f) => f.name);
    for (const given of one.named ?? []) assert.ok(names.includes(given), `${given} in ${names}`);
    assert.ok((await client.reprice(release)).holds);
    const card = await savedFile(page, "Save a model card");
    assert.ok(card.includes(label.name), "the card names the label");
    await fitsWindow(page, "the result");
    await page.setViewportSize({ width: 390, height: 844 });
    await drawn(page);
    await fitsWindow(page, "the result, on a small window");
    quiet();
    await close();
  });
}
