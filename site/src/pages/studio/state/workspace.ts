import type {
  Adjacency,
  AnyLabel,
  AnySchema,
  Client,
  Dataset,
  ProgressOptions,
  Schema,
} from "../../../client/types.ts";
import type { FileAccount } from "../account/file-account.ts";
import type { Notes } from "./notes.ts";
import type * as Made from "../sample/tables.ts";
import type { Running } from "./running.ts";
import type { Way } from "./choices.ts";
import type { Asked, Result, Source, State } from "./state.ts";
import type { Store } from "./store.ts";

/** A fit as it is described: all that is asked for but its data. */
export type PlannedFit = Asked & { readonly schema: Schema<AnyLabel> };

/**
 * What the steps of the studio share, and what one may ask of another; `../studio.ts` puts it
 * together. A step takes this and what is its own, so that none has to know the whole page. The
 * studio.ts in each step's folder says what that is.
 */
export interface Workspace {
  readonly store: Store;
  readonly state: State;
  readonly running: Running;
  /** The core, once it runs under the seal. */
  readonly client: Client | null;
  /** The core, when it runs; an error if it does not come to that, or the signal fires before. */
  core(signal: AbortSignal): Promise<Client>;
  /** How the made-up tables are made. Null until it is fetched, with what comes later. */
  readonly made: typeof Made | null;
  /** The account of the open file. */
  readonly fileAccount: FileAccount;
  /** Whose guarantee a fit gives: what the data set's total is for. */
  readonly adjacency: Adjacency;
  /** Called when a result has been put in place, to move the focus there. */
  readonly onResult: (() => void) | undefined;
  /** Called when a file of the person's own has been opened and read. */
  onOpened?(): void;
  /** Brings a field or a part of the page on the screen, by its id, and the focus to it. */
  show(id: string): void;
  /** Ends the long work that is under way, a fit or the reading of a file. */
  cancel(): void;
  /** Finds the account of the open file, once its description is whole. */
  look(): Promise<void>;
  /**
   * Whether the file should be looked up by itself: it was not, or failed to be with another
   * description.
   */
  isLookDue(schema: AnySchema): boolean;
  /** Something was bought, or may have been: the account is read anew. */
  charged(): Promise<void>;

  // The steps, as far as others call them.

  readonly reader: {
    /** The open file as a design matrix; kept for the next fit with the same schema. */
    dataset(
      source: Source,
      schema: Schema<AnyLabel>,
      names: readonly string[] | undefined,
      options: ProgressOptions,
    ): Promise<Dataset<AnyLabel>>;
  };
  /** Works out what the planned fit would take, when typing pauses. */
  readonly planner: {
    soon(): void;
    stop(): void;
    /** The fit as it is described, if all of it is whole; or the same in another way. */
    planned(way?: Way | "usual"): PlannedFit | null;
  };
  /** Buys bounds and categories. Null until it is fetched, like all that `../later.ts` brings. */
  readonly buyer: { soon(): void; close(): void } | null;
  /** Looks for columns that all but tell the label. */
  readonly lookalikes: { soon(): void; stop(): void } | null;
  /** Tries out what privacy is expected to cost in accuracy. */
  readonly accuracyTrials: { soon(): void } | null;
  readonly evaluator: { close(): void };
  /** The models of this visit. */
  readonly models: {
    show(number: number): void;
    /** A model as it is now, if it may be published. */
    publishable(asked: Result | null): Promise<Result | null>;
  };
  /** What was entered about files of these names in an earlier visit. */
  readonly autosave: { about(names: readonly string[]): Notes | null };
}
