/** What the page has already: this is fetched apart, and would hold it twice. */
export type Tools = typeof import("../studio/view/afterwards.ts").afterwardsTools;
export type Page = typeof import("../studio/afterwards.ts").forAfterwards;
