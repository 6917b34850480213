// The pages of the site: one list, from which every page's header is made.

/** In the order of the header. `path` is the file's place in the site. */
export const pages = [
  { path: "index.html", name: "Studio", about: "Fit a model to a table, and publish it" },
  { path: "verify.html", name: "Verifier", about: "Check a release that you were given" },
  { path: "explorer.html", name: "Explorer", about: "Compare privacy curves, and see the theorems behind them" },
  { path: "my-privacy.html", name: "My privacy", about: "Work out what a release cost you" },
  { path: "docs/index.html", name: "Documentation", about: "What it does, why it can be believed, and how to use it" },
];

/** The address of a page as seen from another, both given by their places in the site. */
export function address(path, from) {
  const up = "../".repeat(from.split("/").length - 1);
  return (up + path).replace(/(^|\/)index\.html$/, "$1") || "./";
}

/** The list as it stands in the header of the page at `from`; `current` is the path of the entry that the page belongs to. */
export function navigation(from, current = from) {
  const items = pages.map(({ path, name, about }) => {
    const here = path === current ? ` aria-current="${from === current ? "page" : "true"}"` : "";
    return `<li><a href="${address(path, from)}" title="${about}"${here}>${name}</a></li>`;
  });
  return `<nav class="pages" aria-label="Pages of this site"><ul>${items.join("")}</ul></nav>`;
}
