// `npx cloister account`, in a checkout: site/src/commands/account.mjs.

import { inCheckout } from "./checkout.mjs";

await inCheckout("account");
