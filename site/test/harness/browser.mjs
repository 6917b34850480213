// A browser for tests: the system's Chromium, driven by playwright-core.

import assert from "node:assert/strict";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { stepping } from "./steps.mjs";

// Required, not imported: of a CommonJS module that is imported Node looks for the names that it
// exports, through seven megabytes. That takes each file of tests 0.3 s of processor time.
export const { chromium } = createRequire(import.meta.url)("playwright-core");

// The headless shell comes first. It draws pages as the whole browser does, and nothing else: a
// file of tests takes it a fifth less processor time.
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];

/** The path of a Chromium, from $CHROMIUM or $PATH; undefined where there is none. */
export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of names) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not here.
      }
    }
  }
  return undefined;
}

/**
 * Starts Chromium without anything that talks to the network of its own accord.
 * @param {readonly string[]} more further switches
 */
export async function launch(more = []) {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error(
      "No Chromium was found in PATH: install it, or say where it is with CHROMIUM=…",
    );
  return chromium.launch({
    executablePath,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...more,
    ],
  });
}

/**
 * What tests launch Chromium with, for the reason in scripts/check/short-lived.cjs: most pages of a
 * test are there for a few seconds, and V8's optimising compiler would take a sixth of them.
 * Functions that run eight times as long as usual, where Chromium's V8 begins at 13,000,000, are
 * still optimised. What measures processor time or frames launches without, and so does what is
 * tried as users have it: the package.
 */
export const shortLived = ["--js-flags=--wasm-tiering-budget=100000000"];

/**
 * A profile of its own, as of somebody who comes for the first time. Its pages install no service
 * worker, unless it is `offline`: that fetches every file of the site once more, and takes as much
 * of the processor as the page itself. A test asks for it where it needs the page without a server,
 * or asserts what holds of a page however it was served. Nor are its pages ever at rest: the studio
 * would fit made-up rows as long as the steps that show them are on the screen, which can take as
 * much as all the rest of a test. A test that asks what becomes of made-up rows says how many
 * `rests` a page has: it fits one table in each.
 * @param {import("playwright-core").Browser} browser
 * @param {{offline?: boolean, rests?: number} & import("playwright-core").BrowserContextOptions}
 * options
 */
export async function freshProfile(browser, { offline = false, rests = 0, ...options } = {}) {
  const context = await browser.newContext({
    serviceWorkers: offline ? "allow" : "block",
    ...options,
  });
  if (rests !== Infinity)
    await context.addInitScript((rests) => {
      const { requestIdleCallback } = globalThis;
      let left = rests;
      globalThis.requestIdleCallback = (...given) =>
        left-- > 0 ? requestIdleCallback(...given) : 0;
    }, rests);
  return context;
}

/**
 * Opens a page and listens for what goes wrong on it.
 * @param {import("playwright-core").Browser} browser
 * @param {{width?: number, height?: number, theme?: "light" | "dark", goes?: boolean, offline?:
 * boolean, rests?: number}} options goes: the page goes by itself to the step of the studio that
 * something is asked of; offline, rests: as for freshProfile
 * @returns {Promise<{page: import("playwright-core").Page, problems: string[], quiet: () => void,
 * close: () => Promise<void>}>} problems collects uncaught errors and console errors; quiet()
 * asserts that there are none.
 */
export async function open(
  browser,
  { width = 1280, height = 900, theme = "light", goes = true, offline, rests } = {},
) {
  const context = await freshProfile(browser, {
    offline,
    rests,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: "reduce",
    acceptDownloads: true,
  });
  const page = await context.newPage();
  if (goes) stepping(page);
  const problems = [];
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  return {
    page,
    problems,
    quiet: () => assert.deepEqual(problems, []),
    close: () => context.close(),
  };
}
