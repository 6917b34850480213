// Reads a draft back into a Schema, or says field by field what is wrong. The core checks
// everything again. This check shows the error beside the field, in the page's words, while the
// person types.

import type { AnyLabel, AnySchema, Feature, Purchase, Schema } from "../../../client/types.ts";
import {
  classesOf,
  type ColumnDraft,
  included,
  type LabelDraft,
  linesOf,
  type RuleDraft,
  type SchemaDraft,
} from "./draft.ts";
import { marked } from "./learnt.ts";
import { parseNumber } from "./number.ts";
import { nameInFile } from "./places.ts";
import { hasSource, provenanceOf, sourceOf } from "./source.ts";

/** `field` is "columnId.part", "label.part", "intercept" or "columns". */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export type Checked =
  | { readonly schema: Schema<AnyLabel>; readonly errors: readonly [] }
  | { readonly schema: null; readonly errors: readonly FieldError[] };

export function check(typed: SchemaDraft): Checked {
  const draft = marked(typed);
  const errors: FieldError[] = [];
  const complain = (field: string, message: string) => errors.push({ field, message });
  const columns = included(draft);
  const missingValues = spellingsOf(draft);
  if (columns.length === 0)
    complain("columns", "Include at least one column for the model to use.");
  checkNames(draft, columns, complain);
  const features = columns.map((c) => featureOf(c, missingValues, complain));
  const label = labelOf(draft, missingValues, complain);
  const intercept = parseNumber(draft.intercept);
  if (intercept === null || intercept < 0 || intercept > 1e6) {
    complain("intercept", "Enter a number from 0 (no intercept) to 1,000,000. 0.5 is usual.");
  }
  if (errors.length > 0) return { schema: null, errors };
  return {
    schema: {
      version: draft.norm === "scale" ? 7 : versionOf(features, label),
      features,
      label,
      rows: { norm: draft.norm },
      intercept: intercept!,
      missing_values: missingValues,
    },
    errors: [],
  };
}

/** What means in the file that a value is missing. */
export const spellingsOf = ({ emptyIsMissing, missingValues }: SchemaDraft): string[] => [
  ...(emptyIsMissing ? [""] : []),
  ...linesOf(missingValues),
];

/** The oldest that can say it. */
function versionOf(features: readonly Feature[], label: AnyLabel): AnySchema["version"] {
  if (features.some((f) => f.missing === "indicator")) return 6;
  if ([...features, label].some((f) => f.reason)) return 5;
  const bought = [...features, label].flatMap((f) => ("purchase" in f && f.purchase ? [f] : []));
  return bought.some((f) => f.type === "categorical")
    ? 4
    : bought.length > 0
      ? 3
      : label.type === undefined
        ? 1
        : 2;
}

type Complain = (field: string, message: string) => void;

/**
 * Each column of the file is there once. A further one under the name of one that is left out would
 * not be told from one that nothing was read of.
 */
function checkNames(draft: SchemaDraft, columns: readonly ColumnDraft[], complain: Complain): void {
  const seen = new Set<string>();
  const leftOut = new Set(draft.columns.filter((c) => !c.include && hasSource(c)).map(nameInFile));
  for (const c of columns) {
    const name = c.name.trim();
    if (name === "")
      complain(
        `${c.id}.name`,
        c.place === undefined
          ? "Enter the column's name as it stands in the file's first line."
          : `Say what column ${c.place} of the file is called. The name is published.`,
      );
    else if (seen.has(name))
      complain(`${c.id}.name`, `“${name}” is listed twice. List each column once.`);
    else if (name === draft.label.name.trim())
      complain(
        `${c.id}.name`,
        `“${name}” is the column to predict, so it cannot be used to predict itself. Leave it out here.`,
      );
    else if (leftOut.has(nameInFile(c)))
      complain(
        `${c.id}.name`,
        `“${nameInFile(c)}” is a column of the file that is left out below. Use that one.`,
      );
    seen.add(name);
  }
}

/** The feature, whole if nothing was complained of. */
function featureOf(c: ColumnDraft, missingValues: readonly string[], complain: Complain): Feature {
  const base = {
    name: c.name.trim(),
    provenance: provenanceOf(c),
    ...purchaseOf(c),
    ...reasonOf(c, `${c.id}.reason`, complain),
  };
  if (c.type === "numeric") {
    const min = parseNumber(c.min);
    const max = parseNumber(c.max);
    if (min === null) complain(`${c.id}.min`, wantNumber(c.min, "the lowest value to expect"));
    if (max === null) complain(`${c.id}.max`, wantNumber(c.max, "the highest value to expect"));
    if (min !== null && max !== null && min >= max) {
      complain(`${c.id}.min`, `The lowest value, ${min}, must be below the highest, ${max}.`);
    }
    const missing = numericRule(c, min, max, complain);
    return { ...base, type: "numeric", min: min ?? 0, max: max ?? 0, log: c.log, missing };
  }
  const categories = linesOf(c.categories);
  if (categories.length === 0)
    complain(`${c.id}.categories`, "List at least one category, one on each line.");
  const twice = firstRepeated(categories);
  if (twice !== undefined)
    complain(`${c.id}.categories`, `“${twice}” is listed twice. List each category once.`);
  const absent = categories.find((x) => missingValues.includes(x));
  if (absent !== undefined) {
    complain(
      `${c.id}.categories`,
      `“${absent}” means a missing value in this file, so it cannot be a category too. Take it off one of the two lists.`,
    );
  }
  return {
    ...base,
    type: "categorical",
    categories,
    missing:
      c.missing.action === "indicator"
        ? "indicator"
        : categoryRule(c.missing, `${c.id}.missing`, categories, complain),
    unknown: categoryRule(c.unknown, `${c.id}.unknown`, categories, complain),
  };
}

/** What a schema says of bounds or categories that were bought. */
function purchaseOf(c: ColumnDraft | LabelDraft): { purchase?: Purchase } {
  const { bought } = sourceOf(c);
  return provenanceOf(c) === "bought" && bought
    ? {
        purchase: {
          charge: bought.charge,
          epsilon: bought.epsilon,
          ...(bought.delta && { delta: bought.delta }),
        },
      }
    : {};
}

/** The longest reason, in bytes: core/data/reason.go has the same. */
const longestReason = 300;

/** Why it is public, in one line, if the person says so and says why. */
function reasonOf(
  c: ColumnDraft | LabelDraft,
  field: string,
  complain: Complain,
): { reason?: string } {
  // Control characters have no place in a line.
  const line = (c.reason ?? "").replace(/[\p{Cc}\p{Cs}\uFFFD]+/gu, " ").trim();
  if (provenanceOf(c) !== "public" || line === "") return {};
  if (new TextEncoder().encode(line).length > longestReason)
    complain(field, "Say in fewer words why this is public: one line, 300 letters at most.");
  return { reason: line };
}

function numericRule(
  c: ColumnDraft,
  min: number | null,
  max: number | null,
  complain: Complain,
): "error" | "drop" | "indicator" | number {
  const { action, value } = c.missing;
  if (action === "error" || action === "drop" || action === "indicator") return action;
  const x = parseNumber(value);
  if (action === "value" && x !== null && min !== null && max !== null && x >= min && x <= max)
    return x;
  complain(
    `${c.id}.missing`,
    `Enter the number that stands in for a missing value, between ${c.min || "the lowest"} and ${c.max || "the highest"}.`,
  );
  return "error";
}

function categoryRule(
  rule: RuleDraft,
  field: string,
  categories: readonly string[],
  complain: Complain,
): "error" | "drop" | "zero" | { category: string } {
  const { action, value } = rule;
  if (action === "error" || action === "drop" || action === "zero") return action;
  if (action !== "category" || !categories.includes(value))
    complain(field, "Choose one of this column’s categories.");
  return { category: value };
}

/** The label, whole if nothing was complained of. */
function labelOf(
  draft: SchemaDraft,
  missingValues: readonly string[],
  complain: Complain,
): AnyLabel {
  const { label } = draft;
  if (label.name.trim() === "") complain("label.name", "Choose the column to predict.");
  const base = {
    name: label.name.trim(),
    missing: label.missing,
    provenance: provenanceOf(label),
    ...reasonOf(label, "label.reason", complain),
  };
  if (label.kind === "numeric") {
    const min = parseNumber(label.min);
    const max = parseNumber(label.max);
    if (min === null) complain("label.min", wantNumber(label.min, "the lowest value to expect"));
    if (max === null) complain("label.max", wantNumber(label.max, "the highest value to expect"));
    if (min !== null && max !== null && min >= max)
      complain("label.min", `The lowest value, ${min}, must be below the highest, ${max}.`);
    return { ...base, ...purchaseOf(label), type: "numeric", min: min ?? 0, max: max ?? 0 };
  }
  const several = label.kind === "classes";
  const classes = several
    ? classesOf(label.classes)
    : [linesOf(label.negative), linesOf(label.positive)];
  const [negative = [], positive = []] = classes;
  if (several && classes.length < 3)
    complain(
      "label.classes",
      "List three classes or more, one on each line. For two, choose “Two outcomes” above.",
    );
  if (several && classes.length > 256)
    complain(
      "label.classes",
      `These are ${classes.length} classes, and 256 are the most that can be told apart here.`,
    );
  if (!several && negative.length === 0)
    complain(
      "label.negative",
      "Enter how the file spells the negative outcome, such as “no” or 0.",
    );
  if (!several && positive.length === 0)
    complain(
      "label.positive",
      "Enter how the file spells the positive outcome, such as “yes” or 1.",
    );
  const parts = several
    ? (["label.classes"] as const)
    : (["label.negative", "label.positive"] as const);
  for (const [k, part] of parts.entries()) {
    const list = several ? classes.flat() : classes[k]!;
    const twice = firstRepeated(list);
    if (twice !== undefined) complain(part, `“${twice}” is listed twice. List each spelling once.`);
    const absent = list.find((x) => missingValues.includes(x));
    if (absent !== undefined)
      complain(
        part,
        `“${absent}” means a missing value in this file, so it cannot be an outcome too.`,
      );
  }
  if (several) return { ...base, type: "classes", classes };
  const both = positive.find((x) => negative.includes(x));
  if (both !== undefined)
    complain(
      "label.positive",
      `“${both}” is listed as negative too. A spelling can mean one outcome only.`,
    );
  return { ...base, negative, positive };
}

function firstRepeated(list: readonly string[]): string | undefined {
  return list.find((x, i) => list.indexOf(x) !== i);
}

/** ε as it is typed; null if it cannot be one. */
export function checkPrice(text: string): number | null {
  const epsilon = parseNumber(text);
  return epsilon !== null && epsilon > 0 ? epsilon : null;
}

function wantNumber(text: string, what: string): string {
  if (text.trim() === "") return `Enter ${what}, as a number.`;
  if (/^[+-]?\d+,\d+$/.test(text.trim()))
    return `Write ${text.trim().replace(",", ".")} with a point: ${what} must be a number.`;
  return `“${text.trim()}” is not a finite number. Enter ${what}, such as 120 or 1e6.`;
}

/**
 * The editor's field for a path in the schema as the core names it: "features[2].min" is "min" of
 * the third column that is included. An unknown path belongs to the editor as a whole ("columns").
 */
export function fieldFor(draft: SchemaDraft, path: string): string {
  const feature = /^(?:schema\.)?features\[(\d+)\](?:\.(\w+))?/.exec(path);
  if (feature) {
    const column = included(draft)[Number(feature[1])];
    const part = feature[2] ?? "name";
    return column ? `${column.id}.${part}` : "columns";
  }
  const label = /^(?:schema\.)?label(?:\.(\w+))?/.exec(path);
  if (label) return `label.${label[1] ?? "name"}`;
  if (/^(?:schema\.)?intercept/.test(path)) return "intercept";
  if (/^(?:schema\.)?missing_values/.test(path)) return "missing_values";
  return "columns";
}
