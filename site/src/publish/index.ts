// What is written when a model is published, apart from the release itself: a module of its own, which the page fetches beside the core, so that it opens
// without waiting for it.

export { card } from "./card.ts";
export { code } from "./code.ts";
