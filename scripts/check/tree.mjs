// What may stand in the tree: names at the top, and words in the texts.

import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

const topLevel = new Set([
  ".ci",
  ".git",
  ".gitignore",
  "Makefile",
  "README.md",
  "build",
  "core",
  "go.mod",
  "go.sum",
  "scripts",
  "site",
  "wasm",
]);
const generated = new Set([".git", "build", "site/dist", "site/node_modules", "site/test/shots"]);
const texts = new Set([
  "",
  ".css",
  ".go",
  ".html",
  ".js",
  ".json",
  ".md",
  ".mjs",
  ".mod",
  ".sh",
  ".svg",
  ".ts",
  ".txt",
]);

const later = /\b(?:TODO|FIXME|XXX|HACK)\b/;
const notOurs = /\bMath\.random\s*\(/;

/** All files that are not generated, as paths from top. */
export function files(top, folder = "") {
  const found = [];
  for (const entry of readdirSync(join(top, folder), { withFileTypes: true })) {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (generated.has(path)) continue;
    if (entry.isDirectory()) found.push(...files(top, path));
    else found.push(path);
  }
  return found.sort();
}

/** Complaints about names at the top level. */
export function checkNames(names) {
  return names
    .filter((name) => !topLevel.has(name))
    .map(
      (name) =>
        `${name}: the top level holds ${[...topLevel].filter((n) => n !== "build").join(", ")} and nothing else`,
    );
}

/** Complaints about one file's text. */
export function checkText(path, text) {
  const complaints = [];
  text.split("\n").forEach((line, i) => {
    const say = (what) => complaints.push(`${path}:${i + 1}: ${what}`);
    if (later.test(line)) say("is left for later: do it, or leave the note out");
    if (notOurs.test(line))
      say("uses Math.random: randomness comes from crypto.getRandomValues or the core");
  });
  return complaints;
}

/** Complaints about the whole tree. */
export function checkTree(top) {
  const complaints = checkNames(readdirSync(top));
  for (const path of files(top)) {
    // These two files hold the patterns themselves, and examples of what they catch.
    if (path === "scripts/check/tree.mjs" || path === "scripts/check/tree.test.mjs") continue;
    if (texts.has(extname(path)))
      complaints.push(...checkText(path, readFileSync(join(top, path), "utf8")));
  }
  return complaints;
}
