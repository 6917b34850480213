// The elements' attributes as Markdown tables, for README.md beside this file. A test compares
// that file with these tables.

import { myPrivacyAttributes } from "./my-privacy/attributes.ts";
import { attackAttributes } from "./attack-view.attributes.ts";
import type { Attribute } from "./attributes.ts";
import { budgetAttributes } from "./budget-spec.ts";
import { curveAttributes } from "./curve-spec.ts";
import { cardDemoAttributes } from "./card-demo-spec.ts";
import { fitDemoAttributes } from "./fit-demo-spec.ts";
import { noiseAttributes } from "./noise-questions.ts";

export const tables: Readonly<Record<string, readonly Attribute[]>> = {
  "privacy-curve": curveAttributes,
  "attack-view": attackAttributes,
  "noise-chooser": noiseAttributes,
  "privacy-budget": budgetAttributes,
  "private-fit-demo": fitDemoAttributes,
  "private-scorecard-demo": cardDemoAttributes,
  "my-privacy": myPrivacyAttributes,
};

/** One element's table. */
export function attributeTable(attributes: readonly Attribute[]): string {
  const rows = attributes.map(
    ({ name, values, standard, text }) => `| \`${name}\` | ${text} | ${values} | ${standard} |`,
  );
  return [
    "| attribute | what it is | holds | if it is left out |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}
