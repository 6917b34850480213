import type { Engine } from "./engine.ts";
import { joined, linked } from "./joined.ts";
import { inNode } from "./limits.ts";
import { together } from "./shards.ts";
import { partsOf } from "./source.ts";
import type { Source } from "./types.ts";
import type { OpenReading } from "./wire/calls.ts";
import { deathsAreSeen } from "./watch.ts";

/**
 * Workers that keep a part of a large file's rows each, for the worker of an engine. All of them
 * read the file at once: each its own range, to the end of its blocks (worker.ts, and
 * wasm/api/fitting, scattered.go). Of a file with CR LF each first counts those before its range,
 * because the blocks of the digest depend on them. So all workers together have every row once, and
 * no rows are sent at a fit. They end with the dataset, or when the engine's worker ends or needs
 * all rows itself. One that dies is not replaced: the engine's worker reads its part of the file
 * again.
 */
export class Keepers {
  readonly #alive = new Set<Engine>();
  readonly #unlink: () => void;
  /** What a reading is told of them. */
  readonly asked: Pick<OpenReading, "keepers" | "file">;

  private constructor(engine: Engine, file: Blob, team: number) {
    const keepers: number[] = [];
    while (keepers.length < team - 1) {
      const keeper = engine.beside();
      this.#alive.add(keeper);
      keepers.push(joined(engine, keeper));
      keeper.atEnd(() => this.#alive.delete(keeper));
    }
    const { number, unlink } = linked([engine, ...this.#alive], file);
    this.#unlink = unlink;
    this.asked = { keepers, file: number };
    engine.atEnd(() => this.end());
  }

  /**
   * Those for a reading; none where there is little to read, one processor, a death that might not
   * be seen, or more than a single file. Rows of one scale are for noisy steps, which need all rows
   * in one place.
   */
  static async beside(
    engine: Engine,
    params: OpenReading,
    source: Source,
  ): Promise<Keepers | undefined> {
    const [file, ...more] = partsOf(source);
    const { rows } = (params.schema ?? {}) as { rows?: { norm?: string } };
    if (params.purpose !== "dataset" || rows?.norm === "scale") return undefined;
    if (inNode || more.length > 0 || !(file instanceof Blob)) return undefined;
    const team = together(file.size);
    if (team < 2 || !(await deathsAreSeen())) return undefined;
    return new Keepers(engine, file, team);
  }

  /** Whether there is one that keeps rows. */
  get alive(): boolean {
    return this.#alive.size > 0;
  }

  end(): void {
    for (const keeper of this.#alive) keeper.terminate();
    this.#unlink();
  }
}
