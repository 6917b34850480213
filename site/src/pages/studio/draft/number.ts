// Numbers as they are typed.

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A finite decimal number, spaces and a typographic minus allowed; anything else is null. */
export function parseNumber(text: string): number | null {
  const plain = text.trim().replace("−", "-");
  if (!decimal.test(plain)) return null;
  const x = Number(plain);
  return Number.isFinite(x) ? x : null;
}
