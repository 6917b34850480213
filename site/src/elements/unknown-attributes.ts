// Finds attributes that an element does not know. Without this, a misspelt attribute would be
// ignored silently.

import { AttributeError } from "./attributes.ts";

/**
 * Attributes of HTML whose property has another name, or none. What begins with no letter, or has a
 * colon, belongs to a framework.
 */
const elsewhere =
  /^(aria-|data-|item|on|v-|[^a-z])|:|^(class|tabindex|accesskey|contenteditable|enterkeyhint|inputmode|exportparts|is|role|part|ready)$/;

/** In how many letters two words differ (Levenshtein 1966). */
function apart(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length]!;
}

/** So near that it cannot be meant for anybody else. */
const misspelt = (name: string, known: string): boolean =>
  apart(name, known) <= (known.length < 6 ? 1 : 2);

/** Those of the names that are neither known nor `global`. */
const foreign = (
  names: readonly string[],
  known: readonly string[],
  global: (name: string) => boolean,
): readonly (readonly [name: string, nearest: string])[] =>
  names
    .filter((name) => !known.includes(name) && !elsewhere.test(name) && !global(name))
    .map(
      (name) =>
        [
          name,
          known.reduce((best, one) => (apart(name, one) < apart(name, best) ? one : best)),
        ] as const,
    );

/** An error for a name that must be misspelt; undefined if there is none. */
export function misspeltAttribute(
  names: readonly string[],
  known: readonly string[],
  global: (name: string) => boolean,
): AttributeError | undefined {
  const [slip] = foreign(names, known, global).filter(([name, nearest]) => misspelt(name, nearest));
  return slip && new AttributeError(slip[0], `is not an attribute of it: “${slip[1]}” is.`);
}

/**
 * Names that mean nothing here, each with the known one that it is nearest to. In a sentence; empty
 * if there are none.
 */
export function unknownAttributes(
  names: readonly string[],
  known: readonly string[],
  global: (name: string) => boolean,
): string {
  return foreign(names, known, global)
    .map(([name, nearest]) => `“${name}” is not an attribute of it; the nearest is “${nearest}”.`)
    .join(" ");
}

const told = new WeakSet<Element>();
const ofPage = (name: string): boolean => name in HTMLElement.prototype;
const known = (element: Element): string[] =>
  (element.constructor as unknown as { observedAttributes: string[] }).observedAttributes;

/**
 * Throws if a name is misspelt. Other unknown names may belong to another script, so the console
 * names them once for the element’s author.
 */
export function checkNames(element: Element): void {
  const slip = misspeltAttribute(element.getAttributeNames(), known(element), ofPage);
  if (slip) throw slip;
  tellUnknown(element);
}

/** Tells an element’s author in the console, once. */
export function tellUnknown(element: Element): void {
  if (told.has(element)) return;
  const text = unknownAttributes(element.getAttributeNames(), known(element), ofPage);
  if (!text) return;
  told.add(element);
  console.warn(`<${element.localName}>: ${text}`, element);
}
