// Registers <private-fit-demo> and <private-scorecard-demo>, each unless its name is taken. They
// are a bundle of their own, because they have a binary of their own:
//
//   <script type="module" src="fit-demo.js" integrity="…" crossorigin="anonymous"></script>
//   fit-demo.wasm lies beside it <script src="fit-demo.classic.js"></script>
//   nothing else is needed, also from file://

import { PrivateFitDemo } from "./private-fit-demo.ts";
import { PrivateScorecardDemo } from "./private-scorecard-demo.ts";

const elements = {
  "private-fit-demo": PrivateFitDemo,
  "private-scorecard-demo": PrivateScorecardDemo,
} as const;

for (const [name, element] of Object.entries(elements))
  if (!customElements.get(name)) customElements.define(name, element);

export { PrivateFitDemo, PrivateScorecardDemo };
