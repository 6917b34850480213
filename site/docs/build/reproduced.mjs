// The page of the papers' comparisons: pictures and tables, from the file that scripts/reproduce
// writes with -page.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { escaped } from "./markdown.mjs";
import { budgets, figure, folded, one, picture, signed, table, unique } from "./panels.mjs";

const file = fileURLToPath(new URL("../reproduced.csv", import.meta.url));

/** Methods with a line of their own, the last on top. */
const kinds = {
  "dpsgd-dishonest-pld": "sgd",
  "dpgd-momentum": "gd",
  "dpsgd-honest": "honest",
  "amp-paper": "paper",
  amp: "usual",
};

const names = ["made", "sets", "methods", "scores", "leads", "published", "risks", "claims"];
const words = new Set(
  "command commit day set title about method name standing what rival where verdict schedule claim detail".split(
    " ",
  ),
);

/** The cells of a line, of which some stand in quotation marks. */
const cellsOf = (line) =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) =>
    quoted === undefined ? bare : quoted.replaceAll('""', '"'),
  );

/**
 * @param {string} text of the file
 * @returns {Record<string, object[]>} its sections, a line an object; a number that is not known is
 * undefined
 */
export function parse(text) {
  const sections = text.trimEnd().split("\n\n");
  return Object.fromEntries(
    sections.map((section, i) => {
      const [columns, ...lines] = section.split("\n").map(cellsOf);
      const valued = (name, cell) =>
        words.has(name)
          ? cell.replace(/(?<=\p{L})'/gu, "’")
          : cell === ""
            ? undefined
            : Number(cell);
      return [
        names[i],
        lines.map((cells) =>
          Object.fromEntries(columns.map((name, k) => [name, valued(name, cells[k])])),
        ),
      ];
    }),
  );
}

const two = (x) => x.toFixed(2).replace("-", "−");
const count = (n) => n.toLocaleString("en-US");
/** What is not broken over lines in a narrow cell. */
const tight = (text) => text.replaceAll(/ (?=[±=])|(?<=[±=]) /g, "\u00a0");
const range = (list) => {
  const [least, most] = [Math.min(...list), Math.max(...list)];
  return least === most ? String(least) : `${least} to ${most}`;
};

/** 1.96 standard errors of an accuracy in %, by the number of test records alone. */
export const binomial = (accuracy, tested) =>
  1.96 * Math.sqrt((accuracy * (100 - accuracy)) / tested);

/** An accuracy and its error; that of one trial, in parentheses, is of the test records alone. */
function cell(score, { tested }) {
  if (score === undefined) return "–";
  const { accuracy, half } = score;
  if (half !== undefined) return `${one(accuracy)} ± ${one(half)}`;
  return `${one(accuracy)} (± ${one(binomial(accuracy, tested))})`;
}

/** What is claimed, and what came of it. */
const claims = (list) =>
  table(
    ["claim", "verdict", "what the runs say"],
    list.map(({ claim, verdict, detail }) => [
      claim,
      verdict === "not run" ? "open" : `**${verdict}**`,
      detail.replace(/ -(?=\d)/g, " −"),
    ]),
    "---",
  );

/** The papers' accuracies beside ours. */
function published(list, titles, methods) {
  const said = (verdict) => {
    const span = /±[\d.]+/.exec(verdict)?.[0];
    if (verdict.startsWith("within")) return "reproduced";
    return verdict.startsWith("may") ? `may be explained (${span})` : `not reproduced (${span})`;
  };
  return table(
    ["set", "method", "ε", "trials", "paper", "ours", "difference", "verdict"],
    list.map(({ set, method, epsilon, trials, paper, ours, half, verdict }) => [
      titles[set],
      methods[method].name,
      epsilon,
      trials,
      two(paper),
      half === undefined ? two(ours) : tight(`${two(ours)} ± ${two(half)}`),
      `${ours > paper ? "+" : ""}${two(ours - paper)}`,
      said(verdict),
    ]),
    "---",
  );
}

/** Table 3 of Fay et al. beside ours; nothing if no descent was run. */
function fay(list, titles) {
  if (list.length === 0) return "";
  const rows = list.map(({ set, epsilon, schedule, paper, ours, steps, least, verdict }) => [
    titles[set],
    epsilon,
    steps === 0 && schedule !== "adaptive" ? "constant, any" : schedule,
    paper.toFixed(4),
    ours.toFixed(4),
    steps,
    least.toFixed(4),
    verdict.replace(/:.*/, ""),
  ]);
  const head = ["set", "ε", "noise", "paper", "ours", "steps", "least possible", "verdict"];
  return `## Noise that falls {#falls}

Table 3 of Fay et al. is of empirical risks: gradient descent on all records, λ = 0.1, priced by zero-concentrated privacy under replace-one, δ = 1/N. Ours are medians of ${range(list.map(({ repetitions }) => repetitions))} descents. The constant noise is the one that is best in hindsight.

${table(head, rows, "---")}

Where an ε does not pay for one step, the risk is that of the start, log 2 = ${Math.LN2.toFixed(4)}. What the paper leaves open decides that: the start, how far from the least risk it is taken to be, and the longest record. A risk in the paper above log 2 is worse than no step from there. Means, variances and the longest record are read off the records and not paid for, as in the paper, so these results have no guarantee.`;
}

/** In how many comparisons our default leads: a line a set and rival. */
export function standings(leads) {
  const pairs = unique(leads.map(({ set, rival }) => `${set} ${rival}`));
  return pairs.map((pair) => {
    const of = leads.filter(({ set, rival }) => `${set} ${rival}` === pair);
    const ahead = (column) => of.filter((line) => line[column] > 0).length;
    return {
      set: of[0].set,
      rival: of[0].rival,
      trials: range(of.map(({ trials }) => trials)),
      of: of.length,
      ahead: ahead("lead"),
      elsewhere: of.every((line) => line.elsewhere !== undefined) ? ahead("elsewhere") : undefined,
      mean: of.reduce((sum, { lead }) => sum + lead, 0) / of.length,
      least: of.reduce((a, b) => (b.lead < a.lead ? b : a)),
    };
  });
}

const points = (lead, half) => `${signed(lead)}${half === undefined ? "" : ` ± ${one(half)}`}`;

const standingsTable = (leads, titles, methods) =>
  table(
    ["set", "against", "trials", "ahead, picked here", "picked elsewhere", "mean", "least"],
    standings(leads).map((line) => [
      titles[line.set],
      methods[line.rival].name.replace(" (dishonest)", ""),
      line.trials,
      `${line.ahead} of ${line.of}`,
      line.elsewhere === undefined ? "–" : `${line.elsewhere} of ${line.of}`,
      signed(line.mean),
      tight(`${points(line.least.lead, line.least.half)} (ε = ${line.least.epsilon})`),
    ]),
    "---",
  );

function leadsTable(leads, titles, methods) {
  const epsilons = budgets(leads);
  const head = ["set", "against", "", ...epsilons.map((e) => `ε = ${e}`)];
  const body = standings(leads).flatMap(({ set, rival }) =>
    [
      ["picked here", "lead", "half"],
      ["picked elsewhere", "elsewhere", "elsewhere_half"],
    ].map(([picked, value, half]) => [
      titles[set],
      methods[rival].name.replace(" (dishonest)", ""),
      picked,
      ...epsilons.map((e) => {
        const line = leads.find((l) => l.set === set && l.rival === rival && l.epsilon === e);
        return line?.[value] === undefined ? "–" : points(line[value], line[half]);
      }),
    ]),
  );
  return folded("All leads, by ε", "All leads", head, body);
}

/** The picture of a set. */
function panel(set, scores, methods) {
  const of = scores.filter((score) => score.set === set.set);
  const plain = of.find(({ epsilon }) => epsilon === undefined).accuracy;
  const at = (method) =>
    of
      .filter((score) => score.method === method && score.epsilon !== undefined)
      .map(({ epsilon, accuracy, half }) => ({
        epsilon,
        value: accuracy,
        half: method === "amp" ? half : undefined,
      }));
  const others = Object.keys(methods).filter(
    (name) => !(name in kinds) && methods[name].standing !== "not private",
  );
  const shown = [...others, ...Object.keys(kinds)];
  const epsilons = budgets(of.filter(({ epsilon }) => epsilon !== undefined));
  const said = epsilons.map((e) => {
    const values = Object.keys(kinds)
      .reverse()
      .map((name) => [name, at(name).find(({ epsilon }) => epsilon === e)])
      .filter(([, point]) => point !== undefined);
    return `ε = ${e}: ${values.map(([name, { value }]) => `${methods[name].name} ${one(value)}`).join(", ")}`;
  });
  return picture({
    title: set.title,
    measure: `% right, tested on ${count(set.tested)}`,
    said: `${set.title}, % right. ${said.join("; ")}; the commoner label ${one(set.commoner)}, not private ${one(plain)}.`,
    lines: shown.map((name) => ({ kind: kinds[name] ?? "other", points: at(name) })),
    levels: [set.commoner, plain],
    within: [plain],
    epsilons: [0.025, 0.1, 0.5, 2, 8],
  });
}

const panels = (sets, scores, methods) =>
  figure(
    [
      ["usual", "objective perturbation, our default"],
      ["paper", "objective perturbation, the paper’s"],
      ["honest", "DP-SGD, tuned honestly"],
      ["sgd", "DP-SGD, tuned for free"],
      ["gd", "gradient descent, tuned for free"],
      ["other", "the other methods"],
      ["level", "the commoner label, and not private"],
    ],
    sets.map((set) => panel(set, scores, methods)),
    "What is predicted on rows that were held out, by ε. Bars are 1.96 standard errors of our default’s mean, where there are two trials or more.",
  );

/** Every method's accuracy on every set. */
function numbers(sets, scores, methods) {
  const epsilons = budgets(scores.filter(({ epsilon }) => epsilon !== undefined));
  const head = ["set", "method", "trials", ...epsilons.map((e) => `ε = ${e}`)];
  const body = sets.flatMap((set) =>
    Object.entries(methods).flatMap(([method, { name }]) => {
      const of = scores.filter((score) => score.set === set.set && score.method === method);
      if (of.length === 0) return [];
      return [
        [
          set.title,
          name,
          range(of.map(({ trials }) => trials)),
          ...epsilons.map((e) =>
            cell(
              of.find(({ epsilon }) => epsilon === e || epsilon === undefined),
              set,
            ),
          ),
        ],
      ];
    }),
  );
  return folded("All numbers", "All numbers", head, body);
}

/** How many trials each method has on each set. */
const trials = (sets, scores, methods) =>
  table(
    ["method", ...sets.map(({ title }) => title)],
    Object.entries(methods).map(([method, { name }]) => [
      name,
      ...sets.map(({ set }) => {
        const of = scores.filter((score) => score.set === set && score.method === method);
        return of.length === 0 ? "–" : range(of.map((score) => score.trials));
      }),
    ]),
    "---",
  );

const descriptions = (methods) =>
  folded(
    "The methods, as they are set up",
    "The methods",
    ["method", "", "what it does"],
    Object.values(methods).map(({ name, standing, what }) => [name, standing, escaped(what)]),
  );

const described = (sets) =>
  folded(
    "The data sets",
    "The data sets",
    ["set", "what it is", "fitted to", "tested on", "commoner label, %"],
    sets.map(({ title, about, fitted, tested, commoner }) => [
      title,
      escaped(about),
      count(fitted),
      count(tested),
      one(commoner),
    ]),
  );

/** What stands in the page for each of its marks. */
export function reproduced(text = readFileSync(file, "utf8")) {
  const all = parse(text);
  const titles = Object.fromEntries(all.sets.map(({ set, title }) => [set, title]));
  const methods = Object.fromEntries(all.methods.map((method) => [method.method, method]));
  const [{ command, commit, day, runs, paths, hours }] = all.made;
  return {
    claims: claims(all.claims),
    published: published(all.published, titles, methods),
    fay: fay(all.risks, titles),
    standings: standingsTable(all.leads, titles, methods),
    leads: leadsTable(all.leads, titles, methods),
    panels: panels(all.sets, all.scores, methods),
    numbers: numbers(all.sets, all.scores, methods),
    trials: trials(all.sets, all.scores, methods),
    sets: described(all.sets),
    methods: descriptions(methods),
    made: `\`${command}\` at commit \`${commit}\`, up to ${day}`,
    runs: `${count(runs)} fits and ${count(paths)} descents`,
    hours: `${hours} hours`,
  };
}
