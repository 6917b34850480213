// What the person did, as the tests of what passes for public see it: a model of their own of what
// was seen, typed, confirmed and bought.

import type { AnyLabel, Schema } from "../../../src/client/types.ts";
import {
  type BoughtPart,
  classesOf,
  type ColumnDraft,
  linesOf,
  type SchemaDraft,
} from "../../../src/pages/studio/draft/draft.ts";
import type { Notes } from "../../../src/pages/studio/state/notes.ts";
import { isSecret } from "./table.ts";

export interface Model {
  /** "column value" that the person typed. */
  readonly typed: ReadonlySet<string>;
  /** What the person confirmed, as it was shown. */
  readonly said: readonly Said[];
  /** "column charge value" that was bought. */
  readonly bought: ReadonlySet<string>;
  /** What the person gave a word or a reason for, and did not take back. */
  readonly words: readonly Omit<Said, "value">[];
  /** "column value" that the page showed as read. */
  readonly seen: ReadonlySet<string>;
}

export interface Said {
  readonly name: string;
  readonly value: string;
  /** What it was said of: the column's values of that kind. */
  readonly of: string;
  readonly by: "word" | "reason";
}

export interface World {
  readonly draft: SchemaDraft;
  readonly model: Model;
  readonly past: readonly Pick<World, "draft" | "model">[];
  readonly future: readonly Pick<World, "draft" | "model">[];
  readonly saved?: Schema<AnyLabel>;
  readonly noted?: { readonly notes: Notes; readonly model: Model };
  /** A purchase that is under way: of a column by id. */
  readonly pending?: { readonly id: string; readonly name: string; readonly put: BoughtPart };
}

export const nothing: Model = {
  typed: new Set(),
  said: [],
  bought: new Set(),
  words: [],
  seen: new Set(),
};

export const key = (name: string, value: string): string => `${name} ${plain(value)}`;
export const plain = (value: string): string =>
  value.trim() !== "" && Number.isFinite(Number(value)) ? String(Number(value)) : value;

export const typing = (m: Model, name: string, values: readonly string[]): Model => ({
  ...m,
  typed: new Set([...m.typed, ...values.map((v) => key(name, v))]),
});

export const saying = (
  m: Model,
  name: string,
  of: string,
  values: readonly string[],
  by: Said["by"],
) => ({
  ...m,
  said: [...m.said, ...values.map((v) => ({ name, of, by, value: plain(v) }))],
  words: [...m.words, { name, of, by }],
});

/** Takes back what was said of a column's values of a kind, or by a reason. */
export function unsaying(m: Model, name: string, what: string): Model {
  const stays = (one: Omit<Said, "value">) =>
    one.name !== name || (one.of !== what && one.by !== what);
  return { ...m, said: m.said.filter(stays), words: m.words.filter(stays) };
}

export const seeing = (m: Model, name: string, values: readonly string[]): Model => ({
  ...m,
  seen: new Set([...m.seen, ...values.map((v) => key(name, v))]),
});

export const knows = ({ typed, said }: Model, name: string, value: string): boolean =>
  typed.has(key(name, value)) || said.some((x) => x.name === name && x.value === plain(value));

/** All that is shown of a column at the moment. */
export function shown(c: ColumnDraft): string[] {
  const rule = [`rule:${c.missing.action}`];
  return c.type === "numeric"
    ? [c.min, c.max, ...(c.log ? ["log"] : []), ...rule]
    : [...linesOf(c.categories), ...rule];
}

export function shownOfLabel({ label }: SchemaDraft): string[] {
  if (label.kind === "numeric") return [label.min, label.max];
  return label.kind === "classes"
    ? classesOf(label.classes).flat()
    : [...linesOf(label.negative), ...linesOf(label.positive)];
}

/** A cut of a card, as what a column has. */
export const cutKey = (x: number) => `cut:${x}`;

/** What the person types where a number is wanted. */
export const numbers = ["0", "1", "50", "200", "1000", "", "-"];

/** The bounds of a column that nobody knows. */
export const tainted = (m: Model, c: ColumnDraft): string[] =>
  [c.min, c.max].filter((x) => isSecret(c.name, x) && !knows(m, c.name, x));
