// The columns of a file in the studio, as they are reviewed one by one.

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { accessible, fitsWindow } from "./axe.mjs";
import { drawn } from "./studio.mjs";

export const column = (page, name) =>
  page.locator(".column", {
    has: page.getByRole("checkbox", { name: `Use ${name}`, exact: true }),
  });

export const review = (page, name) =>
  page.getByRole("button", { name: `Review ${name}`, exact: true }).click();

/** Whence a column says that its entry is. */
export async function tag(page, name) {
  await drawn(page);
  return column(page, name).locator(".column-mark").innerText();
}

/**
 * Has bounds or categories priced at ε = 0.5, where there is no total yet to pay from: the page
 * leads to it, and it is fixed at ε = 5.
 */
export async function priced(page, item) {
  await page.click(`#${item}-account`);
  await page.waitForFunction(() => document.activeElement?.id === "account-epsilon");
  await page.fill("#account-epsilon", "5");
  await page.keyboard.press("Enter");
  await page.locator(`#${item}-price`).waitFor();
  await page.fill(`#${item}-epsilon`, "none");
  await page.click(`#${item}-buy`);
  await page.waitForSelector(`#${item}-epsilon-error`);
  await page.fill(`#${item}-epsilon`, "0.5");
}

const heights = { 1280: 900, 390: 844 };

async function lookAt(page, width, theme) {
  await page.setViewportSize({ width, height: heights[width] });
  await page.emulateMedia({ colorScheme: theme });
}

/**
 * Asserts that axe-core finds nothing and that nothing is too wide: wide and light, narrow and
 * dark. Takes pictures for people, where CLOISTER_SHOTS says that they are wanted.
 */
export async function inOrder(page, state) {
  const shots = process.env.CLOISTER_SHOTS;
  for (const [width, theme] of [
    [1280, "light"],
    [390, "dark"],
    ...(shots
      ? [
          [1280, "dark"],
          [390, "light"],
        ]
      : []),
  ]) {
    await lookAt(page, width, theme);
    await drawn(page);
    await fitsWindow(page, `${state}, ${width}`);
    await accessible(page, `${state}, ${width}, ${theme}`);
    if (!shots) continue;
    const folder = fileURLToPath(new URL("../shots/", import.meta.url));
    mkdirSync(folder, { recursive: true });
    await page
      .locator("#public")
      .screenshot({ path: `${folder}${state.replaceAll(" ", "-")}-${width}-${theme}.png` });
  }
  await lookAt(page, 1280, "light");
}
