// Registers every element whose name is still free. If another version of this script was first,
// its elements stay as they are.

import { AttackView } from "./attack-view.ts";
import { NoiseChooser } from "./noise-chooser.ts";
import { PrivacyBudget } from "./privacy-budget.ts";
import { PrivacyCurve } from "./privacy-curve.ts";

const elements = {
  "privacy-curve": PrivacyCurve,
  "attack-view": AttackView,
  "noise-chooser": NoiseChooser,
  "privacy-budget": PrivacyBudget,
} as const;

for (const [name, element] of Object.entries(elements))
  if (!customElements.get(name)) customElements.define(name, element);

export { AttackView, NoiseChooser, PrivacyBudget, PrivacyCurve };
