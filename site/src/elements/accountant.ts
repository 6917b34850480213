// One accountant for all elements of a page: curves.wasm in a worker, fetched when the first element comes near the window, and shared by every copy of this
// script that has the same version. A copy of another version has its own: its core may know other things.

import inlined from "cloister:curves";
import workerScript from "cloister:worker";
import { blobWorker } from "../client/blob-worker.ts";
import { Engine } from "../client/engine.ts";
import { CloisterError, reason } from "../client/error.ts";
import type { AccountDescription, AccountResult, AffordDescription, AffordResult, SolveDescription, SolveResult } from "../client/account.ts";

export interface AskOptions {
  signal?: AbortSignal;
  /** Ahead of everything that is not: what a reader's hand waits for. */
  urgent?: boolean;
}

export interface Accountant {
  account(description: AccountDescription, options?: AskOptions): Promise<AccountResult>;
  solve(description: SolveDescription, options?: AskOptions): Promise<SolveResult>;
  afford(description: AffordDescription, options?: AskOptions): Promise<AffordResult>;
}

declare const CLOISTER_VERSION: string;
declare const CLOISTER_CURVES_INTEGRITY: string;

/** The version of this script, of its elements and of the accountant that they share. */
export const version = CLOISTER_VERSION;

/** Where curves.wasm is, unless an element says otherwise: inside this script or beside it. */
export const defaultWasm = inlined ? "inside" : new URL("curves.wasm", import.meta.url).href;

const registry = Symbol.for("cloister.accountants");
const shared = ((globalThis as { [registry]?: Map<string, Promise<Accountant>> })[registry] ??= new Map());

/** The accountant of this page. A start that failed is tried anew by the next call. */
export function accountant(wasm: string = defaultWasm): Promise<Accountant> {
  const key = `${version} ${wasm}`;
  let found = shared.get(key);
  if (!found) {
    found = start(wasm);
    shared.set(key, found);
    found.catch(() => shared.delete(key));
  }
  return found;
}

async function start(wasm: string): Promise<Accountant> {
  await mayCompile();
  let module: WebAssembly.Module;
  try {
    module = await compile(wasm);
  } catch (error) {
    throw new CloisterError("load", `The accountant could not be loaded from ${inlined ? "inside the script" : wasm}: ${reason(error)}`, {}, { cause: error });
  }
  performance.mark("cloister:accountant");
  return inTurn(new Engine(module, workerScript, blobWorker));
}

/** The smallest module that there is: whether it compiles says whether the page lets WebAssembly run at all, before anything is fetched. */
const nothing = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

async function mayCompile(): Promise<void> {
  if (typeof WebAssembly === "undefined") throw new CloisterError("load", "This browser has no WebAssembly, in which the curve is computed.");
  try {
    await WebAssembly.compile(nothing);
  } catch (error) {
    throw new CloisterError("load", "This page’s content security policy does not let WebAssembly run. Its author can allow it with script-src 'wasm-unsafe-eval'.", {}, { cause: error });
  }
}

async function compile(wasm: string): Promise<WebAssembly.Module> {
  if (inlined) {
    const bytes = Uint8Array.from(atob(inlined), (c) => c.charCodeAt(0));
    return WebAssembly.compile(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  }
  const response = await fetch(wasm, { credentials: "same-origin", ...(CLOISTER_CURVES_INTEGRITY && { integrity: CLOISTER_CURVES_INTEGRITY }) }).catch((error: unknown) => {
    throw new Error(`${reason(error)} Either it cannot be had there, or it is of another version than the elements (its hash is not the one that they know).`);
  });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  if (response.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

interface Waiting {
  method: string;
  params: unknown;
  options: AskOptions;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Sends one question at a time, so that an urgent one waits for the one under way and for no other. */
function inTurn(engine: Engine): Accountant {
  const urgent: Waiting[] = [];
  const patient: Waiting[] = [];
  let busy = false;

  async function next(): Promise<void> {
    if (busy) return;
    const one = urgent.shift() ?? patient.shift();
    if (!one) return;
    busy = true;
    const { method, params, options, resolve, reject } = one;
    await engine.call({ method, params, ...(options.signal && { signal: options.signal }), onAbort: "forget" }).then(resolve, reject);
    busy = false;
    void next();
  }

  const ask = <T>(method: string, params: unknown, options: AskOptions = {}): Promise<T> =>
    new Promise<unknown>((resolve, reject) => {
      (options.urgent ? urgent : patient).push({ method, params, options, resolve, reject });
      void next();
    }) as Promise<T>;

  return {
    account: (description, options) => ask("account", description, options),
    solve: (description, options) => ask("solve", description, options),
    afford: (description, options) => ask("afford", description, options),
  };
}
