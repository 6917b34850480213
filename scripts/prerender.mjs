// Draws the elements of pages into the pages: `node scripts/prerender.mjs FILE.html…` puts into
// every <privacy-curve>, <attack-view>, <noise-chooser>, <privacy-budget>, <private-fit-demo> and
// <private-scorecard-demo> and <worst-data> a picture for readers whose browser runs no scripts or
// no WebAssembly. A picture that is there already is replaced; nothing else in the file changes.
// Build first.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { site } from "./serve.mjs";

const entities = { "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const unescaped = (text) => text.replace(/&(?:quot|#39|lt|gt|amp);/g, (entity) => entities[entity]);

/** The attributes of a start tag's inside, as a page's author writes them. */
export function attributesIn(text) {
  const found = new Map();
  for (const [, name, double, single, bare] of text.matchAll(
    /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
  )) {
    const key = name.toLowerCase();
    // Of two, a browser takes the first.
    if (!found.has(key)) found.set(key, unescaped(double ?? single ?? bare ?? ""));
  }
  return found;
}

const element =
  /<(privacy-curve|attack-view|noise-chooser|privacy-budget|private-fit-demo|private-scorecard-demo|worst-data)\b((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)<\/\1>/g;
const picture = /\s*<svg\b[^>]*data-cloister[\s\S]*?\n<\/svg>/; // the figure inside is indented

/**
 * @param {string} page HTML
 * @param {(name: string, get: (name: string) => string | null, json: unknown) => Promise<string>}
 * draw of the element of that name
 * @returns {Promise<string>} the page with a picture in each element
 */
export async function prerender(page, draw) {
  let out = "";
  let from = 0;
  for (const match of page.matchAll(element)) {
    const [whole, name, tag, inside] = match;
    const attributes = attributesIn(tag);
    const script = /<script\b[^>]*type="application\/json"[^>]*>([\s\S]*?)<\/script>/.exec(inside);
    const svg = await draw(
      name,
      (name) => attributes.get(name) ?? null,
      script ? JSON.parse(script[1]) : undefined,
    );
    const marked = svg.replace("<svg ", "<svg data-cloister ");
    out += `${page.slice(from, match.index)}<${name}${tag}>${inside.replace(picture, "").trimEnd()}\n${marked}\n</${name}>`;
    from = match.index + whole.length;
  }
  return out + page.slice(from);
}

async function main(paths) {
  if (paths.length === 0) throw new Error("Say which pages: node scripts/prerender.mjs FILE.html…");
  const { pictures, sourcesIn } = await import(pathToFileURL(`${site}prerender.node.mjs`).href);
  const sources = sourcesIn(site);
  for (const path of paths)
    writeFileSync(
      path,
      await prerender(readFileSync(path, "utf8"), (name, get, json) =>
        pictures[name](get, json, sources),
      ),
    );
  sources.end();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
