// `npx cloister scorecard`, in a checkout: site/src/commands/scorecard.mjs.

import { inCheckout } from "./checkout.mjs";

await inCheckout("scorecard");
