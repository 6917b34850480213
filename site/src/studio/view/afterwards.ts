import { html, nothing, svg } from "lit";

import { count, percent, readable } from "../../chart/numbers.ts";
import { checkPrice } from "../draft/check.ts";
import { checkEvaluation } from "../evaluator.ts";
import { canBuy, keepsAccount } from "../ledger/desk.ts";
import { busy, buyingMore, waitsForMore } from "../state.ts";
import { accountPanel } from "./account.ts";
import { chargesOf } from "./charges.ts";
import { checkbox, radios, textField } from "./field.ts";
import { filePicker } from "./file-picker.ts";
import { problemNotice } from "./notice.ts";
import { exactFigures } from "./private.ts";
import { progressBar } from "./progress.ts";

/** What its views are drawn with. */
export const afterwardsTools = {
  accountPanel, busy, buyingMore, canBuy, chargesOf, checkbox, checkEvaluation, checkPrice, count, exactFigures, filePicker, html, keepsAccount, nothing, percent, problemNotice, progressBar, radios, readable, svg, textField, waitsForMore,
};
