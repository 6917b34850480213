import { html, nothing, type TemplateResult } from "lit";

import { readable } from "../../chart/numbers.ts";
import type { Account } from "../../client/types.ts";
import type { DeskState } from "../ledger/desk.ts";
import { timeWords } from "../ledger/words.ts";
import { busy } from "../state.ts";
import type { Studio } from "../studio.ts";
import { problemNotice } from "./notice.ts";

export const chargesTools = { html, nothing, problemNotice, readable, timeWords };

/** Draws what an account's total was spent on, with a way to have it again. */
export const chargesOf = ({ publisher, again, state }: Studio) => (desk: DeskState, account: Account): TemplateResult | undefined => publisher?.charges(chargesTools, again!, desk, account, busy(state));
