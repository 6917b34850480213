// What choices are worth: what privacy costs in accuracy, tried out on made-up rows, and the ways to fit. Fetched beside the page, before it is sealed.

export { Expecter } from "./expecter.ts";
export { happens, methods } from "./methods.ts";
export { panel } from "./panel.ts";
