// The glossary, glossary.md: a heading of the third level is a term, a comment below it says in
// which other forms the term occurs, and the text below that says what it means. On every other
// page the first use of a term links to it.

const entry =
  /^### (.+?) \{#([\w-]+)\}\n(?:<!-- also: (.*?) -->\n)?\n([\s\S]*?)(?=^#|$(?![\s\S]))/gm;

/** The first sentence, without markup: what shows where a pointer rests on a link. */
function firstSentence(text) {
  const plain = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`$]/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return /^.*?[.](?= [A-Z]|$)/.exec(plain)?.[0] ?? plain;
}

/**
 * The terms of a glossary's text.
 * @returns {{id: string, name: string, forms: string[], says: string}[]}
 */
export function termsOf(text) {
  const terms = [...text.matchAll(entry)].map(([, name, id, also = "", meaning]) => ({
    id,
    name,
    forms: [name, ...also.split(", ")].filter(Boolean),
    says: firstSentence(meaning),
  }));
  const seen = new Map();
  for (const { id, forms } of terms)
    for (const form of forms.map((one) => one.toLowerCase())) {
      if (seen.has(form))
        throw new Error(`The glossary has “${form}” under ${seen.get(form)} and ${id}.`);
      seen.set(form, id);
    }
  return terms;
}

const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Finds any form of the terms, the longest that begins at a place. */
function pattern(terms) {
  const forms = terms.flatMap(({ forms }) => forms).sort((a, b) => b.length - a.length);
  return new RegExp(
    `(?<![\\p{L}\\p{N}-])(?:${forms.map(literal).join("|")})(?![\\p{L}\\p{N}]|-\\p{L})`,
    "iu",
  );
}

/**
 * A plug-in for markdown-it. Headings, headings of tables, links, code and formulas stay as they
 * are. What is handed over as `env.terms` is linked; nothing if there is none.
 */
export function termLinks(markdown) {
  markdown.core.ruler.push("terms", (state) => {
    const { terms } = state.env;
    if (!terms?.length) return;
    const left = new Map(
      terms.flatMap((term) => term.forms.map((form) => [form.toLowerCase(), term])),
    );
    const find = () => pattern([...new Set(left.values())]);
    let found = left.size > 0 ? find() : undefined;
    state.tokens.forEach((token, i) => {
      const around = state.tokens[i - 1]?.type;
      if (token.type !== "inline" || around === "heading_open" || around === "th_open") return;
      token.children = token.children.flatMap(outsideLinks((child) => split(child)));
    });

    /** Takes each text that is not inside a link. */
    function outsideLinks(take) {
      let depth = 0;
      return (child) => {
        if (child.type === "link_open") depth++;
        if (child.type === "link_close") depth--;
        return child.type === "text" && depth === 0 ? take(child) : [child];
      };
    }

    /** A text, its first use of a term as a link. */
    function split(child) {
      const use = found?.exec(child.content);
      if (!use) return [child];
      const term = left.get(use[0].toLowerCase());
      for (const form of term.forms) left.delete(form.toLowerCase());
      found = left.size > 0 ? find() : undefined;
      const piece = (type, tag, nesting, content = "") =>
        Object.assign(new state.Token(type, tag, nesting), {
          content,
          level: child.level,
        });
      const open = piece("link_open", "a", 1);
      open.attrs = [
        ["class", "term"],
        ["href", `glossary.html#${term.id}`],
        ["title", term.says],
      ];
      return [
        piece("text", "", 0, child.content.slice(0, use.index)),
        open,
        piece("text", "", 0, use[0]),
        piece("link_close", "a", -1),
        ...split(piece("text", "", 0, child.content.slice(use.index + use[0].length))),
      ];
    }
  });
}
