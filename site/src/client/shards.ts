import { processors } from "./digest.ts";
import type { Engine } from "./engine.ts";
import { inNode, LARGE } from "./limits.ts";
import type { AnyLabel, Dataset, FitMethod } from "./types.ts";

/** The most workers that fit together, the engine's own among them: with more, copies of the rows would take more memory than limits.ts has room for. */
const MOST = 2;

/** Those whose own worker has others now. */
const helped = new WeakSet<Engine>();
let numbered = 0;

/**
 * The methods whose solver needs sums over the rows alone. Gradient descent takes
 * them of each row's clipped gradient, of a sample or after every noise; and of
 * several classes each has a fit of its own, which would need its own copies: these
 * stay on one worker, and so do evaluations and reports, which look at each row.
 */
const bySums = new Set([undefined, "amp", "amp-paper", "outpert"]);

/**
 * Has other workers take sums over parts of a large file's rows for the engine's
 * own, in one fit (wasm/api/fitting, elsewhere.go), which is given their numbers:
 * each through a channel between the two. They end with the fit, and so does
 * their memory; the next one sends the rows anew, which takes a small part of its
 * time. One that dies before is asked no more; the engine's worker takes its sums
 * itself. A thread of Node says when it ends. A web worker does not, but holds a
 * lock until then: where a page has no locks (it was not fetched by HTTPS), there
 * is no help.
 */
export async function helping<T>(engine: Engine, { tally, classes }: Dataset<AnyLabel>, method: FitMethod | undefined, fit: (workers?: number[]) => Promise<T>): Promise<T> {
  if (tally.bytes < LARGE || !bySums.has(method) || Array.isArray(classes) || processors() < 2 || helped.has(engine) || !(inNode || globalThis.navigator?.locks)) return fit();
  helped.add(engine);
  const { epoch } = engine;
  const tell = (params: Record<string, unknown>, transfer: MessagePort[] = []) => {
    engine.call({ method: "worker.link", params, transfer, epoch }).catch(() => undefined);
  };
  const workers: number[] = [];
  const shards: Engine[] = [];
  while (shards.length < Math.min(MOST, processors()) - 1) {
    const worker = ++numbered;
    const shard = engine.beside();
    const { port1, port2 } = new MessageChannel();
    const lock = !inNode && { lock: `cloister ${crypto.randomUUID()}` };
    tell({ worker, port: port1, ...lock }, [port1]);
    shard.call({ method: "worker.serve", params: { port: port2, ...lock }, transfer: [port2] }).catch(() => undefined);
    shard.atEnd(() => tell({ worker }));
    workers.push(worker);
    shards.push(shard);
  }
  try {
    return await fit(workers);
  } finally {
    for (const shard of shards) shard.terminate();
    helped.delete(engine);
  }
}
