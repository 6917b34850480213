import type { Lookalike } from "../../../client/types.ts";
import type { SchemaDraft } from "../draft/draft.ts";

/**
 * Columns that were looked at by themselves, and those that all but tell the label. It was read off
 * the rows: it goes into nothing that is saved or published.
 */
export interface LookedAt {
  /** {@link labelKey} at the time. */
  readonly about: string;
  /** All that were looked at. */
  readonly columns: readonly string[];
  readonly found: readonly Lookalike[];
}

interface Predicted {
  readonly source: {
    readonly id: number;
    readonly header?: string | undefined;
    readonly delimiter?: string | undefined;
  } | null;
  readonly draft: SchemaDraft | null;
}

/** The open file, how it is read, and what is predicted of it. */
export function labelKey({ source, draft }: Predicted): string {
  const { name, kind, positive, negative, classes, min, max } = draft?.label ?? {};
  const values = { two: [positive, negative], classes: [classes], numeric: [min, max] };
  return JSON.stringify([
    source?.id,
    source?.header,
    source?.delimiter,
    name,
    kind,
    kind && values[kind],
  ]);
}
