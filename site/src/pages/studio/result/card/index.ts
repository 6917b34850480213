// A scorecard as a result: the card itself with a person to try, the promise, and all that may be
// published of it. It is loaded with ../../later.ts.

export { Cards } from "./cards.ts";
export { cardResult } from "./view.ts";
