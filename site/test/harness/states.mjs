// The states that the page can be in, each with how to get there from a fresh visit. For pictures,
// and for checks that every state must pass.

import { csv, schema } from "../client/sample.mjs";
import { holdable } from "./held-reading.mjs";
import { goTo } from "./steps.mjs";
import {
  account,
  buysEvaluation,
  chooseLarge,
  confirm,
  drawn,
  fit,
  kinds,
  openSection,
  savedRelease,
  withoutStorage,
} from "./studio.mjs";

const file = (name, mimeType, text) => ({ name, mimeType, buffer: Buffer.from(text) });

export const table = file("stays.csv", "text/csv", csv());
export const schemaFile = file("schema.json", "application/json", JSON.stringify(schema));
export const broken = file(
  "broken.csv",
  "text/csv",
  csv(60).replace(/\n[^\n]*\n[^\n]*$/, "\n1,2\n"),
);

const ready = (page) => page.waitForSelector("#fit-button:not([disabled])", { state: "attached" });

/** Opens every <details> and every column's form. */
async function unfold(page) {
  const closed = page.locator('.column-head button[aria-expanded="false"]');
  for (let left = await closed.count(); left > 0; left--) {
    await closed.first().click();
    await drawn(page);
  }
  await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
}

async function ownFile(page) {
  await ready(page);
  await page.setInputFiles("#file", table);
  await page.waitForFunction(() => document.querySelectorAll(".column").length === 3);
  await page.waitForSelector(
    '#account:is([data-phase="unknown"], [data-phase="open"], [data-phase="unavailable"])',
  );
  await ready(page);
}

/** Two models of the person's own file, and no room for a third. */
async function spent(page) {
  await ownFile(page);
  await account(page, { epsilon: 2 });
  await fitted(page);
  await fitted(page);
  await page.waitForFunction(() => document.querySelector("#too-much button"));
  await page.locator("#account summary").click();
  await page.waitForFunction(() =>
    /Added up/.test(document.querySelector(".charges")?.textContent ?? ""),
  );
}

async function fitted(page) {
  await ready(page);
  const outcome = await fit(page);
  if (outcome !== "done") throw new Error(outcome);
  await page.waitForSelector(".verdict");
}

/** A model of a table whose label is of another kind. */
async function fittedKind(page, kind, name) {
  await ready(page);
  await page.setInputFiles("#file", file("table.csv", "text/csv", kinds[kind]()));
  await page.waitForFunction(() => document.querySelectorAll(".column").length === 3);
  await page.selectOption("#label-name", { label: name });
  await account(page, { epsilon: 5 });
  await fitted(page);
}

/** Has the release that was fitted checked, as it is or as somebody changed it. */
async function verify(page, verdict, change = (release) => release) {
  const release = change(await savedRelease(page));
  await page.setInputFiles(
    "#release-file",
    file("release.json", "application/json", JSON.stringify(release)),
  );
  await page.waitForSelector(`#check ${verdict}`);
}

/**
 * name → what to do once the page has been asked for, or when it is in the state that it comes
 * `from`; `before` runs before the page is asked for. The `group` says which test file looks at it.
 */
export const states = {
  opening: {
    before: (page) => page.route(/\.wasm\b/, () => {}), // never answered
    async enter(page) {
      await page.waitForSelector("#file");
    },
  },
  "not-opened": {
    before: (page) => page.route(/\.wasm\b/, (route) => route.fulfill({ status: 404 })),
    async enter(page) {
      await page.waitForSelector('[role="alert"]');
    },
    complains: /404/,
  },
  sample: { enter: ready },
  unfolded: {
    from: "sample",
    enter: unfold,
  },
  "budget-unfolded": {
    async enter(page) {
      await ready(page);
      await unfold(page);
      await goTo(page, "budget");
      await page.waitForSelector(".expectation-says");
    },
  },
  "fit-unfolded": {
    from: "budget-unfolded",
    enter: (page) => goTo(page, "fit"),
  },
  "check-unfolded": {
    from: "fit-unfolded",
    enter: (page) => goTo(page, "check"),
  },
  "cell-edited": {
    async enter(page) {
      await ready(page);
      await page.click("#c7-values-cell");
      await page.fill(".cell-editor textarea", "A\nA");
      await page.keyboard.press("Escape");
      await page.click("#c0-values-cell");
      await page.fill(".cell-editor input", "200");
      await page.locator("#c7-values-error").waitFor();
    },
  },
  "receipt-open": {
    from: "cell-edited",
    async enter(page) {
      // On a wide window it is always open.
      await page.evaluate(() => document.querySelector(".receipt-bar").click());
    },
  },
  seal: {
    from: "unfolded",
    async enter(page) {
      await page.click(".seal");
    },
  },
  "own-file": { group: "account", enter: ownFile },
  "own-file-unfolded": {
    group: "account",
    async enter(page) {
      await ownFile(page);
      await unfold(page);
    },
  },
  "bad-file": {
    async enter(page) {
      await ready(page);
      await page.setInputFiles("#file", broken);
      await page.waitForSelector("#data-problem");
    },
  },
  "code-book": {
    group: "account",
    async enter(page) {
      await ownFile(page);
      await page.getByRole("button", { name: /^From our code book/ }).click();
      await page.waitForSelector("#read-all-says");
    },
  },
  confirmed: {
    group: "account",
    from: "own-file",
    async enter(page) {
      await confirm(page);
    },
  },
  "no-label": {
    async enter(page) {
      await ready(page);
      const rows = Array.from({ length: 30 }, (_, i) => `${i / 7},${"abc"[i % 3]}`);
      await page.setInputFiles(
        "#file",
        file("flowers.csv", "text/csv", ["size,species", ...rows].join("\n")),
      );
      await page.waitForSelector("#hint-label");
    },
  },
  refused: {
    group: "account",
    async enter(page) {
      await ownFile(page);
      await page.getByRole("button", { name: "Review ward" }).click();
      await page.fill("#c2-categories", "A");
      await fit(page);
      await page.waitForSelector("#fit-problem");
    },
  },
  "total-fixed": {
    group: "account",
    from: "confirmed",
    async enter(page) {
      await account(page);
      await page.locator("#fit").getByText("would be left").waitFor();
    },
  },
  spent: { group: "account", enter: spent },
  "same-file": {
    group: "account",
    from: "total-fixed",
    async enter(page) {
      await page.setInputFiles("#file", file("stays-2.csv", "text/csv", csv(900)));
      await page.waitForSelector("#account .notice-warn");
    },
  },
  "no-ledger": {
    group: "account",
    before: withoutStorage,
    async enter(page) {
      await ownFile(page);
      await page.waitForSelector('#account[data-phase="unavailable"]');
    },
  },
  running: {
    before: holdable,
    async enter(page) {
      await ready(page);
      await page.evaluate(() => globalThis.hold());
      await chooseLarge(page, csv(1000), 20);
      await page.waitForFunction(() => globalThis.held >= 1);
      await page.waitForSelector("progress");
    },
  },
  "bad-entries": {
    async enter(page) {
      await ready(page);
      await page.fill("#epsilon", "-1");
      await page.getByRole("button", { name: "Edit age" }).click();
      await page.fill("#c0-min", "200");
      await page.click("#fit-button");
      await page.waitForSelector("#fit-problem");
    },
  },
  cancelled: {
    group: "account",
    async enter(page) {
      await ownFile(page);
      await chooseLarge(page, csv(1000), 300);
      await page.locator("#data .progress").getByRole("button", { name: "Cancel" }).click();
      await page.waitForFunction(() =>
        document.querySelector("#data")?.textContent.includes("cancelled"),
      );
    },
  },
  fitted: { group: "model", from: "sample", enter: fitted },
  "fitted-unfolded": {
    group: "model",
    from: "fitted",
    async enter(page) {
      await page.getByRole("button", { name: /^Show all/ }).click();
      await openSection(page, "proof");
      await page.locator("curve-chart summary").click();
      await unfold(page);
    },
  },
  stale: {
    group: "model",
    from: "predicted",
    async enter(page) {
      await page.fill("#epsilon", "0.1");
    },
  },
  "fitted-own-file": {
    group: "kinds",
    async enter(page) {
      await ownFile(page);
      await fitted(page);
    },
  },
  "several-classes": { group: "kinds", enter: (page) => fittedKind(page, "classes", "state") },
  number: { group: "kinds", enter: (page) => fittedKind(page, "numbers", "days") },
  "methods-compared": {
    group: "model",
    from: "stale",
    async enter(page) {
      await page.getByText("Compare methods").click();
      await page.getByRole("radio", { name: /Huber loss/ }).check();
      await fitted(page);
    },
  },
  evaluated: {
    group: "kinds",
    from: "fitted-own-file",
    async enter(page) {
      await buysEvaluation(page);
      await page.setInputFiles("#held-file", file("others.csv", "text/csv", csv(700)));
      await page.waitForSelector("#held-fix");
      await page.click("#held-fix");
      await page.click("#held-buy");
      await page.waitForSelector("#figures");
      await page.locator("#held").getByText("1 purchase has used").waitFor();
    },
  },
  predicted: {
    group: "model",
    from: "row-refused",
    async enter(page) {
      // Every field, the systolic pressure out of its bounds.
      const row = ["71", "female", "never", "999", "27.5", "90", "2", "surgery", "home"];
      for (const [i, value] of row.entries()) {
        const field = page.locator(`#predict-${i}`);
        if ((await field.evaluate((e) => e.tagName)) === "SELECT") await field.selectOption(value);
        else await field.fill(value);
      }
      await page.locator("form.predict").first().getByRole("button", { name: "Predict" }).click();
      await page.waitForSelector(".answer-number");
    },
  },
  "row-refused": {
    group: "model",
    from: "fitted",
    async enter(page) {
      await page.fill("#predict-0", "71");
      await page.locator("form.predict").first().getByRole("button", { name: "Predict" }).click();
      await page.waitForSelector("form.predict [role=alert]");
    },
  },
  "release-holds": {
    group: "model",
    from: "fitted",
    enter: (page) => verify(page, ".notice-good"),
  },
  "release-fails": {
    group: "model",
    from: "release-holds",
    enter: (page) =>
      verify(page, ".notice-bad", (release) => {
        release.guarantee.epsilon /= 2;
        return release;
      }),
  },
};

/** Visits a page in one of its states. */
export async function enter(page, url, name) {
  const { before, from } = states[name];
  if (from) await enter(page, url, from);
  else {
    await before?.(page);
    await page.goto(url, { waitUntil: "commit" });
  }
  await goOn(page, name);
}

/** From the state that it comes from to a state, on the same page. */
export async function goOn(page, name) {
  await states[name].enter(page);
  await drawn(page);
}

/**
 * The states of a group in chains, each state but the first coming from the one before it: what one
 * page can go through. None is left out.
 */
export function chains(group) {
  const left = new Set(
    Object.keys(states).filter((name) => (states[name].group ?? "page") === group),
  );
  const after = (name) => [...left].filter((other) => states[other].from === name);
  const longest = (name) => [
    name,
    ...after(name)
      .map(longest)
      .reduce((best, one) => (one.length > best.length ? one : best), []),
  ];
  const list = [];
  while (left.size > 0) {
    const first = [...left].find((name) => !left.has(states[name].from));
    const chain = longest(first);
    for (const name of chain) left.delete(name);
    list.push(chain);
  }
  return list;
}
