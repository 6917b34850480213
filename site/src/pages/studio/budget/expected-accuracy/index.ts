// How much accuracy privacy is expected to cost. It is loaded with ../../later.ts.

export { methods } from "./methods.ts";
export { methodWords } from "../../../../client/wire/method-words.ts";
export { panel } from "./panel.ts";
export { AccuracyTrials } from "./trials.ts";
