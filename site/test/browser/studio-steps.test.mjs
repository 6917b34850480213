// One step on the screen at a time: the address, Back and Forward, what goes on and what is
// missing, the table of columns by keys, undo, one reason for many, the receipt, and how tall each
// step is.

import assert from "node:assert/strict";
import { describe } from "node:test";
import { schema } from "../client/sample.mjs";
import { accessible } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { untilNoted } from "../harness/notes.mjs";
import { setUp } from "../harness/set-up.mjs";
import { table } from "../harness/states.mjs";
import { goTo } from "../harness/steps.mjs";
import { csv, drawn, json, oneTrial, openStudio, smallTable } from "../harness/studio.mjs";

const { server, browser } = await setUp();

/** A tab whose tests go from step to step by themselves. */
async function inStudio(run, { path = "", ...options } = {}) {
  const tab = await openStudio(browser, server.url + path, { ...options, goes: false });
  await run(tab.page);
  tab.quiet();
  await tab.close();
}

/** The step that is on the screen, as everybody has it: drawn, in the address, in the rail. */
const here = (page) =>
  page.evaluate(() => ({
    drawn: [...document.querySelectorAll(".screen > .step")]
      .filter((e) => e.checkVisibility())
      .map((e) => e.id),
    address: location.hash,
    rail: document.querySelector('.rail [aria-current="step"]')?.getAttribute("href"),
    focus: document.activeElement.id,
  }));

async function at(page, step, { focus = `${step}-title` } = {}) {
  await page.waitForFunction((step) => document.querySelector(`#${step}`)?.checkVisibility(), step);
  await drawn(page);
  const now = await here(page);
  assert.deepEqual(
    now,
    { drawn: [step], address: `#${step}`, rail: `#${step}`, focus: focus ?? now.focus },
    `at ${step}`,
  );
}

const press = (page, name) => page.getByRole("button", { name }).first().click();
const focused = (page) =>
  page.evaluate(() => {
    const e = document.activeElement;
    return e.getAttribute("aria-label") ?? e.textContent.replace(/\s+/g, " ").trim();
  });

/** Chooses a small table of the person's own, and comes to what is public. */
async function ownTable(page) {
  await page.setInputFiles("#file", csv(smallTable(), "ward-round.csv"));
  await at(page, "public");
}

describe("the address names the step", () => {
  test("going on, Back and Forward, each with the focus on the step's heading", () =>
    inStudio(async (page) => {
      for (const [words, step] of [
        ["Next: What is public", "public"],
        ["Next: Budget", "budget"],
        ["Next: Fit", "fit"],
      ]) {
        await press(page, words);
        await at(page, step);
      }
      await page.goBack();
      await at(page, "budget");
      await page.goBack();
      await at(page, "public");
      await page.goForward();
      await at(page, "budget");
      await page
        .locator(".rail")
        .getByRole("link", { name: /^What is public/ })
        .click();
      await at(page, "public");
      await page.goBack();
      await at(page, "budget");
    }));

  test("a link leads to a step, and to a field in one; a reload stays there", () =>
    inStudio(
      async (page) => {
        // As a page opens, the browser itself may put the focus where the address leads.
        await at(page, "budget", { focus: null });
        await page.reload();
        await at(page, "budget", { focus: null });
        await goTo(page, "fit");
        await page.evaluate(() => (location.hash = "#records"));
        await at(page, "budget", { focus: "records" });
      },
      { path: "#budget" },
    ));

  test("a step that is not open yet, and a name that is none, lead to one that is", () =>
    inStudio(
      async (page) => {
        await at(page, "data", { focus: null });
        await goTo(page, "public");
        await page.evaluate(() => (location.hash = "#elsewhere"));
        await page.waitForFunction(() => location.hash === "#public");
        await at(page, "public");
        await page.evaluate(() => (location.hash = "#result"));
        await page.waitForFunction(() => location.hash === "#data");
        await at(page, "data");
      },
      { path: "#result" },
    ));

  test("what was described is of a file that is gone after a reload: the first step says so", () =>
    inStudio(async (page) => {
      await ownTable(page);
      await untilNoted(page, /ward-round\.csv/);
      await goTo(page, "budget");
      await page.reload();
      await page.waitForSelector("#notes-found");
      assert.deepEqual((await here(page)).drawn, ["data"]);
      assert.equal((await here(page)).address, "#data");
    }));

  test("a model brings the result on the screen, and Back leads to where it was asked for", () =>
    inStudio(async (page) => {
      await goTo(page, "fit");
      await press(page, "Fit the model");
      await page.waitForSelector(".verdict");
      await at(page, "result");
      await page.goBack();
      await at(page, "fit");
      await press(page, "Next: Result");
      await at(page, "result");
    }));
});

describe("the rail", () => {
  test("has no tick for what was not looked at, and folds what is finished to a line", () =>
    inStudio(async (page) => {
      const marks = () => page.locator(".rail-mark").allInnerTexts();
      assert.deepEqual(await marks(), ["1", "2", "3", "4", "5"]);
      await press(page, "Next: What is public");
      await press(page, "Next: Budget");
      await at(page, "budget");
      assert.deepEqual(await marks(), ["", "", "3", "4", "5"], "a tick has no words");
      assert.deepEqual(
        (await page.locator(".rail-summary").allInnerTexts()).map((t) => t.replace(/\s+/g, " ")),
        ["made-up hospital stays · Change", "9 columns, all public · Edit"],
      );
      await goTo(page, "public");
      await page.locator("#c0-values-cell").click();
      await page.getByLabel("Lowest value of age").fill("200");
      await page.keyboard.press("Escape");
      await press(page, "Next: Budget");
      await page.waitForFunction(() => document.activeElement.id === "c0-min");
      assert.deepEqual((await here(page)).drawn, ["public"], "it did not go on");
    }));
});

describe("going on", () => {
  test("says what is missing, and leads there; it is never a dead button", () =>
    inStudio(async (page) => {
      await ownTable(page);
      await goTo(page, "budget");
      await page.waitForSelector("#account-fix");
      await page.fill("#epsilon", "-1");
      const next = page.locator("#next-budget");
      assert.equal(await next.isDisabled(), false);
      await page.waitForFunction(() =>
        /Not yet.*cannot be a budget/.test(
          document.querySelector("#next-budget-lacks").textContent.replace(/\s+/g, " "),
        ),
      );
      assert.equal(await next.getAttribute("aria-describedby"), "next-budget-lacks");
      await accessible(page, "a budget that is not whole");
      await next.click();
      await page.waitForFunction(() => document.activeElement.id === "epsilon");
      assert.deepEqual((await here(page)).drawn, ["budget"]);
      // What is typed alone is not charged and fixes nothing.
      await page.fill("#epsilon", "1");
      await page.keyboard.press("Enter");
      await drawn(page);
      assert.equal(await page.locator("#account-fix").count(), 1, "Enter fixes no total");
      await page.keyboard.press("Control+Enter");
      await at(page, "fit");
      await goTo(page, "budget");
      await page.locator("#account").getByText("ε = 3 is left").waitFor();
    }));

  test("Ctrl and Enter go on from any step, Enter alone from a field of the budget", () =>
    inStudio(async (page) => {
      await page.keyboard.press("Control+Enter");
      await at(page, "public");
      await page.keyboard.press("Control+Enter");
      await at(page, "budget");
      await page.focus("#epsilon");
      await page.keyboard.press("Enter");
      await at(page, "fit");
      // A fit is asked for by its button alone.
      await page.keyboard.press("Control+Enter");
      await page.keyboard.press("Enter");
      await drawn(page);
      assert.equal(await page.locator("#fit .progress").count(), 0);
      await at(page, "fit");
    }));

  test("does not open a new data set where the page asks whether the people are the same", () =>
    inStudio(async (page) => {
      await ownTable(page);
      await goTo(page, "budget");
      await page.waitForSelector("#account-fix");
      await press(page, "Fix the total of ε = 3, and go on");
      await at(page, "fit");
      await goTo(page, "data");
      await page.setInputFiles("#file", csv(smallTable(500), "ward-round-2.csv"));
      await at(page, "public");
      await goTo(page, "budget");
      await page.waitForSelector("#account .notice-warn");
      await page.click("#next-budget");
      await page.waitForFunction(() => document.activeElement.id === "account");
      assert.match(
        await page.locator("#next-budget-lacks").innerText(),
        /whether these are the same people/,
      );
      assert.equal(await page.locator("#account-fix").count(), 1);
    }));
});

describe("the table of columns", () => {
  test("is gone through and edited by keys alone", () =>
    inStudio(async (page) => {
      await ownTable(page);
      await page.focus("#c0-use-cell");
      for (const [key, name] of [
        ["ArrowRight", "Kind of age: number"],
        ["ArrowRight", /^Bounds of age: \d+ to \d+$/],
        ["ArrowDown", /^Categories of ward: A, B, C$/],
        ["ArrowRight", "Reason of ward: from your data"],
        ["End", /^Review ward$/],
        ["Home", ""],
        ["ArrowUp", ""],
        ["Control+End", /^Review ward$/],
        ["Control+Home", /^Column of what to predict: ill$/],
        ["ArrowRight", "Kind of what to predict: two outcomes"],
        ["ArrowRight", "Outcomes of what to predict: yes against no"],
        ["ArrowDown", /^Bounds of age/],
        ["Home", ""],
        ["ArrowRight", "Kind of age: number"],
      ]) {
        await page.keyboard.press(key);
        await drawn(page);
        const now = await focused(page);
        assert.ok(name instanceof RegExp ? name.test(now) : now === name, `${key}: ${now}`);
      }
      // Of all cells Tab comes to one.
      await drawn(page);
      assert.deepEqual(
        await page.evaluate(() =>
          [...document.querySelectorAll("[data-part]")]
            .filter((e) => e.tabIndex === 0)
            .map((e) => e.id),
        ),
        ["c0-kind-cell"],
      );

      // Bounds: both are replaced, so they are the person's own.
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => /^Lowest/.test(document.activeElement.ariaLabel ?? ""));
      await accessible(page, "a cell is edited");
      await page.keyboard.type("0");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Control+A");
      await page.keyboard.type("120");
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        () => document.activeElement.ariaLabel === "Bounds of age: 0 to 120",
      );
      await page.keyboard.press("ArrowRight");
      await drawn(page);
      assert.equal(await focused(page), "Reason of age: public");

      // A reason says that it is public; without one it is what it was.
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.activeElement.localName === "input");
      await page.keyboard.type("ward list");
      await page.keyboard.press("Escape");
      await page.waitForFunction(
        () => document.activeElement.ariaLabel === "Reason of ward: ward list",
      );
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.activeElement.localName === "input");
      await page.keyboard.press("Control+A");
      await page.keyboard.press("Delete");
      await page.keyboard.press("Escape");
      await page.waitForFunction(
        () => document.activeElement.ariaLabel === "Reason of ward: from your data",
      );

      // Categories: Enter begins a line there, Escape leaves.
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.activeElement.localName === "textarea");
      await page.keyboard.press("Control+End");
      await page.keyboard.press("Enter");
      await page.keyboard.type("D");
      await page.keyboard.press("Escape");
      await page.waitForFunction(
        () => document.activeElement.ariaLabel === "Categories of ward: A, B, C, D",
      );

      // The kind.
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.activeElement.localName === "select");
      await page.selectOption('select[aria-label="Kind of ward"]', "log");
      await page.keyboard.press("Escape");
      await page.waitForFunction(
        () => document.activeElement.ariaLabel === "Kind of ward: number (log)",
      );
    }));

  test("on a small window its rows are stacked, and keep their roles", () =>
    inStudio(
      async (page) => {
        await goTo(page, "public");
        const grid = page.getByRole("grid", { name: "The columns" });
        assert.equal(
          await grid.getByRole("row").count(),
          12,
          "nine columns, the label, and the heads",
        );
        assert.equal(await grid.getByRole("rowheader").count(), 10);
        const rows = await page.evaluate(() =>
          [...document.querySelectorAll(".column-head")].map(
            (r) => r.getBoundingClientRect().right,
          ),
        );
        assert.ok(rows.every((right) => right <= 390));
        const tops = await page.evaluate(() =>
          [...document.querySelector(".column-head").children].map(
            (c) => c.getBoundingClientRect().top,
          ),
        );
        assert.ok(tops[0] < tops[1] && tops[1] < tops[2] && tops[2] < tops[3], "below each other");
      },
      { width: 390, height: 844 },
    ));

  test("undo and redo take edits back, by keys and by buttons; typing is one edit", () =>
    inStudio(async (page) => {
      await goTo(page, "public");
      const bounds = () => page.locator("#c0-values-cell").innerText();
      const said = () => page.locator("p[aria-live=polite]").innerText();
      assert.equal(await page.getAttribute("#undo", "aria-disabled"), "true");
      await page.click("#c0-values-cell");
      await page.getByLabel("Highest value of age").fill("");
      await page.getByLabel("Highest value of age").pressSequentially("120");
      await page.keyboard.press("Escape");
      await page.waitForFunction(
        () => document.querySelector("#c0-values-cell")?.textContent.trim() === "18 to 120",
      );
      await page.uncheck("#c1-use-cell");
      await page.keyboard.press("Control+z");
      await page.waitForFunction(() => document.querySelector("#c1-use-cell").checked);
      assert.match(await said(), /Taken back: sex/);
      await page.keyboard.press("Control+z");
      await drawn(page);
      assert.equal(await bounds(), "18 to 105", "three letters and an emptied field are one edit");
      await page.keyboard.press("Control+Shift+z");
      await drawn(page);
      assert.equal(await bounds(), "18 to 120");
      assert.match(await said(), /Done again: age/);
      await page.click("#redo");
      await drawn(page);
      assert.equal(await page.isChecked("#c1-use-cell"), false);
      assert.equal(await page.getAttribute("#redo", "aria-disabled"), "true");
      await page.click("#undo");
      await page.click("#undo");
      await drawn(page);
      assert.equal(await bounds(), "18 to 105");
      // A new edit ends what could be done again.
      await page.uncheck("#c2-use-cell");
      await drawn(page);
      assert.equal(await page.getAttribute("#redo", "aria-disabled"), "true");
    }));

  test("one reason for many: chosen rows are confirmed with it, the others are not", () =>
    inStudio(async (page) => {
      await page.setInputFiles("#file", table);
      await at(page, "public");
      await press(page, "From our code book…");
      await page.waitForSelector("#read-all-says");
      await accessible(page, "the list of what was read");
      // Nothing is said for the person: it opens empty, and Enter alone confirms nothing.
      const reason = page.locator("#read-all-reason");
      assert.equal(await reason.inputValue(), "");
      await page.getByRole("button", { name: "Confirm", exact: true }).click();
      await page.waitForSelector("#read-all-reason-error");
      assert.equal(await page.evaluate(() => document.activeElement.id), "read-all-reason");
      assert.match(await page.locator("#label-why-cell").innerText(), /from your data/);
      await accessible(page, "a reason that is missing");
      await page.uncheck("#read-c2");
      await page.fill("#read-all-reason", "code book, page 4");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#read-all-says", { state: "detached" });
      const why = await page.locator(".column .column-mark").allInnerTexts();
      assert.deepEqual(
        why.map((t) => t.trim()),
        ["code book, page 4", "code book, page 4", "from your data"],
      );
      assert.match(await page.locator("#label-why-cell").innerText(), /code book, page 4/);
      assert.match(await page.locator("#public .notice-warn").innerText(), /One entry is/);
      // It is taken back as one edit.
      await page.click("#undo");
      await page.locator("#public .notice-warn", { hasText: "4 entries" }).waitFor();
      await page.click("#redo");
      // And it is there again after a reload, with the file.
      await untilNoted(page, /code book, page 4/);
      await page.reload();
      await page.waitForSelector("#notes-found");
      await page.setInputFiles("#file", table);
      await at(page, "public");
      assert.equal(await page.locator("#c0-why-cell").innerText(), "code book, page 4");
      // A row alone, none chosen: nothing is confirmed, however soon after the tick was taken away.
      await press(page, "From our code book…");
      await page.fill("#read-all-reason", "code book, page 4");
      await drawn(page);
      await page.evaluate(() => {
        document.getElementById("read-c2").click();
        document.getElementById("read-all-says").requestSubmit();
      });
      await page
        .getByText("Tick at least one, or cancel.")
        .waitFor({ state: "attached", timeout: 10_000 });
      assert.equal(await page.locator("#c2-why-cell").innerText(), "from your data");
    }));

  test("a row that the list did not show yet is not confirmed by it", () =>
    inStudio(async (page) => {
      await page.setInputFiles("#file", table);
      await at(page, "public");
      await press(page, "From our code book…");
      await page.fill("#read-all-reason", "code book, page 4");
      await page.uncheck("#c0-use-cell");
      await page.waitForSelector("#read-c0", { state: "detached" });
      await page.evaluate(() => {
        document.getElementById("c0-use-cell").click();
        document.getElementById("read-all-says").requestSubmit();
      });
      await page.waitForSelector("#read-all-says", { state: "detached" });
      await drawn(page);
      assert.ok(await page.isChecked("#c0-use-cell"));
      assert.equal(await page.locator("#c0-why-cell").innerText(), "from your data");
      assert.equal(await page.locator("#c1-why-cell").innerText(), "code book, page 4");
    }));

  test("a schema from a file takes the place of the table, and can be taken back", () =>
    inStudio(async (page) => {
      await goTo(page, "public");
      await page.getByText("Schema as a file").click();
      await page.setInputFiles("#schema-file", json(schema));
      await page.waitForFunction(
        (n) => document.querySelectorAll(".column").length === n,
        schema.features.length,
      );
      await page.click("#undo");
      await page.waitForFunction(() => document.querySelectorAll(".column").length === 9);
      await page.click("#redo");
      await page.waitForFunction(
        (n) => document.querySelectorAll(".column").length === n,
        schema.features.length,
      );
    }));
});

describe("the receipt", () => {
  test("says what the model takes, why that is more than its ε, and what is left", () =>
    inStudio(
      async (page) => {
        const line = (name) =>
          page.locator(".receipt dl > div", { hasText: name }).locator("dd").innerText();
        await ownTable(page);
        assert.match(await line("Total for these people"), /not fixed yet/);
        assert.match(await line("What will be published"), /a caveat: 3 entries/);
        await goTo(page, "budget");
        await page.waitForSelector("#account-fix");
        await page.click("#account-fix");
        await page.waitForFunction(() =>
          /because later choices may depend on it/.test(
            document.querySelector(".receipt").textContent,
          ),
        );
        const takes = Number(/^[\d.]+/.exec(await line("This model’s price"))[0]);
        const left = Number(/ε = ([\d.]+)/.exec(await line("Left afterwards"))[1]);
        assert.ok(takes > 1 && takes < 1.5, `takes ${takes}`);
        assert.ok(Math.abs(3 - takes - left) < 0.011, `${takes} and ${left} are 3 together`);
        await page.fill("#records", "5000");
        await page.waitForFunction(
          () =>
            /Expected loss of accuracy\s+[\d.]+ points\s+of 100, in the share of predictions that are right[^]*5,000 rows/.test(
              document.querySelector(".receipt").innerText,
            ),
          null,
          { timeout: 60_000 },
        );
        await page.fill("#epsilon", "4");
        await page.waitForFunction(() =>
          /more than is left/.test(document.querySelector(".receipt").textContent),
        );
      },
      { rests: Infinity },
    ));

  test("is of the model that is shown once there is one, not of the next", () =>
    inStudio(async (page) => {
      const line = (name) =>
        page.locator(".receipt dl > div", { hasText: name }).locator("dd").innerText();
      await ownTable(page);
      await goTo(page, "budget");
      await page.click("#account-fix");
      await page.waitForFunction(() =>
        /because later choices/.test(document.querySelector(".receipt").textContent),
      );
      const takes = /^[\d.]+/.exec(await line("This model’s price"))[0];
      const left = /ε = [\d.]+/.exec(await line("Left afterwards"))[0];
      await goTo(page, "fit");
      await page.click("#fit-button");
      await page.waitForFunction(
        (took) => document.querySelector(".receipt").textContent.includes(`It took ${took} of`),
        takes,
      );
      assert.match(await line("This model’s ε"), /^ε = 1\b/);
      assert.match(await line("Left"), new RegExp(`^${left}`));
    }));

  test("on a small window it is a bar that opens, and covers nothing that has the focus", () =>
    inStudio(
      async (page) => {
        const bar = page.getByRole("button", { name: /^Receipt/ });
        assert.equal(await bar.getAttribute("aria-expanded"), "false");
        assert.equal(await page.locator("#receipt-sheet").isVisible(), false);
        await bar.click();
        await drawn(page);
        assert.equal(await page.locator("#receipt-sheet").isVisible(), true);
        await accessible(page, "the receipt is open");
        await bar.click();
        await goTo(page, "budget");
        // What is tried out in the meantime makes the page longer: one trial, and no more.
        await page.waitForSelector('#expectation[data-trials="1"]', { timeout: 120_000 });
        await drawn(page);
        for (let i = 0; i < 40; i++) {
          await page.keyboard.press("Tab");
          // What is drawn anew above moves it for a frame or two.
          const standsAbove = page.waitForFunction(
            () =>
              document.activeElement.matches("body, .receipt *") ||
              document.activeElement.getBoundingClientRect().bottom <=
                document.querySelector(".receipt").getBoundingClientRect().top + 1,
            null,
            { timeout: 5_000 },
          );
          const what = await page.evaluate(() => document.activeElement.outerHTML.slice(0, 120));
          await assert.doesNotReject(standsAbove, `the receipt covers ${what}`);
        }
      },
      { width: 390, height: 844, rests: oneTrial },
    ));
});

test("no step of the sample is taller than two windows, and axe finds nothing in any", () =>
  inStudio(
    async (page) => {
      for (const step of ["data", "public", "budget", "fit", "check"]) {
        await goTo(page, step);
        if (step === "public") await page.getByText("coefficients. No row is longer").waitFor();
        if (step === "budget") {
          // Either may be there first, and a line more stands there until the second is.
          await page.waitForSelector(".expectation-says", { timeout: 60_000 });
          await page.getByText("Worked out from the noise").waitFor({ state: "hidden" });
        }
        await drawn(page);
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        assert.ok(height <= 1800, `${step} is ${height} px tall`);
        await accessible(page, step);
      }
    },
    { rests: oneTrial },
  ));
