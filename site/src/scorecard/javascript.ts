import { quotedInJavaScript as quoted } from "../chart/literal.ts";
import type { AttributeSpec, Spec } from "./spec.ts";

/** An ES module. */
export function javascript(spec: Spec): string {
  return `${spec.about.map((line) => `// ${line}`).join("\n")}
//
//     score({ ${spec.attributes.map((a) => `${quoted(a.name)}: …`).join(", ")} }).yes
//
// A value is a number or a text. One that no level is for is an Error.

const attributes = [
${spec.attributes.map((a) => `  ${attribute(a)},`).join("\n")}
];
const missing = new Set([${spec.missing.map(quoted).join(", ")}]);
const threshold = ${spec.threshold};
const number = /^[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?$/i;

/** The points of one value. */
function points({ name, values, cuts, points }, value) {
  const text = String(value ?? "").replace(/^[ \\t]+|[ \\t]+$/g, "");
  if (values) {
    if (!values.has(text)) throw new Error(\`\${name}: \${JSON.stringify(text)} is of no level of the card\`);
    return values.get(text);
  }
  const x = missing.has(text) || !number.test(text) ? NaN : Number(text);
  if (!Number.isFinite(x)) throw new Error(\`\${name}: \${JSON.stringify(text)} is not a number\`);
  return points[cuts.filter((cut) => x >= cut).length];
}

export function score(record) {
  let total = 0;
  for (const a of attributes) {
    if (!Object.hasOwn(record, a.name)) throw new Error(\`\${a.name} is not in the record\`);
    total += points(a, record[a.name]);
  }
  const yes = total >= threshold;
  return { score: total, yes, label: yes ? ${quoted(spec.yes)} : ${quoted(spec.no)} };
}
`;
}

function attribute(a: AttributeSpec): string {
  return "values" in a
    ? `{ name: ${quoted(a.name)}, values: new Map([${a.values.map(([text, points]) => `[${quoted(text)}, ${points}]`).join(", ")}]) }`
    : `{ name: ${quoted(a.name)}, cuts: [${a.cuts.join(", ")}], points: [${a.points.join(", ")}] }`;
}
