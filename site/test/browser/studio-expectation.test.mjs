// What privacy costs in accuracy, before the choice is made: from made-up rows, in a worker that
// sees no file.

import assert from "node:assert/strict";
import { describe } from "node:test";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import {
  account,
  csv,
  drawn,
  fit,
  json,
  oneTrial,
  schemaOf,
  smallTable,
} from "../harness/studio.mjs";

const { inStudio } = await setUpStudio({ rests: Infinity });

/** All the trials of a usual fit, and so many that the page judges by them. */
const [all, enough] = [12, 4];

/** Comes near, and waits for so many trials. */
async function estimate(page, trials = 1) {
  await page.locator("#expectation").scrollIntoViewIfNeeded();
  await page.waitForFunction(
    (trials) =>
      document.querySelector(".expectation-says") &&
      document.querySelector("#expectation").dataset.trials >= trials,
    trials,
    { timeout: 120_000 },
  );
  await drawn(page);
}

const says = (page) => page.locator(".expectation-says").innerText();

async function table(page) {
  await page.evaluate(() => (document.querySelector("#expectation details").open = true));
  return page.locator("#expectation tbody tr").allInnerTexts();
}

const schema = schemaOf({ wards: ["A", "B", "C"] });

describe("what a choice costs in accuracy", () => {
  test("is said for the chosen ε, waits while the page fits, is drawn, told as a table, and follows the slider", () =>
    inStudio(async (page) => {
      await estimate(page);
      assert.match(
        await says(page),
        /^At ε = 1, with 12,000 rows, expect to lose about [\d.]+ points? of 100 in accuracy/,
      );
      assert.equal(await fit(page), "done");
      await estimate(page, all);
      assert.match(await says(page), /privacy: [\d.]+ to [\d.]+, by luck/);
      assert.equal(await page.locator("#outlook").count(), 0, "12,000 rows at ε = 1 buy something");
      const rows = await table(page);
      assert.deepEqual(
        rows.map((row) => row.split("\t")[0]),
        ["0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10"],
      );
      const medium = rows.map((row) => Number.parseFloat(row.split("\t")[2]));
      const [, range] = /privacy: ([\d.]+ to [\d.]+), by luck/.exec(await says(page));
      assert.equal(rows[4].split("\t")[4].trim(), range, "the table says what the sentence says");
      assert.ok(
        medium[0] > medium[3] && medium[3] >= medium[7],
        `stronger protection costs more: ${medium}`,
      );
      await accessible(page, "an expectation, whole");
      await fitsWindow(page, "an expectation, whole");
      await page.fill("#epsilon", "0.05");
      await drawn(page);
      assert.match(await says(page), /^At ε = 0\.05/);
      assert.equal(await page.getAttribute("#expectation", "data-trials"), "12");
      const few = Number(/about ([\d.]+) point/.exec(await says(page))[1]);
      await page.fill("#records", "1,000,000");
      await page.waitForFunction(
        () => /1,000,000 rows/.test(document.querySelector(".expectation-says")?.textContent ?? ""),
        null,
        { timeout: 60_000 },
      );
      const many = Number(/about ([\d.]+) point/.exec(await says(page))[1]);
      assert.ok(many < few, `${many} points of a million rows, ${few} of twelve thousand`);
      await page.fill("#records", "a few");
      await page.locator("#records-error").waitFor();
      assert.match(
        await page.locator("#expectation").innerText(),
        /Waiting for the number of rows/,
      );
      await accessible(page, "an expectation without a number of rows");
    }));

  test("assumes no number of rows of a file: three sizes stand beside each other until one is said", () =>
    inStudio(async (page) => {
      await page.setInputFiles("#file", csv(smallTable(400)));
      await page.waitForFunction(() => document.querySelectorAll(".column").length === 2);
      assert.equal(await page.inputValue("#records"), "");
      assert.equal(await page.locator("#records-error").count(), 0, "it need not be said");
      await estimate(page);
      // One of the two columns can tell made-up labels by itself, and then nothing is lost: so it
      // is in the first two trials.
      await page.waitForFunction(
        () => Number(document.querySelector("#expectation").dataset.trials) >= 4,
        null,
        { timeout: 120_000 },
      );
      // Together, as one trial left them: the next may come between two questions.
      const [lines, said] = await page.evaluate(() => [
        [...document.querySelectorAll(".expectation-sizes tbody tr")].map((row) => row.innerText),
        document.querySelector(".expectation-says").innerText,
      ]);
      const rows = lines.map((row) => row.split(/[\t\n]+/).map((cell) => cell.trim()));
      assert.deepEqual(
        rows.map(([size]) => size),
        ["300 rows", "3,000 rows", "30,000 rows"],
      );
      const medium = rows.map((row) => Number.parseFloat(row[2]));
      for (const row of rows) {
        const [low, high] = row[4].split(" to ").map(Number);
        const means = row.slice(1, 4).map(Number);
        assert.ok(low <= Math.min(...means) && high >= 2 + Math.max(...means), row.join("; "));
      }
      assert.ok(medium[0] > medium[1] && medium[1] >= medium[2], `fewer rows lose more: ${medium}`);
      assert.match(
        said,
        new RegExp(
          `${medium[0]} with 300, ${medium[1]} with 3,000 and ${medium[2]} with 30,000 rows`,
        ),
      );
      assert.doesNotMatch(await page.locator("#expectation").innerText(), /400|10,000 rows/);
      await accessible(page, "three sizes beside each other");
      await fitsWindow(page, "three sizes beside each other");
      await page.setViewportSize({ width: 390, height: 844 });
      await fitsWindow(page, "three sizes, 390 px");
      await page.fill("#records", "3000");
      await page.waitForFunction(
        () =>
          /^At ε = 1, with 3,000 rows/.test(
            document.querySelector(".expectation-says")?.textContent.trim() ?? "",
          ),
        null,
        { timeout: 60_000 },
      );
    }));

  test("is of the way to fit that is chosen, and says so", () =>
    inStudio(async (page) => {
      await page.fill("#epsilon", "0.05");
      await page.fill("#records", "3000");
      await estimate(page, enough);
      const lost = async () => Number(/about ([\d.]+) point/.exec(await says(page))[1]);
      const usual = await lost();
      await page.getByText("Compare methods").click();
      await page.locator('input[name="way"][value="outpert"]').check();
      await page
        .locator("#expectation", {
          hasText: "fits by the method chosen in step 4, “Noise on the solution”",
        })
        .waitFor();
      await estimate(page, enough);
      assert.ok(
        (await lost()) > usual + 2,
        `${await lost()} points with noise on the solution, ${usual} with noise in the problem`,
      );
    }));

  test("is compared for every way to fit while that is open, and what each would take of the total", () =>
    inStudio(async (page) => {
      const rows = () => page.locator("#comparison tbody tr").allInnerTexts();
      const tried = (of, trials) =>
        page.waitForFunction(
          ([text, n]) =>
            document
              .querySelector("#comparison caption")
              ?.textContent.replace(/[ \n]+/g, " ")
              .includes(text) && document.querySelector("#comparison").dataset.trials >= n,
          [of, trials],
          { timeout: 120_000 },
        );
      await page.setInputFiles("#file", csv(smallTable(400)));
      await page.waitForFunction(() => document.querySelectorAll(".column").length === 2);
      await account(page, { epsilon: 3 });
      await page.fill("#records", "300");
      await page.fill("#epsilon", "0.3");
      assert.equal(
        await page.locator("#comparison table").count(),
        0,
        "nothing is tried before it is opened",
      );
      await page.getByText("Compare methods").click();
      await tried("ε = 0.3 with 300 rows", 4);
      const few = await rows();
      assert.deepEqual(
        few.map((row) => row.split(/[\t\n]/)[0]),
        [
          "Noise in the problem",
          "The same, as published in 2023",
          "Noise on the solution",
          "Noise in every step",
          "Noise in every step, and their mean",
          "Noise in every step, on samples",
          "Let the rows choose λ",
          "Let the rows choose the method",
        ],
      );
      for (const row of few) assert.match(row, /\d\d\.\d\n\d\d\.\d to \d\d\.\d[\s\S]*0\.\d+$/, row);
      assert.match(
        await page.locator("#comparison-says").innerText(),
        /no other method does clearly better|does better than the usual choice, by about \d/,
      );
      await accessible(page, "ways compared");
      await fitsWindow(page, "ways compared");
      await page.setViewportSize({ width: 390, height: 844 });
      await fitsWindow(page, "ways compared, 390 px");
      // What is asked is followed, and forgotten.
      await page.fill("#epsilon", "4");
      await tried("ε = 4 with 300 rows", 0);
      await page
        .locator("#comparison tbody tr", { hasText: "more than is left" })
        .first()
        .waitFor();
      await page.fill("#records", "");
      await page
        .locator("#comparison", { hasText: "Waiting for ε and a number of rows" })
        .waitFor();
    }));

  test("is the same for two files of one description, asks nothing of the network, and takes nothing from the budget", () =>
    inStudio(async (page) => {
      const requests = [];
      page.on(
        "request",
        (request) => request.url().startsWith("http") && requests.push(request.url()),
      );
      await page.setInputFiles("#schema-file", json(schema));
      const told = [];
      for (const [name, text] of [
        ["one.csv", smallTable(400)],
        [
          "two.csv",
          smallTable(900).replaceAll("yes", "?").replaceAll("no", "yes").replaceAll("?", "no"),
        ],
      ]) {
        await page.setInputFiles("#file", csv(text, name));
        await page.waitForFunction(
          (n) => document.querySelector(".file-name")?.textContent.includes(n),
          name,
        );
        // Tried anew for this file: by way of another number of rows.
        await page.fill("#records", "200");
        await estimate(page);
        await page.fill("#records", "300");
        await page.waitForFunction(
          () => / 300 rows/.test(document.querySelector(".expectation-says")?.textContent ?? ""),
          null,
          { timeout: 60_000 },
        );
        await estimate(page, all);
        told.push([await says(page), ...(await table(page))]);
      }
      assert.deepEqual(told[1], told[0]);
      assert.deepEqual(requests, []);
      assert.match(await page.locator("#account").innerText(), /Fix this total|nothing/i);
    }));

  test("says that a budget buys nothing, or may not, by keyboard and before it is spent", () =>
    inStudio(async (page) => {
      const type = async (text) => {
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.type(text);
      };
      const told = async (pattern) => {
        await page.waitForFunction(
          (source) => new RegExp(source).test(document.querySelector("#outlook")?.innerText ?? ""),
          pattern.source,
          { timeout: 120_000 },
        );
        await drawn(page);
      };
      await page.focus("#epsilon");
      await type("0.1");
      await page.focus("#records");
      await type("100");
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.id), "rarer");
      await type("8 %");
      await told(
        /This budget buys nothing here[^]*100 rows at ε = 0\.1[^]*even where[^]* rows, 92\.0\./,
      );
      await accessible(page, "a budget that buys nothing");
      await page.setViewportSize({ width: 390, height: 844 });
      await fitsWindow(page, "a budget that buys nothing, 390 px");
      await type("80 %");
      await page.locator("#rarer-error").waitFor();
      // Declined: made-up rows have about as many of each.
      await type("");
      await page.keyboard.press("Delete");
      await told(/may buy nothing here|buys nothing here[^]* rows, 5\d\.\d\./);
      await type("8 %");
      await page.focus("#records");
      await type("20000");
      await page.focus("#epsilon");
      await type("8");
      await told(
        /buys nothing here, unless columns tell a lot[^]*20,000 rows[^]*instead of 92\.0\./,
      );
      assert.match(
        await page.locator("#outlook").innerText(),
        /There, a fit without privacy gains no more\. Where columns tell a lot/,
      );
      await page.focus("#rarer");
      await type("30 %");
      await page.keyboard.press("Tab");
      await estimate(page, enough);
      assert.match(await says(page), /^At ε = 8, with 20,000 rows/);
      assert.doesNotMatch(await page.locator("#expectation").innerText(), /buys nothing here/);
    }));

  test("on a small window", () =>
    inStudio(
      async (page) => {
        await estimate(page);
        await fitsWindow(page, "an expectation at 390 pixels");
        await page.focus("#rarer");
        await page.keyboard.press("Tab");
        assert.equal(
          await page.evaluate(() => document.activeElement.textContent.trim()),
          "The same as a table",
        );
        await page.keyboard.press("Enter");
        await page.locator("#expectation tbody").waitFor();
        await fitsWindow(page, "an expectation as a table");
        await accessible(page, "an expectation as a table");
      },
      { width: 390, height: 844, theme: "dark", rests: oneTrial },
    ));
});
