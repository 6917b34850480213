// The page's entry: it puts the studio and the views together.

import { render } from "lit/html.js";

import { CloisterError, seal } from "../../client/index.ts";
import { keepingFocus } from "../shell/focus.ts";
import { addManifest } from "../shell/offline/manifest.ts";
import { keepOffline } from "../shell/offline/register.ts";
import { type Later, Studio } from "./studio.ts";
import { loadCore } from "../shell/own-core.ts";
import { watchSystemTheme } from "../shell/theme.ts";
import { keepPlace } from "../shell/zoom.ts";
import { keys } from "./keys.ts";
import { page, screenCount } from "./page.ts";
import { top } from "../shell/top.ts";

const pageRoot = document.getElementById("page")!;
const topRoot = document.getElementById("top-tools")!;
/** The frame in which the page will be drawn; 0 if nothing has changed. */
let due = 0;
/** How many of its screens are drawn. */
let shown = 0;

const studio = new Studio(
  { load: (onAnswered) => loadCore({ onAnswered }), later, seal },
  drawSoon,
);

/**
 * What the first drawing does without: it has to be there before the seal, which admits no more
 * scripts.
 */
function later(): Promise<Later> {
  return import("./later.ts").catch((cause: unknown) => {
    throw new CloisterError("load", "A part of the page could not be fetched.", {}, { cause });
  });
}

function drawSoon(): void {
  if (due === 0) due = requestAnimationFrame(draw);
}

/** Draws the page; the first times a screen more than the last, each in a frame of its own. */
function draw(): void {
  cancelAnimationFrame(due);
  due = 0;
  render(top(studio), topRoot);
  keepingFocus(() => render(page(studio, shown), pageRoot));
  if (shown === screenCount) return;
  shown++;
  drawSoon();
}

// A step is read from its beginning; a field in it is brought into sight.
studio.navigator.onArrived = (id) => {
  draw();
  studio.accuracyTrials?.soon();
  const target = id === null ? null : document.getElementById(id);
  if (target) return bring(target);
  scrollTo({ top: 0, behavior: "instant" });
  document.getElementById(`${studio.state.screen}-title`)?.focus({ preventScroll: true });
};

/** Opens what an element is folded into, and puts the focus on it. */
function bring(target: HTMLElement): void {
  for (
    let box = target.closest("details");
    box;
    box = box.parentElement?.closest("details") ?? null
  )
    box.open = true;
  target.scrollIntoView({ block: "center", behavior: "instant" });
  target.focus({ preventScroll: true });
}

studio.onResult = () => {
  studio.navigator.go("result");
  requestAnimationFrame(() => requestAnimationFrame(() => studio.models.unfold()));
};

// A file dropped beside the place for it would make the browser leave the page, and the work with
// it.
for (const type of ["dragover", "drop"])
  document.addEventListener(type, (event) => event.preventDefault());

// A release that was paid for and not saved would be lost with the tab.
addEventListener("beforeunload", (event) => {
  if (studio.models.unsaved || studio.cards?.unsaved) event.preventDefault();
});

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void studio.refresh();
});

addManifest(document);
keepOffline((update) => studio.offerUpdate(update));
keepPlace();
watchSystemTheme(() => studio.followTheme());
pageRoot.replaceChildren();
addEventListener("keydown", (event) => keys(studio, event));
draw();
studio.navigator.begin();
void studio.begin();
