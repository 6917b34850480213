// One of each element, as a page of others writes it, and what more than one element does.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "./limited.mjs";

export const gaussian = 'mechanism="gaussian" adjacency="add-remove" sensitivity="1" sigma="2"';
const items = [
  {
    label: "A count",
    event: { mechanism: "laplace", adjacency: "add-remove", sensitivity: 1, scale: 10 },
    count: 5,
  },
  {
    label: "A mean",
    event: { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1, sigma: 8 },
    count: 4,
  },
];
export const elements = {
  "privacy-curve": `<privacy-curve ${gaussian} sliders="sigma 0.5..10"></privacy-curve>`,
  "attack-view": `<attack-view ${gaussian} sliders="sigma 0.5..10"></attack-view>`,
  "noise-chooser":
    '<noise-chooser mechanism="laplace" adjacency="add-remove" epsilon="0.5"></noise-chooser>',
  "privacy-budget": `<privacy-budget adjacency="add-remove" epsilon="2"><script type="application/json">${JSON.stringify(items)}</script></privacy-budget>`,
  "private-fit-demo":
    '<private-fit-demo adjacency="add-remove" n="200" draws="5"></private-fit-demo>',
  "private-scorecard-demo":
    '<private-scorecard-demo adjacency="add-remove" n="200" draws="5"></private-scorecard-demo>',
};

/**
 * Defines the tests of what is saved of an element: `opens` gives a tab with one, and what is in
 * the text files has to match.
 */
export function savesFiles(opens, { SVG, CSV }) {
  const matches = (pattern) => (bytes) => assert.match(bytes.toString(), pattern);
  for (const [kind, check] of [
    ["SVG", matches(SVG)],
    ["PNG", (bytes) => assert.ok(bytes.subarray(1, 4).toString() === "PNG" && bytes.length > 5000)],
    ["CSV", matches(CSV)],
  ])
    test(`${kind} is saved`, async () => {
      const { page, close } = await opens();
      const waiting = page.waitForEvent("download");
      await page.getByRole("button", { name: `Save as ${kind}` }).click();
      check(readFileSync(await (await waiting).path()));
      await close();
    });
}
