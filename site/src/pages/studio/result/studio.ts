import type { AfterFit } from "./after-fit/after-fit.ts";
import type { Studio as AfterFitStudio } from "./after-fit/studio.ts";
import type { Models } from "./models.ts";
import type { Predictor } from "./predictor.ts";
import type * as publishing from "./publish/index.ts";
import type { Verifier } from "./verifier.ts";

/** What the step of the result uses of the studio. */
export interface Studio extends AfterFitStudio {
  readonly models: Models;
  readonly predictor: Predictor;
  readonly verifier: Verifier;
  readonly afterFit: AfterFit | null;
  readonly later: { readonly publish: typeof publishing } | null;
}
