// A page in Chromium to time something in, beside the built site.

import { serve } from "../serve.mjs";
import { launch } from "../../site/test/harness/browser.mjs";

/**
 * Opens an empty page of the built site, and closes it when `run` is done with it.
 * @template T
 * @param {Record<string, [contentType: string, body: string | Buffer | undefined]>} files what is
 * answered beside the site's files, by path
 * @param {(page: import("playwright-core").Page) => Promise<T>} run
 * @returns {Promise<T>}
 */
export async function inPage(files, run) {
  const server = await serve();
  const browser = await launch();
  try {
    const page = await (await browser.newContext()).newPage();
    const all = { ...files, "bench.html": ["text/html", "<!doctype html><title>bench</title>"] };
    for (const [path, [contentType, body]] of Object.entries(all))
      await page.route(new URL(path, server.url).href, (route) =>
        route.fulfill({ contentType, body }),
      );
    await page.goto(new URL("bench.html", server.url).href);
    return await run(page);
  } finally {
    await browser.close();
    await server.close();
  }
}
