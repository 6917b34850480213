// The verifier's actions. It draws nothing.

import { type AnyLabel, type Client, CloisterError, type PrivacyReport, type Release } from "../client/types.ts";
import { curvesOf } from "../studio/curves.ts";
import { readJSON } from "../studio/json-file.ts";
import type { Update } from "../studio/offline/register.ts";
import { problemOf } from "../studio/problem.ts";
import { chooseTheme, currentTheme, type Theme } from "../studio/theme.ts";
import { failed } from "./claims.ts";
import { refusalOf } from "./refusal.ts";
import { firstState, type VerifierState } from "./state.ts";

/** What the verifier needs of the page: the core, and the seal that has to be in place before a file can be chosen. */
export interface Host {
  /** Calls answered when nothing more is asked of the network. */
  load(answered: () => void): Promise<Client>;
  seal(): void;
}

export class Verifier {
  state: VerifierState = firstState(currentTheme());

  /** Called when there is something to read, to move the focus there. */
  onShown: (() => void) | undefined;

  /** The core, from the seal on; it may still be on its way. */
  private client: Promise<Client> | null = null;
  /** The file that was chosen last: what is found about others comes too late. */
  private latest: File | null = null;

  constructor(
    private readonly host: Host,
    private readonly changed: () => void,
  ) {}

  private set(change: Partial<VerifierState>): void {
    this.state = { ...this.state, ...change };
    this.changed();
  }

  /** Fetches the core, seals the page, and starts the worker under the seal. In this order. A file can be chosen from the seal on. */
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
      this.set({ core: { phase: "sealed" }, announcement: "The page is sealed. A file can be chosen." });
      const { about } = await started;
      this.set({ core: { phase: "ready", library: about.library } });
    } catch (error) {
      this.set({ core: { phase: "failed", problem: problemOf(error) }, check: { phase: "empty" }, announcement: "The page could not be opened." });
    }
  }

  /** Checks a file: a release, or a model card with one in it. Work on another one ends. */
  private async takeRelease(file: File): Promise<void> {
    if (!this.client) return;
    const busy = this.state.check.phase === "running";
    this.latest = file;
    const { name } = file;
    this.set({ check: { phase: "running", name }, allCoefficients: false, classShown: 0, announcement: `Checking ${name}.` });
    try {
      const client = await this.client;
      if (busy) client.terminate();
      // The core reads the document strictly; until then it is a release by name only.
      const release = (await read(file)) as Release<AnyLabel>;
      if (file !== this.latest) return;
      const answer = await client.reprice(release);
      // A curve is of the event alone; of one that cannot be run there is none.
      const series = await curvesOf(client, release.event, release.guarantee).catch(() => []);
      if (file !== this.latest) return;
      const lies = failed(answer.findings);
      const says = lies.length > 0 ? `does not tell the truth. ${lies.map((l) => `${l.group}: ${l.claim.title}`).join(", ")}.` : "tells the truth. The guarantee holds.";
      this.set({ check: { phase: "done", checked: { name, card: /\.html?$/i.test(name), release, answer, series } }, announcement: `${name} ${says}` });
    } catch (error) {
      if (file !== this.latest || this.state.core.phase === "failed") return;
      const refusal = refusalOf(error);
      this.set({ check: { phase: "refused", name, refusal }, announcement: `${refusal.title}.` });
    }
    this.onShown?.();
  }

  /** Checks a release, and whether a privacy report belongs to it: one that is chosen with it, or beside the one that was checked last. */
  async take(files: readonly File[]): Promise<void> {
    let report: File | undefined;
    let release: File | undefined;
    for (const file of files) {
      if (await isReport(file)) report ??= file;
      else release ??= file;
    }
    if (release) await this.takeRelease(release);
    if (report && this.client) await this.addReport(report);
  }

  private async addReport(file: File): Promise<void> {
    const { check } = this.state;
    const { name } = file;
    if (check.phase !== "done") {
      if (check.phase === "refused" && check.name !== "") return; // what is wrong with the release comes first
      const refusal = { title: "This is a privacy report", message: "It belongs beside a release, and tells nothing without it.", advice: "Choose the two files together." };
      this.set({ check: { phase: "refused", name, refusal }, announcement: `${refusal.title}.` });
      return this.onShown?.();
    }
    const { checked } = check;
    let report: NonNullable<typeof checked.report>;
    try {
      report = { name, inspected: await (await this.client!).inspectReport(checked.release, JSON.parse(await file.text()) as PrivacyReport) };
    } catch (error) {
      report = { name, problem: error instanceof CloisterError ? error.message : "This report is not whole: it is not JSON." };
    }
    if (this.state.check !== check) return;
    this.set({ check: { phase: "done", checked: { ...checked, report } }, announcement: report.problem ?? `${name} belongs to ${checked.name}.` });
    this.onShown?.();
  }

  /** Ends the work on a file: what it says may be made up to take long. */
  async cancel(): Promise<void> {
    if (this.state.check.phase !== "running") return;
    this.latest = null;
    this.set({ check: { phase: "empty" }, announcement: "Cancelled. Nothing is said about the file." });
    (await this.client)?.terminate();
  }

  showAllCoefficients(allCoefficients: boolean): void {
    this.set({ allCoefficients });
  }

  showClass(classShown: number): void {
    this.set({ classShown });
  }

  setTheme(theme: Theme): void {
    chooseTheme(theme);
    this.followTheme();
  }

  followTheme(): void {
    this.set({ theme: currentTheme() });
  }

  offerUpdate(update: Update): void {
    this.set({ update, announcement: "A newer version of this page is ready." });
  }
}

/** Whether a file says that it is a privacy report. */
async function isReport(file: File): Promise<boolean> {
  return file.size < 32e6 && /"format"\s*:\s*"cloister-report"/.test(await file.text().catch(() => ""));
}

async function read(file: File): Promise<unknown> {
  try {
    return await readJSON(file, "release");
  } catch (cause) {
    // A file that was moved or changed since it was chosen.
    if (cause instanceof DOMException) throw new CloisterError("source", `${file.name} could not be read.`, {}, { cause });
    throw cause;
  }
}
