// Registers <private-fit-demo> unless its name is taken. It is a separate bundle, because it has
// its own binary:
//
//   <script type="module" src="fit-demo.js" integrity="…" crossorigin="anonymous"></script>
//   fit-demo.wasm lies beside it <script src="fit-demo.classic.js"></script>
//   nothing else is needed, also from file://

import { PrivateFitDemo } from "./private-fit-demo.ts";

if (!customElements.get("private-fit-demo"))
  customElements.define("private-fit-demo", PrivateFitDemo);

export { PrivateFitDemo };
