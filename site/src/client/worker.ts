/**
 * The worker's script: runs the Go program and passes messages. Bundled with Go's glue into one
 * classic script (see build.mjs).
 */
import { programOutput } from "./go-output.ts";
import "cloister:glue";
import { ContentDigest, digestsAreTaken } from "./content.ts";
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
}

/** Of the program's readings: who takes the digests. */
const digests = new Map<number, ContentDigest>();

/**
 * Passes on what belongs to a reading. The browser's SHA-256 takes the digest of the very bytes
 * that the program parses, at the same time. Where the browser has none, as in a page that is not
 * secure, the program takes the digest itself.
 */
async function read(
  method: string,
  params: { reading: number; bytes: Uint8Array<ArrayBuffer>; purpose?: string; apart?: boolean },
): Promise<Parameters<Reply>> {
  const { reading, bytes } = params;
  const asked = (more = {}) =>
    answer((reply) => ask(method, { ...params, ...more }, reply, () => {}));
  if (method === "read.open" && params.apart === undefined) {
    const apart = params.purpose !== "lookalikes" && digestsAreTaken();
    const [result, error] = await asked({ apart });
    if (apart && !error) digests.set((result as Feed).reading, new ContentDigest());
    return [result, error];
  }
  const digest = digests.get(reading);
  if (method === "read.part") digest?.part();
  if (method === "read.append") {
    const taken = digest?.append(bytes);
    const parsed = asked();
    await taken;
    return parsed;
  }
  if (method !== "read.finish" && method !== "read.cancel") return asked();
  digests.delete(reading);
  return asked(digest && method === "read.finish" && { digest: await digest.finish() });
}

/**
 * Reads a file, once, into a reading of the program's: what is parsed is what the digest is taken
 * of, whatever becomes of the file meanwhile.
 */
async function feed(
  { reading, file }: Feed,
  reply: Reply,
  progress: (update: unknown) => void,
): Promise<void> {
  const piece = (at: number) =>
    at < file.size ? file.slice(at, at + CHUNK).arrayBuffer() : undefined;
  let next = piece(0);
  let said = -REPORT;
  for (let at = 0; next;) {
    const bytes = new Uint8Array(await next);
    at += CHUNK;
    // The next piece is fetched while the program parses this one.
    next = piece(at);
    next?.catch(() => undefined);
    const [result, error] = await read("read.append", { reading, bytes });
    if (error) return reply(undefined, error);
    if (performance.now() > said + REPORT) {
      said = performance.now();
      progress({ bytes: Math.min(at, file.size), rows: (result as { rows: number }).rows });
    }
  }
  reply({}, undefined);
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
  else if (method.startsWith("read."))
    read(method, params as Parameters<typeof read>[1]).then(
      (answered) => reply(...answered),
      (error: unknown) => exit(String(error)),
    );
  else ask(method, params, reply, progress);
}

host.addEventListener("message", ({ data }) => {
  if (data.type === "start")
    start(data.module).catch((error: unknown) => exit(`${programOutput()}\n${String(error)}`));
  else call(data.id, data.method, data.params);
});
