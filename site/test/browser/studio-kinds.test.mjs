// Labels of several classes and of numbers, other losses, and evaluations that are bought: from the
// file to what is published.

import assert from "node:assert/strict";
import { openClient } from "../harness/client.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import {
  account,
  buysEvaluation,
  choose,
  csv,
  drawn,
  fit,
  json,
  kinds,
  look,
  openSection,
  savedFile,
  savedRelease,
  smallTable,
  text,
} from "../harness/studio.mjs";

const { inStudio } = await setUpStudio();
const client = await openClient();

test("several classes: chosen, fitted, shown class by class, predicted, published", () =>
  inStudio(async (page) => {
    await choose(page, kinds.classes(), "table.csv", 3);
    await page.selectOption("#label-name", { label: "state" });
    await drawn(page);
    assert.ok(await page.getByRole("radio", { name: "Several classes" }).isChecked());
    assert.match(await page.inputValue("#label-classes"), /well/);
    await page.fill("#epsilon", "4");
    await account(page, { epsilon: 9 });
    assert.equal(await fit(page), "done");
    const release = await savedRelease(page);
    assert.equal(release.model.classes.length, 3);
    assert.ok((await client.reprice(release)).holds);
    await page.setInputFiles("#release-file", json(release, "release.json"));
    await page.locator("#check .notice-warn, #check .notice-good").waitFor();
    await look(page);
    const fence = await text(page, ".fence:has(#fence-title)");
    assert.ok(
      Number(/Right on your rows\s+([\d.]+)/.exec(fence)[1]) >
        Number(/commonest answer\s+([\d.]+)/.exec(fence)[1]),
      fence,
    );
    assert.equal(await page.locator(".fence tbody tr").count(), 3);
    assert.ok((await page.locator("curve-chart .legend tbody tr").count()) >= 1);
    await openSection(page, "all-coefficients");
    // The coefficients of each class.
    const shown = () => page.locator(".coefficients tfoot .number").first().innerText();
    const first = await shown();
    await page.selectOption("#class", { index: 2 });
    await drawn(page);
    assert.notEqual(await shown(), first);
    await page.fill("#predict-0", "90");
    await page.selectOption("#predict-1", "A");
    await page.getByRole("button", { name: "Predict", exact: true }).first().click();
    await page.waitForSelector(".answer-number");
    const { label, probabilities } = await client.predict(release, ["90", "A"]);
    assert.equal(await text(page, ".answer-number"), `“${label}”`);
    assert.equal(await page.locator(".answer tbody tr").count(), probabilities.length);
    assert.match(await savedFile(page, "Save a model card"), /A linear model of 3 classes/);
  }));

test("a number: chosen, fitted, predicted, published", () =>
  inStudio(async (page) => {
    await choose(page, kinds.numbers(), "table.csv", 3);
    await page.selectOption("#label-name", { label: "days" });
    await drawn(page);
    assert.ok(await page.getByRole("radio", { name: "A number" }).isChecked());
    await page.fill("#label-min", "0");
    await page.fill("#label-max", "40");
    await page.fill("#epsilon", "4");
    await account(page, { epsilon: 9 });
    assert.equal(await page.locator('input[name="loss"]').count(), 0, "a number has one loss");
    assert.equal(await fit(page), "done");
    const release = await savedRelease(page);
    assert.deepEqual(
      [release.schema.label.min, release.schema.label.max, release.model.loss],
      [0, 40, "squared"],
    );
    await look(page);
    assert.match(
      await text(page, ".fence:has(#fence-title)"),
      /Typical error on your rows[^]*Variance explained/,
    );
    await page.fill("#predict-0", "10");
    await page.selectOption("#predict-1", "B");
    await page.getByRole("button", { name: "Predict", exact: true }).first().click();
    await page.waitForSelector(".answer-number");
    const { value } = await client.predict(release, ["10", "B"]);
    assert.ok(Math.abs(Number(await text(page, ".answer-number")) - value) < 0.1, String(value));
    assert.match(
      await savedFile(page, "Save a model card"),
      /A linear model of a number between 0 and 40/,
    );
  }));

test("a number by averaged steps: all rows are divided by the same length", () =>
  inStudio(async (page) => {
    await choose(page, kinds.numbers(), "table.csv", 3);
    await page.selectOption("#label-name", { label: "days" });
    await drawn(page);
    await page.fill("#records", "600");
    await page.fill("#epsilon", "4");
    await account(page, { epsilon: 9 });
    assert.equal(await fit(page), "done");
    const release = await savedRelease(page);
    assert.equal(release.event.mechanism, "gradient-descent");
    assert.deepEqual([release.schema.version, release.schema.rows.norm], [7, "scale"]);
    assert.ok((await client.reprice(release)).holds);
    // From the file's units alone: the age is the mean of its bounds, the ward is A.
    const { model, schema } = release;
    const age = (schema.features[0].min + schema.features[0].max) / 2;
    const of = (category) => model.original.find((o) => o.category === category).coefficient;
    const m = model.original_constant + of(undefined) * age + of("A") + model.intercept;
    const { value } = await client.predict(release, [String(age), "A"]);
    const { min, max } = schema.label;
    assert.ok(Math.abs(min + ((m + 1) / 2) * (max - min) - value) < 1e-9);
    await openSection(page, "all-coefficients");
    assert.match(await text(page, "#all-coefficients"), /score is constant \+ sum of coefficient/);
  }));

test("another loss is behind Compare, and stands beside the usual one", () =>
  inStudio(async (page) => {
    assert.equal(await fit(page), "done");
    await page.getByText("Compare methods").click();
    await page.getByRole("radio", { name: /Huber loss/ }).check();
    await page.fill("#huberWidth", "wide");
    await drawn(page);
    assert.match(await text(page, "#huberWidth-error"), /above 0/);
    assert.match(await fit(page), /need a correction/);
    await page.fill("#huberWidth", "0.25");
    assert.equal(await fit(page), "done");
    const release = await savedRelease(page);
    assert.deepEqual([release.model.loss, release.model.huber_width], ["huber", 0.25]);
    assert.match(await text(page, ".releases tbody tr"), /Model 2[^]*Huber loss/);
    await page.getByRole("radio", { name: /Weighted logistic loss/ }).check();
    assert.match(await fit(page), /need a correction/);
    assert.match(await text(page, "#positiveWeight-error"), /from 0.001 to 1000/);
    await page.fill("#positiveWeight", "5");
    assert.equal(await fit(page), "done");
    const { model } = await savedRelease(page);
    assert.deepEqual([model.loss, model.positive_weight], ["weighted-logistic", 5]);
    await page.getByRole("radio", { name: /Squared loss/ }).check();
    assert.equal(await fit(page), "done");
    assert.equal((await savedRelease(page)).model.loss, "squared");
  }));

test("a loss that bends at a shift asks for it", () =>
  inStudio(async (page) => {
    await choose(page, smallTable(900), "table.csv", 2);
    await page.getByText("Compare methods").click();
    assert.equal(await page.locator("#shift").count(), 0, "the usual loss has none");
    await page.getByRole("radio", { name: /Rounded hinge/ }).check();
    assert.equal(await page.inputValue("#shift"), "2");
    for (const wrong of ["0", "17", "far"]) {
      await page.fill("#shift", wrong);
      await drawn(page);
      assert.match(await text(page, "#shift-error"), /above 0, 16 or less/);
    }
    assert.match(await fit(page), /need a correction/);
    await page.fill("#shift", "1.5");
    assert.equal(await fit(page), "done");
    const { model } = await savedRelease(page);
    assert.deepEqual([model.loss, model.shift], ["rounded-hinge", 1.5]);
    await page.getByRole("radio", { name: /Shifted logistic/ }).check();
    assert.equal(await fit(page), "done");
    const shifted = await savedRelease(page);
    assert.deepEqual([shifted.model.loss, shifted.model.shift], ["shifted-logistic", 1.5]);
    assert.match(await savedFile(page, "Save a model card"), /its loss shifted/);
  }));

test("an evaluation is bought of a held-out file, under that file's own total, and goes into release and card", () =>
  inStudio(async (page) => {
    await choose(page, smallTable(900), "table.csv", 2);
    assert.equal(await fit(page), "done");
    const before = await savedRelease(page);
    assert.equal(before.evaluation, undefined);
    await buysEvaluation(page);
    // The release's schema is settled: what it does not list can be changed in the file only.
    await page.setInputFiles(
      "#held-file",
      csv(smallTable(700).replaceAll("yes", "yes."), "dots.csv"),
    );
    const dots = page.locator("#held", { hasText: "yes." });
    await dots.waitFor();
    assert.match(
      await dots.innerText(),
      /neither a negative label \("no"\) nor a positive one \("yes"\)[^]*Change the file so that it spells the label as the release does\./,
    );
    assert.doesNotMatch(await dots.innerText(), /add it to the spellings/);
    for (const [name, wrong, advice] of [
      [
        "wards.csv",
        smallTable(700).replaceAll(",A,", ",a,"),
        /"a" is not one of the categories listed[^]*Change the file so that it spells the categories as the release does\./,
      ],
      [
        "ages.csv",
        smallTable(700).replace(/\n\d+/, "\nold"),
        /"old" is not a number[^]*Write it in digits, such as 39 or 3\.5\./,
      ],
      [
        "heads.csv",
        smallTable(700).replace("age,", "years,"),
        /no column of this name[^]*as the release does, letter for letter/,
      ],
    ]) {
      await page.setInputFiles("#held-file", csv(wrong, name));
      const said = page.locator("#held", { hasText: name });
      await said.waitFor();
      assert.match(await said.innerText(), advice);
      assert.doesNotMatch(await said.innerText(), /schema|step 2/);
    }
    await page.setInputFiles("#held-file", csv(smallTable(700), "others.csv"));
    await page.waitForSelector("#held-fix");
    assert.equal(await page.locator("#held-buy").count(), 0, "not before there is a total");
    await page.fill("#held-epsilon", "1");
    await page.click("#held-fix");
    await page.waitForSelector("#held .spending");
    await page.fill("#evaluation-epsilon", "none");
    await page.click("#held-buy");
    await page.waitForSelector("#evaluation-epsilon-error");
    await page.fill("#evaluation-epsilon", "0.8");
    await page.click("#held-buy");
    await page.waitForSelector("#figures");
    await page.locator("#held").getByText("1 purchase has used").waitFor();
    await page.locator("#fit").getByText("would be left").waitFor();
    assert.match(
      await text(page, "#account"),
      /1 purchase has used/,
      "the people of the fit pay nothing",
    );
    const release = await savedRelease(page);
    const { holds, figures } = await client.reprice(release);
    assert.ok(holds);
    assert.deepEqual(release.model.coefficients, before.model.coefficients);
    assert.equal(figures.epsilon, 0.8);
    const [low, high] = [figures.accuracy.low, figures.accuracy.high].map((x) =>
      (100 * x).toFixed(1).replace(/\.0$/, ""),
    );
    assert.ok(
      (await text(page, "#figures")).includes(low) && (await text(page, "#figures")).includes(high),
      await text(page, "#figures"),
    );
    assert.match(await savedFile(page, "Save a model card"), /How well it does/);
    // The rest of that total is too little for as much again.
    await page.fill("#evaluation-epsilon", "0.9");
    await page.getByText("This is more than is left for those people").waitFor();
    await page.click("#held-buy");
    await page.waitForSelector("#held-failed");
    assert.deepEqual((await savedRelease(page)).evaluation, release.evaluation);
  }));

test("with the sample, on more rows of nobody", () =>
  inStudio(async (page) => {
    assert.equal(await fit(page), "done");
    await buysEvaluation(page);
    await page.getByRole("button", { name: "Use more made-up rows" }).click();
    await page.click("#held-buy");
    await page.waitForSelector("#figures");
    assert.match(await text(page, "#figures"), /Predicted right\s+[\d.]+/);
    assert.ok((await client.reprice(await savedRelease(page))).holds);
  }));

test("an evaluation under way is not ended by another fit, another model or another file, and goes into its own release", () =>
  inStudio(async (page) => {
    assert.equal(await fit(page), "done");
    await page.click("#fit-button");
    await page.locator("[name=shown]").nth(1).waitFor();
    await buysEvaluation(page);
    await page.getByRole("button", { name: "Use more made-up rows" }).click();
    await page.waitForSelector("#held-buy:not([disabled])");
    // In one turn, before anything is drawn: what is not disabled yet must refuse, too.
    await page.evaluate(() => {
      const chosen = new DataTransfer();
      chosen.items.add(new File(["a,b\n1,yes\n"], "other.csv", { type: "text/csv" }));
      document.querySelector("#held-buy").click();
      document.querySelector("#fit-button").click();
      document.querySelectorAll("[name=shown]")[1].click();
      for (const id of ["#file", "#held-file"]) {
        const input = document.querySelector(id);
        input.files = chosen.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
      }
      // The page may be drawn late: the reason is noted when it is there.
      new MutationObserver(() => {
        const row = document.querySelector("#fit-button")?.closest("p").textContent;
        if (row?.includes("An evaluation or a privacy report is being made."))
          globalThis.reasonSeen = true;
      }).observe(document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
    });
    await page.waitForSelector("#figures");
    assert.ok(await page.evaluate(() => globalThis.reasonSeen), "the fit says what it waits for");
    assert.equal(await page.locator("[name=shown]").count(), 2, "no other fit was begun");
    assert.ok(await page.getByRole("radio", { name: "Model 2" }).isChecked());
    assert.equal(await text(page, ".gallery [aria-current]"), "Hospital stays");
    await page.waitForSelector("#fit-button:not([disabled])");
    assert.ok((await savedRelease(page)).evaluation);
    await page.getByRole("radio", { name: "Model 1" }).click();
    await page.waitForFunction(() => !document.querySelector("#figures"));
    await page.getByRole("radio", { name: "Model 2" }).click();
    await page.waitForSelector("#figures");
  }));
