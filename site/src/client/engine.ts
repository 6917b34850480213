import { CloisterError, type ErrorCode, reason } from "./error.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";
import type { Methods, WireError } from "./wire/calls.ts";
import type { WorkerFactory, WorkerPort } from "./types.ts";

/** How a call is made, whatever it asks. */
export interface CallSettings {
  /** Buffers and ports in params to be moved instead of copied. */
  transfer?: Transferable[];
  signal?: AbortSignal | undefined;
  onProgress?: ((update: unknown) => void) | undefined;
  /** What aborting does: end the worker (long work), or only stop listening (short work). */
  onAbort?: "end-worker" | "forget";
  /**
   * Set when the call needs what one worker holds: that worker's {@link Engine.epoch}. If the
   * worker was ended to abort another call, this one rejects with {@link WorkerReplaced}. A call
   * without an epoch is sent to the next worker instead.
   */
  epoch?: number;
}

export interface EngineCall extends CallSettings {
  method: string;
  params?: unknown;
}

/** Internal: the worker that a call needed was ended to abort another call. */
export class WorkerReplaced extends Error {}

interface Pending extends EngineCall {
  id: number;
  settle(finish: () => void): void;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Running {
  port?: WorkerPort;
  ready: boolean;
  gone: boolean;
  pending: Map<number, Pending>;
}

/**
 * One worker at a time, started when it is needed and replaced when it dies or
 * is ended. Calls are answered in the order in which they were made.
 */
export class Engine {
  /** Changes whenever a worker, and all it held, is gone. */
  epoch = 0;

  #atEnd: (() => void)[] = [];
  #running: Running | undefined;
  /** The error for calls that need a worker that is gone; none if it was ended to abort a call. */
  #ending: CloisterError | undefined;
  #lastId = 0;
  readonly #module: WebAssembly.Module;
  readonly #source: string;
  readonly #factory: WorkerFactory;

  constructor(module: WebAssembly.Module, source: string, factory: WorkerFactory) {
    this.#module = module;
    this.#source = source;
    this.#factory = factory;
  }

  /** Asks the program something. */
  ask<M extends keyof Methods>(
    method: M,
    params: Methods[M]["params"],
    settings: CallSettings = {},
  ): Promise<Methods[M]["result"]> {
    return this.call({ method, params, ...settings }) as Promise<Methods[M]["result"]>;
  }

  /** As {@link ask}, and what the worker's own script answers. */
  call(call: EngineCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { signal } = call;
      if (signal?.aborted) return reject(abortedBy(signal));
      const abort = () => this.#abort(pending);
      let settled = false;
      const pending: Pending = {
        ...call,
        id: ++this.#lastId,
        settle(finish) {
          if (settled) return;
          settled = true;
          signal?.removeEventListener("abort", abort);
          finish();
        },
        resolve: (result) => pending.settle(() => resolve(result)),
        reject: (error) => pending.settle(() => reject(error)),
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#send(pending);
    });
  }

  /** Calls `told` once, when the worker ends. */
  atEnd(told: () => void): void {
    this.#atEnd.push(told);
  }

  /** Another engine of the same program, with a worker of its own. */
  beside(): Engine {
    return new Engine(this.#module, this.#source, this.#factory);
  }

  terminate(): void {
    this.#end(
      this.#running,
      new CloisterError(
        "terminated",
        "The work was ended before it was done. Nothing was released; start it again if you want it.",
      ),
    );
  }

  #send(pending: Pending): void {
    if (pending.epoch !== undefined && pending.epoch !== this.epoch)
      return pending.reject(this.#ending ?? new WorkerReplaced());
    const running = (this.#running ??= this.#spawn());
    running.pending.set(pending.id, pending);
    if (running.ready) this.#post(running, pending);
  }

  #post(running: Running, pending: Pending): void {
    const { id, method, params = {}, transfer } = pending;
    running.port?.busy?.(true);
    try {
      running.port?.post({ type: "call", id, method, params } satisfies ToWorker, transfer);
    } catch (error) {
      this.#finish(running, id)?.reject(
        new CloisterError(
          "parameter",
          `The request cannot be sent: ${reason(error)}`,
          {},
          { cause: error },
        ),
      );
    }
  }

  #spawn(): Running {
    const running: Running = { ready: false, gone: false, pending: new Map() };
    const begin = async () => {
      const port = await this.#factory(this.#source);
      if (running.gone) return port.terminate();
      running.port = port;
      port.listen(
        (message) => this.#receive(running, message as FromWorker),
        (why) => this.#died(running, why),
      );
      port.busy?.(true);
      port.post({ type: "start", module: this.#module } satisfies ToWorker);
    };
    begin().catch((error: unknown) => this.#died(running, reason(error)));
    return running;
  }

  #receive(running: Running, message: FromWorker): void {
    if (running.gone) return;
    switch (message.type) {
      case "ready":
        running.ready = true;
        for (const pending of running.pending.values()) this.#post(running, pending);
        return;
      case "progress":
        return running.pending.get(message.id)?.onProgress?.(message.update);
      case "reply":
        return this.#finish(running, message.id)?.resolve(message.result);
      case "failure": {
        this.#finish(running, message.id)?.reject(fromWire(message.error));
        if (message.error.broken) this.#died(running, message.error.message);
        return;
      }
      case "exit":
        return this.#died(running, message.reason);
    }
  }

  #finish(running: Running, id: number): Pending | undefined {
    const pending = running.pending.get(id);
    running.pending.delete(id);
    if (running.pending.size === 0) running.port?.busy?.(false);
    return pending;
  }

  #abort(pending: Pending): void {
    const running = this.#running;
    const endsWorker = pending.onAbort === "end-worker" && running?.pending.delete(pending.id);
    pending.reject(abortedBy(pending.signal as AbortSignal));
    if (endsWorker) this.#end(running);
  }

  #died(running: Running, why: string): void {
    const [code, message] = causeOfDeath(why, running.ready);
    this.#end(running, new CloisterError(code, message, {}, { cause: why }));
  }

  /**
   * Ends the worker. Its calls are rejected with the error; without one they are sent to the next
   * worker.
   */
  #end(running: Running | undefined, error?: CloisterError): void {
    if (!running || running.gone) return;
    running.gone = true;
    running.port?.terminate();
    this.#running = undefined;
    this.#ending = error;
    this.epoch++;
    for (const told of this.#atEnd.splice(0)) told();
    for (const pending of running.pending.values()) {
      if (error) pending.reject(error);
      else this.#send(pending);
    }
  }
}

function abortedBy(signal: AbortSignal): CloisterError {
  return new CloisterError(
    "aborted",
    "Cancelled. Nothing was released.",
    {},
    { cause: signal.reason },
  );
}

function fromWire(error: WireError): CloisterError {
  return new CloisterError(error.code as ErrorCode, error.message, error);
}

function causeOfDeath(why: string, wasReady: boolean): [ErrorCode, string] {
  if (/out of memory|memory allocation|Array buffer allocation/i.test(why)) {
    return [
      "out-of-memory",
      "The worker ran out of memory and was replaced. Try a smaller file, or fewer categories in the schema.",
    ];
  }
  const first = reason(why.split("\n").find((line) => line.trim() !== "") ?? "no reason was given");
  if (!wasReady) return ["load", `The worker could not be started: ${first}`];
  return ["crashed", `The worker stopped unexpectedly and was replaced: ${first}`];
}
