/**
 * The worker's script: runs the Go program and passes messages. Bundled with Go's glue into one
 * classic script (see build.mjs).
 */
import { programOutput } from "./go-output.ts";
import "cloister:glue";
import { ContentDigest, digestsAreTaken, type RangeDigest } from "./content.ts";
import { kernelOf } from "./kernel.ts";
import { type Ask, askOther, fileOf, heard, link, type Link, type Reply, serve } from "./others.ts";
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

/**
 * Bytes read at a time: large enough that a request costs nothing beside parsing it. The core knows
 * that so many are fetched ahead (wasm/api/fitting, scattered.go).
 */
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

/** Fetches a range of a file, each piece while the one before is used; says where each ends. */
async function* pieces(file: Blob, from: number, to: () => number) {
  const fetched = (at: number) => {
    const end = Math.min(at + CHUNK, to());
    return at < end ? { end, bytes: file.slice(at, end).arrayBuffer() } : undefined;
  };
  for (let next = fetched(from); next;) {
    const { end, bytes } = next;
    const buffer = await bytes;
    next = fetched(end);
    next?.bytes.catch(() => undefined);
    yield { end, bytes: new Uint8Array(buffer) };
  }
}

/**
 * Reads a file, once, into a reading of the program's: what is parsed is what the digest is taken
 * of, whatever becomes of the file meanwhile.
 *
 * Of a large file other workers may read ranges at the same time, which the program says after some
 * piece:
 *
 *     reading   piece by piece, to the next range's beginning, or the end
 *     joining   there the program waits for who reads that range
 *
 *     reading → joining   at the beginning of a range
 *     joining → joining   at its end, if the program has joined it, and so is its digest
 *     joining → reading   at its beginning, if not: it is read here; or at the end of the file
 */
async function feed(
  { reading, file }: Feed,
  reply: Reply,
  progress: (update: unknown) => void,
): Promise<void> {
  let cuts: number[] = [];
  let at = 0;
  let said = -REPORT;
  const most = { bytes: 0, rows: 0 };
  const tell = (rows: number) => {
    if (performance.now() <= said + REPORT) return;
    said = performance.now();
    const all = [{ bytes: at, rows }, ...(cuts.length > 0 ? heard.values() : [])];
    for (const key of ["bytes", "rows"] as const)
      most[key] = Math.max(
        most[key],
        all.reduce((sum, one) => sum + one[key], 0),
      );
    progress({ bytes: Math.min(most.bytes, file.size), rows: most.rows });
  };
  heard.clear();
  for (;;) {
    for await (const { end, bytes } of pieces(file, at, () => cuts[0] ?? file.size)) {
      const [result, error] = await read("read.append", { reading, bytes });
      if (error) return reply(undefined, error);
      at = end;
      const so = result as { rows: number; cuts?: Float64Array };
      if (so.cuts) cuts = [...so.cuts];
      tell(so.rows);
    }
    while (at === cuts[0]) {
      const digest = digests.get(reading) as ContentDigest;
      const [result, error] = await answer((reply) =>
        ask("read.join", { reading, at: digest.at }, reply, () => {}),
      );
      if (error) return reply(undefined, error);
      cuts.shift();
      heard.clear();
      const { joined, rows, ...range } = result as { joined: boolean; rows: number } & RangeDigest;
      if (!joined) break;
      digest.join(range);
      at = cuts[0] ?? file.size;
      tell(rows);
    }
    if (at >= file.size) return reply({}, undefined);
  }
}

/** What a worker asks that has another one read a range of a file: see wasm/wire, ShardRead. */
interface RangeAsked {
  file: number;
  from: number;
  to: number;
  /** Whether the file's beginning has CR, and a byte order mark. */
  cr: boolean;
  mark: boolean;
}

/**
 * Reads a range of a file into the program, for another worker, which has read the beginning. The
 * digest is of the very bytes that are parsed. Where its blocks begin depends on how many line ends
 * before the range are CR LF. They are counted first. If the file is another one by then, the
 * number is not the other worker's, and that worker reads the range itself.
 */
async function readRange(
  { file: number, cr, mark, ...asked }: RangeAsked,
  reply: Reply,
  progress: (update: unknown) => void,
): Promise<void> {
  const file = fileOf(number);
  const { from, to } = asked;
  if (!file) throw new Error("the file is gone");
  const say = (method: string, params: unknown) =>
    answer((reply) => ask(method, params, reply, () => {}));
  const [, refused] = await say("shard.read", asked);
  if (refused) return reply(undefined, refused);
  const at = from - (mark ? 3 : 0) - (cr ? await pairsBefore(file, from) : 0);
  const digest = ContentDigest.from(at);
  let said = -REPORT;
  for await (const { end, bytes } of pieces(file, from, () => to)) {
    const taken = digest.append(bytes);
    const parsed = say("shard.part", { bytes });
    await taken;
    const [result, error] = await parsed;
    if (error) return reply(undefined, error);
    if (performance.now() <= said + REPORT) continue;
    said = performance.now();
    progress({ bytes: end - from, rows: (result as { rows: number }).rows });
  }
  const [found, error] = await say("shard.end", {});
  if (error) return reply(undefined, error);
  reply({ ...(found as object), at, ...(await digest.range()) }, undefined);
}

/** How many line ends are CR LF in so many bytes of a file. */
async function pairsBefore(file: Blob, to: number): Promise<number> {
  let pairs = 0;
  let cr = false;
  for await (const { bytes } of pieces(file, 0, () => to)) {
    if (cr && bytes[0] === 10) pairs++;
    for (let at = -1; (at = bytes.indexOf(13, at + 1)) >= 0;) if (bytes[at + 1] === 10) pairs++;
    cr = bytes[bytes.length - 1] === 13;
  }
  return pairs;
}

/** Answers another worker. */
const askedByOther: Ask = (method, params, reply, progress) => {
  if (method !== "shard.read") return ask(method, params, reply, () => {});
  readRange(params as RangeAsked, reply, progress).catch((error: unknown) =>
    reply(undefined, { code: "source", message: String(error) }),
  );
};

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
    reply({}, void serve((params as Link).port as MessagePort, askedByOther, exit));
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
