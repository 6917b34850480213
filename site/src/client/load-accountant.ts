import { browserHost } from "./browser-host.ts";
import { AccountantClient } from "./accountant.ts";
import { loaderOf } from "./loading.ts";
import type { Accountant, Load } from "./types.ts";

/** Loads `curves.wasm`, for pages that price and never see data: half as large. */
export const loadAccountant: Load<Accountant> = /* @__PURE__ */ (() =>
  loaderOf(
    { ...browserHost, wasmURL: new URL("curves.wasm", import.meta.url) },
    (engine): Accountant => new AccountantClient(engine),
  ))();
