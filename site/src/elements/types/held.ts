// Checks, with types alone, that the package's declarations of its elements agree with the
// elements.

import type { MyPrivacy } from "../my-privacy/my-privacy.ts";
import type { AttackView, NoiseChooser, PrivacyBudget, PrivacyCurve } from "../define-all.ts";
import type { PrivateFitDemo } from "../private-fit-demo.ts";
import type { PrivateScorecardDemo } from "../private-scorecard-demo.ts";
import type * as elements from "./elements.d.ts";
import type * as fitDemo from "./fit-demo.d.ts";
import type * as myPrivacy from "./my-privacy.d.ts";

type Has<Declared, Real extends Declared> = Real;

export type Held = [
  Has<typeof elements.PrivacyCurve, typeof PrivacyCurve>,
  Has<typeof elements.AttackView, typeof AttackView>,
  Has<typeof elements.NoiseChooser, typeof NoiseChooser>,
  Has<typeof elements.PrivacyBudget, typeof PrivacyBudget>,
  Has<typeof fitDemo.PrivateFitDemo, typeof PrivateFitDemo>,
  Has<typeof fitDemo.PrivateScorecardDemo, typeof PrivateScorecardDemo>,
  Has<typeof myPrivacy.MyPrivacy, typeof MyPrivacy>,
];
