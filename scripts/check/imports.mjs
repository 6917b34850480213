// Which folder of the page code may import which: for site/src what scripts/layers is for Go.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The table, from the bottom upwards. A row says what the files under a folder may import: from the
 * rows that `below` names and what those may import in turn, and the packages of `other`; one that
 * ends in "/" or ":" stands for all that begin so. A row names rows above it in this list only, so
 * imports point one way. A file's row is the most specific one.
 */
export const table = [
  { folder: "client", other: ["node:", "cloister:"] },
  { folder: "chart", below: ["client"], other: ["d3-array", "d3-format", "lit/"] },
  // A scorecard as a printed page and as programs.
  { folder: "scorecard", below: ["chart"] },
  // They run the client as it was built, so their bundle stays small; of its source they
  // have how a text is looked over.
  { folder: "commands", below: ["client", "scorecard"], other: ["node:"] },
  { folder: "curves", below: ["chart"], other: ["cloister:", "lit/"] },
  { folder: "elements", below: ["curves"], other: ["cloister:", "lit", "lit/", "node:"] },
  { folder: "pages/shell", below: ["chart"], other: ["lit/"] },
  // What studio and verifier both show of a release.
  {
    folder: "pages/release",
    below: ["elements", "pages/shell", "scorecard"],
    other: ["lit/"],
  },
  { folder: "pages/docs", below: ["elements", "pages/shell"] },
  { folder: "pages/explorer", below: ["curves", "pages/shell"], other: ["lit/"] },
  { folder: "pages/report", below: ["pages/release"], other: ["lit/"] },
  { folder: "pages/verifier", below: ["pages/release"], other: ["lit/"] },

  // The studio: what its steps share, then a folder a step. No step knows the whole.
  ...of("pages/studio", [
    { folder: "sample", below: ["client"] },
    { folder: "draft", below: ["client"] },
    { folder: "account", below: ["pages/shell", "./draft"], other: ["lit/"] },
    { folder: "state", below: ["elements", "./account", "./sample"] },
    { folder: "notes", below: ["./state"] },
    { folder: "data", below: ["./notes"], other: ["lit/"] },
    { folder: "schema/purchase", below: ["./state"], other: ["lit/"] },
    { folder: "schema/levels", below: ["./state", "scorecard"], other: ["lit/"] },
    { folder: "schema", below: ["./schema/purchase", "./schema/levels"], other: ["lit/"] },
    { folder: "budget/expected-accuracy", below: ["./state"], other: ["d3-array", "lit/"] },
    { folder: "budget/card", below: ["./state"], other: ["lit/"] },
    {
      folder: "budget",
      below: ["pages/release", "./budget/expected-accuracy", "./budget/card"],
      other: ["lit/"],
    },
    { folder: "fit", below: ["./budget"], other: ["lit/"] },
    { folder: "result/live-audit", below: ["./state"], other: ["lit/"] },
    {
      folder: "result/after-fit",
      below: ["pages/release", "./notes", "./result/live-audit"],
      other: ["lit/"],
    },
    { folder: "result/publish", below: ["pages/release", "./notes"], other: ["lit/"] },
    { folder: "result/card", below: ["pages/release", "./state"], other: ["lit/"] },
    {
      folder: "result",
      below: ["./result/after-fit", "./result/publish", "./result/card"],
      other: ["lit/"],
    },
    { folder: ".", below: ["./data", "./schema", "./fit", "./result"], other: ["lit/"] },
  ]),
];

/** Rows of the folders in a folder, which call each other by "./" and the name. */
function of(folder, rows) {
  const full = (name) => (name.startsWith("./") ? `${folder}${name.slice(1)}` : name);
  return rows.map((row) => ({
    ...row,
    folder: row.folder === "." ? folder : `${folder}/${row.folder}`,
    below: row.below.map(full),
  }));
}

// An import or export statement; import("…"), of a value or a type; @import of a style sheet.
const statement = new RegExp(
  [
    String.raw`^(?:import|export)\b(?:[^;"'\x60]*?\bfrom)?\s*"([^"]+)"`,
    String.raw`\bimport\(\s*"([^"]+)"\s*\)`,
    String.raw`^@import "([^"]+)"`,
  ].join("|"),
  "gm",
);

/** What a file imports, types included. Lines of comments are left out. */
export function importsIn(text) {
  const code = text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  return [...code.matchAll(statement)].map((found) => found[1] ?? found[2] ?? found[3]);
}

/** The files of a folder that import others, by their paths in it: path → text. */
export function readSources(folder) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) =>
    /\.(ts|mjs|css)$/.test(path),
  );
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** Complaints about imports that the table does not allow, and about circles. */
export function checkImports(sources, rows = table) {
  const complaints = [];
  /** By folder, the folders that it may import, itself among them. */
  const allowed = new Map();
  for (const { folder, below = [] } of rows) {
    const all = new Set([folder]);
    for (const name of below) {
      if (!allowed.has(name)) complaints.push(`${folder} names ${name}, no row above it`);
      for (const one of allowed.get(name) ?? []) all.add(one);
    }
    allowed.set(folder, all);
  }
  const specificFirst = [...rows].sort((a, b) => b.folder.length - a.folder.length);
  const rowOf = (path) => specificFirst.find(({ folder }) => path.startsWith(`${folder}/`));
  const graph = new Map();
  for (const [path, text] of sources) {
    const row = rowOf(path);
    if (!row) {
      if (path.includes("/")) complaints.push(`${path} lies in a folder that has no row`);
      continue;
    }
    const found = [];
    graph.set(path, found);
    for (const name of importsIn(text)) {
      if (!name.startsWith(".")) {
        if (!names(row.other, name)) {
          complaints.push(`${path} imports ${name}, which ${row.folder} may not import`);
        }
        continue;
      }
      const target = join(dirname(path), name);
      const folder = rowOf(target)?.folder ?? "a folder that has no row";
      if (sources.has(target)) found.push(target);
      if (!allowed.get(row.folder).has(folder)) {
        complaints.push(`${path} imports ${target}, but ${row.folder} may not import ${folder}`);
      }
    }
  }
  for (const circle of circles(graph)) {
    const steps = [...circle, circle[0]].join(" → ");
    complaints.push(`these import each other in a circle: ${steps}`);
  }
  return complaints;
}

/** Whether a list of packages, some of them by how they begin, has this one. */
function names(list, name) {
  return (list ?? []).some((one) => name === one || (/[:/]$/.test(one) && name.startsWith(one)));
}

/** A shortest circle through each file that is on one, every circle once. */
function circles(graph) {
  const found = [];
  for (const start of graph.keys()) {
    if (found.some((circle) => circle.includes(start))) continue;
    const circle = shortest(graph, start);
    if (circle) found.push(circle);
  }
  return found;
}

/** The shortest way from a file back to it; undefined if there is none. */
function shortest(graph, start) {
  const from = new Map([[start, undefined]]);
  // A map hands out what is added to it while it is walked through, in the order of adding.
  for (const at of from.keys()) {
    for (const next of graph.get(at) ?? []) {
      if (next === start) {
        const circle = [];
        for (let step = at; step !== undefined; step = from.get(step)) circle.unshift(step);
        return circle;
      }
      if (!from.has(next)) from.set(next, at);
    }
  }
  return undefined;
}

/** The check as `make lint` runs it. */
export function checkPageImports(top) {
  return checkImports(readSources(join(top, "site/src")));
}
