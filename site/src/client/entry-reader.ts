/** The package with `reader.wasm` alone; see index.ts. */
export { loadReader, myPrivacy } from "./load-reader.ts";
export * from "./common.ts";
