// Whether the page behind an element is dark. A page may say so by `color-scheme`, which colours
// follow by themselves; many say it by their colours alone, so these are read.

import type { ReactiveController, ReactiveControllerHost } from "lit";

export type Scheme = "light" | "dark";

/** Red, green, blue from 0 to 255 and alpha, of a colour as browsers compute it. */
function channels(colour: string): readonly [number, number, number, number] | undefined {
  const srgb = /^color\(srgb ([^)]*)\)$/.exec(colour);
  const rgb = /^rgba?\(([^)]*)\)$/.exec(colour);
  const numbers = ((srgb ?? rgb)?.[1] ?? "").match(/-?[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [];
  const [r, g, b, alpha = 1] = numbers;
  if (r === undefined || g === undefined || b === undefined) return undefined;
  const unit = srgb ? 255 : 1;
  return [r * unit, g * unit, b * unit, alpha];
}

/** The relative luminance of WCAG 2, from 0 to 1. */
function luminance([r, g, b]: readonly [number, number, number, number]): number {
  const linear = (c: number): number =>
    c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** Where black and white stand out equally. */
const middle = Math.sqrt(1.05 * 0.05) - 0.05;

/** The element around another one, out of the shadow roots that it lies in. */
function around(element: Element): Element | null {
  const { assignedSlot, parentElement } = element;
  if (assignedSlot ?? parentElement) return assignedSlot ?? parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

/**
 * The scheme of what lies behind an element: by the nearest background that covers, or where there
 * is none or it is a picture, by the text, which has to be read on it. undefined if the colours
 * cannot be read.
 */
export function schemeBehind(element: Element): Scheme | undefined {
  for (let one: Element | null = element; one; one = around(one)) {
    const { backgroundColor, backgroundImage } = getComputedStyle(one);
    if (backgroundImage !== "none") break;
    const ground = channels(backgroundColor);
    if (ground && ground[3] > 0.5) return luminance(ground) < middle ? "dark" : "light";
  }
  const ink = channels(getComputedStyle(element).color);
  // Text of middle grey is more often soft ink on white than on black.
  return ink && (luminance(ink) > 0.27 ? "dark" : "light");
}

/** Called when the page may look different: another theme, another class, another window. */
const watching = new Set<() => void>();
let watched = false;

function look(): void {
  for (const changed of watching) changed();
}

function watch(): void {
  if (watched) return;
  watched = true;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", look);
  const themes = new MutationObserver(look);
  for (const one of [document.documentElement, document.body])
    if (one) themes.observe(one, { attributes: true });
  // A page may change its colours gradually, or get them late.
  document.addEventListener("transitionend", ({ propertyName }) => {
    if (/color/.test(propertyName)) look();
  });
  addEventListener("load", look);
}

/** The scheme that colours follow here by themselves: base.styles.ts says it by a colour. */
function schemeOf(element: Element): Scheme {
  const mark = channels(getComputedStyle(element).columnRuleColor);
  return mark && luminance(mark) > 0.5 ? "dark" : "light";
}

/**
 * Keeps an element's scheme: `scheme` is what its own content is to be drawn in, and undefined
 * where the page or the author of the element says it already.
 */
export class SchemeBehind implements ReactiveController {
  scheme: Scheme | undefined;

  constructor(private readonly host: ReactiveControllerHost & HTMLElement) {
    host.addController(this);
  }

  hostConnected(): void {
    watch();
    watching.add(this.read);
    this.read();
  }

  hostDisconnected(): void {
    watching.delete(this.read);
  }

  private readonly read = (): void => {
    // What the author says about this element counts for more.
    const asked = /^(?:light|dark)$/.test(this.host.getAttribute("theme") ?? "");
    const behind = asked ? undefined : schemeBehind(this.host);
    const scheme = behind === schemeOf(this.host) ? undefined : behind;
    if (scheme === this.scheme) return;
    this.scheme = scheme;
    this.host.requestUpdate();
  };
}
