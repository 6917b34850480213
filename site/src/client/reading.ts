import { type Engine, WorkerReplaced } from "./engine.ts";
import { CloisterError } from "./error.ts";
import type { Keepers } from "./keepers.ts";
import { inNode, LARGE } from "./limits.ts";
import {
  canBeReadAgain,
  chunksOf,
  declaredSize,
  nameOf,
  partsOf,
  refuseIfTooLarge,
} from "./source.ts";
import type { Progress, ProgressOptions, Source } from "./types.ts";
import type { OpenReading } from "./wire/calls.ts";

/**
 * Milliseconds between two reports of progress: more often, nobody could read them, and a page
 * would be busy with drawing.
 */
const REPORT = 200;

function progress(bytes: number, rows: number, declared: number): Progress {
  const whole = declared > 0 && {
    totalBytes: Math.max(declared, bytes),
    fraction: Math.min(1, bytes / declared),
  };
  return { phase: "reading", bytes, rows, ...whole };
}

/** Who keeps rows of what is read, if anybody does: {@link Keepers.beside}. */
export type KeptBy = typeof Keepers.beside;

/** As {@link read}, in the next worker if this one is ended for the sake of another call. */
export async function readAnew<T>(
  engine: Engine,
  params: OpenReading,
  source: Source,
  options: ProgressOptions,
  keptBy?: KeptBy,
): Promise<{ result: T; epoch: number; keepers?: Keepers | undefined }> {
  for (;;) {
    try {
      const { result, ...where } = await read(engine, params, source, options, keptBy);
      return { result: result as T, ...where };
    } catch (error) {
      if (!(error instanceof WorkerReplaced)) throw error;
      if (!canBeReadAgain(source))
        throw new CloisterError(
          "dataset-lost",
          "The worker was replaced while a stream was read, which cannot be read twice. Open the file again.",
        );
    }
  }
}

/**
 * Has a source read once more, for the digest that ledgers of an earlier version have of what a
 * number stands for. The core compares what is read with what was read before.
 */
export async function readForEarlierLedger(
  engine: Engine,
  of: number,
  source: Source,
  options: ProgressOptions,
): Promise<void> {
  await read(engine, { purpose: "content", of }, source, options, undefined);
}

/**
 * Streams a source into the worker: opens a reading there with `params`, sends
 * the bytes, and returns what the reading comes to. The next piece is fetched
 * while the worker parses the one before; of a small source all pieces are. A large file
 * the worker reads itself, so that this thread sees none of its bytes and is free for
 * drawing; other workers read ranges of it at the same time, and keep their rows: see
 * {@link Keepers}.
 * The digest, by which a purchase is charged, is of the very bytes that were parsed: each worker
 * takes its part of what it parses. What is read
 * again later, because a keeper died or all rows are needed in one worker, is compared with them
 * by a checksum of each page: what an accident changes is refused. Whatever goes wrong, the
 * worker's half of it is dropped.
 */
async function read(
  engine: Engine,
  params: OpenReading,
  source: Source,
  options: ProgressOptions,
  keptBy: KeptBy | undefined,
): Promise<{ result: unknown; epoch: number; keepers?: Keepers | undefined }> {
  const { signal, onProgress } = options;
  const declared = declaredSize(source);
  refuseIfTooLarge(declared);
  if (
    !canBeReadAgain(source) &&
    partsOf(source).some((part) => part instanceof ReadableStream && part.locked)
  ) {
    throw new CloisterError(
      "dataset-lost",
      "The stream has been read already and cannot be read twice. Open the file again.",
    );
  }
  const { epoch } = engine;
  const again = canBeReadAgain(source);
  const keepers = await keptBy?.(engine, params, source);
  const opening = engine.ask(
    "read.open",
    {
      ...params,
      size: declared,
      // A ledger of an earlier version may ask for it when a stream is over, which is too late. The
      // ledger is not asked before whether it does: for that the browser's storage would be opened
      // by readings that are never charged, and an earlier program might write to it afterwards.
      whole: !again && params.purpose !== "lookalikes",
      ...keepers?.asked,
    },
    { signal, epoch },
  );
  opening.catch(() => keepers?.end());
  const { reading } = await opening;

  let sent = 0;
  let reported = -Infinity;
  let last: Promise<unknown> = Promise.resolve();
  const report = (bytes: number, rows: number) => {
    if (performance.now() < reported + REPORT) return;
    reported = performance.now();
    onProgress?.(progress(bytes, rows, declared));
  };
  /**
   * Of a small source all pieces may wait for the worker. One that is larger than it said waits for
   * the worker from there on.
   */
  let ahead = again && declared < LARGE;
  /** Asks for what comes next; if it is a piece, so many bytes are sent with it. */
  const inOrder = async (next: () => Promise<unknown>, bytes?: number) => {
    const before = last;
    if (!ahead || sent > LARGE) await before;
    const reply = next();
    last = before
      .then(() => reply)
      .then((said) => {
        if (bytes !== undefined) report(bytes, (said as { rows: number }).rows);
        return said;
      });
    // Awaited later; until then a failure has no other listener.
    for (const waits of [reply, last]) waits.catch(() => (ahead = false));
  };
  try {
    for (const part of partsOf(source)) {
      await inOrder(() =>
        engine.ask("read.part", { reading, name: nameOf(part) }, { signal, epoch }),
      );
      if (!inNode && part instanceof Blob && part.size >= LARGE) {
        await last;
        const tell = (update: unknown) => {
          const { bytes, rows } = update as { bytes: number; rows: number };
          onProgress?.(progress(sent + bytes, rows, declared));
        };
        await engine.call({
          method: "worker.feed",
          params: { reading, file: part },
          signal,
          onProgress: tell,
          epoch,
        });
        sent += part.size;
        continue;
      }
      for await (const chunk of chunksOf(part)) {
        const size = chunk.byteLength;
        refuseIfTooLarge(sent + size);
        sent += size;
        await inOrder(
          () =>
            engine.ask(
              "read.append",
              { reading, bytes: chunk },
              { transfer: [chunk.buffer], signal, epoch },
            ),
          sent,
        );
      }
    }
    await last;
    await inOrder(() => engine.ask("read.finish", { reading }, { signal, epoch }));
    return { result: await last, epoch, keepers };
  } catch (error) {
    // What is wrong with a piece that was sent comes before what is wrong with the next.
    const first = await last.then(
      () => error,
      (before: unknown) => before,
    );
    keepers?.end();
    if (engine.epoch === epoch)
      engine.ask("read.cancel", { reading }, { epoch }).catch(() => undefined);
    throw first;
  }
}
