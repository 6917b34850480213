/** The laboratory: the papers' comparisons, run again. The scores are no releases, and of a private file they are private. */
import type { CallOptions, Dataset, Source } from "./types.ts";
import type { Schema } from "./schema.ts";

/**
 * What a method's result on public data is worth: `private`, it has the guarantee of its ε and δ,
 * as the papers count it: methods whose `about` says so take the number of records for public; `dishonest`, something was chosen by looking at the data and not paid
 * for; `not private`.
 */
export type MethodStanding = "private" | "dishonest" | "not private";

/**
 * What a run's result is worth. On a dataset of one's own, `experiment: not private`: the seed of
 * the noise is public and the figures on test records are not protected, so nothing is private,
 * whatever the method.
 */
export type Standing = MethodStanding | "experiment: not private";

/** `full`: as the papers. `quick`: fewer epochs and coarser grids. */
export type Effort = "full" | "quick";

export interface LaboratorySet {
  name: string;
  title: string;
  about: string;
  /** Whose experiments it belongs to. */
  paper: string;
  /** The files it is read from, by name; none if the laboratory makes it up itself. */
  files: string[];
  /** What the files are read with; absent for made-up sets. */
  schema?: Schema;
}

export interface LaboratoryMethod {
  name: string;
  title: string;
  family: string;
  /** Of its results on the laboratory's own sets. */
  standing: MethodStanding;
  about: string;
  /** The points of its grid, for methods that pick the best of one; `[""]` for the others. */
  settings: Record<Effort, string[]>;
}

/** A number that a paper prints. */
export interface PublishedAccuracy {
  set: string;
  method: string;
  epsilon: number;
  accuracy: number;
  where: string;
}

export interface Laboratory {
  sets: LaboratorySet[];
  methods: LaboratoryMethod[];
  published: PublishedAccuracy[];
  /** The papers' values. */
  epsilons: number[];
  delta: number;
  trials: number;
}

interface Grid {
  /** By name, see {@link Laboratory}. */
  methods: readonly string[];
  /** Methods that are not private ignore them. */
  epsilons: readonly number[];
  /** Default 1e-5. */
  delta?: number;
  /** Default 1. Each splits the records anew, the same way for every method. */
  trials?: number;
  /** Another number draws everything anew. Default 0. */
  seed?: number;
  /** Default `full`. */
  effort?: Effort;
}

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

/** One run. It comes out the same, natively and in every browser, for the same key. */
export interface RunResult {
  /** `given` for a dataset of one's own. */
  set: string;
  method: string;
  /** The point of the method's grid. */
  setting: string;
  /** Infinity for methods that are not private. */
  epsilon: number;
  delta: number;
  trial: number;
  seed: number;
  effort: Effort;
  standing: Standing;
  /** Part of the test records whose label was predicted. */
  accuracy: number;
  /** Mean of log(1 + e^(−ym)) over them, y the label and m the margin. */
  loss: number;
  /** Part of them that has the commoner label. */
  baseline: number;
  tested: number;
  trained: number;
  detail: string;
  key: string;
}

/** A method on a set at one ε, over the trials. */
export interface RunSummary {
  set: string;
  method: string;
  standing: Standing;
  epsilon: number;
  trials: number;
  /** The mean. */
  accuracy: number;
  /** 1.96 standard errors of it; Infinity for one trial. */
  halfWidth: number;
  /** The point of the grid with the best mean on the test records: what a dishonest method picks. */
  setting: string;
  /** How many points there were. */
  settings: number;
}

export interface ExperimentResult {
  results: RunResult[];
  summaries: RunSummary[];
}

export interface ExperimentProgress {
  phase: "running";
  /** 0 to 1. */
  fraction: number;
  done: number;
  total: number;
  /** The run that was just done. */
  result: RunResult;
}

export interface ExperimentOptions extends CallOptions {
  onProgress?: (progress: ExperimentProgress) => void;
}
