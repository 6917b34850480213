// The learners that all fit demos of a page share: fit-demo.wasm, beside the script or inside it.
// It makes its points up itself, and takes no data.

import inlined from "cloister:fit-demo";
import { type Ask, engineOf } from "../curves/engine.ts";

declare const CLOISTER_FIT_DEMO_INTEGRITY: string;

const program = { name: "learners", inlined, integrity: CLOISTER_FIT_DEMO_INTEGRITY };

/** Where fit-demo.wasm is, unless an element says otherwise: inside this script or beside it. */
export const defaultWasm = inlined ? "inside" : new URL("fit-demo.wasm", import.meta.url).href;

/** The learners of this page. If a start failed, the next call tries again. */
export const fitters = (wasm: string): Promise<Ask> => engineOf(program, wasm);
