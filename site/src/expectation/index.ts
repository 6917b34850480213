// What privacy costs in accuracy, tried out on made-up rows: fetched beside the page, before it is sealed.

export { Expecter } from "./expecter.ts";
export { panel } from "./panel.ts";
