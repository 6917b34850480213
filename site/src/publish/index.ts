// What few moments of a visit need, as what is written when a model is published, apart from the release itself: a module of its own, which the page fetches
// beside the core, so that it opens without waiting for it.

export { Again } from "./again.ts";
export { card } from "./card.ts";
export { charges } from "./charges.ts";
export { code } from "./code.ts";
export { releases } from "./releases.ts";
