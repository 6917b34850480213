import {
  type Account,
  type AnyLabel,
  CloisterError,
  type FitMethod,
  type LedgerCharge,
  type PrivacyEvent,
  type PrivacyReport,
  type Release,
  type Told,
} from "../../../../client/types.ts";
import { defaultFitMethod, fitMethods } from "../../../../client/wire/methods.ts";
import { candidatesOf } from "../../../release/candidates.ts";
import { curvesOf } from "../../../release/curves.ts";
import { download } from "../../../shell/download.ts";
import { pageProblem, type Problem, problemOf } from "../../../shell/problem.ts";
import type { Again as FromLedger } from "../../account/charges.ts";
import type { RowsChoose, Way } from "../../state/choices.ts";
import { busy, emptyPredict, type Result, type Source, withResult } from "../../state/state.ts";
import type { Workspace } from "../../state/workspace.ts";
import { type Chooser, chargeRows } from "../../notes/chooser.ts";
import { accountsOf, modelsOn, pledgeOn } from "../../state/choice.ts";

/** The methods whose releases say what else their fits gave out, by what that is of. */
const tellers: Readonly<Record<Told["of"], FitMethod>> = {
  "tested-sample": "ops-ptr",
  "fixed-sample": "ops",
  "tested-curvature": "outptr",
};

/** The methods whose fits have such an event; of steps, as many, where there is such a method. */
function likely(event: Release<AnyLabel>["event"]): FitMethod | undefined {
  const able = (Object.keys(fitMethods) as FitMethod[]).filter(
    (way) => fitMethods[way].mechanism === event.mechanism,
  );
  const steps = event.mechanism === "gradient-descent" ? event.sigmas.length : undefined;
  return able.find((way) => fitMethods[way].steps === steps) ?? able[0];
}

/** What the rows chose: λ if all candidates are objective perturbation, one fit or one a class. */
const rowsChose = (event: PrivacyEvent): RowsChoose =>
  candidatesOf(event)
    .flatMap((one) => (one.mechanism === "composition" ? one.parts.map((part) => part.event) : one))
    .every(({ mechanism }) => mechanism === fitMethods[defaultFitMethod].mechanism)
    ? "chooseLambda"
    : "chooseMethod";

/** The method whose releases hold such things, or the first whose fits have such an event. */
const wayOf = ({ event, model }: Release<AnyLabel>): Way =>
  event.mechanism === "poisson-selection"
    ? rowsChose(event)
    : model?.moments
      ? "suffstats"
      : model?.told
        ? tellers[model.told.of]
        : (likely(event) ?? defaultFitMethod);

/**
 * The rows of an evaluation are not those of its model, and a held-out file's account may have
 * models of its own.
 */
const elsewhere: Source = {
  id: 0,
  kind: "file",
  parts: [],
  names: ["an earlier visit"],
  bytes: 0,
};

const notPublished = pageProblem(
  "Nothing was saved",
  "Before you looked at the private figures you said that you publish no model of this file. A privacy report tells of a model, so the page saves none.",
);

/**
 * Hands out again what was bought and kept with its charge. It is the same as it was, so it costs
 * nothing.
 */
export class Again implements FromLedger {
  /** The charge that was asked about last, and what came of it. */
  asked: {
    readonly charge: string;
    readonly phase: "running" | "done" | "failed";
    readonly problem?: Problem;
  } | null = null;

  constructor(private readonly studio: Workspace & { readonly chooser: Chooser }) {}

  private set(
    charge: LedgerCharge,
    phase: "running" | "done" | "failed",
    announcement: string,
    problem?: Problem,
  ): void {
    this.asked = { charge: charge.id, phase, ...(problem && { problem }) };
    this.studio.store.set({ announcement });
  }

  async hand(charge: LedgerCharge): Promise<void> {
    const { studio } = this;
    if (!studio.client || busy(studio.state) || this.asked?.phase === "running") return;
    this.set(charge, "running", "");
    try {
      await (charge.purpose.startsWith("scorecard")
        ? this.file(charge, "scorecard.json", "The scorecard is")
        : charge.purpose === "cells"
          ? this.file(charge, "noisy-cells.json", "The noisy cells are")
          : charge.purpose === "report"
            ? this.report(charge)
            : this.model(charge));
    } catch (error) {
      this.set(charge, "failed", "It could not be opened again.", problemOf(error));
    }
  }

  /** Puts a model in step 5, unless it stands there. */
  private async model(charge: LedgerCharge): Promise<void> {
    const { studio } = this;
    const client = studio.client!;
    const { release, text } = await client.ledger.kept<Release<AnyLabel>>(charge.id);
    const there = studio.state.results.find((r) => r.charge?.id === charge.id || r.text === text);
    if (there) studio.models.show(there.number);
    else {
      const { source, fileAccount } = studio.state;
      const account = await this.fittedTo(charge, release);
      const own = account !== undefined && account.id === fileAccount.account?.id;
      // What lies in the browser's storage may have been changed there.
      const { problems, figures } = await client.reprice(release);
      if (problems.length > 0)
        throw new CloisterError("release", `It is not as it was released. ${problems[0]}`);
      const series = await curvesOf(client, release.event, release.guarantee).catch(() => []);
      const differences = await client.differences(release).catch(() => undefined);
      // Another model may have come in the meantime.
      const { results } = studio.state;
      const result: Result = {
        number: results.length + 1,
        release,
        text,
        way: wayOf(release),
        source: (own && source) || elsewhere,
        key: "",
        series,
        differences,
        charge,
        rows: account?.id ?? `${chargeRows}${charge.id}`,
        earlier: account ? modelsOn(account) - 1 : 1,
        ...(figures && { figures }),
      };
      studio.evaluator.close();
      studio.store.set({
        results: [result, ...results],
        result,
        looking: "model",
        fresh: true,
        predict: emptyPredict,
        unread: null,
        classShown: 0,
      });
    }
    this.set(charge, "done", "The model is in step 5 again. It cost nothing.");
    studio.onResult?.();
  }

  /**
   * The account of the rows that a model was fitted to, if that is kept. An evaluation may be paid
   * for by other rows, so its model is looked for among the fits.
   */
  private async fittedTo(
    charge: LedgerCharge,
    release: Release<AnyLabel>,
  ): Promise<Account | undefined> {
    if (charge.purpose === "fit") return this.paying(charge);
    const model = JSON.stringify(release.model);
    for (const account of accountsOf(this.studio.state))
      for (const { id, purpose, kept } of account.charges) {
        if (purpose !== "fit" || !kept) continue;
        const fit = await this.studio.client!.ledger.kept<Release<AnyLabel>>(id);
        if (JSON.stringify(fit.release.model) === model) return account;
      }
    return undefined;
  }

  private paying(charge: LedgerCharge): Account | undefined {
    return accountsOf(this.studio.state).find((a) => a.charges.some(({ id }) => id === charge.id));
  }

  /** Saves what is a file of its own. */
  private async file(charge: LedgerCharge, name: string, what: string): Promise<void> {
    const { text } = await this.studio.client!.ledger.kept(charge.id);
    download(name, "application/json", text);
    this.set(charge, "done", `${what} saved again. It cost nothing.`);
  }

  /**
   * Saves a report, and puts it beside its model where that is one of this visit's. It tells of the
   * model, so who publishes no model of the rows has no report of one.
   */
  private async report(charge: LedgerCharge): Promise<void> {
    const { studio } = this;
    const client = studio.client!;
    const { release: report } = await client.ledger.kept<PrivacyReport>(charge.id);
    const rows = this.paying(charge)?.id;
    if (rows === undefined) return this.set(charge, "failed", "Nothing was saved.");
    if (!(await studio.chooser.read({ rows, charge }, "Nothing was saved")))
      return this.set(charge, "failed", "Nothing was saved.", studio.state.unread!);
    if (pledgeOn(studio.state, rows) === "none")
      return this.set(charge, "failed", "Nothing was saved.", notPublished);
    const text = `${JSON.stringify(report)}\n`;
    download("privacy-report.json", "application/json", text);
    for (const { number, release, report: has } of studio.state.results) {
      const inspected =
        has?.report.kind === report.kind
          ? null
          : await client.inspectReport(release, report).catch(() => null);
      if (!inspected) continue;
      studio.store.set(withResult(studio.state, number, { report: { report, text, inspected } }));
    }
    this.set(charge, "done", "The privacy report is saved again. It cost nothing.");
  }
}
