// The states that the page can be in, each with how to get there from a fresh visit. For pictures, and for checks that every state must pass.

import { csv, schema } from "../client/sample.mjs";
import { account, chooseLarge, drawn, fit, kinds, withoutStorage } from "./studio.mjs";

const file = (name, mimeType, text) => ({ name, mimeType, buffer: Buffer.from(text) });

export const table = file("stays.csv", "text/csv", csv());
export const schemaFile = file("schema.json", "application/json", JSON.stringify(schema));
export const broken = file("broken.csv", "text/csv", csv(60).replace(/\n[^\n]*\n[^\n]*$/, "\n1,2\n"));

const ready = (page) => page.waitForSelector("#fit-button:not([disabled])");

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
  await page.waitForSelector('#account:is([data-phase="unknown"], [data-phase="open"], [data-phase="unavailable"])');
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
  await page.waitForFunction(() => /Added up/.test(document.querySelector(".charges")?.textContent ?? ""));
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

async function saved(page) {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the release" }).click();
  const chunks = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function verify(page, change = (release) => release) {
  await fitted(page);
  const release = change(JSON.parse(await saved(page)));
  await page.setInputFiles("#release-file", file("release.json", "application/json", JSON.stringify(release)));
  await page.waitForSelector("#check .notice");
}

/** name → what to do once the page has been asked for; `before` runs before that. */
export const states = {
  opening: {
    before: (page) => page.route("**/*.wasm", () => {}), // never answered
    async enter(page) {
      await page.waitForSelector("#file");
    },
  },
  "not-opened": {
    before: (page) => page.route("**/*.wasm", (route) => route.fulfill({ status: 404 })),
    async enter(page) {
      await page.waitForSelector('[role="alert"]');
    },
    complains: /404/,
  },
  sample: { enter: ready },
  unfolded: {
    async enter(page) {
      await ready(page);
      await unfold(page);
    },
  },
  seal: {
    async enter(page) {
      await ready(page);
      await page.click(".seal");
    },
  },
  "own-file": { enter: ownFile },
  "own-file-unfolded": {
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
  confirmed: {
    async enter(page) {
      await ownFile(page);
      await page.getByRole("button", { name: /I have read all/ }).click();
    },
  },
  "no-label": {
    async enter(page) {
      await ready(page);
      const rows = Array.from({ length: 30 }, (_, i) => `${i / 7},${"abc"[i % 3]}`);
      await page.setInputFiles("#file", file("flowers.csv", "text/csv", ["size,species", ...rows].join("\n")));
      await page.waitForSelector("#hint-label");
    },
  },
  refused: {
    async enter(page) {
      await ownFile(page);
      await page.getByRole("button", { name: "Review ward" }).click();
      await page.fill("#c2-categories", "A");
      await fit(page);
      await page.waitForSelector("#fit-problem");
    },
  },
  "total-fixed": {
    async enter(page) {
      await ownFile(page);
      await account(page);
      await page.locator("#fit").getByText("would be left").waitFor();
    },
  },
  spent: { enter: spent },
  "same-file": {
    async enter(page) {
      await ownFile(page);
      await account(page);
      await page.setInputFiles("#file", file("stays-2.csv", "text/csv", csv(900)));
      await page.waitForSelector("#account .notice-warn");
    },
  },
  "no-ledger": {
    before: withoutStorage,
    async enter(page) {
      await ownFile(page);
      await page.waitForSelector('#account[data-phase="unavailable"]');
    },
  },
  running: {
    async enter(page) {
      await ready(page);
      await chooseLarge(page, csv(1000), 500);
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
    async enter(page) {
      await ownFile(page);
      await page.setInputFiles("#file", file("large.csv", "text/csv", csv(400_000)));
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.waitForFunction(() => document.querySelector("#data")?.textContent.includes("cancelled"));
    },
  },
  fitted: { enter: fitted },
  "fitted-unfolded": {
    async enter(page) {
      await fitted(page);
      await page.getByRole("button", { name: /^Show all/ }).click();
      await page.locator("curve-chart summary").click();
      await unfold(page);
    },
  },
  stale: {
    async enter(page) {
      await fitted(page);
      await page.fill("#epsilon", "0.1");
    },
  },
  "fitted-own-file": {
    async enter(page) {
      await ownFile(page);
      await fitted(page);
    },
  },
  "several-classes": { enter: (page) => fittedKind(page, "classes", "state") },
  number: { enter: (page) => fittedKind(page, "numbers", "days") },
  "methods-compared": {
    async enter(page) {
      await fitted(page);
      await page.getByText("Compare methods").click();
      await page.getByRole("radio", { name: /Huber loss/ }).check();
      await fitted(page);
    },
  },
  evaluated: {
    async enter(page) {
      await ownFile(page);
      await fitted(page);
      await page.getByText("Buy an evaluation").first().click();
      await page.setInputFiles("#held-file", file("others.csv", "text/csv", csv(700)));
      await page.waitForSelector("#held-fix");
      await page.click("#held-fix");
      await page.click("#held-buy");
      await page.waitForSelector("#figures");
      await page.locator("#held").getByText("1 purchase has used").waitFor();
    },
  },
  predicted: {
    async enter(page) {
      await fitted(page);
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
    async enter(page) {
      await fitted(page);
      await page.fill("#predict-0", "71");
      await page.locator("form.predict").first().getByRole("button", { name: "Predict" }).click();
      await page.waitForSelector("form.predict [role=alert]");
    },
  },
  "release-holds": { enter: verify },
  "release-fails": {
    enter: (page) =>
      verify(page, (release) => {
        release.guarantee.epsilon /= 2;
        return release;
      }),
  },
};

/** Visits a page in one of its states. */
export async function enter(page, url, name) {
  const { before, enter: arrive } = states[name];
  await before?.(page);
  await page.goto(url, { waitUntil: "commit" });
  await arrive(page);
  await drawn(page);
}
