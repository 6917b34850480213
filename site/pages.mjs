// The list of the site's pages. Every page's header is made from it, and so is everything else
// that all pages share.

/** In the order of the header. `path` is the file's place in the site. */
export const pages = [
  { path: "index.html", name: "Studio", about: "Fit a model to a table, and publish it" },
  { path: "verify.html", name: "Verifier", about: "Check a release that you were given" },
  {
    path: "explorer.html",
    name: "Explorer",
    about: "Compare privacy curves, and see the theorems behind them",
  },
  { path: "my-privacy.html", name: "My privacy", about: "Work out what a release cost you" },
  {
    path: "docs/index.html",
    name: "Documentation",
    about: "What it does, why it can be believed, and how to use it",
  },
];

/** The address of a page as seen from another, both given by their places in the site. */
export function address(path, from) {
  const up = "../".repeat(from.split("/").length - 1);
  return (up + path).replace(/(^|\/)index\.html$/, "$1") || "./";
}

/**
 * The list as it stands in the header of the page at `from`; `current` is the path of the entry
 * that the page belongs to.
 */
export function navigation(from, current = from) {
  const items = pages.map(({ path, name, about }) => {
    const here = path === current ? ` aria-current="${from === current ? "page" : "true"}"` : "";
    return `<li><a href="${address(path, from)}" title="${about}"${here}>${name}</a></li>`;
  });
  return `<nav class="pages" aria-label="Pages of this site"><ul>${items.join("")}</ul></nav>`;
}

const mark = "M3 28h26M5 28V15a5.5 5.5 0 0 1 11 0v13M16 28V15a5.5 5.5 0 0 1 11 0v13M3 5h26";
/** In the page itself: a seal would stop a late fetch of it. */
const icon = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cstyle%3Epath%7Bfill:none%3Bstroke:%231f5f5b%3Bstroke-width:2.4%3Bstroke-linecap:round%7D%40media%28prefers-color-scheme:dark%29%7Bpath%7Bstroke:%238fd0c6%7D%7D%3C/style%3E%3Cpath d='${mark}'/%3E%3C/svg%3E`;

/** How the page at `from` looks before its style sheet is there: its colours and its icon. */
export const look = (from) => `<meta name="color-scheme" content="light dark" />
<link rel="icon" type="image/svg+xml" href="${icon}" />
<script src="${address("theme.js", from)}"></script>`;

/** The header of the page at `from`. */
export function header(from, current) {
  const brand = `<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><path d="${mark}" /></svg> Cloister`;
  return `<header class="top">
<div class="top-inner">
<p class="brand">${from === "index.html" ? brand : `<a href="${address("index.html", from)}">${brand}</a>`}</p>
${navigation(from, current)}
<div id="top-tools"></div>
</div>
</header>`;
}

/** What a page that computes says until its script has come. */
const opening = `<p class="wait" role="status">Opening…</p>
<noscript>
<p class="notice notice-warn">This page computes in your browser, so it needs JavaScript and WebAssembly. Both seem to be switched off.</p>
</noscript>`;

/**
 * The page at `from`, with what all have in the places of the comments that name it.
 * @param modules the files that its script imports, to be fetched beside it
 */
export function whole(html, from, modules = []) {
  const preloads = modules.map(
    (name) => `<link rel="modulepreload" href="${address(name, from)}" />`,
  );
  const parts = { look: look(from), header: header(from), opening, modules: preloads.join("\n") };
  return html.replace(/<!-- (look|header|opening|modules) -->/g, (_, name) => parts[name]);
}
