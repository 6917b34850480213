// What was edited in the description of the columns, to take it back and to do it again. Pure
// values; ./editor.ts keeps them.

import { cardOf } from "../draft/card.ts";
import type { ColumnDraft, LabelDraft, SchemaDraft } from "../draft/draft.ts";
import type { Origin } from "./choices.ts";

interface Entry {
  readonly draft: SchemaDraft;
  readonly origin: Origin;
  /** What the step from this draft to the next was about, in words. */
  readonly about: string;
}

export interface History {
  /** Drafts before the present one, the latest last. */
  readonly past: readonly Entry[];
  /** Drafts that were taken back, the latest last. */
  readonly future: readonly Entry[];
  /** The field that is being typed in: what follows in it belongs to the same step. */
  readonly typing: string | null;
}

export const firstHistory: History = { past: [], future: [], typing: null };

/** How many steps can be taken back. */
const most = 200;

/** Fields that are typed in, letter by letter. */
const typed: ReadonlySet<string> = new Set([
  ...["name", "min", "max", "categories", "reason", "missing", "unknown"],
  ...["positive", "negative", "classes", "intercept", "missingValues"],
]);

/** What differs between two values: the names of their properties. */
function differing(a: object, b: object): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const of = (value: object, name: string) => (value as Readonly<Record<string, unknown>>)[name];
  return [...names].filter((name) => of(a, name) !== of(b, name));
}

/** What an edit was about: in words, and the one field that was typed in, if it was one. */
export function aboutEdit(
  before: SchemaDraft,
  after: SchemaDraft,
): { readonly about: string; readonly field: string | null } {
  const changed: { id: string; name: string; parts: string[] }[] = [];
  const part = (id: string, a: ColumnDraft | LabelDraft, b: ColumnDraft | LabelDraft) => {
    const parts = differing(a, b);
    if (parts.length > 0) changed.push({ id, name: b.name || "the new column", parts });
  };
  for (const column of after.columns) {
    const old = before.columns.find(({ id }) => id === column.id);
    if (!old) changed.push({ id: column.id, name: column.name || "a new column", parts: [] });
    else part(column.id, old, column);
  }
  for (const { id, name } of before.columns)
    if (!after.columns.some((c) => c.id === id)) changed.push({ id, name, parts: [] });
  part("label", before.label, after.label);
  if (before.card !== after.card) changed.push({ id: "card", name: "the card", parts: [] });
  for (const name of differing(before, after))
    if (
      !["columns", "label", "card", "next"].includes(name) &&
      (name !== "learnt" || before.missingValues === after.missingValues)
    )
      changed.push({ id: "", name: "rows and missing values", parts: [name] });
  const [first] = changed;
  if (!first) return { about: "", field: null };
  // A typed field may make a column public, or take that back.
  const field = first.id === "card" ? typedInCard(before, after) : typedIn(first.parts);
  return {
    about: changed.length === 1 ? first.name : `${changed.length} columns`,
    field: changed.length === 1 && field !== undefined ? `${first.id}.${field}` : null,
  };
}

const typedIn = (parts: readonly string[]) => parts.find((name) => typed.has(name));

/** The attribute whose cut points were typed, or the name of one of whose levels was. */
function typedInCard(before: SchemaDraft, after: SchemaDraft): string | undefined {
  const [was, is] = [cardOf(before).entered, cardOf(after).entered];
  const [id] = differing(was, is);
  if (id === undefined || !is[id]) return undefined;
  const { cuts, merged = [] } = is[id];
  if (cuts !== undefined && cuts !== was[id]?.cuts) return `${id}.cuts`;
  return merged.length === (was[id]?.merged ?? []).length ? `${id}.name` : undefined;
}

/** Takes note of an edit; letters typed into one field one after the other are one step. */
export function edited(
  { past, typing }: History,
  before: SchemaDraft,
  after: SchemaDraft,
  origin: Origin,
): History {
  const { about, field } = aboutEdit(before, after);
  if (field !== null && field === typing && past.length > 0) return { past, future: [], typing };
  return {
    past: [...past, { draft: before, origin, about }].slice(-most),
    future: [],
    typing: field,
  };
}

type Present = Pick<Entry, "draft" | "origin">;

/** The draft before the last edit; null where there is none. */
export function takenBack(
  { past, future }: History,
  now: Present,
): (Entry & { readonly history: History }) | null {
  const last = past.at(-1);
  if (!last) return null;
  return {
    ...last,
    history: {
      past: past.slice(0, -1),
      future: [...future, { ...now, about: last.about }],
      typing: null,
    },
  };
}

/** The draft after the edit that was taken back last; null where there is none. */
export function doneAgain(
  { past, future }: History,
  now: Present,
): (Entry & { readonly history: History }) | null {
  const next = future.at(-1);
  if (!next) return null;
  return {
    ...next,
    history: {
      past: [...past, { ...now, about: next.about }],
      future: future.slice(0, -1),
      typing: null,
    },
  };
}
