/** The package with `curves.wasm` alone; see index.ts. */
export { loadAccountant } from "./load-accountant.ts";
export * from "./common.ts";
