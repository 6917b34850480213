import { quoted } from "../chart/literal.ts";
import type { AttributeSpec, Spec } from "./spec.ts";

/** A Python module, 3.8 and later, standard library only. */
export function python(spec: Spec): string {
  return `"""${spec.about.join("\n")}

    >>> score({${spec.attributes.map((a) => `${quoted(a.name)}: ...`).join(", ")}})["yes"]

A value is a number or a text. One that no level is for is a ValueError.
"""

import bisect
import math
import re

ATTRIBUTES = [
${spec.attributes.map((a) => `    ${attribute(a)},`).join("\n")}
]
MISSING = {${spec.missing.map(quoted).join(", ")}}
THRESHOLD = ${spec.threshold}
NUMBER = re.compile(r"[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?", re.ASCII)


def points(attribute, value):
    """The points of one value."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # of a value 3 the text is "3"
    text = "" if value is None else str(value).strip(" \\t")
    if "values" in attribute:
        if text not in attribute["values"]:
            raise ValueError(f"{attribute['name']}: {text!r} is of no level of the card")
        return attribute["values"][text]
    if text in MISSING or not NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise ValueError(f"{attribute['name']}: {text!r} is not a number")
    return attribute["points"][bisect.bisect_right(attribute["cuts"], float(text))]


def score(record):
    total = sum(points(a, record[a["name"]]) for a in ATTRIBUTES)
    yes = total >= THRESHOLD
    return {"score": total, "yes": yes, "label": ${quoted(spec.yes)} if yes else ${quoted(spec.no)}}
`;
}

function attribute(a: AttributeSpec): string {
  return "values" in a
    ? `{"name": ${quoted(a.name)}, "values": {${a.values.map(([text, points]) => `${quoted(text)}: ${points}`).join(", ")}}}`
    : `{"name": ${quoted(a.name)}, "cuts": [${a.cuts.join(", ")}], "points": [${a.points.join(", ")}]}`;
}
