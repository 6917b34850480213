// Fetching and compiling a binary, once for all who name the same one.

import workerScript from "cloister:worker";
import { Engine } from "./engine.ts";
import { CloisterError, reason } from "./error.ts";
import type { LoadOptions, WorkerFactory } from "./load-types.ts";

/** What browsers and Node do differently. */
export interface Host {
  worker: WorkerFactory;
  /** The binary's default place. */
  wasmURL: URL;
  /**
   * The module at the URL. `answered` is called when nothing more is asked of the network.
   * `beside`: it may be compiled in a worker of its own.
   */
  compile(
    url: string | URL,
    integrity: string | undefined,
    answered: () => void,
    beside: boolean,
  ): Promise<WebAssembly.Module>;
}

/**
 * A function that loads a binary and makes the client of it. Calls that name the same binary share
 * one; one that failed is tried anew.
 */
export function loaderOf<C>(
  host: Host,
  client: (engine: Engine) => C,
): (options?: LoadOptions) => Promise<C> {
  const clients = new Map<
    string | WebAssembly.Module,
    { readonly client: Promise<C>; readonly answered: Promise<void> }
  >();
  return (options: LoadOptions = {}) => {
    const {
      wasmModule,
      wasmURL = host.wasmURL,
      integrity,
      worker = host.worker,
      signal,
      onAnswered,
    } = options;
    const key = wasmModule ?? String(wasmURL);
    let loading = clients.get(key);
    if (!loading) {
      let answer = () => {};
      const answered = new Promise<void>((resolve) => (answer = resolve));
      loading = { client: make(answer), answered };
      clients.set(key, loading);
      loading.client.catch(() => clients.delete(key));
    }
    const { client: made, answered } = loading;
    if (onAnswered) void answered.then(onAnswered);
    return signal ? until(signal, made) : made;

    async function make(answered: () => void): Promise<C> {
      let module = wasmModule;
      try {
        if (module) answered();
        module ??= await host.compile(wasmURL, integrity, answered, !options.worker);
      } catch (error) {
        throw new CloisterError(
          "load",
          `The core could not be loaded from ${String(wasmURL)}: ${reason(error)}`,
          {},
          { cause: error },
        );
      }
      return client(new Engine(module, workerScript, worker));
    }
  };
}

/** The promise, or a rejection as soon as the signal fires; the work goes on for other callers. */
function until<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () =>
      reject(new CloisterError("aborted", "Loading was cancelled.", {}, { cause: signal.reason }));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
