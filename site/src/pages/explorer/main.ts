// The explorer's entry: its state, its views, and the plot that is painted into them.

import { render } from "lit/html.js";

import { cursorShapes, type Plot } from "../../chart/plot.ts";
import { accountant } from "../../curves/accountant.ts";
import { paint } from "../../chart/paint.ts";
import { addManifest } from "../shell/offline/manifest.ts";
import { keepOffline } from "../shell/offline/register.ts";
import { watchSystemTheme } from "../shell/theme.ts";
import { dotsAt, draw as drawingOf, type Drawing, plotted } from "./drawing.ts";
import { Explorer } from "./explorer.ts";
import type { Picture } from "./lines.ts";
import { page, tools } from "./view/page.ts";

const pageRoot = document.getElementById("page")!;
const topRoot = document.getElementById("top-tools")!;
/** The picture for readers without scripts stays until there is a better one. */
const before = pageRoot.querySelector("svg.first-picture") ?? undefined;
let planned = false;
let width = 0;
let drawn: { picture: Picture; width: number; drawing: Drawing; plot: Plot } | undefined;

const explorer = new Explorer(accountant(), () => {
  if (planned) return;
  planned = true;
  requestAnimationFrame(draw);
});

function draw(): void {
  planned = false;
  const { picture } = explorer;
  const size = {
    width: Math.max(288, width),
    height: width < 480 ? 300 : Math.min(480, Math.max(340, Math.round(width * 0.56))),
  };
  if (picture && (drawn?.picture !== picture || drawn.width !== width)) {
    const drawing = drawingOf(picture);
    drawn = { picture, width, drawing, plot: plotted(picture, drawing, size) };
  }
  const drawing = drawn?.drawing;
  const stop = !drawing
    ? 0
    : explorer.cursor < 0
      ? drawing.home
      : Math.min(explorer.cursor, drawing.stops.length - 1);
  render(tools(explorer), topRoot);
  render(page(explorer, { drawing, stop, size }, before), pageRoot);
  const svg = document.querySelector("#plot svg.drawing");
  if (!drawn || !svg) return;
  const reading = explorer.cursor >= 0 || document.activeElement?.id === "plot";
  const cursor = reading
    ? cursorShapes(
        drawn.plot,
        drawn.drawing.stops[stop] ?? Number.NaN,
        dotsAt(drawn.picture, drawn.drawing, stop),
      )
    : [];
  paint(svg, [
    ...drawn.plot.shapes,
    ...cursor.map((shape) => ({ ...shape, is: { ...shape.is, "data-cursor": "" } })),
  ]);
}

/** The read-out follows the pointer over the plot, wherever the page has drawn that anew. */
function pointed(event: PointerEvent): void {
  const plot = (event.target as Element).closest?.("#plot");
  if (!plot || !drawn) {
    if (
      explorer.cursor >= 0 &&
      event.pointerType === "mouse" &&
      document.activeElement?.id !== "plot"
    ) {
      explorer.cursor = -1;
      explorer.touch();
    }
    return;
  }
  const box = plot.getBoundingClientRect();
  const at = drawn.plot.x.scale.invert(
    ((event.clientX - box.left) / box.width) * drawn.plot.size.width,
  );
  const { stops } = drawn.drawing;
  let best = 0;
  stops.forEach((stop, i) => {
    if (Math.abs(stop - at) < Math.abs(stops[best]! - at)) best = i;
  });
  if (best === explorer.cursor) return;
  explorer.cursor = best;
  explorer.touch();
}

pageRoot.addEventListener("pointermove", pointed);
pageRoot.addEventListener("pointerdown", pointed);
pageRoot.addEventListener("focusin", () => explorer.touch());
addEventListener("hashchange", explorer.addressed);
addEventListener("popstate", explorer.addressed);
// The address holds the state: jumping to a part of the page must not write into it.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  (document.getElementById("plot") ?? document.getElementById("main"))?.focus();
});

addManifest(document);
keepOffline((update) => explorer.offerUpdate(update));
watchSystemTheme(() => explorer.followTheme());
pageRoot.replaceChildren();
topRoot.replaceChildren();
explorer.read();
draw();
new ResizeObserver(() => {
  const room = document.querySelector(".plot")?.clientWidth ?? 0;
  if (room === width) return;
  width = room;
  explorer.touch();
}).observe(pageRoot);

declare global {
  interface Window {
    /** For tests: the picture that is shown. */
    explorerPicture?: () => Picture | undefined;
  }
}
window.explorerPicture = () =>
  explorer.picture?.state === explorer.state ? explorer.picture : undefined;
