// The schema as it is being edited: text as it was typed, right or wrong, with the columns that are
// left out kept at hand. Pure values; ./edit.ts changes them, ./source.ts says where they come
// from, ./check.ts reads them back into a Schema.

import type { AnyLabel, Purchase, Schema } from "../../../client/types.ts";
import type { CardDraft } from "./card-draft.ts";

export type ColumnType = "numeric" | "categorical";

/**
 * What becomes of a missing or unknown value; `value` goes with "value" (a number) and "category"
 * (one of them).
 */
export interface RuleDraft {
  readonly action: "error" | "drop" | "indicator" | "zero" | "value" | "category";
  readonly value: string;
}

/** Bounds or, where `categories` is there, texts: those of the other kind are empty. */
export interface Values {
  readonly min: string;
  readonly max: string;
  readonly categories?: string;
}

/** Bounds or categories that were bought, and by which charge. */
export interface BoughtPart extends Purchase, Values {}

/** What values there can be: bounds or categories of a column, outcomes or classes of a label. */
export type Part = "bounds" | "categories" | "two" | "classes";

/** What the rows gave away. */
export interface Read extends Values {
  /** Bounds that were read before a number of them was said to mean a missing value. */
  readonly earlier?: readonly string[];
}

/** Where values come from. What is not in it is the person's own. */
export interface Source {
  /**
   * What the rows gave away, as it was read. No edit takes anything out of it; bounds that are read
   * anew keep the earlier ones beside them.
   */
  readonly read?: Read;
  /** What was bought last. */
  readonly bought?: BoughtPart;
  /**
   * What the person says: that anyone could know them, by a word or by typing a reason; or, until
   * they are typed over, that they are the rows'.
   */
  readonly said?: "word" | "reason" | "rows";
}

/**
 * The source of each kind of values that a column has or had. It goes wherever the values go, and
 * whether they are public is worked out from it: see ./source.ts.
 */
export type Sources = Readonly<Partial<Record<Part, Source>>>;

/**
 * What the person wants done about what was read from the file, if anything: bought, or kept
 * knowing that the guarantee leaves it out.
 */
export type Decision = "buy" | "accept";

export interface ColumnDraft {
  /** Stable while the draft lives; ids in the page and keys of errors begin with it. */
  readonly id: string;
  readonly name: string;
  /** Where it stands in a file without a header, from 1: its name is the person's to give. */
  readonly place?: number | undefined;
  readonly include: boolean;
  readonly type: ColumnType;
  readonly min: string;
  readonly max: string;
  readonly log: boolean;
  /** One category a line; see {@link linesOf}. */
  readonly categories: string;
  readonly missing: RuleDraft;
  readonly unknown: RuleDraft;
  readonly from: Sources;
  readonly decision?: Decision;
  /** Why it is public knowledge, as the person says; it is printed with the model. */
  readonly reason?: string;
  /** Written in the editor: its name is the person's to enter. */
  readonly added?: true;
  /** What else was proposed from the rows: the rule for missing values, and the scale. */
  readonly proposed?: { readonly missing: RuleDraft; readonly log: boolean };
  /** A spelling of a missing value that the rows gave away is in it: see ./learnt.ts. */
  readonly marked?: true;
}

/** One of two outcomes, one of several classes, or a number. */
export type LabelKind = "two" | "classes" | "numeric";

export interface LabelDraft {
  readonly name: string;
  /** As a column's. */
  readonly place?: number | undefined;
  readonly kind: LabelKind;
  /**
   * Of two outcomes: spellings, one a line. What belongs to another kind is kept, so that a kind
   * can be taken back.
   */
  readonly negative: string;
  readonly positive: string;
  /** Of several classes: one a line; see {@link classesOf}. */
  readonly classes: string;
  /** Of a number. */
  readonly min: string;
  readonly max: string;
  readonly missing: "error" | "drop";
  /** These are as a column's. */
  readonly from: Sources;
  readonly reason?: string;
  readonly decision?: Decision;
  readonly marked?: true;
}

/** A spelling of a missing value that the rows gave away, and the columns that have it, by name. */
export interface Learnt {
  readonly spelling: string;
  readonly columns: readonly string[];
}

export interface SchemaDraft {
  readonly columns: readonly ColumnDraft[];
  readonly label: LabelDraft;
  readonly norm: "clip" | "unit" | "scale";
  readonly intercept: string;
  /** Spellings of a missing value, one a line; the empty field is `emptyIsMissing`. */
  readonly missingValues: string;
  readonly emptyIsMissing: boolean;
  /** Those of the spellings that were learnt from the rows; see ./learnt.ts. */
  readonly learnt?: readonly Learnt[];
  /** What is to be made of it, and of a scorecard the levels; see ./card-draft.ts. */
  readonly card?: CardDraft;
  /** For the next column's id. */
  readonly next: number;
}

/**
 * Lines of a list as a text area shows it. A line break or a backslash inside an entry is written
 * \n or \\.
 */
export function textOf(entries: readonly string[]): string {
  return entries.map((e) => e.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")).join("\n");
}

/** The inverse of {@link textOf}: entries trimmed of spaces and tabs, empty lines left out. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ""))
    .filter((line) => line !== "")
    .map((line) => line.replace(/\\(\\|n)/g, (_, c: string) => (c === "n" ? "\n" : "\\")));
}

/**
 * Classes as a text area shows them: one a line, its spellings between bars, the first of which
 * names it.
 */
export function classesText(classes: readonly (readonly string[])[]): string {
  return classes
    .map((spellings) => spellings.map((x) => textOf([x]).replaceAll("|", "\\|")).join(" | "))
    .join("\n");
}

/** The inverse of {@link classesText}. */
export function classesOf(text: string): string[][] {
  return text
    .split(/\r?\n/)
    .map((line) => line.split(/(?<!\\)\|/).flatMap((part) => linesOf(part.replaceAll("\\|", "|"))))
    .filter((spellings) => spellings.length > 0);
}

const noLabel: Omit<LabelDraft, "name" | "from"> = {
  kind: "two",
  negative: "",
  positive: "",
  classes: "",
  min: "",
  max: "",
  missing: "error",
};

/** The source of what a schema says of a column or of the label. */
function sourceIn(
  entry: { readonly provenance: string; readonly purchase?: Purchase },
  values: Values,
): Source {
  const { provenance, purchase } = entry;
  return {
    ...(provenance === "suggested" && { read: values }),
    ...(purchase && { bought: { ...purchase, ...values } }),
  };
}

/** A label as it was read, or as somebody wrote it. */
function labelDraft(label: AnyLabel): LabelDraft {
  const base = {
    ...noLabel,
    name: label.name,
    missing: label.missing === "drop" ? ("drop" as const) : ("error" as const),
    ...(label.reason && { reason: label.reason }),
  };
  if (label.type === "numeric") {
    const bounds = { min: String(label.min), max: String(label.max) };
    return { ...base, kind: "numeric", ...bounds, from: { bounds: sourceIn(label, bounds) } };
  }
  const texts =
    label.type === "classes" ? label.classes.flat() : [...label.negative, ...label.positive];
  const source = sourceIn(label, { min: "", max: "", categories: textOf(texts) });
  if (label.type === "classes")
    return {
      ...base,
      kind: "classes",
      classes: classesText(label.classes),
      from: { classes: source },
    };
  return {
    ...base,
    negative: textOf(label.negative),
    positive: textOf(label.positive),
    from: { two: source },
  };
}

const defaultMissing = ["", "?", "NA"];

const refuse: RuleDraft = { action: "error", value: "" };

function ruleDraft(rule: unknown): RuleDraft {
  if (typeof rule === "number") return { action: "value", value: String(rule) };
  if (rule === "drop" || rule === "zero" || rule === "indicator")
    return { action: rule, value: "" };
  if (rule !== null && typeof rule === "object" && "category" in rule) {
    return { action: "category", value: String(rule.category) };
  }
  return refuse;
}

/** A schema as a draft, in its own order. */
export function draftOf(schema: Schema<AnyLabel>): SchemaDraft {
  const columns = schema.features.map((f, i): ColumnDraft => {
    const numeric = f.type === "numeric";
    const min = numeric ? String(f.min) : "";
    const max = numeric ? String(f.max) : "";
    const categories = numeric ? "" : textOf(f.categories);
    const missing = ruleDraft(f.missing);
    const log = numeric && f.log === true;
    return {
      id: `c${i}`,
      name: f.name,
      include: true,
      type: f.type,
      min,
      max,
      log,
      categories,
      missing,
      unknown: numeric ? refuse : ruleDraft(f.unknown),
      from: numeric
        ? { bounds: sourceIn(f, { min, max }) }
        : { categories: sourceIn(f, { min, max, categories }) },
      ...(f.reason && { reason: f.reason }),
      ...(f.provenance === "suggested" && { proposed: { missing, log } }),
    };
  });
  const missing = schema.missing_values ?? defaultMissing;
  const learnt = learntBefore(schema, missing);
  return {
    columns,
    label: labelDraft(schema.label),
    ...(learnt.length > 0 && { learnt }),
    norm: schema.rows.norm,
    intercept: String(schema.intercept),
    missingValues: textOf(missing.filter((m) => m !== "")),
    emptyIsMissing: missing.includes(""),
    next: columns.length,
  };
}

/**
 * The spellings of a missing value that the columns that were read may have given away: a schema
 * does not say which, so it is all but the usual ones.
 */
function learntBefore(schema: Schema<AnyLabel>, missing: readonly string[]): Learnt[] {
  const read = [...schema.features, schema.label].filter((f) => f.provenance === "suggested");
  const columns = read.map((f) => f.name);
  const unusual = columns.length > 0 ? missing.filter((x) => !defaultMissing.includes(x)) : [];
  return unusual.map((spelling) => ({ spelling, columns }));
}

/** The same with what a code book says of each entry, by name: why it is public. */
export function withReasons(draft: SchemaDraft, why: ReadonlyMap<string, string>): SchemaDraft {
  const reason = ({ name }: { readonly name: string }) => ({ reason: why.get(name) ?? "" });
  return {
    ...draft,
    columns: draft.columns.map((c) => ({ ...c, ...reason(c) })),
    label: { ...draft.label, ...reason(draft.label) },
  };
}

/** An empty column, for a person who writes down what is known before any file is opened. */
export function emptyColumn(id: string): ColumnDraft {
  return {
    id,
    name: "",
    include: true,
    type: "numeric",
    min: "",
    max: "",
    log: false,
    categories: "",
    missing: refuse,
    unknown: refuse,
    from: {},
    added: true,
  };
}

/** The columns that will be in the schema, in order. */
export function included(draft: SchemaDraft): ColumnDraft[] {
  return draft.columns.filter((c) => c.include);
}

/** The name of a part of the description among all: of the label, "label". */
export const idIn = (c: ColumnDraft | LabelDraft): string => ("id" in c ? c.id : "label");
