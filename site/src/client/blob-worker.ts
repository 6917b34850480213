import type { WorkerPort } from "./types.ts";

/**
 * A worker from a blob. It lives under the content security policy of the page
 * that makes it, as that policy is at that moment; a worker loaded from a URL
 * would have the policy of its own response, and could fetch.
 */
export function blobWorker(source: string): WorkerPort {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url, { name: "cloister" });
  const release = () => URL.revokeObjectURL(url);
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    listen(received, failed) {
      worker.onmessage = (event) => {
        release();
        received(event.data);
      };
      worker.onmessageerror = () => failed("a message could not be read");
      worker.onerror = (event) => {
        event.preventDefault();
        release();
        failed(event.message || "the worker could not be started");
      };
    },
    terminate() {
      release();
      worker.terminate();
    },
  };
}
