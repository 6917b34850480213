// The script of a documentation page. It lets the reader choose a theme, search, and copy code, and
// closes the list of contents after a choice. Text, formulas and pictures need no script.

import { addCopyButtons } from "./copy.ts";
import { followMoved } from "./moved.ts";
import { addSearch } from "./search.ts";
import { chooseTheme, currentTheme, watchSystemTheme } from "../shell/theme.ts";

const tools = document.getElementById("top-tools");
const button = document.createElement("button");
button.type = "button";
button.className = "button button-quiet";

function name(): void {
  button.textContent = currentTheme() === "dark" ? "Light theme" : "Dark theme";
}

button.addEventListener("click", () => {
  chooseTheme(currentTheme() === "dark" ? "light" : "dark");
  name();
});
watchSystemTheme(name);
name();
tools?.append(button);
if (tools) addSearch(tools);
addCopyButtons();
followMoved();
addEventListener("hashchange", followMoved);

const contents = document.getElementById("contents");
// Where the list is longer than the window, it opens at the page that the reader is on.
const current = contents?.querySelector('[aria-current="page"]');
if (contents && current) {
  const below = current.getBoundingClientRect().bottom - contents.getBoundingClientRect().bottom;
  if (below > 0) contents.scrollTop += below + contents.clientHeight / 2;
}
contents?.addEventListener("click", (event) => {
  if (
    event.target instanceof Element &&
    event.target.closest("a") &&
    contents.matches(":popover-open")
  )
    contents.hidePopover();
});
