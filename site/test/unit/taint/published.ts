// What would be published or kept of a description, and what of it must not be.

import type { AnyLabel, CardSchema, Purchase, Schema } from "../../../src/client/types.ts";
import { cardOf, proposedCuts } from "../../../src/pages/studio/draft/card.ts";
import { checkCard } from "../../../src/pages/studio/draft/card-check.ts";
import { check } from "../../../src/pages/studio/draft/check.ts";
import {
  type ColumnDraft,
  draftOf,
  type SchemaDraft,
} from "../../../src/pages/studio/draft/draft.ts";
import { unconfirmed } from "../../../src/pages/studio/draft/learnt.ts";
import { notesOf } from "../../../src/pages/studio/notes/notes.ts";
import type { Notes } from "../../../src/pages/studio/state/notes.ts";
import { firstState, type State } from "../../../src/pages/studio/state/state.ts";
import { cutKey, key, knows, type Model, numbers, plain, tainted, type World } from "./person.ts";
import { boughtBounds, column, file, hasSpelling, isSecret, rows } from "./table.ts";

type Entry = Schema<AnyLabel>["features"][number] | AnyLabel;

export function valuesIn(f: Entry): string[] {
  if ("min" in f) return [String(f.min), String(f.max)];
  if ("categories" in f) return [...f.categories];
  return "classes" in f ? f.classes.flat() : [...f.negative, ...f.positive];
}

export function notesIn(draft: SchemaDraft): Notes {
  const state: State = {
    ...firstState("light"),
    source: { id: 2, kind: "file", parts: [], names: ["people.csv"], bytes: 10 },
    draft,
    origin: "read",
  };
  return notesOf(state)!;
}

/** What of an entry nobody said, bought or typed, and it does not say so. */
function leaks(f: Entry, m: Model): string[] {
  if (f.provenance === "suggested") return [];
  const bought = "purchase" in f ? (f.purchase as Purchase | undefined) : undefined;
  const found = valuesIn(f).filter(
    (v) =>
      isSecret(f.name, v) &&
      !knows(m, f.name, v) &&
      !(bought && m.bought.has(`${f.name} ${bought.charge} ${plain(v)}`)),
  );
  if ("log" in f && f.log && f.name === "weight" && !knows(m, f.name, "log")) found.push("log");
  if (f !== undefined && "missing" in f && f.missing === "drop" && isFeature(f)) {
    if (rows[f.name] && !knows(m, f.name, "rule:drop")) found.push("rule:drop");
  }
  return found.map((v) => `${f.name}: ${v}`);
}

/** What kind of values it has, as the model calls it. */
export const kindOf = (f: Entry): string => f.type ?? "two";

/**
 * Whether an entry is called public that was read, without a word for its values of that kind. Of
 * numbers in a column none is wanted where neither bound is one that the page ever showed of it.
 */
function unsaid(f: Entry, m: Model): string[] {
  if (f.provenance !== "public" || ![...m.seen].some((x) => x.startsWith(`${f.name} `))) return [];
  if (m.words.some((one) => one.name === f.name && one.of === kindOf(f))) return [];
  const own = f.type === "numeric" && isFeature(f);
  return own && !valuesIn(f).some((v) => m.seen.has(key(f.name, v)))
    ? []
    : [`${f.name} is public without a word`];
}

const isFeature = (f: Entry): boolean => f.type === "categorical" || "log" in f;

function spellingLeaks(
  missing: readonly string[],
  entries: readonly { readonly name: string; readonly provenance: string }[],
  m: Model,
): string[] {
  return missing.filter((x) => {
    const columns = hasSpelling(x);
    if (columns.length === 0 || knows(m, "missing", x)) return false;
    const there = entries.filter((f) => columns.includes(f.name));
    // One that was taken in with a schema is on the mark of all that it calls read.
    return there.length === 0
      ? entries.every((f) => f.provenance !== "suggested")
      : there.some((f) => f.provenance !== "suggested");
  });
}

function cardLeaks(card: CardSchema, { draft, model: m }: World): string[] {
  const found = leaks(card.label, m);
  for (const f of card.attributes) {
    if (f.provenance !== "public") continue;
    const c = draft.columns.find((one) => one.name.trim() === f.name && one.include)!;
    if (f.type === "numeric") {
      const values = [String(f.min), String(f.max)];
      found.push(...values.filter((v) => isSecret(f.name, v) && !knows(m, f.name, v)));
      const offered = tainted(m, c).length === 0 ? proposedCuts(c) : [];
      found.push(
        ...f.cuts
          .filter((x) => secretCuts(f.name).has(x) && !offered.includes(x))
          .filter((x) => !knows(m, f.name, cutKey(x)))
          .map((x) => `${f.name} cut ${x}`),
      );
    } else {
      const all = f.levels.flatMap(({ name, values }) => [name, ...values]);
      found.push(
        ...(rows[f.name] ?? [])
          .filter((x) => !knows(m, f.name, x) && all.some((text) => text.includes(x)))
          .map((x) => `${f.name} level ${x}`),
      );
    }
  }
  found.push(...spellingLeaks(card.missing_values ?? [], [...card.attributes, card.label], m));
  return found.map((x) => `card: ${x}`);
}

/** Cut points that the page proposes from bounds of which one is the rows'. */
function secretCuts(name: string): Set<number> {
  const all = [...(rows[name] ?? []), ...boughtBounds];
  const found = new Set<number>();
  for (const log of [false, true])
    for (const x of all)
      for (const y of [...all, ...numbers])
        for (const [min, max] of [
          [x, y],
          [y, x],
        ] as const)
          for (const cut of proposedCuts({ min, max, log } as ColumnDraft)) found.add(cut);
  for (const own of [55, 60, 65, 70, 30]) found.delete(own);
  return found;
}

/** Each column and the label as a schema would say it, whatever is wrong with the others. */
function eachOf(draft: SchemaDraft): Entry[] {
  const { columns, label } = other;
  const alone = draft.columns
    .filter((c) => c.include)
    .map((c) => draft.columns.map((one) => (one === c ? c : { ...one, include: false })));
  return [
    ...alone.flatMap((one) => check({ ...draft, columns: one, label }).schema?.features ?? []),
    ...[check({ ...draft, columns }).schema?.label ?? []].flat(),
  ];
}

/** What nobody asks about. */
export const other = draftOf({
  ...file,
  features: [{ ...column("another", 0, 1), provenance: "public" }],
  label: { ...file.label, name: "the other", provenance: "public" },
} as Schema);

/** What is there that must not be; null if nothing is. */
export function wrong(w: World): string | null {
  const { draft, model: m } = w;
  const found = eachOf(draft).flatMap((f) => unsaid(f, m));
  const { schema } = check(draft);
  if (schema) {
    const entries = [...schema.features, schema.label];
    found.push(...entries.flatMap((f) => leaks(f, m)));
    found.push(...spellingLeaks(schema.missing_values ?? [], entries, m));
    const named = new Set(unconfirmed(draft).map((name) => name.trim()));
    for (const f of entries)
      if (f.provenance === "suggested" && !named.has(f.name.trim()))
        found.push(`${f.name} is not named among what the guarantee leaves out`);
    if (cardOf(draft).making && schema.label.type === undefined) {
      const card = checkCard(draft).schema;
      if (card) found.push(...cardLeaks(card, w));
    }
  }
  const kept = JSON.stringify(notesIn(draft));
  for (const [name, values] of Object.entries(rows))
    for (const x of values) {
      const there = Number.isFinite(Number(x))
        ? new RegExp(`[^0-9.-]${x.replace(/[.-]/g, "\\$&")}[^0-9.]`).test(kept)
        : kept.includes(x);
      const paid = [...m.bought].some((k) => k.startsWith(`${name} `) && k.endsWith(` ${x}`));
      const spelling = knows(m, "missing", x);
      if (there && !paid && !spelling && !knows(m, name, x)) found.push(`notes: ${name}: ${x}`);
    }
  return found.length > 0 ? found.join("; ") : null;
}
