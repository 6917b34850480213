import { CloisterError, reason } from "./error.ts";
import { survey } from "./json-text.ts";
import type { AnyRelease, AnySchema, CardSchema, DerivedModel } from "./types.ts";

/**
 * Names that stand in a schema or a release, in the order in which people read them. Others come
 * after.
 */
const names = [
  // A release.
  ...[
    "format",
    "version",
    "library",
    "guarantee",
    "event",
    "choice",
    "from_counts",
    "card",
    "counts",
    "model",
    "evaluation",
    "schema",
  ],
  // A model that was derived from one.
  ...["release", "statement", "target", "target_unit", "target_offset", "ridge"],
  // Its event begins with what was run; its guarantee with what is promised, then by which proof.
  ...[
    "mechanism",
    "epsilon",
    "delta",
    "adjacency",
    "method",
    "bound",
    "theorem",
    "covers",
    "caveats",
  ],
  // The event's parameters.
  ...[
    "loss",
    "dimension",
    "row_norm",
    "lipschitz",
    "smoothness",
    "lambda",
    "sigma",
    "tau",
    "sigma_out",
    "grid",
  ],
  // A scorecard, and its event.
  ...["span", "noise", "denominator", "threshold", "attributes"],
  // A schema.
  ...["features", "label", "rows", "norm"],
  // A model.
  ...[
    "huber_width",
    "shift",
    "positive_weight",
    "clip",
    "columns",
    "class",
    "coefficients",
    "errors",
    "intercept",
    "intercept_error",
    "original",
    "original_constant",
    "feature",
    "category",
    "coefficient",
    "error",
    "unit",
    "offset",
  ],
  // The rest of a schema.
  ...[
    "missing_values",
    "name",
    "type",
    "min",
    "max",
    "log",
    "cuts",
    "levels",
    "values",
    "points",
    "categories",
    "negative",
    "positive",
    "missing",
    "unknown",
    "provenance",
    "purchase",
    "charge",
    "reason",
  ],
];

const place = new Map(names.map((name, i) => [name, i]));

/**
 * A schema, a release or a derived model as a file: indented JSON, names in their order, a newline
 * at the end.
 */
export function toText(document: AnySchema | CardSchema | AnyRelease | DerivedModel): string {
  return `${JSON.stringify(ordered(document), null, 2)}\n`;
}

/** A copy whose names are in their order, for whoever writes it out again. */
export function ordered<T>(value: T): T {
  if (Array.isArray(value)) return value.map(ordered) as T;
  if (typeof value !== "object" || value === null) return value;
  const rank = (name: string) => place.get(name) ?? names.length;
  const entries = Object.entries(value).sort(([a], [b]) => rank(a) - rank(b));
  return Object.fromEntries(entries.map(([name, member]) => [name, ordered(member)])) as T;
}

/** A schema given as text is JSON. */
export function schemaOf(schema: unknown): unknown {
  if (typeof schema !== "string") return schema;
  let tree: unknown;
  try {
    tree = JSON.parse(schema);
  } catch (error) {
    throw new CloisterError(
      "schema",
      `The schema is not JSON: ${reason(error)}`,
      { field: "schema" },
      { cause: error },
    );
  }
  const { twice, beyond } = survey(schema);
  if (beyond !== undefined)
    throw new CloisterError("schema", `The schema's ${beyond} is too large for any program.`, {
      field: beyond,
    });
  if (twice !== undefined)
    throw new CloisterError(
      "schema",
      `The schema says ${twice} twice: two readers could take it for two things.`,
      { field: twice },
    );
  return tree;
}
