import { opened } from "./dataset.ts";
import { ordered } from "./document.ts";
import type { Engine } from "./engine.ts";
import type { Send } from "./ledger.ts";
import type {
  AnyLabel,
  Dataset,
  PrivacyReport,
  Release,
  ReportOptions,
  ReportResult,
  TrueLosses,
  TrueLossesOptions,
} from "./types.ts";

/**
 * Makes a report of a release that was fitted to the dataset. One that costs nothing needs no
 * dataset, and is never charged.
 */
export async function makeReport<R extends ReportResult>(
  engine: Engine,
  dataset: Dataset<AnyLabel> | null,
  release: Release<AnyLabel>,
  options: ReportOptions,
  send: Send,
): Promise<R> {
  const { signal, onProgress, ...request } = options;
  const done = ({ release: report, ...more }: { release: PrivacyReport }) =>
    ({ ...more, report: ordered(report), text: `${JSON.stringify(ordered(report))}\n` }) as R;
  if (options.kind === "data-independent")
    return done(await engine.ask("report.free", { ...request, release }, { signal }));
  return opened(engine, dataset, "report").use(options, async (id, epoch) =>
    done(
      await send(
        "report",
        { ...request, release, dataset: id },
        {
          signal,
          onProgress: onProgress as (update: unknown) => void,
          onAbort: "end-worker",
          epoch,
        },
      ),
    ),
  );
}

export async function trueLosses(
  engine: Engine,
  dataset: Dataset<AnyLabel>,
  release: Release<AnyLabel>,
  { report, signal }: TrueLossesOptions,
): Promise<TrueLosses> {
  return opened(engine, dataset, "trueLosses").use({ ...(signal && { signal }) }, (id, epoch) =>
    engine.ask("losses", { release, dataset: id, ...(report && { report }) }, { signal, epoch }),
  );
}
