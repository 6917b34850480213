import { type Engine, WorkerReplaced } from "./engine.ts";
import { CloisterError, type ErrorCode, reason } from "./error.ts";
import type { CallOptions } from "./call-types.ts";
import type { BoundFor, Move, OwnRow, PersonalBound, PersonalReport, ReportReader } from "./personal-types.ts";
import type { About } from "./types.ts";

type Opened = Pick<PersonalReport, "kind" | "rho" | "people" | "worst" | "problems" | "cost"> & { reader: number };

/** {@link ReportReader}, in terms of the methods of `reader.wasm`. */
export class ReportReaderClient implements ReportReader {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  start(options: CallOptions = {}): Promise<About> {
    return this.#engine.call({ method: "about", ...options }) as Promise<About>;
  }

  async open(release: unknown, report: unknown, options: CallOptions = {}): Promise<PersonalReport> {
    const documents = { release: parsed(release, "release"), report: parsed(report, "report") };
    const epoch = this.#engine.epoch;
    const opened = (await this.#engine.call({ method: "open", params: documents, ...options })) as Opened;
    return new OpenReport(this.#engine, documents, opened, epoch);
  }

  terminate(): void {
    this.#engine.terminate();
  }
}

class OpenReport implements PersonalReport {
  readonly kind: PersonalReport["kind"];
  readonly rho: number;
  readonly people: number;
  readonly worst: PersonalReport["worst"];
  readonly problems: string[];
  readonly cost?: NonNullable<PersonalReport["cost"]>;
  readonly #engine: Engine;
  readonly #documents: { release: unknown; report: unknown };
  /** Its number in the worker of an epoch. */
  #place: { reader: number; epoch: number };

  constructor(engine: Engine, documents: { release: unknown; report: unknown }, { reader, kind, rho, people, worst, problems, cost }: Opened, epoch: number) {
    this.#engine = engine;
    this.#documents = documents;
    this.#place = { reader, epoch };
    this.kind = kind;
    this.rho = rho;
    this.people = people;
    this.worst = worst;
    this.problems = problems;
    if (cost) this.cost = cost;
  }

  bound(row: OwnRow, options: BoundFor = {}): Promise<PersonalBound> {
    return this.#ask("row", row, options) as Promise<PersonalBound>;
  }

  async moves(row: OwnRow, options: BoundFor = {}): Promise<Move[]> {
    return ((await this.#ask("moves", row, options)) as { moves: Move[] }).moves;
  }

  async close(): Promise<void> {
    const { reader, epoch } = this.#place;
    if (epoch === this.#engine.epoch) await this.#engine.call({ method: "close", params: { reader } });
  }

  /** Asks about a row; a worker that was replaced reads the documents again first. */
  async #ask(method: string, row: OwnRow, { rho, people, signal }: BoundFor): Promise<unknown> {
    const label = (this.#documents.release as { schema: { label: { name: string } } }).schema.label.name;
    const { [label]: own = null, ...fields } = row;
    for (let last = false; ; last = true) {
      if (this.#place.epoch !== this.#engine.epoch) {
        const { epoch } = this.#engine;
        const { reader } = (await this.#engine.call({ method: "open", params: this.#documents, signal })) as Opened;
        this.#place = { reader, epoch };
      }
      const { reader, epoch } = this.#place;
      try {
        return await this.#engine.call({ method, params: { reader, row: fields, label: own, rho, people }, epoch, signal });
      } catch (error) {
        if (last || !(error instanceof WorkerReplaced)) throw error;
      }
    }
  }
}

function parsed(document: unknown, code: ErrorCode & ("release" | "report")): unknown {
  if (typeof document !== "string") return document;
  try {
    return JSON.parse(document);
  } catch (error) {
    throw new CloisterError(code, `The ${code === "release" ? "release" : "privacy report"} is not JSON: ${reason(error)}`, {}, { cause: error });
  }
}
