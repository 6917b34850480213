import type { AnyLabel, FitMethod, LedgerCharge, PrivacyReport, Release } from "../client/types.ts";
import type { forAgain } from "../studio/again.ts";
import type { Problem } from "../studio/problem.ts";
import type { Result, Source } from "../studio/state.ts";
import type { Studio } from "../studio/studio.ts";

const ways: Readonly<Record<string, FitMethod>> = { gaussian: "outpert", "gradient-descent": "dpgd", "subsampled-gaussian": "dpsgd" };

/** The rows of an evaluation are not those of its model, and a held-out file's account may have models of its own. */
const elsewhere: Source = { id: 0, kind: "file", parts: [], names: ["an earlier visit"], bytes: 0 };

/** Hands out again what was bought and kept with its charge. It is the same as it was, so it costs nothing. */
export class Again {
  /** The charge that was asked about last, and what came of it. */
  asked: { readonly charge: string; readonly phase: "running" | "done" | "failed"; readonly problem?: Problem } | null = null;

  constructor(
    private readonly studio: Studio,
    private readonly page: typeof forAgain,
  ) {}

  private set(charge: LedgerCharge, phase: "running" | "done" | "failed", announcement: string, problem?: Problem): void {
    this.asked = { charge: charge.id, phase, ...(problem && { problem }) };
    this.studio.store.set({ announcement });
  }

  async hand(charge: LedgerCharge): Promise<void> {
    const { studio, page } = this;
    if (!studio.client || page.busy(studio.state) || this.asked?.phase === "running") return;
    this.set(charge, "running", "");
    try {
      await (charge.purpose === "report" ? this.report(charge) : this.model(charge));
    } catch (error) {
      this.set(charge, "failed", "It could not be had again.", page.problemOf(error));
    }
  }

  /** Puts a model in step 5, unless it stands there. */
  private async model(charge: LedgerCharge): Promise<void> {
    const { studio, page } = this;
    const client = studio.client!;
    const { release, text } = await client.ledger.kept<Release<AnyLabel>>(charge.id);
    const there = studio.state.results.find((r) => r.charge?.id === charge.id || r.text === text);
    if (there) studio.shelf.show(there.number);
    else {
      const { source, desk } = studio.state;
      const own = charge.purpose === "fit" && desk.account?.charges.some(({ id }) => id === charge.id);
      const series = await page.curvesOf(client, release.event, release.guarantee).catch(() => []);
      const figures = release.evaluation && (await client.reprice(release)).figures;
      // Another model may have come in the meantime.
      const { results } = studio.state;
      const result: Result = {
        number: results.length + 1,
        release,
        text,
        way: ways[release.event.mechanism] ?? "amp",
        source: (own && source) || elsewhere,
        key: "",
        series,
        charge,
        ...(figures && { figures }),
      };
      studio.evaluator.close();
      studio.store.set({ results: [result, ...results], result, fresh: true, predict: page.emptyPredict, classShown: 0 });
    }
    this.set(charge, "done", "The model is in step 5 again. It cost nothing.");
    studio.onResult?.();
  }

  /** Saves a report, and puts it beside its model where that is one of this visit's. */
  private async report(charge: LedgerCharge): Promise<void> {
    const { studio, page } = this;
    const client = studio.client!;
    const { release: report } = await client.ledger.kept<PrivacyReport>(charge.id);
    const text = `${JSON.stringify(report)}\n`;
    page.download("privacy-report.json", "application/json", text);
    for (const { number, release, report: has } of studio.state.results) {
      const inspected = has?.report.kind === report.kind ? null : await client.inspectReport(release, report).catch(() => null);
      if (!inspected) continue;
      const results = studio.state.results.map((r) => (r.number === number ? { ...r, report: { report, text, inspected } } : r));
      studio.store.set({ results, result: results.find((r) => r.number === studio.state.result?.number) ?? null });
    }
    this.set(charge, "done", "The privacy report is saved again. It cost nothing.");
  }
}
