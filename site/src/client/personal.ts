import { type Engine, WorkerReplaced } from "./engine.ts";
import { CloisterError, type ErrorCode, reason } from "./error.ts";
import { survey } from "./json-text.ts";
import { own } from "./own.ts";
import type { BoundFor, CallOptions } from "./call-types.ts";
import type { PersonalReport, ReportReader } from "./personal-types.ts";
import type { Methods, OpenedReport, OpenReport as Documents } from "./wire/calls.ts";
import type { About, Move, OwnRow, PersonalBound } from "./wire/types.ts";

/** {@link ReportReader}, in terms of the methods of `reader.wasm`. */
export class ReportReaderClient implements ReportReader {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  start(options: CallOptions = {}): Promise<About> {
    return this.#engine.ask("about", {}, options);
  }

  async open(
    release: unknown,
    report: unknown,
    options: CallOptions = {},
  ): Promise<PersonalReport> {
    const documents = { release: parsed(release, "release"), report: parsed(report, "report") };
    const epoch = this.#engine.epoch;
    const opened = await this.#engine.ask("open", documents, options);
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
  readonly besides: string[];
  readonly cost?: NonNullable<PersonalReport["cost"]>;
  readonly #engine: Engine;
  readonly #documents: Documents;
  /** Its number in the worker of an epoch. */
  #place: { reader: number; epoch: number };

  constructor(
    engine: Engine,
    documents: Documents,
    { reader, kind, rho, people, worst, problems, besides, cost }: OpenedReport,
    epoch: number,
  ) {
    this.#engine = engine;
    this.#documents = documents;
    this.#place = { reader, epoch };
    this.kind = kind;
    this.rho = rho;
    this.people = people;
    this.worst = worst;
    this.problems = problems;
    this.besides = besides;
    if (cost) this.cost = cost;
  }

  bound(row: OwnRow, options: BoundFor = {}): Promise<PersonalBound> {
    return this.#ask("row", row, options);
  }

  async moves(row: OwnRow, options: BoundFor = {}): Promise<Move[]> {
    return (await this.#ask("moves", row, options)).moves;
  }

  async close(): Promise<void> {
    const { reader, epoch } = this.#place;
    if (epoch === this.#engine.epoch) await this.#engine.ask("close", { reader });
  }

  /** Asks about a row; a worker that was replaced reads the documents again first. */
  async #ask<M extends "row" | "moves">(
    method: M,
    row: OwnRow,
    { rho, people, signal }: BoundFor,
  ): Promise<Methods[M]["result"]> {
    const label = (this.#documents.release as { schema: { label: { name: string } } }).schema.label
      .name;
    const said = own(row, label) ?? null;
    const fields = Object.fromEntries(Object.entries(row).filter(([name]) => name !== label));
    for (let last = false; ; last = true) {
      if (this.#place.epoch !== this.#engine.epoch) {
        const { epoch } = this.#engine;
        const { reader } = await this.#engine.ask("open", this.#documents, { signal });
        this.#place = { reader, epoch };
      }
      const { reader, epoch } = this.#place;
      try {
        return await this.#engine.ask(
          method,
          { reader, row: fields, label: said, rho, people },
          { epoch, signal },
        );
      } catch (error) {
        if (last || !(error instanceof WorkerReplaced)) throw error;
      }
    }
  }
}

function parsed(document: unknown, code: ErrorCode & ("release" | "report")): unknown {
  if (typeof document !== "string") return document;
  const what = `The ${code === "release" ? "release" : "privacy report"}`;
  let tree: unknown;
  try {
    tree = JSON.parse(document);
  } catch (error) {
    throw new CloisterError(code, `${what} is not JSON: ${reason(error)}`, {}, { cause: error });
  }
  const { twice, beyond } = survey(document);
  if (beyond !== undefined)
    throw new CloisterError(code, `${what}'s ${beyond} is too large for any program.`, {
      field: beyond,
    });
  if (twice !== undefined)
    throw new CloisterError(
      code,
      `${what} says ${twice} twice: two readers could take it for two things.`,
      { field: twice },
    );
  return tree;
}

/** `myPrivacy`: what a release cost one person, by a reader that is loaded like this. */
export const inOneCall =
  (load: () => Promise<ReportReader>) =>
  async (
    release: unknown,
    report: unknown,
    row: OwnRow,
    options: BoundFor = {},
  ): Promise<PersonalBound> => {
    const opened = await (await load()).open(release, report, options);
    return opened.bound(row, options).finally(() => opened.close());
  };
