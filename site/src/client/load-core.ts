import { browserHost } from "./browser-host.ts";
import { CloisterClient } from "./client.ts";
import { loaderOf } from "./loading.ts";
import type { Client, Load } from "./types.ts";

/** Loads `cloister.wasm`, the whole core. */
export const load: Load<Client> = /* @__PURE__ */ (() =>
  loaderOf(
    { ...browserHost, wasmURL: new URL("cloister.wasm", import.meta.url) },
    (engine): Client => new CloisterClient(engine),
  ))();
