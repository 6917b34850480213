// <worst-data> on the page on what objective perturbation costs: moved by keyboard, read by all.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { accessible } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { settled } from "../harness/pages.mjs";
import { setUp } from "../harness/set-up.mjs";

const { visit } = await setUp();

const figure = (page) => page.locator("worst-data");
const cells = async (page, name) =>
  (await figure(page).getByRole("row", { name }).locator("td").allInnerTexts()).map((text) =>
    text.replaceAll("\u00a0", " "),
  );
const sentence = (page) => page.locator("worst-data .says").innerText();
/** How many lines a picture has. */
const lines = (page, picture) =>
  page.locator("worst-data .plot").nth(picture).locator("path.line:not(.reference)").count();

test("λ by keyboard: the worst data switch, and the prices follow", async () => {
  const { page, quiet, close } = await visit("docs/cost.html");
  await settled(page, "worst-data");
  assert.match(await sentence(page), /^At ε = 1 and λ = 0.5 λ₀ the worst data let the slope fall/);
  assert.match(await sentence(page), /costs 1.38 times the δ .* reach 99.4 % of V/);
  assert.deepEqual(await cells(page, "the control problem"), ["1.39 × 10⁻⁵", "1.022"]);
  assert.deepEqual(await cells(page, "Theorem 3"), ["3.54 × 10⁻⁵", "1.090"]);
  assert.deepEqual(await cells(page, "Kifer"), ["1", "none will do"]);
  assert.equal(await lines(page, 0), 2);
  assert.equal(await lines(page, 1), 4);

  const share = page.getByRole("slider", { name: "λ, as a share of λ₀" });
  await share.focus();
  await page.keyboard.press("End");
  await settled(page, "worst-data");
  assert.match(await sentence(page), /^At ε = 1 and λ = 1.3 λ₀ the worst data pin the slope/);
  assert.equal(await lines(page, 0), 1);
  assert.deepEqual(await cells(page, "the control problem"), ["10⁻⁵", "1.000"]);
  assert.deepEqual(await cells(page, "data, at least"), ["10⁻⁵", ""]);

  // From the right, the worst data begin to let the slope fall below two thirds of λ₀.
  let switched;
  for (let i = 0; i < 9 && switched === undefined; i++) {
    await page.keyboard.press("PageDown");
    await page.waitForFunction(
      (value) => document.querySelector("worst-data").point.share.toFixed(3) === value,
      await share.evaluate(() => document.querySelector("worst-data").asked.share.toFixed(3)),
    );
    if (/let the slope fall/.test(await sentence(page)))
      switched = await share.evaluate(() => document.querySelector("worst-data").asked.share);
  }
  assert.ok(switched > 0.55 && switched < 0.8, `${switched}`);
  quiet();
  await close();
});

test("another ε: all lines are drawn anew, and the old ones stay until then", async () => {
  const { page, quiet, close } = await visit("docs/cost.html");
  await settled(page, "worst-data");
  const epsilon = page.getByRole("slider", { name: "ε", exact: true });
  await epsilon.focus();
  await page.keyboard.press("End");
  await page.waitForFunction(
    () =>
      document.querySelector("worst-data").point.worst &&
      /ε = 8/.test(
        document.querySelector("worst-data").shadowRoot.querySelector(".says").textContent,
      ),
  );
  assert.equal(await lines(page, 1), 4, "the picture is not empty meanwhile");
  await settled(page, "worst-data");
  assert.equal(await page.locator("worst-data path.line.rough").count(), 0);
  assert.deepEqual((await cells(page, "the control problem"))[1], "1.004");
  assert.deepEqual((await cells(page, "Redberg"))[1], "none will do");
  quiet();
  await close();
});

test("it can be read in both themes and widths, and without scripts", async () => {
  for (const [theme, width] of [
    ["light", 1280],
    ["dark", 390],
  ]) {
    const { page, quiet, close } = await visit("docs/cost.html", { theme, width });
    await settled(page, "worst-data");
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      "nothing sticks out",
    );
    // no rule is about MathML, and there is much of it
    await accessible(page, `${theme}, ${width} pixels`, { within: { exclude: ["math"] } });
    quiet();
    await close();
  }
  assert.match(
    readFileSync(new URL("../../dist/docs/cost.html", import.meta.url), "utf8"),
    /<worst-data [^>]*>\s*<p>[^]{0,300}<svg data-cloister[^>]* aria-label="At ε = 1 and λ = 0.5 λ₀ the/,
  );
});
