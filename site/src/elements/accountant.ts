// The accountant that all elements of a page share: curves.wasm, beside the script or inside it.

import inlined from "cloister:curves";
import type { AccountDescription, AccountResult, AffordDescription, AffordResult, SolveDescription, SolveResult } from "../client/account.ts";
import { type AskOptions, engineOf } from "./shared-engine.ts";

export { type AskOptions, version } from "./shared-engine.ts";

export interface Accountant {
  account(description: AccountDescription, options?: AskOptions): Promise<AccountResult>;
  solve(description: SolveDescription, options?: AskOptions): Promise<SolveResult>;
  afford(description: AffordDescription, options?: AskOptions): Promise<AffordResult>;
}

declare const CLOISTER_CURVES_INTEGRITY: string;

const program = { name: "accountant", inlined, integrity: CLOISTER_CURVES_INTEGRITY };

/** Where curves.wasm is, unless an element says otherwise: inside this script or beside it. */
export const defaultWasm = inlined ? "inside" : new URL("curves.wasm", import.meta.url).href;

/** The accountant of this page. A start that failed is tried anew by the next call. */
export async function accountant(wasm: string = defaultWasm): Promise<Accountant> {
  const ask = await engineOf(program, wasm);
  return {
    account: (description, options) => ask("account", description, options) as Promise<AccountResult>,
    solve: (description, options) => ask("solve", description, options) as Promise<SolveResult>,
    afford: (description, options) => ask("afford", description, options) as Promise<AffordResult>,
  };
}
