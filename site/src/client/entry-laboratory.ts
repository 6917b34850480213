/** The package with `laboratory.wasm` alone; see index.ts. */
export { loadLaboratory } from "./load-laboratory.ts";
export * from "./common.ts";
