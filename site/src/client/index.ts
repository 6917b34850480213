/**
 * The package, for browsers. `types.ts` documents it.
 *
 * Each way to load is a module of its own, `cloister/core` and so on, that names one binary: a
 * bundler which copies whatever `new URL(…, import.meta.url)` names copies that one alone. This
 * module has all of them.
 */
export { load } from "./load-core.ts";
export { loadAccountant } from "./load-accountant.ts";
export { loadLaboratory } from "./load-laboratory.ts";
export { loadReader, myPrivacy } from "./load-reader.ts";
export * from "./common.ts";
