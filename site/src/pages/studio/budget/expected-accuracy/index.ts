// How much accuracy privacy is expected to cost. It is loaded with ../../later.ts.

export { methods } from "./methods.ts";
export { wayWords } from "../../state/way-words.ts";
export { panel } from "./panel.ts";
export { AccuracyTrials } from "./trials.ts";
