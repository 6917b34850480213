// How a file is laid out, what of it is predicted, and why its columns are public.

import assert from "node:assert/strict";
import { accessible } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { goTo } from "../harness/steps.mjs";
import {
  csv,
  drawn,
  fit,
  json,
  openStudio,
  savedFile,
  schemaOf,
  smallTable,
} from "../harness/studio.mjs";

const { server, browser, inStudio } = await setUpStudio({ goes: false });

const text = (page, selector) =>
  page.locator(selector).evaluate((e) => e.textContent.replace(/\s+/g, " ").trim());

test("fields between spaces: how the file was read is said, and can be put right", () =>
  inStudio(async (page) => {
    await page.setInputFiles("#file", csv(smallTable().replaceAll(",", "  "), "spaces.txt"));
    await page.waitForSelector("#c0-use-cell");
    assert.match(await text(page, "#public"), /Fields are separated by spaces; none is quoted;/);
    await goTo(page, "data");
    const said = await text(page, "#layout");
    assert.match(
      said,
      /^Fields are separated by spaces; none is quoted; \d+ columns; the first line names them\.$/,
    );
    await page.focus("#layout-change > summary");
    await page.keyboard.press("Enter");
    await accessible(page, "the layout is put right");
    // A wrong sign leaves one column: nothing can be read, and the way back is there.
    await page.selectOption("#layout-delimiter", ";");
    await page.waitForSelector("#data-problem");
    await page.selectOption("#layout-delimiter", "found");
    await page.waitForFunction(() => location.hash === "#public");
    await goTo(page, "data");
    assert.equal(await text(page, "#layout"), said);
    await page.click("#layout-change > summary");
    // The names would be a row: nothing is a column of numbers then.
    await page.selectOption("#layout-header", "none");
    await page.waitForSelector("#data-problem");
    await page.selectOption("#layout-header", "first");
    await page.waitForFunction(() => location.hash === "#public");
  }));

test("columns with decimal commas are not lost quietly", () =>
  inStudio(async (page) => {
    const rows = Array.from(
      { length: 60 },
      (_, i) => `${60 + (i % 30)},${i % 10};${i % 7},5;${20 + (i % 50)};${i % 2}`,
    );
    const table = `weight;size;age;ill\n${rows.join("\n")}\n`;
    await page.setInputFiles("#file", csv(table, "commas.csv"));
    await page.waitForSelector("#decimal-commas");
    assert.match(
      await text(page, "#decimal-commas"),
      /2 columns of numbers are not read: decimal commas weight, size have .*"60,0" in row 2\..*Save the file again with decimal points/,
    );
    assert.ok(
      await page.evaluate(() => {
        const [notice, table] = ["#decimal-commas", "table.grid"].map((x) =>
          document.querySelector(x),
        );
        return notice.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING;
      }),
      "above the table",
    );
    await accessible(page, "columns with decimal commas");
    await goTo(page, "data");
    const points = table.replaceAll(",", ".");
    await page.setInputFiles("#file", csv(points, "points.csv"));
    await page.waitForSelector("#c2-use-cell");
    assert.equal(await page.locator("#decimal-commas").count(), 0);
  }));

test("the label is a row of the table, chosen from a list, by keys alone", () =>
  inStudio(async (page) => {
    await page.setInputFiles("#file", csv(smallTable(), "people.csv"));
    await page.waitForSelector("#label-use-cell");
    await page.focus("#c0-use-cell");
    await page.keyboard.press("Control+Home");
    assert.equal(await page.evaluate(() => document.activeElement.id), "label-use-cell");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.id === "label-name");
    await page.keyboard.press("w");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() =>
      /ward/.test(document.querySelector("#label-use-cell").textContent),
    );
    assert.match(await text(page, "#label-kind-cell"), /several classes/);
    // Why it is public, in its cell; and folded with a key.
    await page.focus("#label-why-cell");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.localName === "input");
    await page.keyboard.type("list of wards");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.id === "label-why-cell");
    assert.equal(await text(page, "#label-why-cell"), "list of wards");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => !document.querySelector("#label-name"));
    await accessible(page, "the label's row is folded");
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.id === "label-name");
  }));

test("a reason goes into the schema file, and comes back with it", () =>
  inStudio(async (page) => {
    await goTo(page, "public");
    await page.click("#c0-why-cell");
    await page.waitForFunction(() => document.activeElement.localName === "input");
    await page.keyboard.type("code book, page 3");
    await page.keyboard.press("Enter");
    await drawn(page);
    await page.click("summary:has-text('Schema as a file')");
    const saved = await savedFile(page, "Save the schema");
    assert.equal(JSON.parse(saved).features[0].reason, "code book, page 3");
    await page.click("#undo");
    await drawn(page);
    assert.doesNotMatch(await text(page, "#c0-why-cell"), /code book/);
    await page.setInputFiles("#schema-file", {
      name: "schema.json",
      mimeType: "application/json",
      buffer: Buffer.from(saved),
    });
    await page.waitForFunction(() =>
      /code book, page 3/.test(document.querySelector("#c0-why-cell").textContent),
    );
  }));

test("numbers that seem to mean missing are asked about, and are treated so by keys", () =>
  inStudio(async (page) => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i % 8 ? 20 + (i % 60) : 999},${i % 2}`);
    await page.setInputFiles("#file", csv(`age,ill\n${rows.join("\n")}\n`, "coded.csv"));
    await page.waitForSelector("#sentinels");
    assert.match(
      await text(page, "#sentinels"),
      /12.?5?\s?% of age is 999\. Does 999 mean missing\?/,
    );
    assert.match(await text(page, "#sentinels"), /Only you see this/);
    assert.match(await text(page, "#c0-values-cell"), /1,?000$/);
    await accessible(page, "a number is asked about");
    await page.focus("#sentinel-age-999-yes");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => !document.querySelector("#sentinels"));
    await page.waitForFunction(() => document.activeElement.id === "label-use-cell");
    assert.match(await text(page, "#c0-values-cell"), /^20 to 80$/);
    assert.match(await text(page, "#c0-why-cell"), /from your data/);
    // Whatever else is confirmed, age stays marked until the spelling was known beforehand.
    assert.match(await text(page, "#learnt"), /999 counts as missing.*age stays marked/s);
    await page.click("#read-all");
    assert.equal(await page.isChecked("#read-missing-values"), false);
    await accessible(page, "what the rows gave away is in the list");
    await page.fill("#read-all-reason", "code book");
    await page.click("#read-all-says button[type=submit]");
    await page.waitForFunction(() => !document.querySelector("#read-all-says"));
    assert.match(await text(page, "#public"), /One entry is read from your data/);
    await page.click("#read-all");
    await page.check("#read-missing-values");
    await page.click("#read-all-says button[type=submit]");
    await page.waitForFunction(() => !document.querySelector("#learnt"));
    assert.match(await text(page, "#public"), /Every entry is confirmed/);
    for (let i = 0; i < 3; i++) await page.click("#undo");
    await page.waitForSelector("#sentinels");
    await page.click("#sentinel-age-999-no");
    await page.waitForFunction(() => !document.querySelector("#sentinels"));
    assert.match(await text(page, "#c0-values-cell"), /1,?000$/);
  }));

test("a long tail is proposed on a log scale, as read from the data", () =>
  inStudio(async (page) => {
    // Quantiles of a lognormal distribution, nearly: most below 5, the largest above 50.
    const dose = (i) => Math.exp(1.2 * Math.log((i + 0.5) / (400 - i - 0.5)) * 0.55 + 1).toFixed(3);
    const rows = Array.from({ length: 400 }, (_, i) => `${dose((i * 7) % 400)},${i % 60},${i % 2}`);
    await page.setInputFiles("#file", csv(`dose,age,ill\n${rows.join("\n")}\n`, "tail.csv"));
    await page.waitForFunction(() => document.querySelector("#c0-kind-cell"));
    assert.match(await text(page, "#c0-kind-cell"), /^number \(log\)$/);
    assert.match(await text(page, "#c1-kind-cell"), /^number$/);
    assert.match(await text(page, "#c0-why-cell"), /from your data/);
    await page.click("#c0-more-cell");
    await drawn(page);
    assert.match(await text(page, "#c0-tail"), /read from your data, like the bounds/);
    await accessible(page, "a log scale is proposed");
    // Bounds of their own leave nothing of the file's.
    await page.fill("#c0-min", "0.01");
    await page.fill("#c0-max", "1000");
    await page.waitForFunction(
      () => document.querySelector("#c0-kind-cell").textContent.trim() === "number",
    );
    await drawn(page);
    assert.match(await text(page, "#c0-tail"), /Choose it as you would without them/);
    assert.equal(await page.isChecked("#c0-log"), false);
    await page.check("#c0-log");
    await drawn(page);
    assert.match(await text(page, "#c0-kind-cell"), /^number \(log\)$/);
    assert.doesNotMatch(await text(page, "#c0-why-cell"), /from your data/);
  }));

test("missing values get a column of their own, and who leaves rows out is told how many", async () => {
  const tab = await openStudio(browser, server.url);
  const { page } = tab;
  const rows = Array.from(
    { length: 400 },
    (_, i) => `${i % 5 ? 20 + (i % 60) : ""},${"AB"[i % 2]},${i % 60 > 30 ? 1 : 0}`,
  );
  await page.setInputFiles("#file", csv(`age,ward,ill\n${rows.join("\n")}\n`, "holes.csv"));
  await page.waitForSelector("#c0-more-cell");
  await page.waitForFunction(() =>
    /2\s+columns\s+become\s+5\s+coefficients/.test(document.querySelector("#public").textContent),
  );
  await page.focus("#c0-more-cell");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#c0-missing");
  assert.equal(await page.inputValue("#c0-missing"), "indicator");
  assert.equal(await page.locator(".leaves-out").count(), 0);
  await page.selectOption("#c0-missing", "drop");
  assert.match(
    await text(page, ".leaves-out"),
    /80 of 400 rows \(20\s?%\) have no value here, and are left out.*Only you see/,
  );
  await accessible(page, "rows would be left out");
  await page.selectOption("#c0-missing", "indicator");
  await page.waitForFunction(() => !document.querySelector(".leaves-out"));
  await page.click("summary:has-text('Schema as a file')");
  const saved = JSON.parse(await savedFile(page, "Save the schema"));
  assert.deepEqual([saved.version, saved.features[0].missing], [6, "indicator"]);
  await page.selectOption("#c0-missing", "drop");
  await drawn(page);
  assert.equal(await fit(page), "done");
  assert.match(
    await text(page, "#left-out"),
    /80 of 400 rows \(20\s?%\) were left out: they have no value in age\..*may not decide what you publish/,
  );
  await accessible(page, "rows were left out");
  tab.quiet();
  await tab.close();
});

test("a column that all but tells the label is asked about, and goes into nothing", () =>
  inStudio(async (page) => {
    const rows = Array.from({ length: 400 }, (_, i) => {
      const died = i % 3 === 0;
      return `${20 + (i % 61)},${died === i % 134 > 0 ? "D" : "R"},${died ? "yes" : "no"}`;
    });
    await page.setInputFiles(
      "#file",
      csv(`age,outcome_code,died\n${rows.join("\n")}\n`, "deaths.csv"),
    );
    await page.waitForSelector("#lookalikes");
    const said = await text(page, "#lookalikes");
    assert.match(said, /^For you only/);
    assert.match(said, /outcome_code alone tells died for 99\s% of rows\. Is it a copy/);
    assert.match(
      said,
      /counted in your rows and is not protected\. It is saved and published nowhere/,
    );
    assert.doesNotMatch(said, /age/);
    await accessible(page, "a column that tells the label is asked about");

    // What is saved of the description says nothing of it.
    const schemaFile = async () => {
      if (!(await page.isVisible("text=Save the schema")))
        await page.click("summary:has-text('Schema as a file')");
      return savedFile(page, "Save the schema");
    };
    const asked = await schemaFile();
    assert.doesNotMatch(asked, /alike|0\.99/);

    await page.focus("#lookalikes-title");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "c1-lookalike-out");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter"); // kept
    await page.waitForFunction(() => !document.querySelector("#lookalikes"));
    await page.waitForFunction(() => document.activeElement.id === "label-use-cell");
    assert.equal(await schemaFile(), asked);

    // Of another label it is asked anew: each tells the other.
    await page.focus("#label-name");
    await page.keyboard.press("o");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#c2-use-cell"); // the former label, which is not used
    await page.focus("#c2-use-cell");
    await page.keyboard.press("Space");
    await page.waitForSelector("#lookalikes");
    assert.match(
      await text(page, "#lookalikes"),
      /died alone tells outcome_code for 99\s% of rows/,
    );
    await page.focus("#c2-lookalike-out");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => !document.querySelector("#lookalikes"));
    assert.equal(await page.isChecked("#c2-use-cell"), false);
    await page.click("#undo");
    await page.waitForSelector("#lookalikes");
  }));

test("at 1280 px the table fits its place, and no word of a name is broken", () =>
  inStudio(async (page) => {
    const head = "smoker,discharged_to,creatinine,readmitted";
    const rows = Array.from(
      { length: 60 },
      (_, i) =>
        `${["never", "former"][i % 2]},${["home", "ward"][i % 3 && 1]},${50 + (i % 20)},${["no", "yes"][(i >> 1) % 2]}`,
    );
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.setInputFiles("#file", csv([head, ...rows].join("\n"), "names.csv"));
    await page.waitForSelector("#c2-use-cell");
    await drawn(page);
    const { wide, place, broken } = await page.evaluate(() => {
      const grid = document.querySelector(".grid");
      const broken = [];
      for (const name of grid.querySelectorAll(".column-name, .column-label th .cell")) {
        const texts = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const word = document.createRange();
          word.selectNodeContents(texts.currentNode);
          if (texts.currentNode.parentElement.matches(".hidden")) continue;
          const lines = new Set([...word.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) broken.push(texts.currentNode.textContent.trim());
        }
      }
      return { wide: grid.scrollWidth, place: grid.parentElement.clientWidth, broken };
    });
    assert.ok(wide <= place, `${wide} px in ${place} px`);
    assert.deepEqual(broken, []);
  }));

test("a schema for a file without a header: each column says where it stands", async () => {
  const tab = await openStudio(browser, server.url);
  const { page } = tab;
  const bare = smallTable().split("\n").slice(1).join("\n");
  await page.setInputFiles("#file", csv(bare, "bare.csv"));
  await page.click("#header-none");
  await page.waitForSelector(".column");
  await page.getByText("Schema as a file").click();
  await page.setInputFiles("#schema-file", json(schemaOf()));
  await page.locator("#c0-use-cell").waitFor();
  await page.waitForFunction(() => /\bage\b/.test(document.querySelector(".grid").textContent));
  assert.match(await fit(page), /say where in it this column stands/);
  await page.getByRole("button", { name: "Show me where" }).click();
  await page.waitForFunction(() => document.activeElement.id === "c0-place");
  await page.keyboard.type("1");
  await page.fill("#label-place", "3");
  await drawn(page);
  await accessible(page, "columns with their places in the file");
  assert.equal(await fit(page), "done");
  const { schema: released } = JSON.parse(await savedFile(page, "Save the release"));
  assert.deepEqual(
    [...released.features, released.label].map(({ name }) => name),
    ["age", "ill"],
  );
  tab.quiet();
  await tab.close();
});
