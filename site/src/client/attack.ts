import type { Engine } from "./engine.ts";
import type { AttackCounts, AttackOptions, AttackRequest, AttackResult } from "./types.ts";

/**
 * Runs an attack, in several workers at once if that is asked for: each has its share of the runs,
 * and their counts are added up. The first is the engine's own; the others end with the attack.
 */
export async function runAttack(
  engine: Engine,
  request: AttackRequest,
  { signal, onProgress, workers = 1 }: AttackOptions,
): Promise<AttackResult> {
  const control = new AbortController();
  const stop = () => control.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  const count = Math.max(1, Math.min(Math.floor(workers), request.rounds));
  const others = Array.from({ length: count - 1 }, () => engine.beside());
  const shares = [engine, ...others].map((worker, k) => ({
    worker,
    rounds: Math.floor(request.rounds / count) + (k < request.rounds % count ? 1 : 0),
  }));
  const done = shares.map(() => 0);
  const ask = (worker: Engine, rounds: number, counts: readonly AttackCounts[], k: number) =>
    worker.ask(
      "attack",
      { ...request, rounds, ...(counts.length > 0 && { counts }) },
      {
        signal: control.signal,
        onAbort: "end-worker",
        onProgress: (update) => {
          done[k] = (update as { iteration: number }).iteration;
          const iteration = done.reduce((sum, n) => sum + n, 0);
          onProgress?.({
            phase: "attacking",
            iteration,
            fraction: iteration / request.rounds,
          });
        },
      },
    );
  try {
    const results = await Promise.all(
      shares.map(({ worker, rounds }, k) => ask(worker, rounds, [], k)),
    );
    return results.length === 1
      ? results[0]!
      : await ask(
          engine,
          0,
          results.map((result) => result.counts),
          0,
        );
  } catch (error) {
    control.abort(); // whoever still runs
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    for (const worker of others) worker.terminate();
  }
}
