// Finding and taking things from the documentation, by keyboard: the search, the copy buttons, and
// links to the time when the reference was one page.

import assert from "node:assert/strict";
import { accessible } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";

const { server, browser, visit } = await setUp();

const options = "#search-results [role=option]";
const chosen = (page) =>
  page.evaluate(() => {
    const id = document.activeElement.getAttribute("aria-activedescendant");
    const option = id && document.getElementById(id);
    return option?.getAttribute("aria-selected") === "true" ? option.getAttribute("href") : null;
  });

/** Waits until a question has been answered, and gives what is said. */
async function ask(page, question) {
  await page.locator(".search input").fill(question);
  const status = page.locator(".search-says");
  await page.waitForFunction(
    () => !/Loading/.test(document.querySelector(".search-says").textContent),
  );
  return (await status.textContent()).replace(/\s+/g, " ");
}

test("the search: / opens it, arrows choose, Enter goes there, Escape gives the focus back", async () => {
  const { page, quiet, close } = await visit("docs/index.html");
  const link = page.getByRole("link", { name: "studio", exact: true }).first();
  await link.focus();
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Search the documentation" });
  assert.ok(await field.evaluate((one) => one === document.activeElement));
  await page.keyboard.type("odds/");
  assert.equal(await field.inputValue(), "odds/"); // in a field it is a letter
  await page.locator(options).first().waitFor();
  assert.equal(await chosen(page), "epsilon.html#odds");
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await chosen(page), "epsilon.html#odds");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  const last = await page.locator(options).last().getAttribute("href");
  assert.equal(await chosen(page), last);
  await page.keyboard.press("Escape");
  assert.ok(await link.evaluate((one) => one === document.activeElement));
  await page.keyboard.press("/");
  await page.keyboard.press("Enter");
  await page.waitForURL(/epsilon\.html#odds$/);
  quiet();
  await close();
});

test("the search finds what to do about a decimal comma", async () => {
  const { page, quiet, close } = await visit("docs/index.html");
  await page.keyboard.press("/");
  for (const question of ["decimal comma", "decimal commas"]) {
    assert.match(await ask(page, question), /best first$|^One place$/);
    const first = await page.locator(options).first().getAttribute("href");
    assert.match(first, /troubleshooting\.html#decimal-commas$/);
  }
  quiet();
  await close();
});

test("the search says what to try if nothing is found, and is accessible in each state", async () => {
  for (const theme of ["light", "dark"]) {
    const { page, quiet, close } = await visit("docs/index.html", { theme, width: 390 });
    await page.getByRole("button", { name: "Search" }).click();
    const clean = async () => {
      await accessible(page, `the search, ${theme}`, { within: ".search" });
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    };
    assert.match(await ask(page, ""), /^Type a word/);
    await clean();
    assert.match(await ask(page, "delta"), /^\d+ places, best first$/);
    await clean();
    assert.match(await ask(page, "qqq"), /^Nothing found\. Try fewer letters/);
    await clean();
    assert.match(await ask(page, "qqq odds"), /^Nothing found\. Try one word alone: odds/);
    await clean();
    await page.locator(".search-says").getByRole("button", { name: "odds" }).click();
    await page.locator(options).first().waitFor();
    quiet();
    await close();
  }
});

test("the search says so if its index cannot be loaded, and tries again when it is opened again", async () => {
  const { page, close } = await visit("docs/index.html");
  await page.route("**/search.json", (route) => route.abort());
  await page.keyboard.press("/");
  await page.getByText("The index could not be loaded.").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".search input").waitFor({ state: "hidden" });
  await page.unroute("**/search.json");
  await page.keyboard.press("/");
  assert.match(await ask(page, "odds"), /places/);
  await close();
});

test("code is copied by keyboard, and that is said", async () => {
  const { page, quiet, close } = await visit("docs/api.html");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const block = page.locator(".code-block").nth(1);
  await block.getByRole("button", { name: "Copy the code" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("p[role=status]").getByText("Copied").waitFor({ state: "attached" });
  await block.getByText("Copied").waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(text, (await block.locator("code").textContent()).trimEnd());
  assert.match(text, /^import \{ load \} from "cloister";/);
  quiet();
  await close();
});

test("where copying is refused the code is selected, and that is said", async () => {
  const { page, close } = await visit("docs/api.html");
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));
  });
  const block = page.locator(".code-block").first();
  await block.getByRole("button").click();
  await page
    .getByText("The text is selected: copy it with the keyboard.")
    .waitFor({ state: "attached" });
  assert.match(await page.evaluate(() => getSelection().toString()), /^make build/);
  await close();
});

test("a link to a place of the reference that has moved arrives there", async () => {
  const { page, quiet, close } = await visit("docs/api.html#api-Client-fit");
  await page.waitForURL(/api-clients\.html#api-Client-fit$/);
  await page.goto(`${server.url}docs/api.html#api-Schema`);
  await page.waitForURL(/api-schemas\.html#api-Schema$/);
  await page.goto(`${server.url}docs/api.html#reference-errors`);
  assert.ok(await page.locator("#reference-errors").isVisible());
  assert.match(page.url(), /api\.html#reference-errors$/);
  quiet();
  await close();
});

test("at 1280 the package's page is no taller than ten windows, its reference's than fourteen", async () => {
  const { page, close } = await visit("docs/api.html");
  const files = await page
    .locator(".contents .below a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  assert.ok(files.length >= 12);
  for (const file of ["api.html", ...files]) {
    await page.goto(`${server.url}docs/${file}`);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height <= (file === "api.html" ? 10 : 14) * 900, `${file}: ${height}`);
  }
  await close();
});
