import { quoted } from "../../../../chart/literal.ts";
import { type Choice, type FeatureSpec, type Spec, hasIndicators } from "./spec.ts";

/**
 * An R script, base R only. All of it but `predict_one` is local: who sources it may have variables
 * of the same names.
 */
export function r(spec: Spec): string {
  const { label, loss } = spec;
  return `${spec.about.map((line) => `# ${line}`).join("\n")}
#
#     predict_one(list(${spec.features.map((f) => `${quoted(f.name)} = ...`).join(", ")}))
#
# A value is a number or a text; NA is a missing one.

predict_one <- local({

features <- list(
${spec.features.map((f) => `  ${feature(f, hasIndicators(spec))}`).join(",\n")}
)
missing_values <- c(${spec.missing.map(quoted).join(", ")})
number <- "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$"
intercept <- ${spec.intercept}
clip <- ${spec.clip}
vectors <- list(
${spec.vectors.map((v) => `  c(${v.join(", ")})`).join(",\n")}
)
${label.kind === "several" ? `classes <- c(${label.classes.map(quoted).join(", ")})\n` : ""}
# The row of a record: one entry a column, the intercept last.
encode <- function(record) {
  row <- c()
  for (f in features) {
    if (!(f$name %in% names(record))) stop(f$name, " is not in the record")
    value <- record[[f$name]]
    text <- if (is.na(value)) "" else trimws(if (is.numeric(value)) format(value, digits = 17) else value, whitespace = "[ \\t]")
    absent <- text %in% missing_values
    if (!is.null(f$categories)) {
      if (is.numeric(value) && !is.na(value)) text <- format(value, digits = 15, scientific = FALSE)
      k <- match(text, f$categories)
      if (is.na(k)) k <- if (absent) f$missing else f$unknown
      if (is.na(k)) stop(f$name, ": \\"", text, "\\" is not a category that the model knows")
      row <- c(row, as.numeric(seq_along(f$categories) == k))
${hasIndicators(spec) ? `      ${indicated}\n` : ""}      next
    }
    x <- if (absent) f$missing else if (grepl(number, text)) as.numeric(text) else NA
    if (is.na(x) || !is.finite(x)) stop(f$name, ": \\"", text, "\\" is not a number")
    x <- min(max(x, f$low), f$high) - f$low
    row <- c(row, (if (f$log) log1p(x) else x) / f$span)
${hasIndicators(spec) ? `    ${indicated}\n` : ""}  }
${bounded(spec)}
  if (intercept > 0) c(row, intercept) else row
}
${
  label.kind === "number" || loss === "huber" || loss === "softmax"
    ? ""
    : `
# Of the class +1, for a loss whose slope was cut off at cut.
probability <- function(margin, cut) {
${
  loss === "squared"
    ? `  up <- min(1 - margin, cut)
  down <- min(1 + margin, cut)
  if (up <= 0) 1 else if (down <= 0) 0 else down / (up + down)`
    : loss === "shifted-logistic"
      ? `  up <- min(1 / (1 + exp(margin - ${spec.shift})), cut)
  down <- min(1 / (1 + exp(-margin - ${spec.shift})), cut)
  down / (up + down)`
      : loss === "weighted-logistic"
        ? `  weight <- ${spec.weight} # of the class +1, where that of -1 is 1
  up <- min(1 / max(1, weight) / (1 + exp(-margin)), cut)
  down <- min(weight / max(1, weight) / (1 + exp(margin)), cut)
  up / (up + down)`
        : `  e <- exp(-abs(margin))
  rare <- min(e / (1 + e), cut)
  likely <- min(1 / (1 + e), cut)
  (if (margin >= 0) likely else rare) / (likely + rare)`
}
}
`
}
function(record) {
  row <- encode(record)
  margins <- sapply(vectors, function(vector) sum(vector * row))
${body()}
}
})
`;

  function body(): string {
    if (label.kind === "number") {
      return `  value <- ${label.low} + (margins[1] + 1) / 2 * (${label.high} - ${label.low})
  list(margin = margins[1], value = min(max(value, ${label.low}), ${label.high}))`;
    }
    const cut = loss === "huber" ? "" : "  cut <- clip / sqrt(sum(row^2))\n";
    if (label.kind === "two") {
      const p = loss === "huber" ? "" : ", probability = probability(margins[1], cut)";
      return `${cut}  label <- if (margins[1] >= 0) ${quoted(label.positive)} else ${quoted(label.negative)}
  list(margin = margins[1], label = label${p})`;
    }
    const p =
      loss === "huber"
        ? ""
        : loss === "softmax"
          ? `  odds <- exp(margins - max(margins))
  odds <- odds / sum(odds)
`
          : `${cut}  odds <- sapply(margins, probability, cut = cut)
  odds <- if (sum(odds) > 0) odds / sum(odds) else rep(1 / length(odds), length(odds))
`;
    return `${p}  list(margins = margins, label = classes[which.max(margins)]${loss === "huber" ? "" : ", probabilities = odds"})`;
  }
}

/** The column that says whether the value is missing. */
const indicated = "if (f$indicator) row <- c(row, as.numeric(absent))";

/** The row's norm, as the schema says. */
function bounded({ norm, scale }: Spec): string {
  if (norm === "scale") return `  row <- row * ${scale}`;
  return `  norm <- sqrt(sum(row^2))
  if (norm > ${norm === "unit" ? 0 : 1}) row <- row / norm`;
}

function feature(f: FeatureSpec, indicators: boolean): string {
  const more = indicators ? `, indicator = ${f.indicator ? "TRUE" : "FALSE"}` : "";
  if ("categories" in f) {
    // Numbers of categories begin at 1, and 0 is none of them.
    const number = (x: Choice): string => (x === null ? "NA" : String(x + 1));
    return `list(name = ${quoted(f.name)}, categories = c(${f.categories.map(quoted).join(", ")}), missing = ${number(f.missing)}, unknown = ${number(f.unknown)}${more})`;
  }
  return `list(name = ${quoted(f.name)}, low = ${f.low}, high = ${f.high}, span = ${f.span}, log = ${f.log ? "TRUE" : "FALSE"}, missing = ${f.missing ?? "NA"}${more})`;
}
