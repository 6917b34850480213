/**
 * What a worker asks of other workers, and answers to them, by a channel between the two that the
 * client made (joined.ts). Part of the worker's script.
 */
import type { WireError } from "./wire/calls.ts";

export type Reply = (result: unknown, error: WireError | undefined) => void;

/**
 * Another worker and the channel to it; or a file, which is asked for its bytes. Without either, it
 * is gone.
 */
export interface Link {
  worker: number;
  port?: MessagePort;
  file?: Blob;
}

interface Request {
  id: number;
  method: string;
  params: unknown;
}

interface Answer {
  id: number;
  result: unknown;
  error: WireError | undefined;
}

/** How far a worker is with a file that it reads a range of. */
export interface SoFar {
  bytes: number;
  rows: number;
}

/** Answers a request, and says meanwhile how far it is. */
export type Ask = (
  method: string,
  params: unknown,
  reply: Reply,
  progress: (update: unknown) => void,
) => void;

/** Those that can be asked, by their numbers, with who waits for an answer. */
const others = new Map<number, { port: MessagePort; waiting: Map<number, Reply> }>();
const files = new Map<number, Blob>();

/** How far others are, by their numbers. */
export const heard = new Map<number, SoFar>();

/** A file that this worker was told of. */
export const fileOf = (number: number): Blob | undefined => files.get(number);

let asked = 0;

const gone: WireError = {
  code: "crashed",
  message: "A second worker stopped unexpectedly. Try again.",
};

/**
 * Sends a request, and calls reply once: with the answer, or with an error as soon as the other is
 * known to be gone. Moves the arrays in params.
 */
export function askOther(worker: number, method: string, params: unknown, reply: Reply): void {
  const file = files.get(worker);
  if (file) return bytesOf(file, params as Range, reply);
  const other = others.get(worker);
  if (!other) return void setTimeout(reply, 0, undefined, gone);
  other.waiting.set(++asked, reply);
  other.port.postMessage({ id: asked, method, params } satisfies Request, buffers(params));
}

interface Range {
  from: number;
  to: number;
}

/** Answers with the bytes of a part of a file. */
function bytesOf(file: Blob, { from, to }: Range, reply: Reply): void {
  file
    .slice(from, to)
    .arrayBuffer()
    .then(
      (buffer) => reply({ bytes: new Uint8Array(buffer) }, undefined),
      (error: unknown) =>
        reply(undefined, {
          code: "source",
          message: `The browser cannot read the file any more (${String(error)}). Close other programs that use it, or choose it again.`,
        }),
    );
}

/**
 * Gets to know another worker, or that it is gone: the client sees that (watch.ts), and tells it.
 */
export function link({ worker, port, file }: Link): void {
  if (file) return void files.set(worker, file);
  const lose = () => {
    const other = others.get(worker);
    others.delete(worker);
    files.delete(worker);
    heard.delete(worker);
    for (const [id, reply] of other?.waiting ?? []) {
      other?.waiting.delete(id); // its answer may be on its way
      reply(undefined, gone);
    }
  };
  if (!port) return lose();
  const waiting = new Map<number, Reply>();
  others.set(worker, { port, waiting });
  port.onmessage = ({ data }: MessageEvent<Answer | SoFar>) => {
    if ("bytes" in data) return void heard.set(worker, data);
    const { id, result, error } = data;
    const reply = waiting.get(id);
    waiting.delete(id);
    reply?.(result, error);
  };
  port.onmessageerror = lose;
}

/** Answers another worker, until that lets this one go. */
export function serve(port: MessagePort, ask: Ask, exit: (reason: string) => void): void {
  port.onmessage = ({ data: { id, method, params } }: MessageEvent<Request>) => {
    if (method === "worker.end") return exit("It is not needed any more.");
    ask(
      method,
      params,
      (result, error) => port.postMessage({ id, result, error } satisfies Answer, buffers(result)),
      (soFar) => port.postMessage(soFar),
    );
  };
  port.onmessageerror = () => exit("A request could not be read.");
}

/** The memory of arrays in a message, to be moved instead of copied. */
const buffers = (result: unknown) =>
  Object.values(result ?? {}).flatMap((value) =>
    ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : [],
  );
