// The page that checks a release, on scorecards: as they were made, edited, and printed.

import assert from "node:assert/strict";
import { after } from "node:test";
import { load } from "../../dist/client.node.mjs";
import { csv, levels } from "../client/sample.mjs";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";
import { check, openVerifier } from "../harness/verifier.mjs";

const client = await load();
const { release } = await client.scorecard(csv(2000), {
  schema: levels,
  adjacency: "add-remove",
  epsilon: 1,
});
const { release: cells } = await client.noisyCells(csv(2000), {
  schema: levels,
  adjacency: "add-remove",
  epsilon: 1,
});
const { release: found } = await client.cardOfCells(cells, { attributes: ["age", "ward"] });
client.terminate();

const { server, browser } = await setUp();
const tab = await openVerifier(browser, server.url);
const { page } = tab;
after(() => tab.quiet());

const edited = (change) => {
  const copy = structuredClone(release);
  change(copy);
  return JSON.stringify(copy);
};

test("a scorecard as it was made", async () => {
  const { title, verdict, whole } = await check(page, JSON.stringify(release), "scorecard.json");
  assert.equal(title, "It tells the truth: the guarantee holds");
  assert.match(verdict, /All 7 claims/);
  assert.match(whole, /The card in it[^]*For sick\.[^]*B "or" C\s+“B”, “C”/);
  assert.match(whole, /ε-differential privacy at ε = 1 under adding or removing one row/);
  assert.match(whole, /No δ/);
  assert.doesNotMatch(whole, /within δ aside/);
  assert.match(whole, /The card\s+Its points/);
  const points = await page.locator(".scorecard tbody .number").allInnerTexts();
  assert.deepEqual(
    points,
    release.card.attributes.flatMap((a) => a.levels.map((l) => String(l.points).replace("-", "−"))),
  );
  assert.equal(await page.evaluate(() => document.activeElement.id), "verdict-title");
  await accessible(page);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await fitsWindow(page);
  }
});

test("noisy cells as they were made, a card of them, and with another ε", async () => {
  const { title, verdict, whole } = await check(page, JSON.stringify(cells), "noisy-cells.json");
  assert.equal(title, "It tells the truth: the guarantee holds");
  assert.match(verdict, /All 7 claims/);
  assert.match(whole, /The noisy counts in it[^]*12 combinations of levels/);
  assert.match(whole, /Any number of cards can be made of them, and costs no more/);
  assert.match(whole, /The counts\s+How many they are[^]*How near 0 they are/);
  const total = ({ positives, negatives }) =>
    [...positives, ...negatives].reduce((sum, count) => sum + count);
  const shown = await page.locator(".scorecard tbody:first-of-type .number").allInnerTexts();
  assert.equal(
    shown.reduce((sum, text) => sum + Number(text.replace("−", "-")), 0),
    total(cells.counts),
    "the levels of an attribute share out all counts",
  );
  await accessible(page);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await fitsWindow(page);
  }
  const card = await check(page, JSON.stringify(found), "scorecard.json");
  assert.equal(card.title, "It tells the truth: the guarantee holds");
  assert.match(card.whole, /found on counts with noise/);
  assert.match(card.whole, /chosen by the noisy counts alone/);
  const forged = structuredClone(cells);
  forged.guarantee.epsilon = 0.5;
  const lie = await check(page, JSON.stringify(forged), "forged.json");
  assert.equal(lie.title, "This file does not tell the truth");
});

for (const [what, change, claim, says] of [
  [
    "ε halved",
    (r) => void (r.guarantee.epsilon /= 2),
    "What is promised: ε and δ.",
    /guarantee\.epsilon is 0\.5: it must be at least 1, what its event costs/,
  ],
  [
    "a point beyond the bound",
    (r) => void (r.card.attributes[0].levels[0].points = 2),
    "The card: Its points.",
    /must be a whole number from −1 to 1/,
  ],
  [
    "another mechanism",
    (r) => void (r.event = { mechanism: "pure-dp", adjacency: "add-remove", epsilon: 1 }),
    "The mechanism: Its kind.",
    /which choose cards/,
  ],
])
  test(what, async () => {
    const { title, named, verdict, whole } = await check(page, edited(change), "scorecard.json");
    assert.equal(title, "This file does not tell the truth");
    assert.ok(named.includes(claim.slice(0, -1)), named.join());
    assert.match(verdict, says);
    assert.doesNotMatch(whole, /The card in it/);
  });

test("a card whose names are not those of its schema is refused, and a model can follow", async () => {
  const { title, verdict } = await check(
    page,
    edited((r) => void (r.card.attributes[0].levels[0].name = "below 41")),
    "scorecard.json",
  );
  assert.equal(title, "This file does not tell the truth");
  assert.match(verdict, /The card[^]*card\.attributes\[0\]\.levels\[0\]\.name/);
});
