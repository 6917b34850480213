// What the verifier does; ./view draws it.

import {
  type AnyLabel,
  type Client,
  CloisterError,
  type DerivedModel,
  type NoisyCells,
  type PrivacyReport,
  type Release,
  type Repriced,
  type ScorecardRelease,
} from "../../client/types.ts";
import { parse, textOf } from "../../elements/my-privacy/documents.ts";
import { curvesOf } from "../release/curves.ts";
import { type Document, readDocument } from "../shell/json-file.ts";
import { Page } from "../shell/page.ts";
import type { Update } from "../shell/offline/register.ts";
import { problemOf } from "../shell/problem.ts";
import { currentTheme } from "../shell/theme.ts";
import { failed } from "./claims.ts";
import { refusalOf } from "./refusal.ts";
import { type Checked, firstState, type VerifierState } from "./state.ts";

/**
 * What the verifier needs of the page: the core, and the seal that has to be in place before a file
 * can be chosen.
 */
export interface Host {
  /** Calls answered when nothing more is asked of the network. */
  load(answered: () => void): Promise<Client>;
  seal(): void;
}

export class Verifier extends Page<VerifierState, Host> {
  /** The core, from the seal on; it may still be on its way. */
  private client: Promise<Client> | null = null;
  /** The release that was chosen last: what is found about others comes too late. */
  private latest: File | null = null;
  /** The documents that were chosen last beside it. */
  private readonly latestBeside: Record<Beside, File | null> = { report: null, derived: null };
  /** The work on the release that was chosen last. */
  private work: Promise<void> = Promise.resolve();
  /** The last files to be told apart: in the order in which they were chosen. */
  private sorted: Promise<unknown> = Promise.resolve();

  constructor(host: Host, changed: () => void) {
    super(firstState(currentTheme()), host, changed);
  }

  /**
   * Fetches the core, seals the page, and starts the worker under the seal. In this order. A file
   * can be chosen from the seal on.
   */
  async begin(): Promise<void> {
    try {
      let answer = () => {};
      const answered = new Promise<void>((resolve) => (answer = resolve));
      const loading = this.host.load(answer);
      await Promise.race([answered, loading]);
      this.host.seal();
      const started = loading.then(async (client) => ({ client, about: await client.start() }));
      this.client = started.then(({ client }) => client);
      this.client.catch(() => {});
      this.set({
        core: { phase: "sealed" },
        announcement: "The page is sealed. A file can be chosen.",
      });
      const { about } = await started;
      this.set({ core: { phase: "ready", library: about.library } });
    } catch (error) {
      this.set({
        core: { phase: "failed", problem: problemOf(error) },
        check: { phase: "empty" },
        announcement: "The page could not be opened.",
      });
    }
  }

  /** Checks a file: a release, or a model card with one in it. Work on another one ends. */
  private async takeRelease(file: File): Promise<void> {
    if (!this.client) return;
    const busy = this.state.check.phase === "running";
    this.latest = file;
    this.latestBeside.report = this.latestBeside.derived = null;
    const { name } = file;
    this.set({
      check: { phase: "running", name },
      allCoefficients: false,
      classShown: 0,
      announcement: `Checking ${name}.`,
    });
    try {
      const client = await this.client;
      if (busy) client.terminate();
      // The core reads the document strictly; until then it is a release by name only.
      const { tree, card } = await read(file);
      if (file !== this.latest) return;
      const { format } = tree as { format?: unknown };
      if (format === "cloister-scorecard" || format === "cloister-noisy-cells") {
        const release = tree as ScorecardRelease | NoisyCells;
        const answer =
          "card" in release
            ? await client.checkScorecard(release)
            : await client.checkNoisyCells(release);
        if (file !== this.latest) return;
        this.set({
          check: { phase: "scorecard", checked: { name, card, release, answer } },
          announcement: verdictOf(name, answer),
        });
        return this.onShown?.();
      }
      const release = tree as Release<AnyLabel>;
      const answer = await client.reprice(release);
      // A curve is of the event alone; of one that cannot be run there is none.
      const series = await curvesOf(client, release.event, release.guarantee).catch(() => []);
      const differences = await client.differences(release).catch(() => undefined);
      if (file !== this.latest) return;
      this.set({
        check: {
          phase: "done",
          checked: { name, card, release, answer, differences, series },
        },
        announcement: verdictOf(name, answer),
      });
    } catch (error) {
      if (file !== this.latest || this.state.core.phase === "failed") return;
      const refusal = refusalOf(error);
      this.set({ check: { phase: "refused", name, refusal }, announcement: `${refusal.title}.` });
    }
    this.onShown?.();
  }

  /**
   * Checks a release, and whether a privacy report or a derived model belongs to it: one that is
   * chosen with it, or beside the one that was chosen last. Of several of a kind the last counts,
   * in one choice and of choices in quick succession, however long each takes to read.
   */
  async take(files: readonly File[]): Promise<void> {
    const sorting = this.sorted.then(() => Promise.all(files.map(kindOf)));
    this.sorted = sorting;
    const kinds = await sorting;
    const last = (kind: Beside | null) => files.findLast((_, i) => kinds[i] === kind);
    const release = last(null);
    if (release) this.work = this.takeRelease(release);
    const beside = this.latest;
    await this.work;
    for (const kind of ["report", "derived"] as const) {
      const file = last(kind);
      if (file && this.client && beside === this.latest) await this.addBeside(kind, file);
    }
  }

  /** Checks a document that belongs beside the release that is shown. */
  private async addBeside(kind: Beside, file: File): Promise<void> {
    this.latestBeside[kind] = file;
    const { check } = this.state;
    const { name } = file;
    const { title, not } = besides[kind];
    if (check.phase !== "done") {
      // what is wrong with the release comes first
      if (check.phase === "scorecard" || (check.phase === "refused" && check.name !== "")) return;
      const refusal = {
        title,
        message: "It belongs beside a release, and tells nothing without it.",
        advice: "Choose the two files together.",
      };
      this.set({ check: { phase: "refused", name, refusal }, announcement: `${refusal.title}.` });
      return this.onShown?.();
    }
    const { checked } = check;
    let found: Pick<Checked, Beside>;
    let problem: string | undefined;
    try {
      const tree = parse(await textOf(file, "report", name), "report", name);
      const client = await this.client!;
      found =
        kind === "report"
          ? {
              report: {
                name,
                inspected: await client.inspectReport(checked.release, tree as PrivacyReport),
              },
            }
          : {
              derived: {
                name,
                model: await client.checkDerived(checked.release, tree as DerivedModel),
              },
            };
    } catch (error) {
      problem = error instanceof CloisterError ? error.message : not;
      found = { [kind]: { name, problem } };
    }
    const now = this.state.check;
    const isLatest = file === this.latestBeside[kind] && now.phase === "done";
    if (!isLatest || now.checked.release !== checked.release) return;
    this.set({
      check: { phase: "done", checked: { ...now.checked, ...found } },
      announcement: problem ?? `${name} belongs to ${checked.name}.`,
    });
    this.onShown?.();
  }

  /** Ends the work on a file: what it says may be made up to take long. */
  async cancel(): Promise<void> {
    if (this.state.check.phase !== "running") return;
    this.latest = null;
    this.set({
      check: { phase: "empty" },
      announcement: "Cancelled. Nothing is said about the file.",
    });
    (await this.client)?.terminate();
  }

  showAllCoefficients(allCoefficients: boolean): void {
    this.set({ allCoefficients });
  }

  showClass(classShown: number): void {
    this.set({ classShown });
  }

  offerUpdate(update: Update): void {
    this.set({ update, announcement: "A newer version of this page is ready." });
  }
}

function verdictOf(name: string, { findings }: Pick<Repriced, "findings">): string {
  const lies = failed(findings);
  const says =
    lies.length > 0
      ? `does not tell the truth. ${lies.map((l) => `${l.group}: ${l.claim.title}`).join(", ")}.`
      : "tells the truth. The guarantee holds.";
  return `${name} ${says}`;
}

/** A kind of document that is checked beside a release. */
type Beside = "report" | "derived";

const besides: Readonly<Record<Beside, { readonly title: string; readonly not: string }>> = {
  report: {
    title: "This is a privacy report",
    not: "This report is not whole: it is not JSON.",
  },
  derived: {
    title: "This is a model derived from a release",
    not: "This model is not whole: it is not JSON.",
  },
};

/** What a file says that it is, if it belongs beside a release. */
async function kindOf(file: File): Promise<Beside | null> {
  if (file.size >= 32e6) return null;
  const text = await file.text().catch(() => "");
  const said = /"format"\s*:\s*"cloister-(report|derived)"/.exec(text)?.[1];
  return (said as Beside | undefined) ?? null;
}

async function read(file: File): Promise<Document> {
  try {
    return await readDocument(file, "release");
  } catch (cause) {
    // A file that was moved or changed since it was chosen.
    if (cause instanceof DOMException)
      throw new CloisterError("source", `${file.name} could not be read.`, {}, { cause });
    throw cause;
  }
}
