// What the page of privacy reports does; ./view.ts draws it.

import type { ReportReader } from "../../client/types.ts";
import type { Documents } from "../../elements/my-privacy/documents.ts";
import { Page } from "../shell/page.ts";
import type { Update } from "../shell/offline/register.ts";
import { type Problem, problemOf } from "../shell/problem.ts";
import type { Core } from "../shell/core.ts";
import { currentTheme, type Theme } from "../shell/theme.ts";
import { type Chosen, withFile } from "./files.ts";
import sample from "./sample.json";

/**
 * What the page needs: the core, and the seal, which has to be in place before a file can be chosen
 * or a row typed.
 */
export interface Host {
  load(): Promise<ReportReader>;
  seal(): void;
}

export interface PageState {
  readonly core: Core;
  readonly theme: Theme;
  readonly chosen: Chosen;
  /**
   * The documents that are open: one object for one choice, so that the same is not opened twice.
   */
  readonly documents: Documents | null;
  readonly sample: boolean;
  readonly problem: Problem | null;
  readonly update: Update | null;
  readonly announcement: string;
}

const firstState = (): PageState => ({
  core: { phase: "loading" },
  theme: currentTheme(),
  chosen: {},
  documents: null,
  sample: false,
  problem: null,
  update: null,
  announcement: "",
});

export class ReaderPage extends Page<PageState, Host> {
  /** The reader, once it runs under the seal. */
  reader: Promise<ReportReader> | undefined;

  constructor(host: Host, changed: () => void) {
    super(firstState(), host, changed);
  }

  /** Loads the core, seals the page, and starts the worker under the seal. In this order. */
  async begin(): Promise<void> {
    try {
      const reader = await this.host.load();
      this.host.seal();
      const { library } = await reader.start();
      this.reader = Promise.resolve(reader);
      this.set({
        core: { phase: "ready", library },
        announcement: "The page is sealed. Files can be chosen.",
      });
    } catch (error) {
      this.set({
        core: { phase: "failed", problem: problemOf(error) },
        announcement: "The page could not be opened.",
      });
    }
  }

  /** Takes files: a release, a report, or both in one. */
  async take(files: readonly File[]): Promise<void> {
    if (this.state.core.phase !== "ready") return;
    let chosen: Chosen = this.state.sample ? {} : this.state.chosen;
    try {
      for (const file of files) chosen = await withFile(chosen, file);
      this.choose(chosen, false);
    } catch (error) {
      const problem = { ...problemOf(error), title: "This file cannot be used" };
      this.set({ problem, announcement: `${problem.title}. ${problem.message}` });
    }
  }

  openSample(): void {
    if (this.state.core.phase !== "ready") return;
    const name = "the sample";
    this.choose(
      { release: { name, tree: sample.release }, report: { name, tree: sample.report } },
      true,
    );
  }

  private choose(chosen: Chosen, isSample: boolean): void {
    const { release, report } = chosen;
    const documents = release && report ? { release: release.tree, report: report.tree } : null;
    const missing = release ? "its privacy report" : "the release that it belongs to";
    this.set({
      chosen,
      documents,
      sample: isSample,
      problem: null,
      announcement: documents ? "Both files are open. Fill in your row." : `Now choose ${missing}.`,
    });
    if (documents) this.onShown?.();
  }

  offerUpdate(update: Update): void {
    this.set({ update });
  }
}
