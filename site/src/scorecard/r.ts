import { quoted } from "../chart/literal.ts";
import type { AttributeSpec, Spec } from "./spec.ts";

/** An R script, base R only. */
export function r(spec: Spec): string {
  return `${spec.about.map((line) => `# ${line}`).join("\n")}
#
#     score_one(list(${spec.attributes.map((a) => `${quoted(a.name)} = ...`).join(", ")}))
#
# A value is a number or a text. One that no level is for is an error.

attributes_of_card <- list(
${spec.attributes.map((a) => `  ${attribute(a)}`).join(",\n")}
)
missing_values <- c(${spec.missing.map(quoted).join(", ")})
threshold <- ${spec.threshold}
number <- "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$"

# The points of one value.
points_of <- function(a, value) {
  text <- if (is.na(value)) "" else trimws(if (is.numeric(value)) format(value, digits = 17) else value, whitespace = "[ \\t]")
  if (!is.null(a$values)) {
    if (is.numeric(value) && !is.na(value)) text <- format(value, digits = 15, scientific = FALSE)
    at <- match(text, a$values)
    if (is.na(at)) stop(a$name, ": \\"", text, "\\" is of no level of the card")
    return(a$points[at])
  }
  x <- if (text %in% missing_values || !grepl(number, text)) NA else as.numeric(text)
  if (is.na(x) || !is.finite(x)) stop(a$name, ": \\"", text, "\\" is not a number")
  a$points[findInterval(x, a$cuts) + 1]
}

score_one <- function(record) {
  total <- 0
  for (a in attributes_of_card) {
    if (!(a$name %in% names(record))) stop(a$name, " is not in the record")
    total <- total + points_of(a, record[[a$name]])
  }
  yes <- total >= threshold
  list(score = total, yes = yes, label = if (yes) ${quoted(spec.yes)} else ${quoted(spec.no)})
}
`;
}

function attribute(a: AttributeSpec): string {
  return "values" in a
    ? `list(name = ${quoted(a.name)}, values = c(${a.values.map(([text]) => quoted(text)).join(", ")}), points = c(${a.values.map(([, points]) => points).join(", ")}))`
    : `list(name = ${quoted(a.name)}, cuts = c(${a.cuts.join(", ")}), points = c(${a.points.join(", ")}))`;
}
