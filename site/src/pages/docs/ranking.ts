// Which places of the documentation a question means. The index is made with the pages
// (docs/build/search.mjs) and searched here, in the page: no question leaves it.

/** A heading, with the words below it: its id ("" is the page itself), itself, text, names. */
export type Place = readonly [id: string, heading: string, text: string, names: string];

export interface IndexedPage {
  readonly file: string;
  readonly title: string;
  readonly places: readonly Place[];
}

export interface Found {
  /** The address, from the folder of the documentation. */
  readonly href: string;
  readonly page: string;
  readonly heading: string;
  /** Words around the first that was found, in pieces; those at odd places were asked for. */
  readonly excerpt: readonly string[];
}

/** What a word is worth, by where it stands. */
const worth = { title: 14, heading: 10, page: 3, names: 3, text: 1 } as const;

/** A word that only begins as the one that was asked for. */
const begun = 0.6;

const greek = new Map([
  ["ε", "epsilon"],
  ["δ", "delta"],
  ["λ", "lambda"],
  ["σ", "sigma"],
  ["ρ", "rho"],
  ["μ", "mu"],
  ["τ", "tau"],
  ["κ", "kappa"],
  ["γ", "gamma"],
]);

/** A word as it is compared: without accents and capitals, and without a usual English ending. */
function folded(word: string): string {
  const plain = word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (greek.get(plain) ?? plain).replace(/^(\p{L}{4,}?)(?:ing|ed|es|s|e)$/u, "$1");
}

const word = /[\p{L}\p{M}\p{N}]+/gu;

/** The words of a text. A name in camel case counts whole and in its parts. */
export function words(text: string): string[] {
  return (text.match(word) ?? []).flatMap((one) => {
    const parts = one.match(/\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}+(?!\p{Ll})/gu) ?? [];
    return [folded(one), ...(parts.length > 1 ? parts.map(folded) : [])];
  });
}

/** How well a word of the question fits one of a text: 1, less if it only begins so, or 0. */
function fit(asked: string, there: string): number {
  if (there === asked) return 1;
  if (asked.length >= 2 && there.startsWith(asked)) return begun;
  // An ending that is still being typed.
  const more = asked.length - there.length;
  return there.length >= 4 && more > 0 && more < 3 && asked.startsWith(there) ? begun : 0;
}

/** Words of a question that say nothing of what it is about. */
const idle = new Set(
  words(
    "a an and are can do does for from how i in is it my of on or the to what when where which why with",
  ),
);

/** The words that a question is about; all of them if it has idle ones only. */
function askedIn(question: string): string[] {
  const all = words(question);
  const some = all.filter((one) => !idle.has(one));
  return some.length > 0 ? some : all;
}

type Field = keyof typeof worth;

interface Prepared {
  readonly page: IndexedPage;
  readonly place: Place;
  readonly fields: readonly (readonly [Field, readonly string[]])[];
}

/** An index that is ready to be searched. */
export class Search {
  private readonly places: readonly Prepared[];

  constructor(index: readonly IndexedPage[]) {
    this.places = index.flatMap((page) =>
      page.places.map((place): Prepared => {
        const [id, heading, text, names] = place;
        const fields: [Field, string[]][] = [
          [id === "" ? "title" : "heading", words(heading)],
          ["page", id === "" ? [] : words(page.title)],
          ["names", words(names)],
          ["text", words(text)],
        ];
        return { page, place, fields };
      }),
    );
  }

  /** The places that have all words of the question, best first; at most three of a page. */
  find(question: string, most = 12): Found[] {
    const asked = askedIn(question);
    if (asked.length === 0) return [];
    const scored = this.places
      .map((one) => ({ one, score: score(question, asked, one) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    const ofPage = new Map<IndexedPage, number>();
    const found: Found[] = [];
    for (const { one } of scored) {
      const count = (ofPage.get(one.page) ?? 0) + 1;
      ofPage.set(one.page, count);
      if (count > 3) continue;
      const [id, heading, text] = one.place;
      found.push({
        href: one.page.file + (id === "" ? "" : `#${id}`),
        page: one.page.title,
        heading,
        excerpt: excerpt(text, asked),
      });
      if (found.length === most) break;
    }
    return found;
  }

  /** The words of a question that occur by themselves: what to try if all together do not. */
  alone(question: string): string[] {
    const each = question.match(word) ?? [];
    return each.length < 2 ? [] : each.filter((one) => this.find(one, 1).length > 0);
  }
}

/** An entry of the reference comes after the pages that explain, unless its name was asked for. */
function standing(question: string, { page, place }: Prepared): number {
  if (!page.file.startsWith("api-")) return 1;
  const name = place[1].toLowerCase();
  const asked = question.trim().toLowerCase();
  return name === asked || name.endsWith(`.${asked}`) ? 1 : 0.4;
}

/** 0 if a word of the question is nowhere; words of the place itself have to be among those. */
function score(question: string, asked: readonly string[], one: Prepared): number {
  const { place, fields } = one;
  let sum = 0;
  let own = false;
  for (const wanted of asked) {
    let of = 0;
    for (const [field, there] of fields) {
      let best = 0;
      let times = 0;
      for (const word of there) {
        const fits = fit(wanted, word);
        if (fits > 0) times++;
        if (fits > best) best = fits;
      }
      if (best === 0) continue;
      if (field !== "page") own = true;
      // Of a text, a word that occurs often is worth more; of a heading, one among few is.
      const weight =
        field === "text" || field === "names"
          ? 1 + Math.log(times)
          : 1 / Math.sqrt(Math.max(1, there.length / asked.length));
      of += worth[field] * best * weight;
    }
    if (of === 0) return 0;
    sum += of;
  }
  if (!own) return 0;
  const stands = standing(question, one);
  const whole = stands === 1 && words(place[1]).join(" ") === asked.join(" ");
  return stands * (whole ? sum + 20 : sum);
}

const before = 50;
const length = 150;

/** The words around the first that was asked for, those that were at odd places. */
function excerpt(text: string, asked: readonly string[]): string[] {
  const hits = [...text.matchAll(word)].filter(([one]) =>
    words(one).some((there) => asked.some((wanted) => fit(wanted, there) > 0)),
  );
  const first = hits[0]?.index ?? 0;
  const from = first <= before ? 0 : text.indexOf(" ", first - before) + 1;
  const end = text.length <= from + length ? text.length : text.lastIndexOf(" ", from + length);
  const to = end > from ? end : Math.min(text.length, from + length);
  const pieces: string[] = [];
  let at = from;
  for (const { 0: one, index } of hits) {
    if (index < from || index + one.length > to) continue;
    pieces.push(text.slice(at, index), one);
    at = index + one.length;
  }
  pieces.push(text.slice(at, to));
  if (from > 0) pieces[0] = `… ${pieces[0]}`;
  if (to < text.length) pieces[pieces.length - 1] += " …";
  return pieces;
}
