// What a scorecard would take, and how good it can be, before a row is read. It is loaded with
// ../../later.ts.

export { excess } from "./excess.ts";
export { intention, pointsChoice } from "./intention.ts";
