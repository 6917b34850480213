// `npx cloister regress`, in a checkout: site/src/commands/regress.mjs.

import { inCheckout } from "./checkout.mjs";

await inCheckout("regress");
