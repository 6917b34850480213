// What an experiment is run on, and who is told of it.

import type { CallOptions } from "./call-types.ts";
import type { Dataset, Source } from "./data-types.ts";
import type { ExperimentProgress, Grid } from "./wire/types.ts";

export interface ExperimentOnSets extends Grid {
  /** By name, see {@link Laboratory}. */
  sets: readonly string[];
  /** The files of the sets that have any, by the names that the laboratory knows them by. */
  files?: Readonly<Record<string, Source>>;
}

/**
 * On a file of one's own: its records as they were opened, for every method. The results are
 * not private: their standing is `experiment: not private`.
 */
export interface ExperimentOnDataset extends Grid {
  dataset: Dataset;
}

export type Experiment = ExperimentOnSets | ExperimentOnDataset;

export interface ExperimentOptions extends CallOptions {
  onProgress?: (progress: ExperimentProgress) => void;
}
