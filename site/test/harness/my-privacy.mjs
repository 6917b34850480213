// The published sample, a person, and the form filled in with that person.

import { readFileSync } from "node:fs";

/** The release and the report that my-privacy.html has as its sample. */
export const { release, report } = JSON.parse(
  readFileSync(new URL("../../src/pages/report/sample.json", import.meta.url), "utf8"),
);

/** Nobody, as a row of the sample. */
export const someone = {
  age: "71",
  sex: "female",
  smoking: "former",
  systolic: "140",
  bmi: "27.5",
  creatinine: "96",
  stays_last_year: "2",
  ward: "cardiology",
  discharged_to: "home",
  readmitted: "yes",
};

/** Fills a row into a form. @param {import("playwright-core").Locator} element */
export async function fill(element, row = someone) {
  for (const [column, value] of Object.entries(row)) {
    const field = element.getByLabel(column, { exact: true });
    if ((await field.evaluate((one) => one.localName)) === "select")
      await field.selectOption(value);
    else await field.fill(value);
  }
}

/** Fills a row in, and waits for the answer. */
export async function answered(element, row = someone) {
  await fill(element, row);
  await element.getByRole("button", { name: /^Work/ }).click();
  await element.locator("[part=sentence]").waitFor();
}
