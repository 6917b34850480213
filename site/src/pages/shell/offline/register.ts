import { USE_NOW } from "./message.ts";

/** A newer version of the page that has been fetched and waits. */
export interface Update {
  /** Puts it in place and loads the page anew. */
  use(): void;
}

/**
 * Asks the browser to keep the page, so that it opens without a network; `found` is called if a
 * newer version waits. Before the seal: it admits no service worker. Where there is none (an old
 * browser, a private window, plain http) the page works all the same, from the network.
 */
export function keepOffline(found: (update: Update) => void): void {
  const container = globalThis.navigator?.serviceWorker;
  if (!container) return;
  const waits = (worker: ServiceWorker): void => {
    found({
      use() {
        container.addEventListener("controllerchange", () => location.reload(), { once: true });
        worker.postMessage(USE_NOW);
      },
    });
  };
  container
    .register("sw.js", { updateViaCache: "none" })
    .then((registration) => {
      if (registration.waiting && container.controller) waits(registration.waiting);
      registration.addEventListener("updatefound", () => {
        const worker = registration.installing;
        worker?.addEventListener("statechange", () => {
          // The first version ever has nothing to replace.
          if (worker.state === "installed" && container.controller) waits(worker);
        });
      });
    })
    .catch(() => {
      // Not kept, then: nothing else depends on it.
    });
}
