import { quoted } from "../../../../chart/literal.ts";
import { type Choice, type FeatureSpec, type Spec, hasIndicators } from "./spec.ts";

/** A Python module, 3.8 and later, standard library only. */
export function python(spec: Spec): string {
  const { label, loss } = spec;
  const result = label.kind === "number" ? "value" : "label";
  return `"""${spec.about.join("\n")}

    >>> predict({${spec.features.map((f) => `${quoted(f.name)}: ...`).join(", ")}})["${result}"]

A value is a number or a text; None is a missing one.
"""

import math
import re

FEATURES = [
${spec.features.map((f) => `    ${feature(f, hasIndicators(spec))},`).join("\n")}
]
MISSING = {${spec.missing.map(quoted).join(", ")}}
INTERCEPT = ${spec.intercept}
CLIP = ${spec.clip}
VECTORS = [
${spec.vectors.map((v) => `    [${v.join(", ")}],`).join("\n")}
]
NUMBER = re.compile(r"[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?", re.ASCII)
${label.kind === "several" ? `CLASSES = [${label.classes.map(quoted).join(", ")}]\n` : ""}

def encode(record):
    """The row of a record: one entry a column, the intercept last."""
    row = []
    for f in FEATURES:
        value = record[f["name"]]
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # of a category 3 the text is "3"
        text = "" if value is None else str(value).strip(" \\t")
        if "categories" in f:
            if text in f["categories"]:
                k = f["categories"].index(text)
            else:
                k = f["missing"] if text in MISSING else f["unknown"]
            if k is None:
                raise ValueError(f"{f['name']}: {text!r} is not a category that the model knows")
            row += [1.0 if j == k else 0.0 for j in range(len(f["categories"]))]
${hasIndicators(spec) ? `            ${absent}\n` : ""}            continue
        x = f["missing"] if text in MISSING else float(text) if NUMBER.fullmatch(text) else None
        if x is None or not math.isfinite(x):
            raise ValueError(f"{f['name']}: {text!r} is not a number")
        x = min(max(x, f["low"]), f["high"]) - f["low"]
        row.append((math.log1p(x) if f["log"] else x) / f["span"])
${hasIndicators(spec) ? `        ${absent}\n` : ""}${bounded(spec)}
    return row + ([INTERCEPT] if INTERCEPT > 0 else [])

${
  label.kind === "number" || loss === "huber" || loss === "softmax"
    ? ""
    : `
def probability(margin, cut):
    """Of the class +1, for a loss whose slope was cut off at cut."""
${
  loss === "squared"
    ? `    up, down = min(1 - margin, cut), min(1 + margin, cut)
    return 1.0 if up <= 0 else 0.0 if down <= 0 else down / (up + down)`
    : loss === "shifted-logistic"
      ? `    up, down = [min(1 / (1 + math.exp(min(m - ${spec.shift}, 700))), cut) for m in (margin, -margin)]
    return down / (up + down)`
      : loss === "weighted-logistic"
        ? `    weights = [(1, -margin), (${spec.weight}, margin)]  # of the class −1, and of +1
    up, down = [min(w / max(1, ${spec.weight}) / (1 + math.exp(min(m, 700))), cut) for w, m in weights]
    return up / (up + down)`
        : `    e = math.exp(-abs(margin))
    rare, likely = min(e / (1 + e), cut), min(1 / (1 + e), cut)
    return (likely if margin >= 0 else rare) / (likely + rare)`
}

`
}
def predict(record):
    row = encode(record)
    margins = [sum(x * t for x, t in zip(row, vector)) for vector in VECTORS]
${body()}
`;

  function body(): string {
    if (label.kind === "number") {
      return `    value = ${label.low} + (margins[0] + 1) / 2 * (${label.high} - ${label.low})
    return {"margin": margins[0], "value": min(max(value, ${label.low}), ${label.high})}`;
    }
    const cut =
      loss === "huber"
        ? ""
        : "    cut = CLIP / math.sqrt(sum(x * x for x in row)) if any(row) else math.inf\n";
    if (label.kind === "two") {
      const p = loss === "huber" ? "" : `, "probability": probability(margins[0], cut)`;
      return `${cut}    label = ${quoted(label.positive)} if margins[0] >= 0 else ${quoted(label.negative)}
    return {"margin": margins[0], "label": label${p}}`;
    }
    const p =
      loss === "huber"
        ? ""
        : loss === "softmax"
          ? `    powers = [math.exp(m - max(margins)) for m in margins]
    odds = [p / sum(powers) for p in powers]
`
          : `${cut}    odds = [probability(m, cut) for m in margins]
    total = sum(odds)
    odds = [p / total if total > 0 else 1 / len(odds) for p in odds]
`;
    return `${p}    label = CLASSES[max(range(len(margins)), key=margins.__getitem__)]
    return {"margins": margins, "label": label${loss === "huber" ? "" : `, "probabilities": odds`}}`;
  }
}

/** The column that says whether the value is missing. */
const absent = `row += [float(text in MISSING)] if f["indicator"] else []`;

/** The row's norm, as the schema says. */
function bounded({ norm, scale }: Spec): string {
  if (norm === "scale") return `    row = [x * ${scale} for x in row]`;
  return `    norm = math.sqrt(sum(x * x for x in row))
    if norm > ${norm === "unit" ? 0 : 1}:
        row = [x / norm for x in row]`;
}

function feature(f: FeatureSpec, indicators: boolean): string {
  const more = indicators ? `, "indicator": ${f.indicator ? "True" : "False"}` : "";
  const known = (x: Choice): string => (x === null ? "None" : String(x));
  if ("categories" in f) {
    return `{"name": ${quoted(f.name)}, "categories": [${f.categories.map(quoted).join(", ")}], "missing": ${known(f.missing)}, "unknown": ${known(f.unknown)}${more}}`;
  }
  return `{"name": ${quoted(f.name)}, "low": ${f.low}, "high": ${f.high}, "span": ${f.span}, "log": ${f.log ? "True" : "False"}, "missing": ${known(f.missing)}${more}}`;
}
