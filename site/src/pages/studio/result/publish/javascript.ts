import { quotedInJavaScript as quoted } from "../../../../chart/literal.ts";
import { type FeatureSpec, hasIndicators, type Spec } from "./spec.ts";

/** An ES module. */
export function javascript(spec: Spec): string {
  const { label, loss } = spec;
  const result = label.kind === "number" ? "value" : "label";
  return `${spec.about.map((line) => `// ${line}`).join("\n")}
//
//     predict({ ${spec.features.map((f) => `${quoted(f.name)}: …`).join(", ")} }).${result}
//
// A value is a number or a text; null is a missing one.

const features = [
${spec.features.map((f) => `  ${feature(f, hasIndicators(spec))},`).join("\n")}
];
const missing = new Set([${spec.missing.map(quoted).join(", ")}]);
const intercept = ${spec.intercept};
const clip = ${spec.clip};
const vectors = [
${spec.vectors.map((v) => `  [${v.join(", ")}],`).join("\n")}
];
${label.kind === "several" ? `const classes = [${label.classes.map(quoted).join(", ")}];\n` : ""}
const number = /^[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?$/i;
const norm = (row) => Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));

/** The row of a record: one entry a column, the intercept last. */
export function encode(record) {
  const row = [];
  for (const f of features) {
    if (!Object.hasOwn(record, f.name)) throw new Error(\`\${f.name} is not in the record\`);
    const text = String(record[f.name] ?? "").replace(/^[ \\t]+|[ \\t]+$/g, "");
    if (f.categories) {
      let k = f.categories.indexOf(text);
      if (k < 0) k = missing.has(text) ? f.missing : f.unknown;
      if (k === null) throw new Error(\`\${f.name}: \${JSON.stringify(text)} is not a category that the model knows\`);
      row.push(...f.categories.map((_, j) => (j === k ? 1 : 0)));
${hasIndicators(spec) ? `      ${absent}\n` : ""}      continue;
    }
    const given = missing.has(text) ? f.missing : number.test(text) ? Number(text) : null;
    if (given === null || !Number.isFinite(given)) throw new Error(\`\${f.name}: \${JSON.stringify(text)} is not a number\`);
    const x = Math.min(Math.max(given, f.low), f.high) - f.low;
    row.push((f.log ? Math.log1p(x) : x) / f.span);
${hasIndicators(spec) ? `    ${absent}\n` : ""}  }
${bounded(spec)}
  return intercept > 0 ? [...scaled, intercept] : scaled;
}
${
  label.kind === "number" || loss === "huber" || loss === "softmax"
    ? ""
    : `
/** Of the class +1, for a loss whose slope was cut off at cut. */
function probability(margin, cut) {
${
  loss === "squared"
    ? `  const [up, down] = [Math.min(1 - margin, cut), Math.min(1 + margin, cut)];
  return up <= 0 ? 1 : down <= 0 ? 0 : down / (up + down);`
    : loss === "shifted-logistic"
      ? `  const [up, down] = [margin, -margin].map((m) => Math.min(1 / (1 + Math.exp(m - ${spec.shift})), cut));
  return down / (up + down);`
      : loss === "weighted-logistic"
        ? `  const weight = ${spec.weight}; // of the class +1, where that of −1 is 1
  const [up, down] = [[1, -margin], [weight, margin]].map(([w, m]) => Math.min(w / Math.max(1, weight) / (1 + Math.exp(m)), cut));
  return up / (up + down);`
        : `  const e = Math.exp(-Math.abs(margin));
  const [rare, likely] = [Math.min(e / (1 + e), cut), Math.min(1 / (1 + e), cut)];
  return (margin >= 0 ? likely : rare) / (likely + rare);`
}
}
`
}
export function predict(record) {
  const row = encode(record);
  const margins = vectors.map((vector) => vector.reduce((sum, t, j) => sum + t * row[j], 0));
${body()}
}
`;

  function body(): string {
    if (label.kind === "number") {
      return `  const value = ${label.low} + ((margins[0] + 1) / 2) * (${label.high} - ${label.low});
  return { margin: margins[0], value: Math.min(Math.max(value, ${label.low}), ${label.high}) };`;
    }
    const cut = loss === "huber" ? "" : "  const cut = clip / norm(row);\n";
    if (label.kind === "two") {
      const p = loss === "huber" ? "" : ", probability: probability(margins[0], cut)";
      return `${cut}  const label = margins[0] >= 0 ? ${quoted(label.positive)} : ${quoted(label.negative)};
  return { margin: margins[0], label${p} };`;
    }
    const p =
      loss === "huber"
        ? ""
        : loss === "softmax"
          ? `  const powers = margins.map((m) => Math.exp(m - Math.max(...margins)));
  const total = powers.reduce((sum, p) => sum + p, 0);
  const probabilities = powers.map((p) => p / total);
`
          : `${cut}  const odds = margins.map((m) => probability(m, cut));
  const total = odds.reduce((sum, p) => sum + p, 0);
  const probabilities = odds.map((p) => (total > 0 ? p / total : 1 / odds.length));
`;
    return `${p}  const label = classes[margins.indexOf(Math.max(...margins))];
  return { margins, label${loss === "huber" ? "" : ", probabilities"} };`;
  }
}

/** The column that says whether the value is missing. */
const absent = "if (f.indicator) row.push(missing.has(text) ? 1 : 0);";

/** The row's norm, as the schema says. */
function bounded({ norm, scale }: Spec): string {
  if (norm === "scale") return `  const scaled = row.map((x) => x * ${scale});`;
  return `  const length = norm(row);
  const scaled = length > ${norm === "unit" ? 0 : 1} ? row.map((x) => x / length) : row;`;
}

function feature(f: FeatureSpec, indicators: boolean): string {
  const more = indicators ? `, indicator: ${f.indicator}` : "";
  if ("categories" in f) {
    return `{ name: ${quoted(f.name)}, categories: [${f.categories.map(quoted).join(", ")}], missing: ${f.missing}, unknown: ${f.unknown}${more} }`;
  }
  return `{ name: ${quoted(f.name)}, low: ${f.low}, high: ${f.high}, span: ${f.span}, log: ${f.log}, missing: ${f.missing}${more} }`;
}
