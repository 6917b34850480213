// The vote that can be tried in the documentation, by keyboard, and its picture without a script.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { load } from "../../dist/client.node.mjs";
import { accessible } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";

const { visit } = await setUp();

const cells = (page, row) =>
  page.locator(`.votes-table tbody tr >> nth=${row}`).locator("td").allInnerTexts();

test("hospitals vote: sliders by keyboard, another ε, noise anew", async () => {
  const { page, quiet, close } = await visit("docs/votes.html");
  const slider = page.getByRole("slider").first();
  await slider.focus();
  await page.keyboard.press("End");
  assert.deepEqual((await cells(page, 0)).slice(1), ["20 : 0", "below 0.1 %", "yes"]);
  await page.keyboard.press("Home");
  assert.deepEqual((await cells(page, 0)).slice(1, 3), ["0 : 20", "below 0.1 %"]);
  for (let i = 0; i < 10; i++) await page.keyboard.press("ArrowRight");
  assert.deepEqual((await cells(page, 0)).slice(1, 3), ["10 : 10", "50.0 %"]);
  // A split vote is a coin: 60 draws that are all the same have probability 2⁻⁵⁹.
  const seen = new Set();
  for (let i = 0; i < 60; i++) {
    await page.getByRole("button", { name: "Draw the noise again" }).press("Enter");
    seen.add((await cells(page, 0))[3]);
  }
  assert.deepEqual(seen, new Set(["yes", "no"]));
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  assert.equal((await cells(page, 0))[2], "18.4 %");
  await page.getByLabel("ε of each row").selectOption("0.25");
  assert.equal((await cells(page, 0))[2], "38.9 %");
  quiet();
  await close();
});

test("the picture is there without the script, and both can be read by all", async () => {
  for (const [theme, width] of [
    ["light", 1280],
    ["dark", 390],
  ]) {
    const { page, quiet, close } = await visit("docs/votes.html", { theme, width });
    await page.getByRole("img", { name: /How likely the wrong label is/ }).waitFor();
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      "nothing sticks out",
    );
    await accessible(page, `${theme}, ${width} pixels`);
    quiet();
    await close();
  }
  assert.match(
    readFileSync(new URL("../../dist/docs/votes.html", import.meta.url), "utf8"),
    /<figure[^>]+id="votes-figure"[\s\S]+<svg/,
  );
});

// The figure's table is the mechanism's: how often the client itself is wrong, false alarm 1e-6.
test("the figure says what the package does", async () => {
  const { table } = JSON.parse(
    `{"table":${/data-table='([^']+)'/.exec(readFileSync(new URL("../../dist/docs/votes.html", import.meta.url), "utf8"))[1]}}`,
  );
  const client = await load();
  const rows = 8_000;
  const slack = Math.sqrt(Math.log(2 / 1e-6) / (2 * rows));
  for (const { epsilon, wrong } of table) {
    for (const gap of [0, 2, 6]) {
      const votes = Array.from({ length: rows }, () => [10 - gap / 2, 10 + gap / 2]);
      const { labels } = await client.vote({
        ...{ changes: "vote", adjacency: "add-remove", delta: 1e-6 },
        epsilon,
        votes,
      });
      const share = labels.filter((label) => label === 0).length / rows;
      const chance = gap === 0 ? 0.5 : wrong[gap / 2];
      assert.ok(Math.abs(share - chance) <= slack, `ε = ${epsilon}, gap ${gap}: ${share}`);
    }
  }
  client.terminate();
});
