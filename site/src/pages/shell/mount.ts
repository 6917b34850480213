// Puts together a page that opens files: its actions, its view, and what every such page does.
// The verifier and the page of privacy reports use it.

import { render, type TemplateResult } from "lit/html.js";

import { addManifest } from "./offline/manifest.ts";
import { keepOffline, type Update } from "./offline/register.ts";
import { watchSystemTheme } from "./theme.ts";
import { type SealedPage, top } from "./top.ts";

/** What such a page can do. */
export interface FilePage extends SealedPage {
  begin(): Promise<void>;
  take(files: readonly File[]): Promise<void>;
  followTheme(): void;
  offerUpdate(update: Update): void;
  /** Called when there is something to read, to move the focus there. */
  onShown: (() => void) | undefined;
}

/**
 * Draws the page, once a frame when it says that it has changed, and begins.
 * @param title the id of the heading of what there is to read
 */
export function mount<P extends FilePage>(
  make: (changed: () => void) => P,
  view: (page: P) => TemplateResult,
  title: string,
): void {
  const pageRoot = document.getElementById("page")!;
  const topRoot = document.getElementById("top-tools")!;
  let drawn = true;

  const page = make(() => {
    if (!drawn) return;
    drawn = false;
    requestAnimationFrame(draw);
  });

  function draw(): void {
    drawn = true;
    render(top(page), topRoot);
    render(view(page), pageRoot);
  }

  page.onShown = () => {
    draw();
    const heading = document.getElementById(title);
    heading?.scrollIntoView({ block: "start" });
    heading?.focus({ preventScroll: true });
  };

  // Files may be dropped anywhere: elsewhere than on their place the browser would leave the page
  // for them.
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
}
