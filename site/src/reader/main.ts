// The entry of my-privacy.html: it puts the page's actions and its view together.

import { render } from "lit";

import { loadReader, seal } from "../client/index.ts";
import "../my-privacy/define.ts";
import { addManifest } from "../studio/offline/manifest.ts";
import { keepOffline } from "../studio/offline/register.ts";
import { watchSystemTheme } from "../studio/theme.ts";
import { top } from "../studio/view/top.ts";
import { ReaderPage } from "./page.ts";
import { view } from "./view.ts";

const pageRoot = document.getElementById("page")!;
const topRoot = document.getElementById("top-tools")!;
let drawn = true;

const page = new ReaderPage({ load: loadReader, seal }, () => {
  if (!drawn) return;
  drawn = false;
  requestAnimationFrame(draw);
});

function draw(): void {
  drawn = true;
  render(top(page), topRoot);
  render(view(page), pageRoot);
}

page.onOpened = () => {
  draw();
  const title = document.getElementById("mine-title");
  title?.scrollIntoView({ block: "start" });
  title?.focus({ preventScroll: true });
};

// Files may be dropped anywhere: elsewhere than on their place the browser would leave the page for them.
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  const files = event.dataTransfer?.files;
  if (files && files.length > 0) void page.take([...files]);
});

addManifest(document);
keepOffline((update) => page.offerUpdate(update));
watchSystemTheme(() => page.followTheme());
pageRoot.replaceChildren();
draw();
void page.begin();
