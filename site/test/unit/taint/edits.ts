// The edits that the page offers, and what each is to the person who makes it. Each is made of
// numbers alone, so that a sequence can be cut.

import type { AnyLabel, Schema } from "../../../src/client/types.ts";
import {
  attributesOf,
  cutsText,
  enteredOf,
  levelsOf,
  proposedCuts,
} from "../../../src/pages/studio/draft/card.ts";
import {
  chooseAttribute,
  chooseMaking,
  knewCuts,
  mergeLevels,
  nameLevel,
  proposeCuts,
  splitLevel,
  typeCuts,
} from "../../../src/pages/studio/draft/card-edit.ts";
import { check } from "../../../src/pages/studio/draft/check.ts";
import {
  type BoughtPart,
  classesOf,
  type ColumnDraft,
  draftOf,
  type LabelKind,
  linesOf,
  type SchemaDraft,
  textOf,
} from "../../../src/pages/studio/draft/draft.ts";
import {
  addColumn,
  changeColumn,
  changeKind,
  changeLabel,
  changeRows,
  chooseLabel,
  confirmAll,
  confirmLabel,
  decide,
  putBought,
  removeColumn,
  sayWhy,
  swapClasses,
} from "../../../src/pages/studio/draft/edit.ts";
import { knewBeforehand, learntOf } from "../../../src/pages/studio/draft/learnt.ts";
import { treatAsMissing } from "../../../src/pages/studio/draft/sentinels.ts";
import { withNotes } from "../../../src/pages/studio/notes/notes.ts";
import type { Notes } from "../../../src/pages/studio/state/notes.ts";
import {
  cutKey,
  type Model,
  nothing,
  numbers,
  plain,
  type Said,
  saying,
  seeing,
  shown,
  shownOfLabel,
  tainted,
  typing,
  unsaying,
  type World,
} from "./person.ts";
import { kindOf, notesIn, valuesIn } from "./published.ts";
import { boughtBounds, file, hasSpelling, prices, rows, sentinels } from "./table.ts";

export type Step = readonly [name: string, a: number, b: number];
type Edit = (w: World, a: number, b: number) => Pick<World, "draft" | "model"> | null;

export const pick = <T>(list: readonly T[], i: number): T | undefined =>
  list.length === 0 ? undefined : list[i % list.length];

const words = ["mine-One", "mine-Two", "mine-Three"];

/** A list that is edited as a text: what is new in it was typed. */
function editedList(before: string, a: number, owner: string): string {
  const list = linesOf(before);
  const ways = [
    [...list, words[a % 3]!],
    list.filter((_, i) => i !== a % Math.max(1, list.length)),
    [words[a % 3]!, words[(a + 1) % 3]!],
    [...list, pick(rows[owner] ?? words, a)!],
  ];
  return textOf([...new Set(ways[(a >> 4) % 4]!)]);
}
const fresh = (before: string, after: string) =>
  linesOf(after).filter((x) => !linesOf(before).includes(x));

const at = ({ draft }: World, a: number) => pick(draft.columns, a);

function typeIn(
  w: World,
  c: ColumnDraft,
  change: Parameters<typeof changeColumn>[2],
  values: string[],
) {
  return { draft: changeColumn(w.draft, c.id, change), model: typing(w.model, c.name, values) };
}

function bound(part: "min" | "max"): Edit {
  return (w, a, b) => {
    const c = at(w, a);
    if (c?.type !== "numeric") return null;
    const value = pick([...numbers, ...numbers, ...(rows[c.name] ?? []), ...boughtBounds], b)!;
    return typeIn(w, c, { [part]: value }, [value]);
  };
}

function labelList(part: "negative" | "positive" | "classes"): Edit {
  return (w, a) => {
    const { label } = w.draft;
    if (label.kind !== (part === "classes" ? "classes" : "two")) return null;
    const before = part === "classes" ? textOf(classesOf(label.classes).flat()) : label[part];
    const after = editedList(before, a, label.name);
    return {
      draft: changeLabel(w.draft, { [part]: after }),
      model: typing(w.model, label.name, fresh(before, after)),
    };
  };
}

const boughtOf = (m: Model, name: string, part: BoughtPart): Model => ({
  ...m,
  bought: new Set([
    ...m.bought,
    ...(part.categories === undefined ? [part.min, part.max] : linesOf(part.categories)).map(
      (v) => `${name} ${part.charge} ${plain(v)}`,
    ),
  ]),
});

export function purchase(name: string, type: "bounds" | "categories"): BoughtPart {
  const charge = `${type} of ${name}`;
  if (type === "bounds") return { ...prices.bounds!, charge };
  const list = (rows[name] ?? []).slice(0, 2);
  return { ...prices.categories!, charge, categories: textOf([...list, "ward-None"]) };
}

export const attribute = ({ draft }: World, a: number) => pick(attributesOf(draft), a);

/** The cut points of a column that come from bounds, and what these are. */
export const edits: Readonly<Record<string, Edit>> = {
  type(w, a) {
    const c = at(w, a);
    const type = c?.type === "numeric" ? "categorical" : "numeric";
    return c ? { draft: changeColumn(w.draft, c.id, { type }), model: w.model } : null;
  },
  min: bound("min"),
  max: bound("max"),
  both(w, a, b) {
    const c = at(w, a);
    if (c?.type !== "numeric") return null;
    const own = [numbers[b % 3]!, numbers[3 + (b % 2)]!] as const;
    const theirs = rows[c.name] ?? own;
    const [min, max] =
      b % 4 < 2 ? own : [pick([...theirs, ...own], b >> 4)!, pick(theirs, b >> 2)!];
    return typeIn(w, c, { min, max }, [min, max]);
  },
  categories(w, a, b) {
    const c = at(w, a);
    if (c?.type !== "categorical") return null;
    const categories = editedList(c.categories, b, c.name);
    return typeIn(w, c, { categories }, fresh(c.categories, categories));
  },
  missing(w, a, b) {
    const c = at(w, a);
    if (!c) return null;
    const category = c.type === "categorical" ? pick(linesOf(c.categories), b) : undefined;
    const missing =
      category !== undefined && b % 2
        ? ({ action: "category", value: category } as const)
        : ({ action: (["error", "drop", "indicator"] as const)[b % 3]!, value: "" } as const);
    return typeIn(w, c, { missing }, ["rule:drop"]);
  },
  log(w, a, b) {
    const c = at(w, a);
    return c?.type === "numeric" ? typeIn(w, c, { log: b % 2 === 0 }, ["log"]) : null;
  },
  include(w, a) {
    const c = at(w, a);
    if (!c) return null;
    return { draft: changeColumn(w.draft, c.id, { include: !c.include }), model: w.model };
  },
  reason(w, a, b) {
    const c = at(w, a);
    if (!c) return null;
    const model =
      b % 2
        ? unsaying(w.model, c.name, "reason")
        : saying(w.model, c.name, c.type, shown(c), "reason");
    return { draft: sayWhy(w.draft, c.id, b % 2 ? "" : "the book"), model };
  },
  labelReason(w, _, b) {
    const { name } = w.draft.label;
    const model =
      b % 2
        ? unsaying(w.model, name, "reason")
        : saying(w.model, name, w.draft.label.kind, shownOfLabel(w.draft), "reason");
    return { draft: sayWhy(w.draft, "label", b % 2 ? "" : "the book"), model };
  },
  known(w, a) {
    const c = at(w, a);
    return c && rows[c.name]
      ? {
          draft: decide(w.draft, c.id, "public"),
          model: saying(w.model, c.name, c.type, shown(c), "word"),
        }
      : null;
  },
  notKnown(w, a, b) {
    const c = at(w, a);
    if (!c || !rows[c.name]) return null;
    return {
      draft: decide(w.draft, c.id, b % 2 ? "accept" : "buy"),
      model: unsaying(w.model, c.name, c.type),
    };
  },
  backToBought(w, a) {
    const c = at(w, a);
    if (!c) return null;
    const { charge } = purchase(c.name, c.type === "numeric" ? "bounds" : "categories");
    return [...w.model.bought].some((x) => x.startsWith(`${c.name} ${charge} `))
      ? { draft: decide(w.draft, c.id, "bought"), model: w.model }
      : null;
  },
  buy(w, a) {
    const c = at(w, a);
    if (!c || !rows[c.name]) return null;
    const put = purchase(c.name, c.type === "numeric" ? "bounds" : "categories");
    return { draft: putBought(w.draft, c.id, put), model: boughtOf(w.model, c.name, put) };
  },
  buyLabel(w) {
    const { label } = w.draft;
    if (label.kind !== "numeric" || !rows[label.name]) return null;
    const put = purchase(label.name, "bounds");
    return { draft: putBought(w.draft, "label", put), model: boughtOf(w.model, label.name, put) };
  },
  decideLabel(w, a) {
    const { label } = w.draft;
    if (label.kind !== "numeric" || !rows[label.name]) return null;
    const choice = (["accept", "buy", "bought", "public"] as const)[a % 4]!;
    if (choice === "public")
      return {
        draft: decide(w.draft, "label", choice),
        model: saying(w.model, label.name, "numeric", shownOfLabel(w.draft), "word"),
      };
    return {
      draft: decide(w.draft, "label", choice),
      model: choice === "bought" ? w.model : unsaying(w.model, label.name, "numeric"),
    };
  },
  confirmAll(w, a) {
    const chosen = new Set(
      ["label", ...w.draft.columns.map((c) => c.id)].filter((_, i) => (a >> i) % 2 === 0),
    );
    // The list shows what is used and was not decided upon.
    let { model } = w;
    for (const c of w.draft.columns)
      if (c.include && chosen.has(c.id) && !c.decision)
        model = saying(model, c.name, c.type, shown(c), "word");
    if (chosen.has("label") && !w.draft.label.decision)
      model = saying(model, w.draft.label.name, w.draft.label.kind, shownOfLabel(w.draft), "word");
    return { draft: confirmAll(w.draft, chosen, "code book"), model };
  },
  labelKnown(w, a) {
    const { name, kind } = w.draft.label;
    const on = a % 2 === 0;
    if (kind === "numeric") return null;
    return {
      draft: confirmLabel(w.draft, on),
      model: on
        ? saying(w.model, name, w.draft.label.kind, shownOfLabel(w.draft), "word")
        : unsaying(w.model, name, kind),
    };
  },
  kind: (w, a) => ({
    draft: changeKind(w.draft, (["two", "classes", "numeric"] as LabelKind[])[a % 3]!),
    model: w.model,
  }),
  label(w, a) {
    const c = at(w, a);
    if (!c || c.name === "") return null;
    const draft = chooseLabel(w.draft, c.id);
    const { label: before } = w.draft;
    // What was said of categories is said of outcomes that are made of them, and back.
    const moved = <T extends Omit<Said, "value">>(one: T): T =>
      one.name === c.name && one.of === "categorical" && draft.label.kind !== "numeric"
        ? { ...one, of: draft.label.kind }
        : one.name === before.name && one.of === before.kind && before.kind !== "numeric"
          ? { ...one, of: "categorical" }
          : one;
    const { said, words } = w.model;
    return { draft, model: { ...w.model, said: said.map(moved), words: words.map(moved) } };
  },
  negative: labelList("negative"),
  positive: labelList("positive"),
  classes: labelList("classes"),
  labelBound(w, a, b) {
    const { label } = w.draft;
    if (label.kind !== "numeric") return null;
    const value = pick([...numbers, ...(rows[label.name] ?? [])], b)!;
    return {
      draft: changeLabel(w.draft, { [a % 2 ? "min" : "max"]: value }),
      model: typing(w.model, label.name, [value]),
    };
  },
  outcomes(w, a) {
    const { kind, name } = w.draft.label;
    if (kind !== "two") return null;
    const theirs = rows[name] ?? words;
    const [negative, positive] = [["", ""], words, theirs][a % 3]! as [string, string];
    return {
      draft: changeLabel(w.draft, { negative, positive }),
      model: typing(w.model, name, [negative, positive]),
    };
  },
  swap: (w) => ({ draft: swapClasses(w.draft), model: w.model }),
  missingValues(w, a) {
    const before = w.draft.missingValues;
    const list = linesOf(before);
    const after = textOf(
      a % 3 === 0
        ? [...new Set([...list, "none", ...(a % 2 ? ["999"] : [])])]
        : list.filter((_, i) => i !== a % Math.max(1, list.length)),
    );
    return {
      draft: changeRows(w.draft, { missingValues: after }),
      model: typing(w.model, "missing", fresh(before, after)),
    };
  },
  sentinel(w, a) {
    const draft = treatAsMissing(w.draft, sentinels[a % 2]!, sentinels);
    // Bounds that move show two more numbers of the rows.
    const before = new Map([...w.draft.columns, w.draft.label].map((c) => [c.name, c]));
    let { model } = w;
    for (const { name, min, max } of [...draft.columns, draft.label]) {
      const was = before.get(name)!;
      if (min !== was.min || max !== was.max) model = seeing(model, name, [min, max]);
    }
    return { draft, model };
  },
  knewSpellings: (w) => ({
    draft: knewBeforehand(w.draft, learntOf(w.draft)),
    model: saying(
      w.model,
      "missing",
      "missing",
      learntOf(w.draft).map((l) => l.spelling),
      "word",
    ),
  }),
  add: (w) => ({ draft: addColumn(w.draft), model: w.model }),
  name(w, a, b) {
    const c = w.draft.columns.findLast((one) => one.added) ?? at(w, a);
    if (!c?.added) return null;
    const name = pick(["mine", ...Object.keys(rows)], b)!;
    return {
      draft: changeColumn(w.draft, c.id, { name }),
      model: typing(w.model, name, [...shown(c), "log", "rule:drop"]),
    };
  },
  remove(w, a) {
    const c = at(w, a);
    return c?.added ? { draft: removeColumn(w.draft, c.id), model: w.model } : null;
  },
  card: (w, a) => ({ draft: chooseMaking(w.draft, a % 4 !== 0), model: w.model }),
  attribute(w, a, b) {
    const c = at(w, a);
    return c?.include
      ? { draft: chooseAttribute(w.draft, c.id, b % 3 !== 0), model: w.model }
      : null;
  },
  cuts(w, a, b) {
    const c = attribute(w, a);
    if (c?.type !== "numeric") return null;
    const before = cutsText(c, enteredOf(w.draft, c.id));
    const own = ["55", "60, 70", `${before}, 65`, `30 ${before}`, before.split(",")[0]!][b % 5]!;
    const was = before.split(/[\s,]+/);
    const values = own.split(/[\s,]+/).filter((x) => x !== "" && !was.includes(x));
    let model = typing(
      w.model,
      c.name,
      values.map((x) => cutKey(Number(x))),
    );
    // What the page proposes from bounds that are known is known as these are.
    if (tainted(w.model, c).length === 0)
      model = saying(model, c.name, "numeric", proposedCuts(c).map(cutKey), "word");
    return { draft: typeCuts(w.draft, c, own), model };
  },
  proposeCuts(w, a) {
    const c = attribute(w, a);
    return c ? { draft: proposeCuts(w.draft, c.id), model: w.model } : null;
  },
  knewCuts(w, a) {
    const c = attribute(w, a);
    if (c?.type !== "numeric") return null;
    const cuts = cutsText(c, enteredOf(w.draft, c.id))
      .split(/[\s,]+/)
      .map(Number);
    return {
      draft: knewCuts(w.draft, c.id),
      model: typing(w.model, c.name, cuts.map(cutKey)),
    };
  },
  merge(w, a, b) {
    const c = attribute(w, a);
    if (c?.type !== "categorical") return null;
    const levels = levelsOf(c, enteredOf(w.draft, c.id));
    const [one, two] = [pick(levels, b), pick(levels, b + 1)];
    if (!one || !two) return null;
    const draft = mergeLevels(w.draft, c, new Set([one.values[0]!, two.values[0]!]));
    return { draft, model: w.model };
  },
  split(w, a, b) {
    const c = attribute(w, a);
    const level = c?.type === "categorical" && pick(levelsOf(c, enteredOf(w.draft, c.id)), b);
    return c && level ? { draft: splitLevel(w.draft, c.id, level), model: w.model } : null;
  },
  nameLevel(w, a, b) {
    const c = attribute(w, a);
    const level = c?.type === "categorical" && pick(levelsOf(c, enteredOf(w.draft, c.id)), b);
    if (!c || !level || level.values.length < 2) return null;
    const name = b % 2 ? "mine" : `${level.name}, all`;
    return { draft: nameLevel(w.draft, c.id, level, name), model: w.model };
  },
};

/** The studio as a file was read, and nothing done yet. */
export const start = (): World => ({
  draft: draftOf(file),
  model: [...file.features, file.label].reduce<Model>(
    (m, f) => seeing(m, f.name, valuesIn(f)),
    nothing,
  ),
  past: [],
  future: [],
});

/** Steps that are no edits of the description: they go back, or leave the page and come again. */
export const others: Readonly<Record<string, (w: World, a: number) => World | null>> = {
  undo(w) {
    const last = w.past.at(-1);
    return last
      ? { ...w, ...last, past: w.past.slice(0, -1), future: [...w.future, now(w)] }
      : null;
  },
  redo(w) {
    const next = w.future.at(-1);
    return next
      ? { ...w, ...next, past: [...w.past, now(w)], future: w.future.slice(0, -1) }
      : null;
  },
  save(w) {
    const { schema } = check(w.draft);
    return schema ? { ...w, saved: JSON.parse(JSON.stringify(schema)) as Schema<AnyLabel> } : null;
  },
  load(w) {
    if (!w.saved) return null;
    return { ...edited(w, draftOf(w.saved), ofSchema(w.saved)) };
  },
  note(w) {
    const notes = notesIn(w.draft);
    return { ...w, noted: { notes: JSON.parse(JSON.stringify(notes)) as Notes, model: w.model } };
  },
  return(w) {
    if (!w.noted) return null;
    const { notes } = w.noted;
    const draft = notes.whole ? notes.whole.draft : withNotes(draftOf(file), notes);
    // What was shown in the earlier visit nobody knows in this one.
    const seen = notes.whole ? w.noted.model.seen : start().model.seen;
    return { ...w, draft, model: { ...w.noted.model, seen }, past: [], future: [] };
  },
  startBuying(w, a) {
    const c = at(w, a);
    if (!c || !rows[c.name]) return null;
    const put = purchase(c.name, c.type === "numeric" ? "bounds" : "categories");
    return { ...w, pending: { id: c.id, name: c.name, put } };
  },
  endBuying(w) {
    if (!w.pending) return null;
    const { id, name, put } = w.pending;
    const { pending: _, ...rest } = w;
    if (!w.draft.columns.some((c) => c.id === id && c.name === name)) return rest;
    return edited(rest, putBought(w.draft, id, put), boughtOf(w.model, name, put));
  },
};

export const now = ({ draft, model }: World) => ({ draft, model });
const edited = (w: World, draft: SchemaDraft, model: Model): World => ({
  ...w,
  draft,
  model,
  past: [...w.past, now(w)],
  future: [],
});

/** Who takes a schema in takes what it says is public as known. */
function ofSchema(schema: Schema<AnyLabel>): Model {
  let model = nothing;
  for (const f of [...schema.features, schema.label]) {
    const { provenance, name } = f;
    if (provenance === "public")
      model = saying(typing(model, name, valuesIn(f)), name, kindOf(f), [], "word");
    if (provenance === "suggested") model = seeing(model, name, valuesIn(f));
    if ("purchase" in f && f.purchase)
      model = {
        ...model,
        bought: new Set([
          ...model.bought,
          ...valuesIn(f).map((v) => `${name} ${f.purchase!.charge} ${plain(v)}`),
        ]),
      };
    if (provenance !== "suggested") model = typing(model, name, ["rule:drop", "log"]);
  }
  // A spelling that was learnt has left its mark on every column that has it.
  const entries = [...schema.features, schema.label];
  const known = (schema.missing_values ?? []).filter((x) => {
    const there = entries.filter((f) => hasSpelling(x).includes(f.name));
    return there.length === 0 || there.some((f) => f.provenance !== "suggested");
  });
  return typing(model, "missing", known);
}

export function step(w: World, [name, a, b]: Step): World {
  const other = others[name];
  if (other) return other(w, a) ?? w;
  const after = edits[name]!(w, a, b);
  return after ? edited(w, after.draft, after.model) : w;
}
