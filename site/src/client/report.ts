import { DatasetHandle } from "./dataset.ts";
import { ordered } from "./document.ts";
import type { Engine } from "./engine.ts";
import { CloisterError } from "./error.ts";
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
  return held(dataset, "report").use(options, async (id, epoch) =>
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

export function trueLosses(
  engine: Engine,
  dataset: Dataset<AnyLabel>,
  release: Release<AnyLabel>,
  { report, signal }: TrueLossesOptions,
): Promise<TrueLosses> {
  return held(dataset, "trueLosses").use({ ...(signal && { signal }) }, (id, epoch) =>
    engine.ask("losses", { release, dataset: id, ...(report && { report }) }, { signal, epoch }),
  );
}

function held(dataset: Dataset<AnyLabel> | null, method: string): DatasetHandle<AnyLabel> {
  if (!(dataset instanceof DatasetHandle))
    throw new CloisterError(
      "dataset-lost",
      `${method} needs the dataset that the release was fitted to.`,
    );
  return dataset;
}
