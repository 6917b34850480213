// The whole path through the page, a step at a time, for tests of what must hold after each of
// them.

import { csv, schema } from "../client/sample.mjs";
import { table } from "./states.mjs";
import { account, buysEvaluation, confirm, drawn, fit, savedFile } from "./studio.mjs";

const file = (name, text, mimeType = "text/csv") => ({ name, mimeType, buffer: Buffer.from(text) });

/**
 * The steps of the studio, in their order; each is given the page and what the steps before it
 * saved.
 * @type {readonly (readonly [name: string, go: (page: import("playwright-core").Page, saved:
 * Record<string, string>) => Promise<void>])[]}
 */
export const studioPath = [
  [
    "a file is open",
    async (page) => {
      await page.setInputFiles("#file", table);
      await page.waitForFunction(() => document.querySelectorAll(".column").length === 3);
    },
  ],
  [
    "its columns are public knowledge",
    async (page) => {
      await confirm(page);
      await page.locator("#public .notice-good").waitFor();
    },
  ],
  ["its total is fixed", (page) => account(page, { epsilon: 6 })],
  [
    "a model is fitted",
    async (page) => {
      await page.fill("#epsilon", "2");
      const outcome = await fit(page);
      if (outcome !== "done") throw new Error(outcome);
    },
  ],
  [
    "it is saved: the release, the card, the programs, the notebook",
    async (page, kept) => {
      kept.release = await savedFile(page, "Save the release");
      kept.card = await savedFile(page, "Save a model card");
      for (const language of ["Python", "R", "JavaScript", "Go"])
        kept[language] = await savedFile(page, language);
      kept.notebook = await savedFile(page, "Notebook");
    },
  ],
  [
    "a row is predicted",
    async (page) => {
      await page.fill("#predict-0", "80");
      await page.fill("#predict-1", "2.5");
      await page.selectOption("#predict-2", "B");
      await page
        .locator("form.predict")
        .first()
        .getByRole("button", { name: "Predict", exact: true })
        .click();
      await page.waitForSelector(".answer-number");
    },
  ],
  [
    "an evaluation is bought",
    async (page, kept) => {
      await buysEvaluation(page);
      await page.setInputFiles("#held-file", file("others.csv", csv(700)));
      await page.waitForSelector("#held-fix");
      await page.click("#held-fix");
      await page.click("#held-buy");
      await page.waitForSelector("#figures");
      kept.evaluated = await savedFile(page, "Save the release");
    },
  ],
  [
    "the ledger goes out and comes back",
    async (page, kept) => {
      await page.evaluate(() => (document.querySelector("#books").open = true));
      kept.ledger = await savedFile(page, "Save the ledger (2 data sets)");
      await page.setInputFiles(
        "#ledger-file",
        file("ledger.json", kept.ledger, "application/json"),
      );
      await page.getByText("nothing that was not here already").first().waitFor();
    },
  ],
  [
    "a release is checked",
    async (page, kept) => {
      await page.setInputFiles(
        "#release-file",
        file("release.json", kept.evaluated, "application/json"),
      );
      await page.waitForSelector("#check .notice-good");
    },
  ],
  [
    "a description is taken in",
    async (page) => {
      await page.setInputFiles(
        "#schema-file",
        file("schema.json", JSON.stringify(schema), "application/json"),
      );
      await page.waitForFunction(
        () =>
          document.querySelectorAll(".column").length === 3 &&
          document.querySelectorAll(".column .tag-warn").length === 0,
      );
      await drawn(page);
    },
  ],
];

const checked = async (page, name, text) => {
  await page.setInputFiles(
    "#release-file",
    file(name, text, name.endsWith(".html") ? "text/html" : "application/json"),
  );
  await page.locator(".judged-name", { hasText: name }).waitFor();
};

/** The same of the verifier's page. */
export const verifierPath = [
  ["a release is checked", (page, kept) => checked(page, "release.json", kept.evaluated)],
  ["a card is checked", (page, kept) => checked(page, "model-card.html", kept.card)],
  [
    "an edited release is checked",
    (page, kept) =>
      checked(page, "edited.json", kept.release.replace('"epsilon": 2', '"epsilon": 0.2')),
  ],
];
