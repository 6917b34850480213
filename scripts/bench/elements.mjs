// Times the elements on pages of others in Chromium: until a curve can be moved, twenty of them,
// what they hold in memory, and the longest task while a slider moves.

import { existsSync, readFileSync } from "node:fs";
import { launch, open } from "../../site/test/harness/browser.mjs";
import { pageOf, servePages } from "../../site/test/harness/pages.mjs";
import { tasksDuring } from "../../site/test/harness/tasks.mjs";

const script = '<script type="module" src="elements.js" integrity="sha384-FILE"></script>';
const gaussian = (sigma) =>
  `<privacy-curve mechanism="gaussian" adjacency="add-remove" sensitivity="1" sigma="${sigma}" sliders="sigma 0.5..10"></privacy-curve>`;
const sampled =
  '<privacy-curve mechanism="subsampled-gaussian" adjacency="add-remove" rate="0.01" noise-multiplier="1" steps="1000" sliders="noise-multiplier 0.8..4"></privacy-curve>';
const pages = {
  "/none.html": pageOf("<p>Nothing.</p>"),
  "/one.html": pageOf(gaussian(2), script),
  "/twenty.html": pageOf(
    Array.from({ length: 20 }, (_, i) => gaussian(1 + i / 4)).join("\n"),
    script,
  ),
  "/drag.html": pageOf(sampled, script),
};

/**
 * @returns {Promise<Record<string, number>>} medians: milliseconds from the first paint; megabytes;
 * of the task, milliseconds of the processor
 */
export async function elementsInChromium(times = 7) {
  const figures = { "curve-interactive": [], "twenty-interactive": [], "task-drag": [] };
  const server = await servePages(pages);
  const browser = await launch();
  let memory = {};
  try {
    for (const [name, path] of [
      ["curve-interactive", "/one.html"],
      ["twenty-interactive", "/twenty.html"],
    ]) {
      // All of them are near the window, and the browser has run the page before.
      const { page, close } = await open(browser, { height: 16_000 });
      for (let i = 0; i <= times; i++) {
        await page.goto(server.url + path);
        const taken = await page.evaluate(interactive);
        if (i > 0) figures[name].push(taken);
      }
      await close();
    }
    for (let i = 0; i < 3; i++)
      figures["task-drag"].push(await longestWhileDragging(browser, `${server.url}/drag.html`));
    memory = await memoryOf(browser, server.url);
  } finally {
    await browser.close();
    await server.close();
  }
  return {
    ...Object.fromEntries(
      Object.entries(figures).map(([name, list]) => [
        name,
        list.sort((a, b) => a - b)[Math.floor(list.length / 2)],
      ]),
    ),
    ...memory,
  };
}

/** Runs in the page: from its first paint until every curve is drawn, and takes a hand. */
async function interactive() {
  const all = [...document.querySelectorAll("privacy-curve")];
  while (!all.every((one) => one.hasAttribute("ready"))) await new Promise(requestAnimationFrame);
  return performance.now() - performance.getEntriesByName("first-contentful-paint")[0].startTime;
}

/**
 * The longest task of a page's main thread while a slider of DP-SGD is dragged to and fro, and
 * after it was let go, until all is certified.
 */
export async function longestWhileDragging(browser, url) {
  const { page, close } = await open(browser);
  await page.goto(url);
  const element = page.locator("privacy-curve");
  const certified = () =>
    page.waitForFunction(() => document.querySelector("privacy-curve").certified);
  await certified();
  const box = await element.getByRole("slider", { name: "σ, the noise multiplier" }).boundingBox();
  const place = (i) =>
    page.mouse.move(
      box.x + (0.2 + 0.6 * Math.abs(Math.sin(i / 20))) * box.width,
      box.y + box.height / 2,
    );
  const [longest] = await tasksDuring(browser, page, async () => {
    await place(0);
    await page.mouse.down();
    for (let i = 1; i < 100; i++) {
      await place(i);
      await page.waitForTimeout(8);
    }
    await page.mouse.up();
    await certified();
  });
  await close();
  return longest.cpu;
}

/**
 * What twenty elements add to an empty page: the memory of the browser's renderers, of what is
 * shared their share. Where /proc does not tell, nothing.
 */
async function memoryOf(browser, url) {
  if (!existsSync("/proc/self/smaps_rollup")) return {};
  const session = await browser.newBrowserCDPSession();
  const held = async (path) => {
    const { page, close } = await open(browser, { height: 16_000 });
    await page.goto(url + path);
    await page.waitForFunction(() =>
      [...document.querySelectorAll("privacy-curve")].every((one) => one.certified),
    );
    await page.waitForTimeout(1000);
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const kilobytes = processInfo
      .filter(({ type }) => type === "renderer")
      .map(({ id }) =>
        Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))[1]),
      );
    await close();
    return kilobytes.reduce((sum, one) => sum + one, 0) / 1000;
  };
  const empty = await held("/none.html");
  return { "twenty-memory": (await held("/twenty.html")) - empty };
}
