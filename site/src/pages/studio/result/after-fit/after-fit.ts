import { html, nothing, type TemplateResult } from "lit/html.js";

import { section } from "../../../shell/section.ts";
import type { CardResult } from "../../state/card-state.ts";
import { isOpen } from "../../state/choice.ts";
import type { Result } from "../../state/state.ts";
import { LiveAudit } from "../live-audit/live-audit.ts";
import { attackPanel } from "../live-audit/panel.ts";
import { evaluation, type Measured } from "./evaluation.ts";
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
    return html`${otherModelsPanel(this.others, result)} ${attackPanel(this.audit, result)}
    ${lossesPanel(this.reporter, result)}
    ${this.evaluation({
      figures: result.figures,
      sample: result.source.kind === "sample",
      fenced: result.diagnostics !== undefined,
      exact: isOpen(this.studio.state, result) ? result.exact : undefined,
    })}
    ${section(
      "report",
      "What it cost each person, for them to see",
      reportPanel(this.reporter, result),
      { open: result.report !== undefined },
    )}`;
  }

  /** What can be bought for a card's readers. */
  ofCard({ checked, sample, release }: CardResult): TemplateResult {
    return this.evaluation({
      figures: checked.figures,
      sample: sample !== undefined,
      label: release.schema.label,
    });
  }

  private evaluation(of: Measured): TemplateResult {
    const open = this.studio.state.evaluation.source !== null || of.figures !== undefined;
    const title = "How well it does, for its readers";
    return section("evaluation", title, evaluation(this.studio, of), { open });
  }

  /** The private figures, or what opens them. */
  fence(result: Result): TemplateResult | typeof nothing {
    const { chooser, state } = this.studio;
    return fence(chooser, state, result);
  }
}
