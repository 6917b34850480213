// `npx cloister fit`, in a checkout: site/src/commands/fit.mjs.

import { inCheckout } from "./checkout.mjs";

await inCheckout("fit");
