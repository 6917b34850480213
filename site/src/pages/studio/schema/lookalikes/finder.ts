import { check } from "../../draft/check.ts";
import { included } from "../../draft/draft.ts";
import { calledIn } from "../../state/called.ts";
import { labelKey, type LookedAt } from "../../state/lookalikes.ts";
import { busy } from "../../state/state.ts";
import type { Workspace } from "../../state/workspace.ts";
import { isAborted } from "../../../shell/problem.ts";

/**
 * Looks, while the page has nothing else to do, for columns of the open file that by themselves all
 * but tell the label: once for a label, and again for columns that are new.
 */
export class LookalikeFinder {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private control: AbortController | null = null;

  constructor(private readonly studio: Workspace) {}

  soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), 400);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.control?.abort();
    this.control = null;
  }

  private async look(): Promise<void> {
    const { client, state, store } = this.studio;
    const { source, draft, lookalikes: before } = state;
    const schema = draft && check(draft).schema;
    // The made-up rows are nobody's, and are known to have none.
    if (!client || source?.kind !== "file" || !schema || busy(state)) return;
    const about = labelKey(state);
    const columns = included(draft).map((c) => c.name);
    if (before?.about === about && columns.every((name) => before.columns.includes(name))) return;
    this.stop();
    const control = new AbortController();
    this.control = control;
    let found: LookedAt["found"] = [];
    try {
      const { header, delimiter } = source;
      const options = { header, delimiter, names: calledIn(state), signal: control.signal };
      found = await client.findLookalikes(source.parts, schema, options);
    } catch (error) {
      // What is wrong with a file is said where it is read for more than a hint.
      if (isAborted(error)) return;
    }
    if (this.control !== control) return;
    this.control = null;
    const { announcement } = store.state;
    store.set({
      lookalikes: { about, columns, found },
      announcement:
        found.length > 0 ? "A column all but tells what is to be predicted." : announcement,
    });
    if (labelKey(store.state) !== about) this.soon();
  }
}
