/** The one message that the service worker takes: make the version that waits the one in use. */
export const USE_NOW = "use-now";
