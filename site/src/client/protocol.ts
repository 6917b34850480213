/**
 * What the client and its worker say to each other. Every call gets exactly one reply or failure,
 * unless the worker ends.
 */

import type { WireError } from "./wire/calls.ts";

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
