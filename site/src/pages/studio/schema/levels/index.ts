// What a scorecard asks about, and the few levels of each: the part of the schema's step for cards.
// It is loaded with ../../later.ts.

export { levelsPanel } from "./panel.ts";
export { making } from "./making.ts";
