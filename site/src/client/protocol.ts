/** What the client and its worker say to each other. Every call gets exactly one reply or failure, unless the worker ends. */

export interface StartMessage {
  type: "start";
  module: WebAssembly.Module;
}

export interface CallMessage {
  type: "call";
  id: number;
  method: string;
  params: unknown;
}

export type ToWorker = StartMessage | CallMessage;

export type FromWorker =
  | { type: "ready" }
  | { type: "progress"; id: number; update: unknown }
  | { type: "reply"; id: number; result: unknown }
  | { type: "failure"; id: number; error: WireError }
  /** The program inside is over: the worker is of no more use. */
  | { type: "exit"; reason: string };

/** An error as the core describes it (wasm/api, Error.Tree). */
export interface WireError {
  code: string;
  message: string;
  field?: string;
  row?: number;
  column?: string;
  charged?: string;
  /** The instance must be replaced. */
  broken?: boolean;
}
