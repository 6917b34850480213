import { html, nothing, type TemplateResult } from "lit/html.js";

import { section } from "../../../shell/section.ts";
import type { Result } from "../../state/state.ts";
import { LiveAudit } from "../live-audit/live-audit.ts";
import { attackPanel } from "../live-audit/panel.ts";
import { evaluation } from "./evaluation.ts";
import { lossesPanel } from "./losses.ts";
import { reportPanel } from "./report-panel.ts";
import { Reporter } from "./reporter.ts";
import { fence } from "./fence.ts";
import { OtherModels } from "./other-models.ts";
import { otherModelsPanel } from "./other-models-panel.ts";
import type { Studio } from "./studio.ts";

/**
 * What can be done with a model once it is fitted: work out others from its moments, buy an
 * evaluation, make a privacy report, and look at what it really cost.
 */
export class AfterFit {
  readonly reporter: Reporter;
  private readonly audit: LiveAudit;
  private readonly others: OtherModels;

  constructor(private readonly studio: Studio) {
    this.reporter = new Reporter(studio);
    this.audit = new LiveAudit(studio);
    this.others = new OtherModels(studio);
  }

  /**
   * Other models of its moments; what it cost each row, for the holder; what can be bought for the
   * model's readers, and for each person. All of it is folded.
   */
  panels(result: Result): TemplateResult {
    const { source } = this.studio.state.evaluation;
    return html`${otherModelsPanel(this.others, result)} ${attackPanel(this.audit, result)}
    ${lossesPanel(this.reporter, result)}
    ${section("evaluation", "How well it does, for its readers", evaluation(this.studio, result), {
      open: source !== null || result.figures !== undefined,
    })}
    ${section(
      "report",
      "What it cost each person, for them to see",
      reportPanel(this.reporter, result),
      { open: result.report !== undefined },
    )}`;
  }

  /** The private figures, or what opens them. */
  fence(result: Result): TemplateResult | typeof nothing {
    const { chooser, state } = this.studio;
    return fence(chooser, state, result);
  }
}
