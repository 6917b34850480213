// Values written behind //=> and #=> in samples: numbers as exactly as they are written, lists and
// texts as JSON.

/** What stands there: a value in JSON, and after two spaces a remark. */
export function parseExpected(text) {
  return JSON.parse(text.trim().split(/\s{2,}/)[0]);
}

/** By how much a number may differ from what is written: half a unit of its last digit. */
function tolerance(written) {
  const digits = /\.(\d+)/.exec(written)?.[1].length ?? 0;
  return 0.5000001 * 10 ** -digits;
}

/** Whether a value is what is written. */
export function agrees(got, written) {
  const text = written.trim().split(/\s{2,}/)[0];
  const want = parseExpected(text);
  if (typeof want === "number")
    return typeof got === "number" && Math.abs(got - want) <= tolerance(text);
  if (Array.isArray(want) && want.every((one) => typeof one === "number")) {
    const each = text.slice(1, -1).split(",");
    return (
      Array.isArray(got) &&
      got.length === want.length &&
      want.every((_, i) => agrees(got[i], each[i]))
    );
  }
  return JSON.stringify(got) === JSON.stringify(want);
}

/** `epsilon 6.19, affords true` as pairs. */
export function parsePairs(text) {
  return text
    .split(",")
    .map((pair) => pair.trim().split(/\s+/))
    .map(([name, value]) => [name, value]);
}
