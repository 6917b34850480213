// What the tests of a file share: a server and a browser, opened once and closed after the last of
// them.

import { after } from "node:test";
import { serve } from "../../../scripts/serve.mjs";
import { launch, open, shortLived } from "./browser.mjs";
import { openStudio } from "./studio.mjs";

/**
 * Opens both; they are closed whatever becomes of the tests, and of what else is set up.
 * @template {{url: string, close: () => Promise<void>}} Server
 * @param {Promise<Server>} serving the server, if it is not that of the built site
 * @param {readonly string[]} switches of Chromium: none where time is measured
 * @returns {Promise<{server: Server, browser: import("playwright-core").Browser, visit: (path:
 * string, options?: Parameters<typeof open>[1]) => ReturnType<typeof open>}>} visit: a tab of its
 * own with this path of the server in it
 */
export async function setUp(serving = serve(), switches = shortLived) {
  const [served, launched] = await Promise.allSettled([serving, launch(switches)]);
  const close = async () => {
    await launched.value?.close();
    await served.value?.close();
  };
  const failed = [served, launched].find(({ status }) => status === "rejected");
  if (failed) {
    await close();
    throw failed.reason;
  }
  after(close);
  const [server, browser] = [served.value, launched.value];
  const visit = async (path, options) => {
    const tab = await open(browser, options);
    await tab.page.goto(new URL(path, server.url).href);
    return tab;
  };
  return { server, browser, visit };
}

/**
 * The same for the tests of the studio; inStudio opens the page, at a `path` of its own if there is
 * one, in a tab of its own, hands it to `run`, and asserts that nothing went wrong in its console.
 * @param {Parameters<typeof open>[1]} always options for every tab
 */
export async function setUpStudio(always) {
  const { server, browser } = await setUp();
  const inStudio = async (run, { path = "", ...options } = {}) => {
    const tab = await openStudio(browser, server.url + path, { ...always, ...options });
    await run(tab.page);
    tab.quiet();
    await tab.close();
  };
  return { server, browser, inStudio };
}
