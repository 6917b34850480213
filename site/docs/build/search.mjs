// The index that the pages search: every heading of the documentation as a place, with the words
// below it. docs/search.ts ranks them.

/** A piece of HTML without its tags. */
const untagged = (html) =>
  html
    .replace(/<(script|svg|pre|details)\b[\s\S]*?<\/\1>/g, " ")
    .replace(/<!--[\s\S]*?-->/g, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&");

/** The words of an inline token; a formula has none. */
function wordsOf(token) {
  return token.children
    .map(({ type, content }) =>
      type === "text" || type === "code_inline" ? content : type === "softbreak" ? " " : "",
    )
    .join("");
}

/** The names that a declaration has: of fields and of types. */
function namesIn(html) {
  const declarations = [...html.matchAll(/<pre[^>]*declaration[^>]*>([\s\S]*?)<\/pre>/g)];
  const text = declarations
    .map(([, inside]) => inside.replace(/<span class="comment">[\s\S]*?<\/span>/g, " "))
    .join(" ");
  const names = text.replace(/<[^>]*>/g, "").match(/[A-Za-z_]\w{3,}/g) ?? [];
  return [...new Set(names)].join(" ");
}

const oneLine = (text) => text.replace(/\s+/g, " ").trim();

/** The places of a page in their order: [id, heading, text, names]; the page itself has no id. */
function placesOf({ tokens, title }) {
  const places = [{ id: "", heading: title, text: "", names: "" }];
  tokens.forEach((token, i) => {
    const here = places.at(-1);
    if (token.type === "heading_open") {
      const heading = wordsOf(tokens[i + 1]);
      if (token.tag !== "h1")
        places.push({ id: token.attrGet("id"), heading, text: "", names: "" });
    } else if (token.type === "inline" && tokens[i - 1].type !== "heading_open") {
      here.text += ` ${wordsOf(token)}`;
    } else if (token.type === "html_block") {
      here.text += ` ${untagged(token.content)}`;
      here.names += ` ${namesIn(token.content)}`;
    }
  });
  return places.map(({ id, heading, text, names }) => [
    id,
    oneLine(heading),
    oneLine(text),
    oneLine(names),
  ]);
}

/**
 * @param {{file: string, title: string, tokens: object[]}[]} pages
 * @returns {string} JSON: the pages, each with its places
 */
export function searchIndex(pages) {
  return `${JSON.stringify(
    pages.map((page) => ({
      file: page.file,
      title: page.title,
      places: placesOf(page),
    })),
  )}\n`;
}
