// Schemas: read off a file, or given and checked; and what a file's rows hint at about one.

import { ordered, schemaOf } from "./document.ts";
import type { Engine } from "./engine.ts";
import { ContentHandle } from "./held.ts";
import { readAnew } from "./reading.ts";
import type {
  AnyLabel,
  CallOptions,
  CheckedSchema,
  Lookalike,
  ReadingOptions,
  Schema,
  Source,
  Suggestion,
  SuggestOptions,
} from "./types.ts";
import type { LookedAlike, Suggested } from "./wire/calls.ts";

export async function suggestSchema<L extends AnyLabel>(
  engine: Engine,
  source: Source,
  options: SuggestOptions,
): Promise<Suggestion<L>> {
  const { label, positive, labelType, header, delimiter } = options;
  const { result, epoch } = await readAnew<Suggested>(
    engine,
    { purpose: "suggest", label, positive, labelType, header, delimiter },
    source,
    options,
  );
  const { schema, leftOut, sentinels, missing, layout, content } = result;
  return {
    schema: ordered(schema) as Schema<L>,
    leftOut,
    sentinels,
    missing,
    layout,
    content: new ContentHandle(engine, source, { id: content, epoch }, options),
  };
}

export async function findLookalikes(
  engine: Engine,
  source: Source,
  schema: Schema<AnyLabel>,
  { header, delimiter, names, ...options }: ReadingOptions,
): Promise<Lookalike[]> {
  const { result } = await readAnew<LookedAlike>(
    engine,
    { purpose: "lookalikes", schema: schemaOf(schema), header, delimiter, names },
    source,
    options,
  );
  return result.lookalikes;
}

export async function checkSchema<L extends AnyLabel>(
  engine: Engine,
  schema: unknown,
  options: CallOptions,
): Promise<CheckedSchema<L>> {
  const reply = await engine.ask("schema.check", { schema: schemaOf(schema) }, options);
  return { ...reply, schema: ordered(reply.schema) as Schema<L> };
}
