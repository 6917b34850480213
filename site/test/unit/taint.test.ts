// What the rows gave away does not pass for public, whatever is edited. Thousands of sequences of
// edits are tried on a table of which every value is unlike all others. The test has a model of its
// own of what the person saw, typed, confirmed and bought; it asks no flag of the studio's. After
// each edit two things are held to it.
//
// - What would be published or kept is searched for the rows' values. Those that the person typed,
//   confirmed or bought are let pass.
// - What was read is public only by a word, typed values or not: see `unsaid`.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { AnyLabel, CardSchema, Purchase, Schema, Sentinel } from "../../src/client/types.ts";
import {
  attributesOf,
  cardOf,
  cutsText,
  enteredOf,
  levelsOf,
  proposedCuts,
} from "../../src/pages/studio/draft/card.ts";
import { checkCard } from "../../src/pages/studio/draft/card-check.ts";
import {
  chooseAttribute,
  chooseMaking,
  knewCuts,
  mergeLevels,
  nameLevel,
  proposeCuts,
  splitLevel,
  typeCuts,
} from "../../src/pages/studio/draft/card-edit.ts";
import { check } from "../../src/pages/studio/draft/check.ts";
import {
  type BoughtPart,
  classesOf,
  type ColumnDraft,
  draftOf,
  type LabelKind,
  linesOf,
  type SchemaDraft,
  textOf,
} from "../../src/pages/studio/draft/draft.ts";
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
} from "../../src/pages/studio/draft/edit.ts";
import { knewBeforehand, learntOf, unconfirmed } from "../../src/pages/studio/draft/learnt.ts";
import { treatAsMissing } from "../../src/pages/studio/draft/sentinels.ts";
import { notesOf, withNotes } from "../../src/pages/studio/notes/notes.ts";
import type { Notes } from "../../src/pages/studio/state/notes.ts";
import { firstState, type State } from "../../src/pages/studio/state/state.ts";

// The table: no value of it is a part of another, or is typed by accident.

const column = (name: string, min: number, max: number, log = false) =>
  ({ name, type: "numeric", min, max, log, missing: "drop", provenance: "suggested" }) as const;
const texts = (name: string, ...categories: string[]) =>
  ({
    name,
    type: "categorical",
    categories,
    missing: "drop",
    unknown: "error",
    provenance: "suggested",
  }) as const;

const file = {
  version: 1,
  features: [
    column("age", -99, 91.75),
    texts("ward", "ward-Ash", "ward-Elm", "ward-Oak"),
    column("weight", 41.5, 999, true),
    texts("smoker", "smokes-Not", "smokes-Much"),
    texts("grade", "611", "622", "633"),
  ],
  label: {
    name: "ill",
    negative: ["ill-Never"],
    positive: ["ill-Often"],
    missing: "drop",
    provenance: "suggested",
  },
  rows: { norm: "clip" },
  intercept: 1,
  missing_values: ["", "?", "NA"],
} as Schema;

const sentinels: readonly Sentinel[] = [
  { column: "age", value: -99, spellings: ["-99"], share: 0.1, min: 17.25, max: 91.75 },
  { column: "weight", value: 999, spellings: ["999", "999.0"], share: 0.1, min: 41.5, max: 133.5 },
];

const rows: Readonly<Record<string, readonly string[]>> = {
  age: ["-99", "17.25", "91.75"],
  ward: ["ward-Ash", "ward-Elm", "ward-Oak"],
  weight: ["41.5", "133.5", "999"],
  smoker: ["smokes-Not", "smokes-Much"],
  grade: ["611", "622", "633"],
  ill: ["ill-Never", "ill-Often"],
};
const hasSpelling = (spelling: string) =>
  sentinels.filter((s) => s.spellings.includes(spelling)).map((s) => s.column);

/** What can be bought of a column, by what it is then. Each is bought under a charge of its own. */
const prices: Readonly<Record<string, BoughtPart>> = {
  bounds: { charge: "bounds", epsilon: 0.5, min: "15.125", max: "160.125" },
  categories: { charge: "categories", epsilon: 0.5, delta: 1e-9, min: "", max: "", categories: "" },
};
const boughtBounds = ["15.125", "160.125"];

const same = (a: string, b: string): boolean =>
  a === b || (a.trim() !== "" && b.trim() !== "" && Number(a.replace("−", "-")) === Number(b));

// What the person did, as the test sees it.

interface Model {
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

interface Said {
  readonly name: string;
  readonly value: string;
  /** What it was said of: the column's values of that kind. */
  readonly of: string;
  readonly by: "word" | "reason";
}

interface World {
  readonly draft: SchemaDraft;
  readonly model: Model;
  readonly past: readonly Pick<World, "draft" | "model">[];
  readonly future: readonly Pick<World, "draft" | "model">[];
  readonly saved?: Schema<AnyLabel>;
  readonly noted?: { readonly notes: Notes; readonly model: Model };
  /** A purchase that is under way: of a column by id. */
  readonly pending?: { readonly id: string; readonly name: string; readonly put: BoughtPart };
}

const nothing: Model = {
  typed: new Set(),
  said: [],
  bought: new Set(),
  words: [],
  seen: new Set(),
};

const key = (name: string, value: string): string => `${name} ${plain(value)}`;
const plain = (value: string): string =>
  value.trim() !== "" && Number.isFinite(Number(value)) ? String(Number(value)) : value;

const typing = (m: Model, name: string, values: readonly string[]): Model => ({
  ...m,
  typed: new Set([...m.typed, ...values.map((v) => key(name, v))]),
});

const saying = (m: Model, name: string, of: string, values: readonly string[], by: Said["by"]) => ({
  ...m,
  said: [...m.said, ...values.map((v) => ({ name, of, by, value: plain(v) }))],
  words: [...m.words, { name, of, by }],
});

/** Takes back what was said of a column's values of a kind, or by a reason. */
function unsaying(m: Model, name: string, what: string): Model {
  const stays = (one: Omit<Said, "value">) =>
    one.name !== name || (one.of !== what && one.by !== what);
  return { ...m, said: m.said.filter(stays), words: m.words.filter(stays) };
}

const seeing = (m: Model, name: string, values: readonly string[]): Model => ({
  ...m,
  seen: new Set([...m.seen, ...values.map((v) => key(name, v))]),
});

const knows = ({ typed, said }: Model, name: string, value: string): boolean =>
  typed.has(key(name, value)) || said.some((x) => x.name === name && x.value === plain(value));

/** All that is shown of a column at the moment. */
function shown(c: ColumnDraft): string[] {
  const rule = [`rule:${c.missing.action}`];
  return c.type === "numeric"
    ? [c.min, c.max, ...(c.log ? ["log"] : []), ...rule]
    : [...linesOf(c.categories), ...rule];
}

function shownOfLabel({ label }: SchemaDraft): string[] {
  if (label.kind === "numeric") return [label.min, label.max];
  return label.kind === "classes"
    ? classesOf(label.classes).flat()
    : [...linesOf(label.negative), ...linesOf(label.positive)];
}

// The edits that the page offers. Each is made of numbers alone, so that a sequence can be cut.

type Step = readonly [name: string, a: number, b: number];
type Edit = (w: World, a: number, b: number) => Pick<World, "draft" | "model"> | null;

const pick = <T>(list: readonly T[], i: number): T | undefined =>
  list.length === 0 ? undefined : list[i % list.length];

const numbers = ["0", "1", "50", "200", "1000", "", "-"];
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

function purchase(name: string, type: "bounds" | "categories"): BoughtPart {
  const charge = `${type} of ${name}`;
  if (type === "bounds") return { ...prices.bounds!, charge };
  const list = (rows[name] ?? []).slice(0, 2);
  return { ...prices.categories!, charge, categories: textOf([...list, "ward-None"]) };
}

const attribute = ({ draft }: World, a: number) => pick(attributesOf(draft), a);

/** The cut points of a column that come from bounds, and what these are. */
const cutKey = (x: number) => `cut:${x}`;

const edits: Readonly<Record<string, Edit>> = {
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

/** The bounds of a column that nobody knows. */
const tainted = (m: Model, c: ColumnDraft): string[] =>
  [c.min, c.max].filter((x) => isSecret(c.name, x) && !knows(m, c.name, x));

const isSecret = (name: string, value: string): boolean =>
  (rows[name] ?? []).some((x) => same(value, x)) || boughtBounds.some((x) => same(value, x));

/** Steps that are no edits of the description: they go back, or leave the page and come again. */
const others: Readonly<Record<string, (w: World, a: number) => World | null>> = {
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

const now = ({ draft, model }: World) => ({ draft, model });
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

function step(w: World, [name, a, b]: Step): World {
  const other = others[name];
  if (other) return other(w, a) ?? w;
  const after = edits[name]!(w, a, b);
  return after ? edited(w, after.draft, after.model) : w;
}

// What would be published or kept.

type Entry = Schema<AnyLabel>["features"][number] | AnyLabel;

function valuesIn(f: Entry): string[] {
  if ("min" in f) return [String(f.min), String(f.max)];
  if ("categories" in f) return [...f.categories];
  return "classes" in f ? f.classes.flat() : [...f.negative, ...f.positive];
}

function notesIn(draft: SchemaDraft): Notes {
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
const kindOf = (f: Entry): string => f.type ?? "two";

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
const other = draftOf({
  ...file,
  features: [{ ...column("another", 0, 1), provenance: "public" }],
  label: { ...file.label, name: "the other", provenance: "public" },
} as Schema);

/** What is there that must not be; null if nothing is. */
function wrong(w: World): string | null {
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

// Sequences.

/** Numbers from a seed, mulberry32. */
function numbersFrom(seed: number): () => number {
  let s = seed;
  return () => {
    s = (s + 0x6d2b79f5) | 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
}

const start = (): World => ({
  draft: draftOf(file),
  model: [...file.features, file.label].reduce<Model>(
    (m, f) => seeing(m, f.name, valuesIn(f)),
    nothing,
  ),
  past: [],
  future: [],
});

/** What goes wrong first in a sequence, and after how many steps. */
function run(steps: readonly Step[]): { readonly after: number; readonly what: string } | null {
  let w = start();
  for (const [i, one] of steps.entries()) {
    w = step(w, one);
    const what = wrong(w);
    if (what) return { after: i + 1, what };
  }
  return null;
}

/** A shorter sequence that goes wrong, too: none of its steps can be left out. */
function shortest(steps: readonly Step[]): readonly Step[] {
  let now = steps.slice(0, run(steps)!.after);
  for (let i = now.length - 1; i >= 0;) {
    const less = now.filter((_, k) => k !== i);
    const bad = run(less);
    if (bad) {
      now = less.slice(0, bad.after);
      i = now.length - 1;
    } else i--;
  }
  return now;
}

test("long sequences, each of which needs a rule of its own", () => {
  for (const steps of [
    // A card without the column that has a spelling learnt from the rows.
    [
      ["sentinel", 1, 0],
      ["confirmAll", 0, 0],
      ["card", 1, 0],
      ["attribute", 2, 0],
    ],
    // Bought categories of a schema that was taken in, as numbers and back.
    [
      ["buy", 1, 0],
      ["save", 0, 0],
      ["load", 0, 0],
      ["type", 1, 0],
      ["type", 1, 0],
    ],
    // Cut points typed on from bounds that somebody knew, who then did not, and typed other bounds.
    [
      ["confirmAll", 0, 0],
      ["card", 1, 0],
      ["cuts", 2, 4],
      ["notKnown", 2, 1],
      ["both", 2, 1],
      ["missing", 2, 0],
    ],
    // Levels that were put together, of which one is then taken from the categories.
    [
      ["confirmAll", 0, 0],
      ["card", 1, 0],
      ["merge", 1, 0],
      ["notKnown", 1, 1],
      ["categories", 1, 16],
      ["known", 1, 0],
    ],
    // The same under a name that is typed on from the page's.
    [
      ["confirmAll", 0, 0],
      ["card", 1, 0],
      ["merge", 1, 0],
      ["nameLevel", 1, 0],
      ["notKnown", 1, 1],
      ["categories", 1, 16],
      ["known", 1, 0],
    ],
    // Codes that were read as categories, typed as bounds.
    [
      ["type", 4, 0],
      ["both", 4, 6],
    ],
    // A number that means missing, and then does not, typed as a bound.
    [
      ["sentinel", 1, 0],
      ["missingValues", 2, 0],
      ["missingValues", 2, 0],
      ["both", 2, 58],
    ],
    // A column under the name of one that is left out, with its bounds.
    [
      ["include", 0, 0],
      ["add", 0, 0],
      ["name", 5, 1],
      ["both", 5, 10],
    ],
  ] as const)
    assert.equal(run(steps)?.what, undefined);
});

test("what was read from the rows never passes for public, and no purchase goes unnamed", () => {
  const names = [...Object.keys(edits), ...Object.keys(others)];
  const sequences = Number(process.env.CLOISTER_SEQUENCES ?? 2000);
  const first = Number(process.env.CLOISTER_SEED ?? 1);
  const used = new Map<string, number>();
  for (let seed = first; seed < first + sequences; seed++) {
    const random = numbersFrom(seed);
    // A few kinds of edits, of a few columns, so that they meet.
    const few = Array.from({ length: 3 + (random() % 8) }, () => pick(names, random())!);
    const places = Array.from({ length: 1 + (random() % 3) }, () => random() % 1024);
    const steps = Array.from({ length: 4 + (random() % 24) }, (): Step => {
      const name = pick(few, random())!;
      used.set(name, (used.get(name) ?? 0) + 1);
      return [name, pick(places, random())!, random() % 1024];
    });
    if (!run(steps)) continue;
    const short = shortest(steps);
    assert.fail(`seed ${seed}: ${run(short)!.what}, after ${JSON.stringify(short)}`);
  }
  assert.ok(
    names.every((name) => used.get(name)! > sequences / 20),
    "every edit was tried",
  );
});
