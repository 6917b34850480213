// The model card as its readers open it: a file on disk, with no script and nothing to fetch.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { open } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";
import { drawn, fit, openStudio, saved } from "../harness/studio.mjs";

const { server, browser } = await setUp();
const folder = mkdtempSync(join(tmpdir(), "cloister-card-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test(
  "a fit's card is readable, accessible and whole, and the page checks it",
  { timeout: 120_000 },
  async () => {
    const { page, quiet, close } = await openStudio(browser, server.url);
    assert.equal(await fit(page), "done");
    const card = await saved(page, "Save a model card");
    const release = JSON.parse((await saved(page, "Save the release")).text);
    assert.equal(card.name, "model-card.html");
    const path = join(folder, card.name);
    writeFileSync(path, card.text);

    await page.setInputFiles("#release-file", path);
    await page.waitForSelector("#check .notice-good");
    assert.match(
      await page.locator("#check .notice-good").innerText(),
      /release in model-card\.html[^]*Only the release inside the card was checked/,
    );
    for (const language of ["Python", "R", "JavaScript", "Go"]) {
      const program = await saved(page, language);
      assert.match(program.name, /^model\./);
      for (const c of release.model.coefficients)
        assert.ok(program.text.includes(String(c)), `${language}: ${c}`);
    }
    const notebook = await saved(page, "Notebook");
    assert.equal(notebook.name, "model.ipynb");
    const cell = (id) =>
      JSON.parse(notebook.text)
        .cells.find((cell) => cell.id === id)
        .source.join("");
    assert.deepEqual(JSON.parse(/'''([^]*)'''/.exec(cell("release"))[1]), release);
    assert.match(cell("drawing"), /draw\(FOUND/);
    quiet();
    await close();

    const tab = await open(browser, { width: 1280 });
    const asked = [];
    tab.page.on("request", (request) => asked.push(request.url()));
    await tab.page.goto(pathToFileURL(path).href);
    assert.deepEqual(JSON.parse(await tab.page.textContent("#release")), release);
    // What was found comes first, and says what could be noise.
    assert.match(
      await tab.page.locator("section").first().innerText(),
      /^What the model found[^]*more than noise[^]*this could be noise/,
    );
    await tab.page.evaluate(() =>
      document.querySelectorAll("details").forEach((d) => (d.open = true)),
    );
    for (const [column, value] of release.model.original.map((o, i) => [
      o,
      release.model.coefficients[i],
    ])) {
      const cells = await tab.page
        .locator("tr", { hasText: column.category ?? column.feature })
        .allInnerTexts();
      assert.ok(
        cells.some((text) => text.includes(Math.abs(value).toPrecision(3))),
        `${column.feature}: ${value} in ${cells}`,
      );
    }
    for (const colorScheme of ["light", "dark"]) {
      await tab.page.emulateMedia({ colorScheme });
      for (const width of [1280, 390]) {
        await tab.page.setViewportSize({ width, height: 844 });
        await drawn(tab.page);
        await fitsWindow(tab.page, `card, ${width}`);
        await accessible(tab.page, `card, ${width}, ${colorScheme}`);
      }
    }
    await tab.page.emulateMedia({ media: "print" });
    assert.equal(await tab.page.locator(".files").isVisible(), false);
    assert.deepEqual(asked, [pathToFileURL(path).href]);
    assert.deepEqual(tab.problems, []);
    await tab.close();
  },
);
