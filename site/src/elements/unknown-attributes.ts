// Attributes that mean nothing to an element: a letter too many, and the element goes on as if nothing had been said.

/** Attributes of HTML whose property has another name, or none. What begins with no letter, or has a colon, belongs to a framework. */
const elsewhere = /^(aria-|data-|item|on|v-|[^a-z])|:|^(class|tabindex|accesskey|contenteditable|enterkeyhint|inputmode|exportparts|is|role|part|ready)$/;

/** In how many letters two words differ (Levenshtein 1966). */
function apart(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/** Those of the names that are neither known nor `global`, each with the known one that it is nearest to. In a sentence; empty if there are none. */
export function unknownAttributes(names: readonly string[], known: readonly string[], global: (name: string) => boolean): string {
  return names
    .filter((name) => !known.includes(name) && !elsewhere.test(name) && !global(name))
    .map((name) => `“${name}” is not an attribute of it; the nearest is “${known.reduce((best, one) => (apart(name, one) < apart(name, best) ? one : best))}”.`)
    .join(" ");
}

const told = new WeakSet<Element>();

/** Tells an element’s author in the console, once. */
export function tellUnknown(element: Element): void {
  if (told.has(element)) return;
  const text = unknownAttributes(element.getAttributeNames(), (element.constructor as unknown as { observedAttributes: string[] }).observedAttributes, (name) => name in HTMLElement.prototype);
  if (!text) return;
  told.add(element);
  console.warn(`<${element.localName}>: ${text}`, element);
}
