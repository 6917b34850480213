// The little that a page of documentation does by itself: the choice of a theme, and getting out of the way of what was chosen from the contents. The text, its formulas and its pictures need no script.

import { chooseTheme, currentTheme, watchSystemTheme } from "../studio/theme.ts";

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

const contents = document.getElementById("contents");
contents?.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
});
