// The keys by which a place to read a plot at is moved.

/** Where no place is chosen. */
export const nowhere = -1;

/**
 * The place that a key leads to from another, of 0 to last; {@link nowhere} by Escape, undefined if
 * the key is for something else.
 */
export function ledBy(event: KeyboardEvent, from: number, last: number): number | undefined {
  const big = Math.max(1, Math.round(last / 10));
  const moves: Record<string, number> = {
    ArrowRight: 1,
    ArrowUp: 1,
    ArrowLeft: -1,
    ArrowDown: -1,
    PageUp: big,
    PageDown: -big,
    Home: -last,
    End: last,
  };
  if (event.key === "Escape") return nowhere;
  const move = moves[event.key];
  if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  return Math.max(0, Math.min(last, from + move * (event.shiftKey ? 5 : 1)));
}
