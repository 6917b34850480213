// What the page lends to what can be done with a model afterwards (src/afterwards, fetched beside the page), so that it has no copy of its own.

import { CloisterError } from "../client/types.ts";
import { readable } from "../chart/numbers.ts";
import { checkPrice } from "./draft/check.ts";
import { download } from "./download.ts";
import { canBuy, keepsAccount } from "./ledger/desk.ts";
import { Pace } from "./pace.ts";
import { isAborted, problemOf } from "./problem.ts";
import { busy, idle } from "./state.ts";

export const forAfterwards = { busy, canBuy, checkPrice, CloisterError, download, idle, isAborted, keepsAccount, Pace, problemOf, readable };
