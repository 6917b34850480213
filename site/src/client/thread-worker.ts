import { type Transferable as NodeTransferable, Worker } from "node:worker_threads";
import type { WorkerPort } from "./types.ts";

// Gives the thread the two functions that a web worker has.
const prelude = `{
  const { parentPort } = require("node:worker_threads");
  globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
  globalThis.addEventListener = (type, listener) => parentPort.on(type, (data) => listener({ data }));
}
`;

/**
 * A thread of Node that runs a web worker's script. It keeps the process alive only while it is at
 * work.
 */
export function threadWorker(source: string): WorkerPort {
  const worker = new Worker(prelude + source, { eval: true, name: "cloister", stdout: false });
  worker.unref();
  return {
    post: (message, transfer = []) =>
      worker.postMessage(message, transfer as readonly NodeTransferable[]),
    listen(received, failed) {
      worker.on("message", received);
      worker.on("messageerror", () => failed("a message could not be read"));
      worker.on("error", (error) => failed(String(error)));
      worker.on("exit", () => failed("the thread ended"));
    },
    busy: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}
