// The page can be used before its core is there: it is sealed as soon as the server has answered,
// and what needs the core waits for it. And no task of its main thread is long.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe } from "node:test";
import { longestTasks } from "../../../scripts/bench/startup.mjs";
import { accessible } from "../harness/axe.mjs";
import { open } from "../harness/browser.mjs";
import { hostile } from "../harness/hostile.mjs";
import { test } from "../harness/limited.mjs";
import { pageProbes, probe } from "../harness/probes.mjs";
import { setUp } from "../harness/set-up.mjs";
import { slowCore } from "../harness/slow-core.mjs";
import { csv, smallTable } from "../harness/studio.mjs";

const { server: built, browser } = await setUp(undefined, []);

describe("while the core is on its way", { timeout: 180_000 }, () => {
  let server, tab, page;
  beforeEach(async () => {
    server = await slowCore();
    tab = await open(browser, { offline: true });
    page = tab.page;
    await page.goto(server.url);
    await server.asked;
    await page.waitForSelector("#file:not([disabled])");
  });
  afterEach(async () => {
    await tab.close();
    await server.close();
  });
  const button = () => page.getByRole("button", { name: "Try it on made-up hospital stays" });

  test("the page is sealed, a file can be chosen, nothing leaves, and it is read once the core is there", async () => {
    assert.match(await page.innerText(".seal"), /Page sealed/);
    assert.equal(await page.locator('meta[http-equiv="Content-Security-Policy"]').count(), 1);
    // One worker fetches and compiles the core. It hears a single message, which it has had.
    assert.equal(page.workers().length, 1, "there is nothing that could read it yet");
    await page.setInputFiles("#file", csv(smallTable(), "mine.csv"));
    await page.waitForSelector("#data .progress");
    await accessible(page, "a file chosen before the core is there");
    const endpoint = await hostile();
    await probe(page, pageProbes, endpoint.url, { patience: 200 });
    assert.deepEqual(endpoint.reached(), {});
    assert.equal(endpoint.bytes(), 0);
    await endpoint.close();
    server.release();
    await page.waitForFunction(() =>
      document
        .querySelector("p[aria-live=polite]")
        .textContent.startsWith("The file was read: 2 columns and the label ill."),
    );
    await page.waitForSelector("#fit-button:not([disabled])");
  });

  test("what is known of the columns can be written, and the sample be tried", async () => {
    await page.locator(".card", { hasText: "Hospital stays" }).getByText("open").waitFor();
    assert.equal(await page.isDisabled("#fit-button"), true, "it says that the page is not ready");
    await button().click();
    await page.waitForSelector("#fit .progress");
    tab.quiet();
    server.release();
    await page.waitForSelector("#result .verdict");
    tab.quiet();
  });

  test("waiting can be cancelled, and the page goes on", async () => {
    await page.locator(".card", { hasText: "Hospital stays" }).getByText("open").waitFor();
    await button().click();
    await page.click("#fit .progress button");
    await page.getByText("Cancelled. Nothing was released").waitFor();
    await page.setInputFiles("#file", csv(smallTable(), "mine.csv"));
    await page.click("#data .progress button");
    await page.getByText("Reading was cancelled.", { exact: false }).first().waitFor();
    server.release();
    await page.getByRole("button", { name: "Suggest the columns from this file" }).click();
    await page.waitForSelector("#fit-button:not([disabled])");
    tab.quiet();
  });

  test("a core that never arrives is said once, and nothing goes on", async () => {
    await page.setInputFiles("#file", csv(smallTable(), "mine.csv"));
    server.cut();
    await page.waitForSelector("#data [role=alert]");
    assert.equal(await page.locator("#data [role=alert]").count(), 1);
    assert.equal(await page.locator("#data .progress").count(), 0);
    assert.equal(await page.isDisabled("#file"), true);
    assert.match(await page.innerText(".seal"), /Not opened/);
  });
});

test(
  "no task of the main thread takes 50 ms of the processor while the page opens, fits and draws its curve",
  { timeout: 180_000 },
  async () => {
    // The machine may be busy, and caches cold: of a few times, the best. One that is slower than
    // that on which 50 ms were asked for and met is given more, by as much.
    const longest = { opening: Infinity, fit: Infinity, redraw: Infinity };
    const allowed = 50 * Math.min(2, Math.max(1, (await pageOfRows(browser)) / 40));
    for (let i = 0; i < 6 && Object.values(longest).some((cpu) => cpu >= allowed); i++) {
      for (const [name, { cpu }] of Object.entries(await longestTasks(browser, built.url)))
        longest[name] = Math.min(longest[name], cpu);
    }
    for (const [name, cpu] of Object.entries(longest))
      assert.ok(
        cpu > 0 && cpu < allowed,
        `${name}: ${cpu} ms, where ${allowed.toFixed(0)} are allowed`,
      );
  },
);

/**
 * How many milliseconds it takes to make 2,000 rows and to lay them out: what this machine's pages
 * are like. Of nine times, the best.
 */
async function pageOfRows(browser) {
  const page = await browser.newPage();
  const times = await page.evaluate(() =>
    Array.from({ length: 9 }, () => {
      const start = performance.now();
      document.body.innerHTML = Array.from(
        { length: 2000 },
        (_, i) => `<p style="display:flex"><b>${i}</b><span>${Math.sqrt(i)}</span></p>`,
      ).join("");
      document.body.getBoundingClientRect();
      const took = performance.now() - start;
      document.body.replaceChildren();
      return took;
    }),
  );
  await page.close();
  return Math.min(...times);
}
