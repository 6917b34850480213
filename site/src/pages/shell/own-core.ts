/** The hashes of the binaries that were built with the page; put in by build.mjs. */
declare const CLOISTER_CORE_INTEGRITY: string;
declare const CLOISTER_READER_INTEGRITY: string;

/**
 * The core that belongs to the page, and no other: after an update of the host a browser's cache
 * may have one of the two still, and a page must not charge by another core than it was built for.
 */
export const ownCore = { integrity: CLOISTER_CORE_INTEGRITY };

/** The reader of reports, likewise. */
export const ownReader = { integrity: CLOISTER_READER_INTEGRITY };
