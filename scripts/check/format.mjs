// How code is laid out: by gofmt and prettier, in at most 100 columns.
//
//   node scripts/check/format.mjs --write    lays everything out anew (make format)
//   node scripts/check/format.mjs --count    what that would change, and long lines, by language
//
// `make lint` asks gofmt and prettier whether they would change anything. Neither breaks comments,
// and gofmt breaks no line: those that are too long are named, to be broken by hand.

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

/** A string or character of Go that begins and ends on one line. */
const texts = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g;
/** A line that is a row of a table: a composite literal, after a key or without. */
const row = /^\s*(?:(?:"[^"]*"|[\w.]+):\s*)?\{.*\},?(?: \/\/.*)?$/;

/**
 * Numbers of the lines of Go that are too long, from 1. Rows of tables may be, and lines that are
 * short enough but for their texts; comments are another matter.
 */
export function tooLongGo(text) {
  const found = [];
  let inText = false;
  text.split("\n").forEach((line, i) => {
    const begins = inText;
    if ((line.match(/`/g)?.length ?? 0) % 2 === 1) inText = !inText;
    if (begins || inText || row.test(line) || /^\s*\/\//.test(line)) return;
    const [tabs] = /^\t*/.exec(line);
    const bare = line.replace(texts, '""').replace(/ \/\/ .*/, "");
    if (bare.length + (TAB - 1) * tabs.length > COLUMNS) found.push(i + 1);
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
    if (extname(path) === ".go")
      for (const line of tooLongGo(text))
        complaints.push(`${path}:${line}: a line over ${COLUMNS} columns`);
  }
  return complaints;
}

async function write() {
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

/** For each language: files, those prettier would change, and lines that are too long. */
async function count() {
  const table = {};
  for (const path of codeFiles()) {
    const counted = (table[extname(path)] ??= { files: 0, changed: 0, long: 0 });
    const text = readFileSync(join(top, path), "utf8");
    const better = prettied.has(extname(path)) ? await pretty(path, text) : text;
    counted.files++;
    if (better !== text) counted.changed++;
    counted.long += tooLong(text).length + (extname(path) === ".go" ? tooLongGo(text).length : 0);
  }
  console.table(table);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const action = { "--write": write, "--count": count }[process.argv[2]];
  if (action) await action();
  else console.error("Say --write or --count.");
}
