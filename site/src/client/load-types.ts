// How a client comes to be: where the binary is, and what runs it.

export interface LoadOptions {
  /**
   * Where the binary is: a URL, in Node also a path. Default: `cloister.wasm` beside the client's
   * script.
   */
  wasmURL?: string | URL;
  /** Subresource integrity of the binary, such as `sha384-…`. */
  integrity?: string;
  /** The binary, compiled already. Then nothing is fetched. */
  wasmModule?: WebAssembly.Module;
  /**
   * Makes the worker, for hosts with rules of their own. Default: a worker from a blob, in Node a
   * thread.
   */
  worker?: WorkerFactory;
  /** Gives up fetching. */
  signal?: AbortSignal;
  /**
   * Called once the server has answered with the binary: it is still received and compiled, but
   * nothing more is asked of the network, so that a page may seal itself. Not called where loading
   * fails before.
   */
  onAnswered?: () => void;
}

/**
 * Runs `source`, a classic script, in a new worker. The script speaks through
 * the worker's own `postMessage` and `message` events (in Node, its
 * `parentPort`).
 */
export type WorkerFactory = (source: string) => WorkerPort | Promise<WorkerPort>;

/** The part of a Worker that the client uses. */
export interface WorkerPort {
  post(message: unknown, transfer?: Transferable[]): void;
  /** Calls `failed`, with a reason, when the worker dies; once is enough. */
  listen(received: (message: unknown) => void, failed: (reason: string) => void): void;
  /** Told when calls begin and when none is left: an idle thread need not keep Node alive. */
  busy?(busy: boolean): void;
  /** Ends the worker at once, whatever it is doing. */
  terminate(): void;
}
