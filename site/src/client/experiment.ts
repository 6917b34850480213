import { DatasetHandle } from "./dataset.ts";
import type { Engine } from "./engine.ts";
import { CloisterError } from "./error.ts";
import type { Experiment, ExperimentOptions, ExperimentResult, Source } from "./types.ts";
import type { RunCall } from "./wire/calls.ts";
import { chunksOf, declaredSize, partsOf, refuseIfTooLarge } from "./source.ts";

/** Runs an experiment in the worker; aborting ends the worker. */
export async function runExperiment(
  engine: Engine,
  experiment: Experiment,
  options: ExperimentOptions,
): Promise<ExperimentResult> {
  const { signal, onProgress } = options;
  const call = (params: RunCall, epoch?: number) =>
    engine.ask("lab.run", params, {
      signal,
      onProgress: onProgress as ((update: unknown) => void) | undefined,
      onAbort: "end-worker",
      ...(epoch !== undefined && { epoch }),
    });
  if ("dataset" in experiment) {
    const { dataset, ...grid } = experiment;
    if (!(dataset instanceof DatasetHandle && dataset.isOf(engine)))
      throw new CloisterError(
        "dataset-lost",
        "An experiment needs a dataset that this client opened.",
      );
    return dataset.use({ ...(signal && { signal }) }, (id, epoch) =>
      call({ ...grid, dataset: id }, epoch),
    );
  }
  const { files, ...grid } = experiment;
  if (!files) return call(grid);
  // Not transferred: if the worker is replaced for the sake of another call, they are sent again.
  const entries = Object.entries(files).map(
    async ([name, source]) => [name, await bytesOf(source)] as const,
  );
  return call({ ...grid, files: Object.fromEntries(await Promise.all(entries)) });
}

async function bytesOf(source: Source): Promise<Uint8Array> {
  refuseIfTooLarge(declaredSize(source));
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (const part of partsOf(source)) {
    for await (const chunk of chunksOf(part)) {
      size += chunk.byteLength;
      refuseIfTooLarge(size);
      chunks.push(chunk);
    }
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}
