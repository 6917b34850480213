// The frame of a page of documentation: header, contents, the text, what comes before and after.

import { header, look } from "../../pages.mjs";
import { escaped } from "./markdown.mjs";

/**
 * Scripts of this site alone, and the accountant's worker; nothing else. Styles inside elements and
 * pictures are inline.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src blob:",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/**
 * The contents of all pages, with the parts of this one. The pages of the reference are listed
 * where the reader is among them.
 */
function contents(groups, page) {
  const list = (ofPage) => {
    const parts = ofPage.headings.filter(({ level }) => level === 2);
    const items = parts.map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`);
    return items.length > 0 ? `\n<ul class="parts">${items.join("")}</ul>` : "";
  };
  const link = (one) =>
    `<a href="${one.file}"${one === page ? ' aria-current="page"' : ""}>${escaped(one.title)}</a>`;
  const entry = (pages) => (one) => {
    const among = one === page || one === page.under;
    const below = among ? pages.filter(({ under }) => under === one) : [];
    const inner =
      below.length > 0 ? `\n<ul class="below">${below.map(entry([])).join("\n")}</ul>` : "";
    return `<li>${link(one)}${one === page ? list(one) : ""}${inner}</li>`;
  };
  return groups
    .map(
      ({ group, pages }) =>
        `<p class="contents-group">${escaped(group)}</p>\n<ul>${pages
          .filter(({ under }) => !under)
          .map(entry(pages))
          .join("\n")}</ul>`,
    )
    .join("\n");
}

/**
 * The scripts of the elements that a page shows: those that fit come with a larger binary, so they
 * are not taken in without need.
 */
function scripts(html) {
  const taken = [
    [/<(?:privacy-curve|attack-view|noise-chooser|privacy-budget)\b/, "elements"],
    [/<private-(?:fit|scorecard)-demo\b/, "fit-demo"],
    [/<my-privacy\b/, "my-privacy"],
  ];
  return taken
    .filter(([element]) => element.test(html))
    .map(([, name]) => `<script type="module" src="../${name}.js"></script>`)
    .concat(
      [
        ['id="votes-figure"', "votes"],
        ["<worst-data", "cost"],
      ]
        .filter(([figure]) => html.includes(figure))
        .map(([, name]) => `<script type="module" src="${name}.js"></script>`),
    )
    .join("\n");
}

/** Where the figures of a page come from. */
const figures = (html) =>
  html.includes('class="figure benchmark"')
    ? "The figures on this page were measured, on published tables and made-up ones."
    : "Every figure on this page is computed in your browser, from no data.";

/**
 * @param {{file: string, title: string, lead: string, html: string, headings: object[], before?:
 * object, after?: object}} page
 * @param {{group: string, pages: object[]}[]} groups
 */
export function frame(page, groups) {
  const path = `docs/${page.file}`;
  const beside = (one, word, way) =>
    one
      ? `<a class="${way}" href="${one.file}" rel="${way}"><span>${word}</span> ${escaped(one.title)}</a>`
      : "<span></span>";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)} · Cloister</title>
<meta name="description" content="${escaped(page.lead)}">
${look(path)}
<link rel="stylesheet" href="docs.css">
<script type="module" src="docs.js"></script>
${scripts(page.html)}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
${header(path, "docs/index.html")}
<div class="docs">
<button class="button contents-button" type="button" popovertarget="contents">Contents</button>
<nav class="contents" id="contents" aria-label="Contents of the documentation" popover>
${contents(groups, page)}
</nav>
<main id="main" tabindex="-1">
<article${page.under ? ' class="reference"' : ""}>
${page.html}
</article>
<nav class="beside" aria-label="Pages before and after">
${beside(page.before, "Before", "prev")}
${beside(page.after, "Next", "next")}
</nav>
</main>
</div>
<footer class="foot">
<p>Cloister ${escaped(page.version)}. Free software (<a href="../license.txt">Apache-2.0</a>, with <a href="../notices.txt">parts by others</a>). ${figures(page.html)}</p>
</footer>
</body>
</html>
`;
}
