// The engines of a page: one for each binary, shared by all elements that need it. An engine is
// fetched when the first of them comes near the window, and runs in a worker. If a page holds
// several copies of a script, those of the same version share an engine; each other version has
// its own.

import workerScript from "cloister:worker";
import { blobWorker } from "../client/blob-worker.ts";
import { Engine } from "../client/engine.ts";
import { CloisterError, reason } from "../client/error.ts";
import type { WorkerPort } from "../client/types.ts";
import type { Methods } from "../client/wire/calls.ts";

declare const CLOISTER_VERSION: string;

/** The version of this script, of its elements and of the engines that they share. */
export const version = CLOISTER_VERSION;

export interface AskOptions {
  signal?: AbortSignal;
  /** Ahead of everything that is not: what a reader's hand waits for. */
  urgent?: boolean;
}

export type Ask = <M extends keyof Methods>(
  method: M,
  params: Methods[M]["params"],
  options?: AskOptions,
) => Promise<Methods[M]["result"]>;

/** What runs in a worker, and where it comes from. */
export interface Program {
  /** For people: “accountant”. */
  readonly name: string;
  /** The binary, gzipped and in base64, in a script that has to stand alone; otherwise empty. */
  readonly inlined: string;
  /** The hash that the binary must have; empty where none is known. */
  readonly integrity: string;
}

const registry = Symbol.for("cloister.engines");
const shared = ((globalThis as { [registry]?: Map<string, Promise<Ask>> })[registry] ??= new Map());

/** The engine of this page for a binary. If a start failed, the next call tries again. */
export function engineOf(program: Program, wasm: string): Promise<Ask> {
  const key = `${version} ${program.name} ${wasm}`;
  let found = shared.get(key);
  if (!found) {
    found = start(program, wasm);
    shared.set(key, found);
    found.catch(() => shared.delete(key));
  }
  return found;
}

async function start(program: Program, wasm: string): Promise<Ask> {
  await mayCompile();
  // The worker's thread starts while the binary is on its way.
  const worker = begun();
  try {
    return inTurn(await engine(program, wasm, worker));
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

/** An engine that is not shared. Its first worker is `worker`, or is started by the first call. */
export async function engine(program: Program, wasm: string, worker?: WorkerPort): Promise<Engine> {
  await mayCompile();
  let module: WebAssembly.Module;
  try {
    module = await compile(program, wasm);
  } catch (error) {
    throw new CloisterError(
      "load",
      `The ${program.name} could not be loaded from ${program.inlined ? "inside the script" : wasm}: ${reason(error)}`,
      {},
      { cause: error },
    );
  }
  performance.mark(`cloister:${program.name}`);
  let first = worker;
  const next = (source: string): WorkerPort => {
    const port = first ?? blobWorker(source);
    first = undefined;
    return port;
  };
  return new Engine(module, workerScript, next);
}

/**
 * A worker that is started before anyone listens to it. If it fails by then, its listener is told.
 * It is listened to once, from the beginning: the word by which its death can be seen comes early.
 */
function begun(): WorkerPort {
  const port = blobWorker(workerScript);
  let why: string | undefined;
  let listener: Parameters<WorkerPort["listen"]> | undefined;
  port.listen(
    (message) => listener?.[0](message),
    (reason) => (listener ? listener[1](reason) : (why ??= reason)),
  );
  return {
    ...port,
    listen(received, failed) {
      if (why === undefined) listener = [received, failed];
      else failed(why);
    },
  };
}

/**
 * The smallest module that there is: whether it compiles says whether the page lets WebAssembly run
 * at all, before anything is fetched.
 */
const nothing = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

async function mayCompile(): Promise<void> {
  if (typeof WebAssembly === "undefined")
    throw new CloisterError(
      "load",
      "This browser has no WebAssembly, which this computation needs.",
    );
  try {
    await WebAssembly.compile(nothing);
  } catch (error) {
    throw new CloisterError(
      "load",
      "This page’s content security policy does not let WebAssembly run. Its author can allow it with script-src 'wasm-unsafe-eval'.",
      {},
      { cause: error },
    );
  }
}

async function compile({ inlined, integrity }: Program, wasm: string): Promise<WebAssembly.Module> {
  if (inlined) {
    const bytes = Uint8Array.from(atob(inlined), (c) => c.charCodeAt(0));
    return WebAssembly.compile(
      await new Response(
        new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")),
      ).arrayBuffer(),
    );
  }
  const response = await fetch(wasm, {
    credentials: "same-origin",
    ...(integrity && { integrity }),
  }).catch((error: unknown) => {
    throw new Error(
      `${reason(error)} Either it is not there, or it belongs to another version of the elements (its hash is not the one that they expect).`,
    );
  });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  if (response.headers.get("content-type")?.startsWith("application/wasm"))
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Sends one question at a time, so that an urgent one waits for the one under way and for no other.
 */
function inTurn(engine: Engine): Ask {
  const urgent: (() => Promise<void>)[] = [];
  const patient: (() => Promise<void>)[] = [];
  let busy = false;

  async function next(): Promise<void> {
    if (busy) return;
    const send = urgent.shift() ?? patient.shift();
    if (!send) return;
    busy = true;
    await send();
    busy = false;
    void next();
  }

  return (method, params, { urgent: first, signal } = {}) =>
    new Promise((resolve, reject) => {
      const send = () =>
        engine.ask(method, params, { signal, onAbort: "forget" }).then(resolve, reject);
      (first ? urgent : patient).push(send);
      void next();
    });
}
