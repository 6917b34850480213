/** The release that a card holds, as text; undefined if this is no card. Nothing else in a card is checked by checking it. */
export function releaseInCard(html: string): string | undefined {
  if (!/^\s*<!doctype html>/i.test(html)) return undefined;
  return /<script type="application\/json" id="release">([^<]*)<\/script>/.exec(html)?.[1];
}
