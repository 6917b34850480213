import { browserHost } from "./browser-host.ts";
import { LaboratoryClient } from "./laboratory.ts";
import { loaderOf } from "./loading.ts";
import type { Laboratory, Load } from "./types.ts";

/** Loads `laboratory.wasm`: experiments, on sets of its own or on a file. It makes no releases. */
export const loadLaboratory: Load<Laboratory> = /* @__PURE__ */ (() =>
  loaderOf(
    { ...browserHost, wasmURL: new URL("laboratory.wasm", import.meta.url) },
    (engine): Laboratory => new LaboratoryClient(engine),
  ))();
