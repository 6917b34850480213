// The page's entry: it puts the studio and the views together.

import { render } from "lit";

import { CloisterError, load, seal } from "../client/index.ts";
import { keepingFocus } from "./focus.ts";
import { addManifest } from "./offline/manifest.ts";
import { keepOffline } from "./offline/register.ts";
import { type Afterwards, type Buying, type Expectation, type Publisher, Studio } from "./studio.ts";
import { watchSystemTheme } from "./theme.ts";
import { page, partCount } from "./view/page.ts";
import { top } from "./view/top.ts";

const pageRoot = document.getElementById("page")!;
const topRoot = document.getElementById("top-tools")!;
/** The frame in which the page will be drawn; 0 if nothing has changed. */
let due = 0;
/** How many of its parts are drawn. */
let shown = 0;

/** A part of the page from a file beside this one: before the seal, which admits no more scripts. */
async function part<T>(file: string, what: string): Promise<T> {
  try {
    return (await import(new URL(file, import.meta.url).href)) as T;
  } catch (cause) {
    throw new CloisterError("load", `The part of the page that ${what} could not be fetched.`, {}, { cause });
  }
}

const publisher = () => part<Publisher>("publish.js", "writes models out");
const buying = () => part<Buying>("buying.js", "buys for a description");
const expectation = () => part<Expectation>("expectation.js", "says what privacy costs");
const afterwards = () => part<Afterwards>("afterwards.js", "says what can be done with a model");

const studio = new Studio({ load: (onAnswered) => load({ onAnswered }), publisher, buying, expectation, afterwards, seal }, drawSoon);

function drawSoon(): void {
  if (due === 0) due = requestAnimationFrame(draw);
}

/** Draws the page; the first times a part more than the last, each in a frame of its own. */
function draw(): void {
  cancelAnimationFrame(due);
  due = 0;
  render(top(studio), topRoot);
  keepingFocus(() => render(page(studio, shown), pageRoot));
  if (shown === partCount) return;
  shown++;
  drawSoon();
}

studio.onResult = () => {
  draw();
  const title = document.getElementById("result-title");
  title?.scrollIntoView({ block: "start" });
  title?.focus({ preventScroll: true });
  requestAnimationFrame(() => requestAnimationFrame(() => studio.shelf.unfold()));
};

// A file dropped beside the place for it would make the browser leave the page, and the work with it.
for (const type of ["dragover", "drop"]) document.addEventListener(type, (event) => event.preventDefault());

// A release that was paid for and not saved would be lost with the tab.
addEventListener("beforeunload", (event) => {
  if (studio.shelf.unsaved) event.preventDefault();
});

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void studio.refresh();
});

addManifest(document);
keepOffline((update) => studio.offerUpdate(update));
watchSystemTheme(() => studio.followTheme());
pageRoot.replaceChildren();
draw();
void studio.begin();
