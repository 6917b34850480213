/** The package with `cloister.wasm` alone; see index.ts. */
export { load } from "./load-core.ts";
export * from "./common.ts";
