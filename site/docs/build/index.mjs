// Builds site/docs/*.md into dist/docs/*.html: `build(dist)`, called by site/build.mjs when the
// bundles are there.

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { benchmark } from "./benchmark.mjs";
import { example } from "./example.mjs";
import { reproduced } from "./reproduced.mjs";
import { reference } from "./reference.mjs";
import { render } from "./markdown.mjs";
import { termsOf } from "./glossary.mjs";
import { ideaFigure } from "./idea.mjs";
import { votesFigure } from "./votes.mjs";
import { inPage } from "./map.mjs";
import { frame } from "./page.mjs";
import { pictures } from "./pictures.mjs";
import { searchIndex } from "./search.mjs";

export const sources = fileURLToPath(new URL("../", import.meta.url));
const site = fileURLToPath(new URL("../../", import.meta.url));

/** A page as it is written. */
export function textOf(name) {
  return readFileSync(join(sources, `${name}.md`), "utf8");
}

/**
 * The tables of the elements' attributes, from their README, which is tested against the elements.
 */
function attributeTables() {
  const readme = readFileSync(join(site, "src/elements/README.md"), "utf8");
  return readme.slice(readme.indexOf("\n### ", readme.indexOf("\n## Attributes")));
}

/** The words of the first paragraph, for search engines and link previews. */
function leadOf(text) {
  const paragraph = text.split(/\n\s*\n/).find((part) => !part.startsWith("#")) ?? "";
  return paragraph
    .replace(/[*`$]|\\[a-zA-Z]+/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/** The pages in their order, with what stands before and after each. */
export function read() {
  const groups = JSON.parse(readFileSync(join(sources, "contents.json"), "utf8"));
  const listed = new Set(groups.flatMap(({ pages }) => pages));
  for (const name of readdirSync(sources)) {
    if (name.endsWith(".md") && !listed.has(name.slice(0, -3)))
      throw new Error(`docs/${name} is not in docs/contents.json.`);
  }
  const terms = termsOf(textOf("glossary"));
  const made = reference();
  const measured = { benchmark: benchmark(), reproduced: reproduced() };
  const written = (name) =>
    textOf(name)
      .replace("<!-- reference -->", () => made.list)
      .replace("<!-- attributes -->", () => attributeTables())
      .replace("<!-- idea -->", () => ideaFigure())
      .replace("<!-- votes -->", () => votesFigure())
      .replace("<!-- map -->", () => inPage())
      .replace(
        /<!-- (benchmark|reproduced): ([a-z ]+) -->/g,
        (_, page, part) => measured[page][part],
      )
      .replace(/^<!-- example ([\w.-]+) -->$/gm, (_, file) => example(sources, file));
  const read = groups.map(({ group, pages }) => ({
    group,
    pages: pages.flatMap((name) => {
      const page = pageFrom(name, written(name), name === "glossary" ? [] : terms);
      // The reference is made, not written; its pages stand under the one that they belong to.
      const parts = name === "api" ? made.pages : [];
      return [page, ...parts.map((part) => pageFrom(part.name, part.text, [], page))];
    }),
  }));
  const all = read.flatMap(({ pages }) => pages);
  all.forEach((page, i) => Object.assign(page, { before: all[i - 1], after: all[i + 1] }));
  return { groups: read, pages: all };
}

const { version } = JSON.parse(readFileSync(join(site, "package.json"), "utf8"));

/** A page of Markdown; `under` is the page that it is a part of, if it is one. */
function pageFrom(name, text, terms, under) {
  const { html, headings, tokens } = render(text, terms);
  const [title, ...more] = headings.filter(({ level }) => level === 1);
  if (!title || more.length > 0)
    throw new Error(`docs/${name}.md must have one heading of the first level, its title.`);
  return {
    file: `${name}.html`,
    title: title.text,
    lead: leadOf(text),
    html,
    headings,
    tokens,
    version,
    under,
  };
}

/**
 * Puts the real hash of a file of this build where a sample says integrity="sha384-…", so that the
 * line works as it is copied.
 */
function withHashes(html, dist) {
  return html.replace(
    /(src=&quot;([\w.-]+)&quot; integrity=&quot;)sha384-…/g,
    (_, before, name) =>
      `${before}sha384-${createHash("sha384")
        .update(readFileSync(join(dist, name)))
        .digest("base64")}`,
  );
}

/** Writes every page into dist/docs. */
export async function build(dist) {
  const { groups, pages } = read();
  mkdirSync(join(dist, "docs"), { recursive: true });
  cpSync(join(sources, "examples"), join(dist, "docs/examples"), { recursive: true });
  writeFileSync(join(dist, "docs/search.json"), searchIndex(pages));
  const drawn = await pictures(dist, join(site, "../build/pictures"));
  try {
    for (const page of pages)
      writeFileSync(
        join(dist, "docs", page.file),
        withHashes(await drawn.into(frame(page, groups)), dist),
      );
  } finally {
    drawn.close();
  }
}
