import type { WorkerPort } from "./types.ts";
import { PolicyWatch } from "./policy-watch.ts";
import { Watch } from "./watch.ts";

/**
 * A worker from a blob. It lives under the content security policy of the page
 * that makes it, as that policy is at that moment; a worker loaded from a URL
 * would have the policy of its own response, and could fetch.
 */
export function blobWorker(source: string): WorkerPort {
  const watch = new Watch();
  const url = URL.createObjectURL(new Blob([watch.prelude, source], { type: "text/javascript" }));
  const policy = new PolicyWatch(url);
  const worker = policy.during(() => new Worker(url, { name: "cloister" }));
  const release = () => {
    policy.end();
    URL.revokeObjectURL(url);
  };
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    listen(received, failed) {
      const heard = watch.over(received, failed);
      worker.onmessage = (event) => {
        release();
        heard(event.data);
      };
      worker.onmessageerror = () => failed("a message could not be read");
      worker.onerror = (event) => {
        event.preventDefault();
        if (event.message) {
          release();
          return failed(event.message);
        }
        // A policy that stops the worker tells the worker first, and the page right after.
        setTimeout(() => {
          const why = policy.why();
          release();
          failed(why ?? "the worker could not be started");
        }, 50);
      };
    },
    terminate() {
      watch.end();
      release();
      worker.terminate();
    },
  };
}
