// What must hold of a page in any of its states: axe-core finds nothing, and it fits its window.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Asserts that axe-core finds nothing. It goes in by evaluation: a script tag would be stopped by
 * the page's seal.
 * @param {import("playwright-core").Page} page
 * @param {string} state what the page shows, for the complaint
 * @param {{contrast?: boolean, rules?: string[], without?: string[], within?: string | object}}
 * options rules: these alone; contrast: what the theme changes alone; without: these not; within:
 * a part of the page
 */
export async function accessible(
  page,
  state,
  {
    contrast = false,
    rules = contrast ? ["color-contrast"] : undefined,
    without = [],
    within,
  } = {},
) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const options = {
    resultTypes: ["violations"],
    ...(rules && { runOnly: { type: "rule", values: rules } }),
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  };
  const found = await page.evaluate(
    async ([within, options]) => {
      const { violations } = await globalThis.axe.run(within ?? document, options);
      return violations.map(
        (v) =>
          `${v.id}: ${v.help}: ${v.nodes.map((n) => `${n.target.join(" ")} ${n.failureSummary}`).join(" | ")}`,
      );
    },
    [within, options],
  );
  assert.deepEqual(found, [], `axe-core on: ${state}`);
}

/** Asserts that nothing is wider than the window, save what scrolls by itself. */
export async function fitsWindow(page, state) {
  const over = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll("body *")]
      .filter((e) => e.getBoundingClientRect().right > width + 1 && !e.closest(".scroll"))
      .map((e) => `${e.tagName.toLowerCase()}.${e.getAttribute("class")}`);
  });
  assert.deepEqual(over, [], `wider than the window: ${state}`);
}
