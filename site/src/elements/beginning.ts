// When an element begins: once it is near the window, and anew after every change.

import type { LitElement, ReactiveController } from "lit";

import { approach } from "./approach.ts";

/** Calls `begin` when an element is to begin, once for any number of changes in a row. */
export class Beginning implements ReactiveController {
  private near = false;
  private planned = false;
  private readonly approached = approach(() => this.now());
  private readonly inside = new MutationObserver(() => this.anew());

  /** atOnce: it does not wait until it is near the window. */
  constructor(
    private readonly element: LitElement,
    private readonly begin: () => void,
    private readonly atOnce: () => boolean = () => false,
  ) {
    element.addController(this);
  }

  hostConnected(): void {
    if (this.atOnce()) this.now();
    else this.approached.observe(this.element);
    this.inside.observe(this.element, { childList: true, subtree: true, characterData: true });
  }

  hostDisconnected(): void {
    this.approached.disconnect();
    this.inside.disconnect();
  }

  private now(): void {
    this.near = true;
    this.anew();
  }

  /** After a change of what the element is made from: attributes, children, properties. */
  anew(): void {
    if (!this.near || this.planned) return;
    if (document.readyState === "loading") {
      // What stands inside may not have been read yet.
      addEventListener("DOMContentLoaded", () => this.anew(), { once: true });
      return;
    }
    this.planned = true;
    queueMicrotask(() => {
      this.planned = false;
      if (this.element.isConnected) this.begin();
    });
  }
}
