// The verifier's page under test.

import { open } from "./browser.mjs";

/** A tab with the verifier in it, sealed, and with all of its core. */
export async function openVerifier(browser, url, options) {
  const tab = await open(browser, options);
  await tab.page.goto(`${url}verify.html`);
  await verifierReady(tab.page);
  return tab;
}

/** Until the page is sealed, and its core has come and runs: a file can be chosen before. */
export async function verifierReady(page) {
  await page.waitForSelector("#release-file:not([disabled])");
  await page.locator(".foot", { hasText: /Cloister \d/ }).waitFor();
}

let files = 0;

/**
 * Has a file checked, under a name of its own that ends in `name`, and reads the verdict.
 * @returns {Promise<{title: string, named: string[], verdict: string, whole: string}>} named: the
 * claims that the verdict says fail
 */
export async function check(page, text, name = "release.json") {
  const own = `${++files}-${name}`;
  await page.setInputFiles("#release-file", {
    name: own,
    mimeType: name.endsWith(".html") ? "text/html" : "application/json",
    buffer: Buffer.from(text),
  });
  await page.locator(".judged-name", { hasText: own }).waitFor();
  const verdict = page.locator(".judged");
  const bold = await verdict.locator("strong").allInnerTexts();
  return {
    title: await page.locator("#verdict-title").innerText(),
    named: bold.map((t) => t.replace(/\.$/, "")),
    verdict: await verdict.innerText(),
    whole: await page.locator("main").innerText(),
  };
}
