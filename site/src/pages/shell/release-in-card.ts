/**
 * The release that a card holds, as text; undefined if this is no card. Nothing else in a card is
 * checked by checking it. A card has one script and no comment: of two releases, or one that a
 * comment hides, two readers could take different ones.
 */
export function releaseInCard(html: string): string | undefined {
  if (
    !/^\s*<!doctype html>/i.test(html) ||
    html.match(/<script/gi)?.length !== 1 ||
    html.includes("<!--")
  )
    return undefined;
  return /<script type="application\/json" id="release">([^<]*)<\/script>/.exec(html)?.[1];
}
