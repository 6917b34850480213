import type { TemplateResult } from "lit";

import type { Result } from "../studio/state.ts";
import type { Studio } from "../studio/studio.ts";
import { evaluation } from "./evaluation.ts";
import { lossesPanel } from "./losses.ts";
import { reportPanel } from "./panel.ts";
import { Reporter } from "./reporter.ts";
import type { Page, Tools } from "./tools.ts";

export class Afterwards {
  readonly reporter: Reporter;

  constructor(studio: Studio, page: Page) {
    this.reporter = new Reporter(studio, page);
  }

  panels(tools: Tools, studio: Studio, result: Result): TemplateResult {
    const { html } = tools;
    return html`${evaluation(tools, studio, result)} ${reportPanel(tools, this.reporter, result)} ${lossesPanel(tools, this.reporter, result)}`;
  }
}
