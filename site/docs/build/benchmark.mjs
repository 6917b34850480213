// The page of the benchmark: small multiples and tables, from the file that scripts/benchmark
// writes with -page.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { budgets, figure, folded, one, picture, signed, table, unique } from "./panels.mjs";

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

const rows = (n) => `${n.toLocaleString("en-US")} rows`;

/** The picture of a set, by score or by AUC. */
function panel(lines, figure) {
  const at = (method) =>
    lines.filter((line) => line.method === method && line[figure] !== undefined);
  const level = (method) => at(method)[0]?.[figure];
  const shown = Object.keys(names).filter((method) => at(method).length > 0);
  const base = figure === "auc" ? 50 : level(majority);
  const said = budgets(lines).map((e) => {
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
  return picture({
    title: titles[set],
    measure: `${measure}, ${rows(count)}`,
    said: `${titles[set]}, ${measure}. ${said.join("; ")}; ${known} ${one(base)}, not private ${one(level(plain))}.`,
    lines: shown.map((method) => ({
      kind: names[method].kind ?? "other",
      points: at(method).map((line) => ({ epsilon: line.epsilon, value: line[figure] })),
    })),
    levels: [base, level(plain)],
    epsilons: [0.1, 0.5, 2, 8],
  });
}

/** The key, and one picture a set. */
function panels(lines, column) {
  const sets = Object.keys(titles).filter((set) =>
    lines.some((line) => line.set === set && (column === "score" || line.label === "two")),
  );
  return figure(
    [
      ["usual", "our default"],
      ["gd", "oracle: best of 45 descents"],
      ["sgd", "oracle: best of 45 by DP-SGD"],
      ["other", "the other methods, by their defaults"],
      [
        "level",
        column === "auc" ? "by chance, and not private" : "majority or mean, and not private",
      ],
    ],
    sets.map((set) =>
      panel(
        lines.filter((line) => line.set === set),
        column,
      ),
    ),
    column === "auc"
      ? "The area under the ROC curve, by ε."
      : "What is predicted on rows that were held out, by ε.",
  );
}

/**
 * How a method differs from the oracle over sets of more than one split, a line an ε; from the one
 * that is picked on other splits where `than` is "apart".
 */
export function compared(lines, kinds, method = "default", than = "less") {
  return budgets(lines).flatMap((epsilon) => {
    const of = lines
      .map((line) => ({ ...line, less: line[than], less_error: line[`${than}_error`] }))
      .filter(
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

/** The default beside both oracles, on the sets of such labels. */
function oracleTable(lines, kinds) {
  const cells = (found) =>
    found
      ? [
          `${signed(found.mean)} ± ${one(found.error)}`,
          `${titles[found.worst.set]} ${signed(found.worst.less)} ± ${one(found.worst.less_error)}`,
        ]
      : ["–", "–"];
  const others = compared(lines, kinds, "default", "apart");
  return table(
    [
      "ε",
      "mean difference",
      "worst table",
      "within one error",
      "picked on other splits: mean",
      "worst table",
    ],
    compared(lines, kinds).map((found) => [
      found.epsilon,
      ...cells(found),
      `${found.within} of ${found.sets}`,
      ...cells(others.find(({ epsilon }) => epsilon === found.epsilon)),
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
  return table(header, body, "---");
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
  return folded("All numbers of the default and the oracle", "All numbers", head, body);
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
