// How code is laid out: by gofmt, golines and prettier, in at most 100 columns.
//
//   node scripts/check/format.mjs --write    lays everything out anew (make format)
//   node scripts/check/format.mjs --count    what that would change, and long comments, by language
//
// `make lint` asks gofmt and prettier whether they would change anything. Neither breaks comments:
// a comment that is too long is named. What golines breaks in Go it breaks in `make format` alone.

import { readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { run, top } from "./process.mjs";
import { files } from "./tree.mjs";

const COLUMNS = 100;
const TAB = 4;

const prettied = new Set([".ts", ".mjs", ".js", ".css"]);
const code = new Set([".go", ...prettied]);

/** All files of code, generated ones and data aside, as paths from top. */
function codeFiles() {
  return files(top).filter((path) => {
    if (!code.has(extname(path)) || /(^|\/)fixtures\//.test(path)) return false;
    return !/^\/\/ Code generated .* DO NOT EDIT/m.test(readFileSync(join(top, path), "utf8"));
  });
}

/** A file's text as prettier lays it out. */
async function pretty(path, text) {
  const prettier = await import("../../site/node_modules/prettier/index.mjs");
  return prettier.format(text, { printWidth: COLUMNS, filepath: path });
}

/**
 * Numbers of the lines of comments that are too long, from 1. What a comment lays out by itself may
 * be.
 */
export function tooLong(text) {
  const found = [];
  text.split("\n").forEach((line, i) => {
    const indent = /^\t*/.exec(line)[0].length;
    const prose = /^\s*(\/\/|\/\*\*?|\*) (?!\s)(?!.*→ ).*\s/.test(line);
    if (prose && line.length + (TAB - 1) * indent > COLUMNS) found.push(i + 1);
  });
  return found;
}

/** @returns {Promise<string[]>} complaints about files that are laid out otherwise */
export async function checkFormat() {
  const complaints = [];
  for (const path of codeFiles()) {
    const text = readFileSync(join(top, path), "utf8");
    if (prettied.has(extname(path)) && (await pretty(path, text)) !== text) {
      complaints.push(`${path}: is not as prettier lays it out: make format`);
    }
    for (const line of tooLong(text))
      complaints.push(`${path}:${line}: a comment over ${COLUMNS} columns`);
  }
  return complaints;
}

async function write() {
  const golines = "github.com/segmentio/golines@v0.13.0";
  const lines = ["-m", `${COLUMNS}`, "-t", `${TAB}`, "--no-reformat-tags", "-w"];
  const go = codeFiles().filter((path) => extname(path) === ".go");
  await run("go", ["run", golines, ...lines, ...go]);
  const { output } = await run("gofmt", ["-l", "-w", "core", "wasm", "scripts"]);
  let changed = output.split("\n").filter(Boolean).length;
  for (const path of codeFiles().filter((path) => prettied.has(extname(path)))) {
    const text = readFileSync(join(top, path), "utf8");
    const better = await pretty(path, text);
    if (better === text) continue;
    writeFileSync(join(top, path), better);
    changed++;
  }
  console.log(`  format   ${changed} files`);
}

/** For each language: files, those prettier would change, and lines too long before and after. */
async function count() {
  const table = {};
  for (const path of codeFiles()) {
    const row = (table[extname(path)] ??= { files: 0, changed: 0, long: 0, "long after": 0 });
    const text = readFileSync(join(top, path), "utf8");
    const better = prettied.has(extname(path)) ? await pretty(path, text) : text;
    row.files++;
    if (better !== text) row.changed++;
    row.long += tooLong(text).length;
    row["long after"] += tooLong(better).length;
  }
  console.table(table);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const action = { "--write": write, "--count": count }[process.argv[2]];
  if (action) await action();
  else console.error("Say --write or --count.");
}
