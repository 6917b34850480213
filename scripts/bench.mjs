// What `make bench` prints: the same work natively and in Chromium, medians, beside what was asked
// for.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adult, dataFolder } from "./bench/adult.mjs";
import { inChromium } from "./bench/chromium.mjs";
import { elementsInChromium } from "./bench/elements.mjs";
import { kernelInChromium, kernelRows } from "./bench/kernel.mjs";
import { largeInChromium, largeNatively } from "./bench/large.mjs";
import { balancedAdult, scorecardsInChromium } from "./bench/scorecards.mjs";
import { shardsInChromium } from "./bench/shards.mjs";
import { startUps } from "./bench/startup.mjs";
import { testedInChromium, testedNatively, testedRows } from "./bench/tested.mjs";
import { ensureChromium } from "./check/chromium.mjs";
import { run, top } from "./check/process.mjs";

/** What is measured, its unit, and the goal natively and in Chromium where there is one. */
const rows = [
  [
    "fit",
    "fit of Adult, 36,177 rows × 105, from matrix to release",
    "ms",
    { native: 40, chromium: 100 },
  ],
  ["steps", "the same by 120 noisy steps", "ms", {}],
  [
    "losses",
    "true losses of its 36,177 rows, and what the free report tells each",
    "ms",
    { chromium: 1500 },
  ],
  ["row-bound", "what a bought report tells one row", "ms", { chromium: 1 }],
  ["sgd-private", "an epoch of DP-SGD on the same, batches of 256", "ms", {}],
  ["sgd-plain", "an epoch of SGD without privacy, likewise", "ms", {}],
  ["sgd-ratio", "the first over the second, median of turns", "×", { native: 3 }],
  ...kernelRows,
  ["large-fit-10000", "fit of 10,000 rows × 100, dense", "ms", {}],
  ["large-fit-100000", "100,000", "ms", {}],
  ["large-fit-1000000", "1,000,000", "ms", { native: 8000, chromium: 20000 }],
  ["large-exponent", "p of time ~ rows^p for these", "", { native: 1.1, chromium: 1.1 }],
  ["large-memory", "the worker's memory after them", "MB", { chromium: 1500 }],
  ["file-fit-1", "fit to a file of 100 MB, by one worker", "ms", {}],
  ["file-fit-2", "by two, each of which keeps half of its rows", "ms", {}],
  ["file-ratio", "the first over the second, median of turns", "×", {}],
  ["file-memory", "the most memory of both workers, over the matrix", "×", {}],
  [
    "card-mean",
    "a scorecard of 23 levels at ε = 0.1, mean of 30",
    "ms",
    { native: 800, chromium: 3000 },
  ],
  ["card-longest", "the longest of them", "ms", { native: 3000, chromium: 10000 }],
  ["card-memory", "what one allocates", "MB", { native: 16 }],
  ["card-five", "the best card with five points a level", "ms", { native: 60000 }],
  ...testedRows,
  ["csv", "CSV to design matrix for Adult", "MB/s", { chromium: 40, more: true }],
  ["start", "from nothing to a core that is ready", "ms", {}],
  ["restart", "the same with the module at hand", "ms", {}],
  ["cold-paint", "the studio's first paint, empty profile", "ms", {}],
  ["cold-interactive", "until a table can be chosen", "ms", { chromium: 1500 }],
  ["cold-ready", "until the sample can be fitted", "ms", {}],
  ["warm-paint", "the same when it was opened before: first paint", "ms", {}],
  ["warm-interactive", "until a table can be chosen", "ms", { chromium: 400 }],
  ["warm-ready", "until the sample can be fitted", "ms", {}],
  [
    "task-opening",
    "the longest task of its main thread meanwhile, of the processor's time",
    "ms",
    { chromium: 50 },
  ],
  ["task-fit", "the same from the click to the drawn result", "ms", { chromium: 50 }],
  ["task-redraw", "the same while the curve is drawn anew", "ms", { chromium: 50 }],
  [
    "curve-interactive",
    "an element of another page: from first paint to a curve that can be moved",
    "ms",
    { chromium: 300 },
  ],
  [
    "twenty-interactive",
    "the same of twenty on a page, all near the window",
    "ms",
    { chromium: 1000 },
  ],
  ["twenty-memory", "what these add to an empty page", "MB", { chromium: 150 }],
  [
    "task-drag",
    "the longest task of the main thread while a slider of DP-SGD is dragged",
    "ms",
    { chromium: 16 },
  ],
  ["bound", "what a release cost one person: a row's bound", "ms", { chromium: 1 }],
  ["bound-moves", "what each of its ten columns does to it", "ms", {}],
  ["gaussian-epsilon", "ε of a Gaussian mechanism", "ms", {}],
  ["objective-epsilon", "ε of objective perturbation, logistic bound", "ms", {}],
  ["objective-curve", "200 points of its curve", "ms", {}],
  [
    "control-cold",
    "ε at half of its λ by the bound control, never asked before",
    "ms",
    { chromium: 60 },
  ],
  ["control-epsilon", "the same of a release that was asked for another δ", "ms", { chromium: 5 }],
  ["control-curve", "200 points of that curve", "ms", { chromium: 150 }],
  ["control-fit-cold", "the ε of a fit, which has an output step too", "ms", { chromium: 60 }],
  ["control-fit-epsilon", "the same for another δ", "ms", { chromium: 5 }],
  ["control-fit-curve", "200 points of its curve", "ms", { chromium: 150 }],
  [
    "descent-epsilon",
    "DP-SGD, q = 0.01, σ = 1, 10,000 steps: certified ε, cold",
    "ms",
    { chromium: 60 },
  ],
  ["descent-another", "the same when only δ changes", "ms", { chromium: 5 }],
  ["descent-estimate", "its estimate", "ms", { chromium: 10 }],
  ["descent-curve", "200 certified points of its curve, cold", "ms", { chromium: 80 }],
  ["descent-noise", "the σ that a guarantee asks for, to 4 digits", "ms", { chromium: 150 }],
  ["descent-orders", "100 orders of its Rényi curve", "ms", { chromium: 10 }],
];

const { ok, say } = await ensureChromium();
for (const line of say) console.log(line);
const native = {
  ...(await natively()),
  ...(await largeNatively()),
  ...(await testedNatively()),
};
const chromium = ok
  ? {
      ...(await inChromium()),
      ...(await kernelInChromium()),
      ...(await largeInChromium()),
      ...(await shardsInChromium()),
      ...(await scorecardsInChromium()),
      ...(await testedInChromium()),
      ...(await startUps()),
      ...(await elementsInChromium()),
    }
  : {};
if (!("fit" in native))
  console.log(
    `Adult is not in ${dataFolder} (CLOISTER_DATA=… says where it is): no figures of fitting and reading.\n`,
  );
print(native, chromium);

async function natively() {
  const folder = join(top, "build/bench");
  const args = ["-published", join(top, "site/src/pages/report/sample.json")];
  const data = adult();
  if (data) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "adult.csv"), data.train);
    writeFileSync(join(folder, "adult.schema.json"), data.schema);
    args.push("-data", join(folder, "adult.csv"), "-schema", join(folder, "adult.schema.json"));
  }
  const cards = balancedAdult();
  if (cards) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "cards.csv"), cards.table);
    writeFileSync(join(folder, "levels.json"), cards.schema);
    args.push("-cards", join(folder, "cards.csv"), "-levels", join(folder, "levels.json"));
  }
  const { code, output } = await run("go", ["run", "./scripts/bench/native", ...args]);
  rmSync(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(output);
  return JSON.parse(output);
}

function print(native, chromium) {
  const cell = (x) =>
    x === undefined ? "" : x >= 100 ? x.toFixed(0) : x >= 10 ? x.toFixed(1) : x.toPrecision(2);
  const lines = [["", "", "native", "Chromium", "ratio", "goal"]];
  for (const [key, text, unit, goal] of rows) {
    const [a, b] = [native[key], chromium[key]];
    if (a === undefined && b === undefined) continue;
    const ratio =
      a === undefined || b === undefined ? "" : `× ${(goal.more ? a / b : b / a).toFixed(1)}`;
    lines.push([text, unit, cell(a), cell(b), ratio, wanted(goal)]);
  }
  const widths = lines[0].map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  for (const line of lines)
    console.log(
      line
        .map((c, i) => (i >= 2 && i <= 4 ? c.padStart(widths[i]) : c.padEnd(widths[i])))
        .join("  ")
        .trimEnd(),
    );
}

function wanted({ native, chromium, more }) {
  const sign = more ? "≥" : "≤";
  return [native && `${sign} ${native} native`, chromium && `${sign} ${chromium} in Chromium`]
    .filter(Boolean)
    .join(", ");
}
