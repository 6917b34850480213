// The verifier's entry: it puts its actions and its views together.

import { render } from "lit";

import { load, seal } from "../client/index.ts";
import { addManifest } from "../studio/offline/manifest.ts";
import { keepOffline } from "../studio/offline/register.ts";
import { watchSystemTheme } from "../studio/theme.ts";
import { top } from "../studio/view/top.ts";
import { Verifier } from "./verifier.ts";
import { page } from "./view/page.ts";

const pageRoot = document.getElementById("page")!;
const topRoot = document.getElementById("top-tools")!;
let drawn = true;

const verifier = new Verifier({ load: (onAnswered) => load({ onAnswered }), seal }, () => {
  if (!drawn) return;
  drawn = false;
  requestAnimationFrame(draw);
});

function draw(): void {
  drawn = true;
  render(top(verifier), topRoot);
  render(page(verifier), pageRoot);
}

verifier.onVerdict = () => {
  draw();
  const title = document.getElementById("verdict-title");
  title?.scrollIntoView({ block: "start" });
  title?.focus({ preventScroll: true });
};

// A file may be dropped anywhere: elsewhere than on its place the browser would leave the page for it.
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  void verifier.takeAll([...(event.dataTransfer?.files ?? [])]);
});

addManifest(document);
keepOffline((update) => verifier.offerUpdate(update));
watchSystemTheme(() => verifier.followTheme());
pageRoot.replaceChildren();
draw();
void verifier.begin();
