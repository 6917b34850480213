import { DatasetHandle } from "./dataset.ts";
import type { Engine } from "./engine.ts";
import { runExperiment } from "./experiment.ts";
import { checkSchema, suggestSchema } from "./suggestion.ts";
import type * as types from "./types.ts";

/** The calls of {@link types.Laboratory}, each in terms of the core's methods. */
export class LaboratoryClient implements types.Laboratory {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  start(options: types.CallOptions = {}): Promise<types.About> {
    return this.#engine.ask("about", {}, options);
  }

  openDataset<L extends types.AnyLabel = types.Label>(
    source: types.Source,
    schema: types.Schema<L> | string,
    options: types.ReadingOptions = {},
  ): Promise<types.Dataset<L>> {
    return DatasetHandle.open<L>(this.#engine, source, schema, options);
  }

  suggestSchema<L extends types.AnyLabel = types.Label>(
    source: types.Source,
    options: types.SuggestOptions = {},
  ): Promise<types.Suggestion<L>> {
    return suggestSchema<L>(this.#engine, source, options);
  }

  checkSchema<L extends types.AnyLabel = types.Label>(
    schema: unknown,
    options: types.CallOptions = {},
  ): Promise<types.CheckedSchema<L>> {
    return checkSchema<L>(this.#engine, schema, options);
  }

  laboratory(options: types.CallOptions = {}): Promise<types.LaboratoryContents> {
    return this.#engine.ask("lab.contents", {}, options);
  }

  experiment(
    experiment: types.Experiment,
    options: types.ExperimentOptions = {},
  ): Promise<types.ExperimentResult> {
    return runExperiment(this.#engine, experiment, options);
  }

  beside(): types.Laboratory {
    return new LaboratoryClient(this.#engine.beside());
  }

  terminate(): void {
    this.#engine.terminate();
  }
}
