// The accountant of a page, which its elements share: curves.wasm, beside the script or inside it.

import inlined from "cloister:curves";
import type { MethodOf, Methods } from "../client/wire/calls.ts";
import { type AskOptions, engineOf } from "./engine.ts";

export { type AskOptions, version } from "./engine.ts";

type Answered = "account" | "estimate" | "solve" | "afford" | "worst";

/** What elements ask of `curves.wasm`. */
export type Accountant = {
  [M in Answered & MethodOf<"curves">]: (
    description: Methods[M]["params"],
    options?: AskOptions,
  ) => Promise<Methods[M]["result"]>;
};

declare const CLOISTER_CURVES_INTEGRITY: string;

const program = { name: "accountant", inlined, integrity: CLOISTER_CURVES_INTEGRITY };

/** Where curves.wasm is, unless an element says otherwise: inside this script or beside it. */
export const defaultWasm = inlined ? "inside" : new URL("curves.wasm", import.meta.url).href;

/** The accountant of this page. If a start failed, the next call tries again. */
export async function accountant(wasm: string = defaultWasm): Promise<Accountant> {
  const ask = await engineOf(program, wasm);
  return {
    account: (description, options) => ask("account", description, options),
    estimate: (description, options) => ask("estimate", description, options),
    solve: (description, options) => ask("solve", description, options),
    worst: (description, options) => ask("worst", description, options),
    afford: (description, options) => ask("afford", description, options),
  };
}
