// The verifier's entry: it puts its actions and its views together.

import { seal } from "../../client/index.ts";
import { mount } from "../shell/mount.ts";
import { loadCore } from "../shell/own-core.ts";
import { Verifier } from "./verifier.ts";
import { page } from "./view/page.ts";

mount(
  (changed) => new Verifier({ load: (onAnswered) => loadCore({ onAnswered }), seal }, changed),
  page,
  "verdict-title",
);
