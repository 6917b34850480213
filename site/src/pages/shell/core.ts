import type { Problem } from "./problem.ts";

/** How far a page is with its core, the WebAssembly program that does the mathematics. */
export type Core =
  | { readonly phase: "loading" }
  /**
   * The page is sealed, and the core is being received, compiled and started: a file can be chosen.
   */
  | { readonly phase: "sealed" }
  | { readonly phase: "ready"; readonly library: string }
  | { readonly phase: "failed"; readonly problem: Problem };
