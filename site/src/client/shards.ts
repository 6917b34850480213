import type { Engine } from "./engine.ts";
import { joined } from "./joined.ts";
import { LARGE } from "./limits.ts";
import type { AnyLabel, Budget, Dataset, MethodOptions } from "./types.ts";
import { deathsAreSeen } from "./watch.ts";
import { usualFitMethod } from "./usual.ts";
import { fitMethods } from "./wire/methods.ts";

/** How many processors there are, as far as the browser says. */
const processors = () => globalThis.navigator?.hardwareConcurrency ?? 2;

/**
 * How many workers can fit together: those that have as many of the rows' twelve blocks each
 * (core/data, Blocks). With 5 of them one would have 3, as with 4.
 */
const TEAMS = [12, 6, 4, 3, 2, 1];

/**
 * How many workers fit together, the engine's own among them: no more than there are processors,
 * and each for half as much of the file as makes it large. All but the first keep a part of the
 * rows (keepers.ts), or have copies of it, which are less than the matrix: limits.ts has room for
 * that.
 */
export const together = (bytes: number, most = processors()): number =>
  bytes < LARGE ? 1 : (TEAMS.find((n) => n <= Math.min(most, (2 * bytes) / LARGE)) ?? 1);

/** Engines whose worker has other workers to ask now. */
const helped = new WeakSet<Engine>();

/**
 * Has other workers take sums over copies of a large file's rows for the engine's
 * own, in one fit (wasm/api/fitting, elsewhere.go), which is given their numbers.
 * They end with the fit, and so does their memory; the next one sends the rows
 * anew, which for dense rows is a third of what both do. One that dies before is asked no
 * more; the engine's worker takes its sums itself. Where a death might not be
 * seen, there is no help. It is for a dataset whose rows are all in one worker: where others keep
 * a part, they are asked for the sums.
 *
 * It is for methods whose passes are sums over the rows, of several classes too. Gradient descent
 * takes them of each row's clipped gradient, of a sample or after every noise: it
 * stays on one worker. So do evaluations and reports of such a dataset: their one pass takes less
 * time than it would to send the rows. Whoever keeps a part of the rows counts it for both.
 */
export async function helping<T>(
  engine: Engine,
  { tally, schema, kept }: Dataset<AnyLabel> & { readonly kept: boolean },
  request: Budget & MethodOptions,
  fit: (workers?: number[]) => Promise<T>,
): Promise<T> {
  const team = together(tally.bytes);
  if (
    team < 2 ||
    kept ||
    !fitMethods[request.method ?? usualFitMethod(schema.label, request)]?.spread ||
    helped.has(engine)
  )
    return fit();
  helped.add(engine);
  const shards: Engine[] = [];
  try {
    const workers: number[] = [];
    while (shards.length < team - 1 && (await deathsAreSeen())) {
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
