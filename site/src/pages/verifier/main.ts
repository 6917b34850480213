// The verifier's entry: it puts its actions and its views together.

import { load, seal } from "../../client/index.ts";
import { mount } from "../shell/mount.ts";
import { Verifier } from "./verifier.ts";
import { page } from "./view/page.ts";

mount(
  (changed) => new Verifier({ load: (onAnswered) => load({ onAnswered }), seal }, changed),
  page,
  "verdict-title",
);
