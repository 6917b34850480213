/**
 * The worker's script: runs the Go program and passes messages. Bundled with Go's glue into one
 * classic script (see build.mjs).
 */
import { programOutput } from "./go-output.ts";
import "cloister:glue";
import { kernelOf } from "./kernel.ts";
import { askOther, link, type Link, type Reply, serve } from "./others.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";

/** What wasm/bridge hands over. */
type Handle = (
  method: string,
  params: unknown,
  reply: Reply,
  progress: (update: unknown) => void,
) => void;

interface GoProgram {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
  exit(code: number): void;
}

const host = globalThis as unknown as {
  Go: new () => GoProgram;
  cloisterReady?: (handle: Handle) => void;
  cloisterAsk: typeof askOther;
  postMessage(message: FromWorker, transfer?: ArrayBuffer[]): void;
  addEventListener(type: "message", listener: (event: { data: ToWorker }) => void): void;
};

let handle: Handle | undefined;
host.cloisterAsk = askOther;

const exit = (reason: string) => host.postMessage({ type: "exit", reason });

async function start(module: WebAssembly.Module): Promise<void> {
  const program = new host.Go();
  program.exit = () => {}; // instead of a line on the console: exit() below says it to the client
  const kernel = kernelOf(module);
  const instance = await WebAssembly.instantiate(module, {
    ...program.importObject,
    kernel: kernel.imports,
  });
  kernel.bind(instance.exports["mem"] as WebAssembly.Memory);
  host.cloisterReady = (given) => {
    handle = given;
  };
  // Runs the program's main until it waits, which it does after calling cloisterReady.
  const over = program.run(instance);
  delete host.cloisterReady;
  if (handle) host.postMessage({ type: "ready" });
  await over;
  exit(programOutput());
}

function ask(
  method: string,
  params: unknown,
  reply: Reply,
  progress: (update: unknown) => void,
): void {
  try {
    handle?.(method, params, reply, progress);
  } catch (error) {
    // A trap inside WebAssembly, such as an exhausted stack.
    exit(`${programOutput()}\n${String(error)}`);
  }
}

/** Bytes read at a time: large enough that a request costs nothing beside parsing it. */
const CHUNK = 2 ** 21;
/** Milliseconds between two reports of progress. */
const REPORT = 200;

/** What a request comes to. */
const answer = (made: (reply: Reply) => void) =>
  new Promise<Parameters<Reply>>((resolve) => made((...given) => resolve(given)));

interface Feed {
  reading: number;
  file: Blob;
  /** Who takes the digest: another worker, and the number of its reading. */
  digest?: { worker: number; reading: number };
}

/**
 * Reads a file, once, into a reading of the program's. Every piece is parsed here, and the same
 * bytes of memory then go to who takes the digest: it is of what was parsed, whatever becomes of
 * the file meanwhile. That worker has one piece at a time, while the next one is parsed.
 */
async function feed(
  { reading, file, digest }: Feed,
  reply: Reply,
  progress: (update: unknown) => void,
): Promise<void> {
  const piece = (at: number) =>
    at < file.size ? file.slice(at, at + CHUNK).arrayBuffer() : undefined;
  let next = piece(0);
  let said = -REPORT;
  let digested: Promise<Parameters<Reply>> | undefined;
  for (let at = 0; next;) {
    const bytes = new Uint8Array(await next);
    at += CHUNK;
    // The next piece is fetched while the program parses this one.
    next = piece(at);
    next?.catch(() => undefined);
    const [result, error] = await answer((parsed) =>
      ask("read.append", { reading, bytes }, parsed, () => {}),
    );
    const [, failed] = (await digested) ?? [];
    if (error ?? failed) return reply(undefined, error ?? failed);
    digested =
      digest &&
      answer((taken) =>
        askOther(digest.worker, "read.append", { reading: digest.reading, bytes }, taken),
      );
    if (performance.now() > said + REPORT) {
      said = performance.now();
      progress({ bytes: Math.min(at, file.size), rows: (result as { rows: number }).rows });
    }
  }
  const [, failed] = (await digested) ?? [];
  reply({}, failed);
}

function call(id: number, method: string, params: unknown): void {
  const reply: Reply = (result, error) =>
    host.postMessage(error ? { type: "failure", id, error } : { type: "reply", id, result });
  const progress = (update: unknown) => host.postMessage({ type: "progress", id, update });
  if (method === "worker.feed") {
    feed(params as Feed, reply, progress).catch((error: unknown) =>
      reply(undefined, {
        code: "source",
        message: `The file could not be read: ${String(error)}. It may have been moved or changed since it was chosen: choose it again.`,
      }),
    );
  } else if (method === "worker.link") reply({}, void link(params as Link));
  else if (method === "worker.serve")
    reply({}, void serve((params as Link).port as MessagePort, ask, exit));
  else ask(method, params, reply, progress);
}

host.addEventListener("message", ({ data }) => {
  if (data.type === "start")
    start(data.module).catch((error: unknown) => exit(`${programOutput()}\n${String(error)}`));
  else call(data.id, data.method, data.params);
});
