// Times how the studio opens in Chromium, from an empty profile and when the browser has kept it,
// and the longest task of its main thread while it is used.

import { serve } from "../serve.mjs";
import { launch } from "../../site/test/harness/browser.mjs";
import { tasksDuring } from "../../site/test/harness/tasks.mjs";

/** Selectors of what is waited for. */
const marks = {
  // the page is sealed and drawn so far that a table can be chosen, and the sample is on its way
  interactive: "#file:not([disabled])",
  ready: "#fit-button:not([disabled])", // the core runs, and the sample can be fitted
};

/**
 * @returns {Promise<Record<string, number>>} medians by name: milliseconds from the start of
 * navigation; of tasks, the longest, in milliseconds of the processor
 */
export async function startUps(times = 7) {
  const figures = {
    "cold-paint": [],
    "cold-interactive": [],
    "cold-ready": [],
    "warm-paint": [],
    "warm-interactive": [],
    "warm-ready": [],
    "task-opening": [],
    "task-fit": [],
    "task-redraw": [],
  };
  const server = await serve();
  const browser = await launch();
  try {
    for (let i = 0; i < times; i++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      for (const kind of ["cold", "warm"]) {
        const page = await context.newPage();
        for (const [name, at] of Object.entries(await opening(page, server.url)))
          figures[`${kind}-${name}`].push(at);
        await page.evaluate(() =>
          navigator.serviceWorker.ready.then(() => new Promise((done) => setTimeout(done, 1000))),
        );
        await page.close();
      }
      await context.close();
      for (const [name, task] of Object.entries(await longestTasks(browser, server.url)))
        figures[`task-${name}`].push(task.cpu);
    }
  } finally {
    await browser.close();
    await server.close();
  }
  return Object.fromEntries(
    Object.entries(figures).map(([name, list]) => [
      name,
      list.sort((a, b) => a - b)[Math.floor(list.length / 2)],
    ]),
  );
}

async function opening(page, url) {
  await page.addInitScript((marks) => {
    const found = (globalThis.marks = {});
    new MutationObserver(() => {
      for (const [name, selector] of Object.entries(marks)) {
        if (!(name in found) && document.querySelector(selector)) found[name] = performance.now();
      }
    }).observe(document, { subtree: true, childList: true, attributes: true });
  }, marks);
  await page.goto(url);
  await page.waitForSelector(marks.ready, { state: "attached" });
  return page.evaluate(() => ({
    ...globalThis.marks,
    paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  }));
}

/** The longest task of the main thread while the page opens, fits, and draws its curve anew. */
export async function longestTasks(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const longest = async (action) => (await tasksDuring(browser, page, action))[0];
  const opening = await longest(async () => {
    await page.goto(url);
    await page.waitForSelector(marks.ready, { state: "attached" });
    await page.waitForTimeout(700);
  });
  const fit = await longest(async () => {
    await page.evaluate(() => (location.hash = "#fit"));
    await page.click("#fit-button");
    await page.waitForSelector("#result-title");
    await page.waitForTimeout(700);
  });
  const redraw = await longest(async () => {
    for (const width of [1100, 900, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(100);
    }
    await page.focus("curve-chart .cursor input");
    for (let i = 0; i < 20; i++) await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(200);
  });
  await context.close();
  return { opening, fit, redraw };
}
