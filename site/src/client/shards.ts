import { processors } from "./digest.ts";
import type { Engine } from "./engine.ts";
import { joined } from "./joined.ts";
import { LARGE } from "./limits.ts";
import type { AnyLabel, Budget, Dataset, MethodOptions } from "./types.ts";
import { deathsAreSeen } from "./watch.ts";
import { usualFitMethod } from "./usual.ts";
import { fitMethods } from "./wire/methods.ts";

/**
 * The most workers that fit together, the engine's own among them: with more, copies of the rows
 * would take more memory than limits.ts has room for.
 */
const MOST = 2;

/** Engines whose worker has other workers to ask now. */
const helped = new WeakSet<Engine>();

/**
 * Has other workers take sums over parts of a large file's rows for the engine's
 * own, in one fit (wasm/api/fitting, elsewhere.go), which is given their numbers.
 * They end with the fit, and so does their memory; the next one sends the rows
 * anew, which takes a small part of its time. One that dies before is asked no
 * more; the engine's worker takes its sums itself. Where a death might not be
 * seen, there is no help.
 *
 * It is for methods whose solver needs sums over the rows alone. Gradient descent
 * takes them of each row's clipped gradient, of a sample or after every noise; and
 * of several classes each has a fit of its own, which would need its own copies:
 * these stay on one worker, and so do evaluations and reports, which look at each
 * row.
 */
export async function helping<T>(
  engine: Engine,
  { tally, classes, schema }: Dataset<AnyLabel>,
  request: Budget & MethodOptions,
  fit: (workers?: number[]) => Promise<T>,
): Promise<T> {
  if (
    tally.bytes < LARGE ||
    !fitMethods[request.method ?? usualFitMethod(schema.label, request)]?.sums ||
    Array.isArray(classes) ||
    processors() < 2 ||
    helped.has(engine)
  )
    return fit();
  helped.add(engine);
  const shards: Engine[] = [];
  try {
    const workers: number[] = [];
    while (shards.length < Math.min(MOST, processors()) - 1 && (await deathsAreSeen())) {
      const shard = engine.beside();
      shards.push(shard);
      workers.push(joined(engine, shard));
    }
    return await fit(workers);
  } finally {
    for (const shard of shards) shard.terminate();
    helped.delete(engine);
  }
}
