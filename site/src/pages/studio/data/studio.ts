import type { Autosave } from "../notes/autosave.ts";
import type { SampleName } from "../sample/samples.ts";
import type { Workspace } from "../state/workspace.ts";
import type { Reader } from "./reader.ts";

/** What the step of the data uses of the studio. */
export interface Studio extends Workspace {
  readonly reader: Reader;
  readonly autosave: Autosave;
  /** Opens a made-up table, and names it in the address. */
  openSample(name: SampleName): void;
}
