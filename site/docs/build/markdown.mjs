// One page of Markdown as HTML: anchors on headings, links among the pages, tables that scroll,
// code as it is.

import MarkdownIt from "markdown-it";
import { boxes } from "./boxes.mjs";
import { termLinks } from "./glossary.mjs";
import { math } from "./math.mjs";

export const escaped = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

/** What an anchor is called: the words of its heading. */
export function slug(text) {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll("ε", "epsilon")
    .replaceAll("δ", "delta")
    .replace(/[^\p{Letter}\p{Number}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/** The words of an inline token, without markup. */
function plain(token) {
  return (token.children ?? []).map((child) => child.content).join("");
}

function headings(markdown) {
  markdown.core.ruler.push("headings", (state) => {
    const taken = new Set();
    state.env.headings = [];
    state.tokens.forEach((token, i) => {
      if (token.type !== "heading_open") return;
      const inline = state.tokens[i + 1];
      const named = /\s*\{#([\w-]+)\}$/.exec(inline.content);
      if (named) {
        inline.content = inline.content.slice(0, named.index);
        inline.children = markdown.parseInline(inline.content, {})[0].children;
      }
      const text = plain(inline);
      let id = named?.[1] ?? slug(text);
      for (let n = 2; taken.has(id); n++) id = `${slug(text)}-${n}`;
      taken.add(id);
      token.attrSet("id", id);
      state.env.headings.push({ level: Number(token.tag[1]), id, text });
    });
  });
  markdown.renderer.rules.heading_close = (tokens, i, options, env, self) => {
    const { tag } = tokens[i];
    const id = tokens[i - 2].attrGet("id");
    if (tag === "h1") return self.renderToken(tokens, i, options);
    return ` <a class="anchor" href="#${id}" aria-label="Link to “${escaped(plain(tokens[i - 1]))}”">#</a></${tag}>\n`;
  };
}

/** A link to page.md leads to page.html, so that the sources can be read where they lie, too. */
function links(markdown) {
  markdown.core.ruler.push("links", (state) => {
    for (const token of state.tokens.flatMap((token) => token.children ?? [])) {
      if (token.type !== "link_open") continue;
      const href = token.attrGet("href");
      if (!/^[a-z]+:/.test(href))
        token.attrSet("href", href.replace(/^([\w-]+)\.md(?=#|$)/, "$1.html"));
    }
  });
}

/** An apostrophe is typed as ', and set as ’. Code and formulas are tokens of other kinds. */
function apostrophes(markdown) {
  markdown.core.ruler.push("apostrophes", (state) => {
    for (const token of state.tokens.flatMap((token) => token.children ?? [])) {
      if (token.type === "text")
        token.content = token.content.replace(/(?<=[\p{L}\p{N})])'|^'(?=s\b)/gu, "’");
    }
  });
}

/**
 * A figure stays on one line with its unit, its sign or the symbol that it is the value of: 76 %,
 * 3.4 ± 1.3, ε = 0.1.
 */
function figures(markdown) {
  markdown.core.ruler.push("figures", (state) => {
    for (const token of state.tokens.flatMap((token) => token.children ?? [])) {
      if (token.type === "text")
        token.content = token.content
          .replace(/(?<=\d) (?=%)| (?=±)|(?<=±) /gu, "\u00a0")
          .replace(/(?<=(?<!\p{L})\p{L}₀?) = (?=[\d−])/gu, "\u00a0=\u00a0");
    }
  });
}

/** A word of code with hyphens, such as a flag, is not broken at them unless it is long. */
const unbroken = (text) =>
  escaped(text).replace(/\S*-\S*/g, (word) =>
    word.length > 28 ? word : `<span class="word">${word}</span>`,
  );

function tables(markdown) {
  markdown.renderer.rules.table_open = () =>
    '<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n';
  markdown.renderer.rules.table_close = () => "</table></div>\n";
}

function code(markdown) {
  markdown.renderer.rules.code_inline = (tokens, i) =>
    `<code>${unbroken(tokens[i].content)}</code>`;
  markdown.renderer.rules.fence = (tokens, i) => {
    const [language = ""] = tokens[i].info.trim().split(/\s+/);
    // Commands may be long, and break; a program scrolls, and must then be within reach of the
    // keyboard.
    const wrapped = language === "sh";
    const reach =
      !wrapped && tokens[i].content.split("\n").some((line) => line.length > 34)
        ? ' tabindex="0"'
        : "";
    // What is to be copied into a text of one's own.
    const block = language === "text" ? "code-block text-block" : "code-block";
    return `<div class="${block}"><pre class="code${wrapped ? " code-wrapped" : ""}"${reach}><code${language ? ` data-language="${escaped(language)}"` : ""}>${wrapped ? unbroken(tokens[i].content) : escaped(tokens[i].content)}</code></pre></div>\n`;
  };
}

const markdown = new MarkdownIt({ html: true, typographer: false, linkify: false });
for (const plugin of [math, boxes, apostrophes, figures, headings, links, termLinks, tables, code])
  markdown.use(plugin);

/**
 * @param {string} text Markdown
 * @param {object[]} [terms] of the glossary; the first use of each becomes a link
 * @returns {{html: string, headings: {level: number, id: string, text: string}[], tokens:
 * object[]}}
 */
export function render(text, terms) {
  const env = { terms };
  const tokens = markdown.parse(text, env);
  const html = markdown.renderer.render(tokens, markdown.options, env);
  return { html, headings: env.headings, tokens };
}

/**
 * The fenced blocks of a text: their language, the words after it, their content, and the line that
 * they begin in.
 */
export function fences(text) {
  return markdown
    .parse(text, {})
    .filter((token) => token.type === "fence")
    .map(({ info, content, map }) => {
      const [language = "", ...words] = info.trim().split(/\s+/);
      return { language, words, content, line: map[0] + 2 };
    });
}
