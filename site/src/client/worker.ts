/** The worker's script: runs the Go program and passes messages. Bundled with Go's glue into one classic script (see build.mjs). */
import { programOutput } from "./go-output.ts";
import "cloister:glue";
import type { FromWorker, ToWorker, WireError } from "./protocol.ts";

type Reply = (result: unknown, error: WireError | undefined) => void;

/** What wasm/bridge hands over. */
type Handle = (method: string, params: unknown, reply: Reply, progress: (update: unknown) => void) => void;

interface GoProgram {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
  exit(code: number): void;
}

const host = globalThis as unknown as {
  Go: new () => GoProgram;
  cloisterReady?: (handle: Handle) => void;
  cloisterAsk: (worker: number, method: string, params: unknown, reply: Reply) => void;
  postMessage(message: FromWorker, transfer?: ArrayBuffer[]): void;
  addEventListener(type: "message", listener: (event: { data: ToWorker }) => void): void;
};

let handle: Handle | undefined;

const exit = (reason: string) => host.postMessage({ type: "exit", reason });

async function start(module: WebAssembly.Module): Promise<void> {
  const program = new host.Go();
  program.exit = () => {}; // instead of a line on the console: exit() below says it to the client
  const instance = await WebAssembly.instantiate(module, program.importObject);
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

function ask(method: string, params: unknown, reply: Reply, progress: (update: unknown) => void): void {
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

/** Reads a file into a reading of the program's. */
async function feed({ reading, file }: { reading: number; file: Blob }, reply: Reply, progress: (update: unknown) => void): Promise<void> {
  const piece = (at: number) => (at < file.size ? file.slice(at, at + CHUNK).arrayBuffer() : undefined);
  let next = piece(0);
  let said = -REPORT;
  for (let at = 0; next; ) {
    const bytes = new Uint8Array(await next);
    at += CHUNK;
    // The next piece is fetched while the program parses this one.
    next = piece(at);
    next?.catch(() => undefined);
    const [result, error] = await new Promise<Parameters<Reply>>((resolve) => ask("read.append", { reading, bytes }, (...answer) => resolve(answer), () => {}));
    if (error) return reply(undefined, error);
    if (performance.now() > said + REPORT) {
      said = performance.now();
      progress({ bytes: Math.min(at, file.size), rows: (result as { rows: number }).rows });
    }
  }
  reply({}, undefined);
}

/** Other workers, by their numbers: what they are asked by, and who waits for an answer. */
const others = new Map<number, { port: MessagePort; waiting: Map<number, Reply> }>();
let asked = 0;

const gone: WireError = { code: "crashed", message: "The other worker is gone." };

host.cloisterAsk = (worker, method, params, reply) => {
  const other = others.get(worker);
  if (!other) return void setTimeout(reply, 0, undefined, gone);
  other.waiting.set(++asked, reply);
  other.port.postMessage({ id: asked, method, params }, buffers(params));
};

/**
 * Gets to know another worker; without a port, that it is gone. No event says
 * that a worker was ended by terminate(). But it then lets go of the lock that it
 * held while it served, which this one so waits for.
 */
function link({ worker, port, lock }: { worker: number; port?: MessagePort; lock?: string }): void {
  const lose = () => {
    const other = others.get(worker);
    others.delete(worker);
    for (const [id, reply] of other?.waiting ?? []) {
      other?.waiting.delete(id); // its answer may be on its way
      reply(undefined, gone);
    }
  };
  if (!port) return lose();
  const waiting = new Map<number, Reply>();
  others.set(worker, { port, waiting });
  port.onmessage = ({ data }: MessageEvent<Answer>) => {
    if ("serving" in data) return void (lock && navigator.locks.request(lock, lose).catch(lose));
    const reply = waiting.get(data.id);
    waiting.delete(data.id);
    reply?.(data.result, data.error);
  };
  port.onmessageerror = lose;
}

/** What one that serves says: that it has its lock, and then the answers. */
type Answer = { serving: true } | { id: number; result: unknown; error: WireError | undefined };

/** Answers another worker, for as long as it holds the lock. Ends where there is none to be had. */
function serve({ port, lock }: { port: MessagePort; lock?: string }): void {
  const say = (answer: Answer, transfer: ArrayBuffer[] = []) => port.postMessage(answer, transfer);
  port.onmessage = ({ data: { id, method, params } }: MessageEvent<{ id: number; method: string; params: unknown }>) =>
    ask(method, params, (result, error) => say({ id, result, error }, buffers(result)), () => {});
  port.onmessageerror = () => exit("A request could not be read.");
  const forever = () => new Promise<never>(() => say({ serving: true }));
  if (lock) navigator.locks.request(lock, forever).catch((error: unknown) => exit(String(error)));
}

/** The memory of arrays in a message, to be moved instead of copied. */
const buffers = (result: unknown) => Object.values(result ?? {}).flatMap((value) => (ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : []));

function call(id: number, method: string, params: unknown): void {
  const reply: Reply = (result, error) => host.postMessage(error ? { type: "failure", id, error } : { type: "reply", id, result });
  const progress = (update: unknown) => host.postMessage({ type: "progress", id, update });
  if (method === "worker.feed") {
    feed(params as Parameters<typeof feed>[0], reply, progress).catch((error: unknown) =>
      reply(undefined, { code: "source", message: `The file could not be read: ${String(error)}. It may have been moved or changed since it was chosen: choose it again.` }),
    );
  } else if (method === "worker.link") reply({}, void link(params as Parameters<typeof link>[0]));
  else if (method === "worker.serve") reply({}, void serve(params as Parameters<typeof serve>[0]));
  else ask(method, params, reply, progress);
}

host.addEventListener("message", ({ data }) => {
  if (data.type === "start") start(data.module).catch((error: unknown) => exit(`${programOutput()}\n${String(error)}`));
  else call(data.id, data.method, data.params);
});
