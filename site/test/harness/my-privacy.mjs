// The published sample, a person, and the form filled in with that person.

import { published, someone as row } from "../client/sample.mjs";

/** The release and the report that my-privacy.html has as its sample. */
export const { release, report } = published;

/** Nobody, as a row of the sample is filled in. */
export const someone = Object.fromEntries(
  Object.entries({ ...row, readmitted: "yes" }).map(([column, value]) => [column, String(value)]),
);

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
