// The page under test: how it is opened and brought into each of its states.

import { readFileSync } from "node:fs";
import { open } from "./browser.mjs";
import { stepping } from "./steps.mjs";

/** Waits until the page is sealed and the sample is ready. */
async function ready(page, url) {
  await page.goto(url);
  await page.waitForSelector("#fit-button:not([disabled])", { state: "attached" });
}

/** The page in another tab of the same browser, ready. */
export async function besides(page) {
  const other = stepping(await page.context().newPage());
  await ready(other, page.url());
  return other;
}

/** A tab with the page in it, ready. */
export async function openStudio(browser, url, options) {
  const tab = await open(browser, options);
  await ready(tab.page, url);
  return tab;
}

/** The rests of a page in which made-up rows are tried once: one for each strength of signal. */
export const oneTrial = 3;

/** From here on the page has none, and no made-up rows are fitted. */
export function restless(page) {
  return page.evaluate(() => void (globalThis.requestIdleCallback = () => 0));
}

/** Waits until what was done last has been drawn: the page draws once a frame. */
export function drawn(page) {
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** Waits until the ledger has been asked about the file, and fixes its total if it has none. */
export async function account(page, { epsilon } = {}) {
  // A file whose columns are not described well is not looked up.
  await page
    .waitForSelector('#account:not([data-phase="idle"])', { timeout: 5000 })
    .catch(() => {});
  await page.waitForSelector("#fit-button:not([disabled])", {
    timeout: 60_000,
    state: "attached",
  });
  if ((await page.locator("#account-fix").count()) === 0) return;
  if (epsilon !== undefined) await page.fill("#account-epsilon", String(epsilon));
  await page.click("#account-fix");
  await page.waitForSelector("#account .spending");
}

/**
 * A browser whose workers have no IndexedDB. They are made from blobs, so it is taken away in their
 * source.
 */
export function withoutStorage(page) {
  return page.addInitScript(() => {
    const without = "Object.defineProperty(globalThis, 'indexedDB', { value: undefined });\n";
    globalThis.Blob = new Proxy(Blob, {
      construct: (target, [parts, options]) =>
        new target(options?.type === "text/javascript" ? [without, ...parts] : parts, options),
    });
  });
}

/**
 * Fits and waits for what comes of it: "done", or the text of the failure. A file that has no
 * account gets one.
 */
export async function fit(page, timeout = 60_000) {
  if (await page.locator("#account").count()) await account(page);
  await page.click("#fit-button");
  await drawn(page);
  await page.waitForSelector("#fit-button", { timeout, state: "attached" });
  const failed = page.locator("#fit-problem");
  return (await failed.count()) > 0 ? failed.innerText() : "done";
}

/** Opens a section that is folded below a result: "proof", "report", "evaluation", … */
export async function openSection(page, section) {
  const details = page.locator(`details#${section}`);
  await details.waitFor();
  if ((await details.getAttribute("open")) === null) await details.locator("> summary").click();
}

/** The radio button of a way to fit. */
export const way = (page, value) => page.locator(`input[name="way"][value="${value}"]`);

/** Opens the comparison of all ways to fit by keyboard, unless it is open. */
export async function compareMethods(page) {
  const summary = page.getByText("Compare methods");
  await summary.waitFor();
  if (await way(page, "amp").isVisible()) return summary;
  await summary.focus();
  await page.keyboard.press("Enter");
  await drawn(page);
  return summary;
}

/** Opens what an evaluation is bought by. */
export async function buysEvaluation(page) {
  await openSection(page, "evaluation");
  await page.locator("#evaluation .disclosure > summary").click();
}

/** Looks at the private figures of a file, which binds to publish all its models, or none. */
export async function look(page, pledge = "all") {
  await page.check(`#pledge-${pledge}`);
  await page.click("#pledge-look");
  await page.waitForSelector("#fence-pledge");
}

/** A file as a test hands it to an input. */
export const csv = (text, name = "table.csv") => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(text),
});
export const json = (tree, name = "schema.json") => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(typeof tree === "string" ? tree : JSON.stringify(tree)),
});

const age = { name: "age", type: "numeric", min: 0, max: 120, provenance: "public" };
const ward = { name: "ward", type: "categorical", provenance: "public" };

/**
 * What is publicly known of who is ill: of the age, and of the ward where its categories are named;
 * or of other features.
 */
export const schemaOf = ({ wards, features = [age], ...more } = {}) => ({
  version: 1,
  features: wards ? [...features, { ...ward, categories: wards }] : features,
  label: { name: "ill", negative: ["no"], positive: ["yes"], provenance: "public" },
  rows: { norm: "clip" },
  intercept: 0.5,
  ...more,
});

/** A small table: a number, a category, and an outcome that both tell something of. */
export function smallTable(rows = 400) {
  const line = (i) => {
    const [age, ward] = [20 + ((i * 37) % 60), "ABC"[(i * 7) % 3]];
    return `${age},${ward},${(i * 13) % 29 < age / 4 + (ward === "A" ? 8 : 0) ? "yes" : "no"}`;
  };
  return ["age,ward,ill", ...Array.from({ length: rows }, (_, i) => line(i))].join("\n");
}

/** Chooses a file, and waits until its columns are there, or so many of them. */
export async function choose(page, rows = smallTable(), name = "ward-round.csv", columns) {
  await page.setInputFiles("#file", csv(rows, name));
  await page.waitForFunction(
    ([name, columns]) => {
      const there = document.querySelectorAll(".column").length;
      return (
        document.querySelector(".file-name")?.textContent.includes(name) &&
        there === (columns ?? Math.max(there, 1))
      );
    },
    [name, columns],
  );
}

/** The same, and waits until the ledger has said what it knows of the file. */
export async function lookUp(page, rows, name) {
  await choose(page, rows, name);
  await page.waitForSelector(
    '#account:is([data-phase="unknown"], [data-phase="open"], [data-phase="unavailable"])',
  );
}

/** Confirms, from the code book, everything that was read from the file. */
export async function confirm(page) {
  await page.getByRole("button", { name: /^From our code book/ }).click();
  await page.fill("#read-all-reason", "code book");
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
}

/** What the first element of a selector says. */
export const text = (page, selector) => page.locator(selector).first().innerText();

/** Waits until the account says this. */
export const left = (page, words) => page.locator("#account").getByText(words).first().waitFor();

/** What was charged to the account, a line each, with the details open. */
export async function charges(page) {
  await page.evaluate(() =>
    document.querySelectorAll("#account details").forEach((one) => (one.open = true)),
  );
  await page.waitForFunction(() =>
    /Counted against the total/.test(document.querySelector(".charges")?.textContent ?? ""),
  );
  return page.locator(".charges tbody tr").allInnerTexts();
}

/** Tables whose label is one of three classes, or a number. */
export const kinds = {
  classes: (rows = 600) =>
    labelled(
      rows,
      "state",
      (age) => ["well", "ill", "dead"][Math.min(2, Math.floor((age - 20) / 20))],
    ),
  numbers: (rows = 600) => labelled(rows, "days", (age, i) => 38 - age / 3 + (i % 5)),
};

/** Chooses such a table of numbers, of which the label is days, from 0 to 40, and ε = 4. */
export async function chooseDays(page, rows) {
  await choose(page, kinds.numbers(rows), "table.csv", 3);
  await page.selectOption("#label-name", { label: "days" });
  await drawn(page);
  await page.fill("#label-min", "0");
  await page.fill("#label-max", "40");
  await page.fill("#epsilon", "4");
}

function labelled(rows, name, outcome) {
  const lines = smallTable(rows).split("\n").slice(1);
  // Something with two values beside it, for the page to propose.
  return [
    `age,ward,ill,${name}`,
    ...lines.map((line, i) => `${line},${outcome(Number(line.split(",")[0]), i)}`),
  ].join("\n");
}

/**
 * Chooses a file of about `megabytes` by repeating lines, made inside the page: too much to be
 * handed over from outside. It takes some seconds to read.
 */
export function chooseLarge(page, text, megabytes) {
  return page.evaluate(
    ([text, megabytes]) => {
      const end = text.indexOf("\n") + 1;
      const lines = new Blob([text.slice(end) + "\n"]);
      const parts = Array(Math.ceil((megabytes * 1e6) / lines.size)).fill(lines);
      const chosen = new DataTransfer();
      chosen.items.add(new File([text.slice(0, end), ...parts], "large.csv", { type: "text/csv" }));
      const input = document.querySelector("#file");
      input.files = chosen.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    },
    [text, megabytes],
  );
}

/** What a button saves, by its name or itself: the file's name, and its text. */
export async function saved(page, button) {
  const named = typeof button === "string" || button instanceof RegExp;
  const pressed = named ? page.getByRole("button", { name: button, exact: true }) : button;
  const [download] = await Promise.all([page.waitForEvent("download"), pressed.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

/** The text of what a button saves. */
export const savedFile = async (page, button) => (await saved(page, button)).text;

/** Saves the release and returns it. */
export const savedRelease = async (page) => JSON.parse(await savedFile(page, "Save the release"));
