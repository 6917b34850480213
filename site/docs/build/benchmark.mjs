// The page of the benchmark: small multiples and tables, from the file that scripts/benchmark
// writes with -page.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../benchmark.csv", import.meta.url));

/** What the tables are called, in the order in which they are drawn. */
const titles = {
  adult: "Adult",
  breast_cancer: "Breast cancer",
  iris: "Iris",
  clinic: "Clinic, made up",
  card_default: "Card default",
  crash_fatality: "Crash deaths",
  early_diabetes: "Early diabetes",
  flchain_death: "Free light chain",
  hmda: "Mortgages",
  resume_callback: "Résumés",
  titanic: "Titanic",
  chile_vote: "A vote",
  digits: "Digits",
  wine: "Wines",
  body_weight: "Body weight",
  diabetes_progression: "Diabetes progression",
  weekly_wage: "Weekly wage",
};

const majority = "majority";
const plain = "not private";
const oracle = "oracle gd";

/** What methods are called; those with a class have a colour of their own, the last on top. */
const names = {
  amp: { title: "objective perturbation" },
  outpert: { title: "output perturbation" },
  dpgd: { title: "gradient descent with noise" },
  dpsgd: { title: "DP-SGD" },
  steps: { title: "steps, averaged" },
  suffstats: { title: "noisy moments" },
  "oracle sgd": { title: "oracle: best of 45 by DP-SGD", kind: "sgd" },
  "oracle gd": { title: "oracle: best of 45 descents", kind: "gd" },
  default: { title: "our default", kind: "usual" },
};

/**
 * @param {string} text of the file
 * @returns {{made: string, lines: object[]}} what made it, and a set, method and ε each
 */
export function parse(text) {
  const [made, header, ...rows] = text.trimEnd().split("\n");
  const columns = header.split(",");
  const lines = rows.map((row) => {
    const cells = row.split(",");
    return Object.fromEntries(
      columns.map((name, i) => [
        name,
        ["set", "label", "method"].includes(name)
          ? cells[i]
          : cells[i] === ""
            ? undefined
            : Number(cells[i]),
      ]),
    );
  });
  return { made: made.replace(/^# /, ""), lines };
}

const unique = (list) => [...new Set(list)];
const budgets = (lines) => unique(lines.map(({ epsilon }) => epsilon)).sort((a, b) => a - b);
const one = (x) => (Math.abs(x) < 0.05 ? 0 : x).toFixed(1).replace("-", "−");
const signed = (x) => `${x > 0.05 ? "+" : ""}${one(x)}`;
const rows = (n) => `${n.toLocaleString("en-US")} rows`;

const frame = { width: 220, height: 150, left: 30, right: 8, top: 8, bottom: 20 };

/** Two to five round numbers of a range. */
function ticks(least, most) {
  const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50].find((s) => (most - least) / s <= 5) ?? 100;
  const out = [];
  for (let v = Math.ceil(least / step) * step; v <= most; v += step) out.push(v);
  return out;
}

/** The picture of a set, by score or by AUC. */
function panel(lines, figure) {
  const epsilons = budgets(lines);
  const at = (method) =>
    lines.filter((line) => line.method === method && line[figure] !== undefined);
  const level = (method) => at(method)[0]?.[figure];
  const shown = Object.keys(names).filter((method) => at(method).length > 0);
  const base = figure === "auc" ? 50 : level(majority);
  const ends = [base, level(plain)];
  for (const method of shown)
    if (names[method].kind) ends.push(...at(method).map((line) => line[figure]));
  const [low, high] = [Math.min(...ends), Math.max(...ends, Math.min(...ends) + 1)];
  const [least, most] = [low - (high - low) * 0.06, high + (high - low) * 0.06];
  const logs = [Math.log(0.1), Math.log(8)];
  const x = (e) =>
    frame.left +
    ((Math.log(e) - logs[0]) / (logs[1] - logs[0])) * (frame.width - frame.left - frame.right);
  const floor = frame.height - frame.bottom;
  const y = (v) => floor - ((Math.max(v, least) - least) / (most - least)) * (floor - frame.top);
  const path = (kind, points) => `<path class="${kind}" d="M${points.join("L")}"/>`;
  const flat = (kind, v) =>
    path(kind, [
      `${frame.left},${y(v).toFixed(1)}`,
      `${frame.width - frame.right},${y(v).toFixed(1)}`,
    ]);
  const text = (tx, ty, words, anchor) =>
    `<text x="${tx.toFixed(1)}" y="${ty.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;
  const drawn = shown.map((method) => {
    const points = at(method).map(
      (line) => `${x(line.epsilon).toFixed(1)},${y(line[figure]).toFixed(1)}`,
    );
    const kind = names[method].kind ?? "other";
    const dots =
      kind === "usual"
        ? points.map((p) => `<circle cx="${p.split(",")[0]}" cy="${p.split(",")[1]}" r="2.6"/>`)
        : [];
    return path(kind, points) + dots.join("");
  });
  const said = epsilons.map((e) => {
    const of = shown
      .filter((method) => names[method].kind)
      .reverse()
      .flatMap((method) =>
        at(method)
          .filter(({ epsilon }) => epsilon === e)
          .map((line) => `${names[method].title} ${one(line[figure])}`),
      );
    return `ε = ${e}: ${of.join(", ")}`;
  });
  const { set, label, rows: count } = lines[0];
  const measure = { auc: "AUC in %" }[figure] ?? (label === "number" ? "100 R²" : "% right");
  const known = figure === "auc" ? "by chance" : label === "number" ? "the mean" : "majority";
  return `<div class="panel"><p><b>${titles[set]}</b> <span>${measure}, ${rows(count)}</span></p>
<svg viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label="${titles[set]}, ${measure}. ${said.join("; ")}; ${known} ${one(base)}, not private ${one(level(plain))}.">${[
    `<path class="axis" d="M${frame.left},${frame.top}V${floor}H${frame.width - frame.right}"/>`,
    ...ticks(least, most).map((v) =>
      text(frame.left - 4, y(v) + 4, String(Number(v.toFixed(1))).replace("-", "−"), "end"),
    ),
    ...[0.1, 0.5, 2, 8].map((e) => text(x(e), floor + 15, String(e), "middle")),
    flat("level", base),
    flat("level", level(plain)),
    ...drawn,
  ].join("")}</svg></div>`;
}

const key = (kind, words) =>
  `<li><svg viewBox="0 0 28 10" aria-hidden="true"><path class="${kind}" d="M1,5H27"/></svg> ${words}</li>`;

/** The key, and one picture a set. */
function panels(lines, figure) {
  const sets = Object.keys(titles).filter((set) =>
    lines.some((line) => line.set === set && (figure === "score" || line.label === "two")),
  );
  return `<figure class="figure benchmark">
<ul class="key">${[
    key("usual", "our default"),
    key("gd", "oracle: best of 45 descents"),
    key("sgd", "oracle: best of 45 by DP-SGD"),
    key("other", "the other methods, by their defaults"),
    key(
      "level",
      figure === "auc" ? "by chance, and not private" : "majority or mean, and not private",
    ),
  ].join("")}</ul>
<div class="panels">${sets
    .map((set) =>
      panel(
        lines.filter((line) => line.set === set),
        figure,
      ),
    )
    .join("\n")}</div>
<figcaption>${
    figure === "auc"
      ? "The area under the ROC curve"
      : "What is predicted on rows that were held out"
  }, by ε. What lies below a panel is drawn at its floor.</figcaption>
</figure>`;
}

/** How the default differs from the oracle over sets of more than one split, a line an ε. */
export function compared(lines, kinds, method = "default") {
  return budgets(lines).flatMap((epsilon) => {
    const of = lines.filter(
      (line) =>
        line.epsilon === epsilon &&
        line.method === method &&
        kinds.includes(line.label) &&
        line.less_error !== undefined,
    );
    if (of.length === 0) return [];
    const mean = of.reduce((sum, { less }) => sum + less, 0) / of.length;
    const error = Math.sqrt(of.reduce((sum, line) => sum + line.less_error ** 2, 0)) / of.length;
    const worst = of.reduce((a, b) => (b.less < a.less ? b : a));
    const within = of.filter((line) => line.less >= -line.less_error).length;
    return [{ epsilon, mean, error, worst, within, sets: of.length }];
  });
}

function table(header, body) {
  return [header, header.map((_, i) => (i === 0 ? "--:" : "---")), ...body]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** The default beside the oracle, on the sets of such labels. */
function oracleTable(lines, kinds) {
  return table(
    ["ε", "mean difference", "worst table", "within one error"],
    compared(lines, kinds).map(({ epsilon, mean, error, worst, within, sets }) => [
      epsilon,
      `${signed(mean)} ± ${one(error)}`,
      `${titles[worst.set]} ${signed(worst.less)} ± ${one(worst.less_error)}`,
      `${within} of ${sets}`,
    ]),
  );
}

/** Every method's mean difference to the oracle, by ε, on the sets that it fits. */
function methodsTable(lines) {
  const epsilons = unique(compared(lines, ["two"]).map(({ epsilon }) => epsilon));
  const body = Object.keys(names)
    .reverse()
    .filter((method) => method !== oracle)
    .flatMap((method) => {
      const by = compared(lines, ["two"], method);
      if (by.length === 0) return [];
      return [
        [
          names[method].title,
          ...epsilons.map((e) => {
            const at = by.find(({ epsilon }) => epsilon === e);
            return at ? `${signed(at.mean)} ± ${one(at.error)} (${at.sets})` : "–";
          }),
        ],
      ];
    });
  const header = ["two classes, by its defaults", ...epsilons.map((e) => `ε = ${e}`)];
  return table(header, body).replace("| --: |", "| --- |");
}

/** All that was measured of the default and the oracle. */
function numbers(lines) {
  const head = [
    "table",
    "ε",
    "splits",
    "our default",
    "oracle",
    "difference",
    "majority or mean",
    plain,
  ];
  const body = Object.keys(titles).flatMap((set) =>
    budgets(lines).flatMap((epsilon) => {
      const at = (method) =>
        lines.find(
          (line) => line.set === set && line.epsilon === epsilon && line.method === method,
        );
      const usual = at("default");
      if (!usual) return [];
      const cell = (line) =>
        !line
          ? "–"
          : `${one(line.score)}${line.error === undefined ? "" : ` ± ${one(line.error)}`}`;
      const less =
        usual.less === undefined
          ? "–"
          : `${signed(usual.less)}${usual.less_error === undefined ? "" : ` ± ${one(usual.less_error)}`}`;
      return [
        [
          `${titles[set]}`,
          epsilon,
          usual.splits,
          cell(usual),
          cell(at(oracle)),
          less,
          one(at(majority).score),
          one(at(plain).score),
        ],
      ];
    }),
  );
  const row = (tag, cells) => `<tr>${cells.map((c) => `<${tag}>${c}</${tag}>`).join("")}</tr>`;
  return `<details class="numbers"><summary>All numbers of the default and the oracle</summary><div class="table" tabindex="0" role="group" aria-label="All numbers"><table><thead>${row("th", head)}</thead><tbody>${body.map((cells) => row("td", cells)).join("")}</tbody></table></div></details>`;
}

/** What stands in the page for each of its marks. */
export function benchmark(text = readFileSync(file, "utf8")) {
  const { made, lines } = parse(text);
  const splits = unique(
    lines.filter(({ method }) => method === "default").map((line) => line.splits),
  ).sort((a, b) => a - b);
  return {
    "score panels": panels(lines, "score"),
    "auc panels": panels(lines, "auc"),
    "two classes": oracleTable(lines, ["two"]),
    "all labels": oracleTable(lines, ["two", "several", "number"]),
    "methods table": methodsTable(lines),
    numbers: numbers(lines),
    epsilons: budgets(lines).join(", "),
    splits: splits.length > 1 ? `${splits[0]} to ${splits.at(-1)}` : String(splits[0]),
    made: `\`${made.replace(/, commit.*/, "")}\` at commit \`${made.replace(/.*commit /, "")}\``,
  };
}
