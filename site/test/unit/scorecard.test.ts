// The printed scorecard: its totals, what it does with names that want to be markup, and the
// release in it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScorecardRelease } from "../../src/client/types.ts";
import { releaseInCard } from "../../src/pages/shell/release-in-card.ts";
import { code } from "../../src/scorecard/code.ts";
import { type Language, languages } from "../../src/scorecard/languages.ts";
import { page } from "../../src/scorecard/page.ts";
import { rangeOf, totals } from "../../src/scorecard/totals.ts";

const evil = `</script><script>alert(1)</script><img src=x onerror="alert(1)">&amp;'`;

function release(points: number[][]): ScorecardRelease {
  const attributes = points.map((of, g) => ({
    name: `a${g} ${evil}`,
    levels: of.map((points, l) => ({ name: `level ${l} ${evil}`, points })),
  }));
  return {
    format: "cloister-scorecard",
    version: 1,
    library: "0.1.0",
    guarantee: {
      adjacency: "add-remove",
      epsilon: 0.1,
      delta: 0,
      covers: false,
      caveats: [`The levels of ${evil}`],
    },
    event: {
      mechanism: "noisy-min",
      adjacency: "add-remove",
      epsilon: 0.1,
      span: 1,
      noise: "geometric",
      denominator: 64,
    },
    card: { bound: 16, threshold: 1, attributes },
    schema: {
      version: 1,
      attributes: attributes.map(({ name, levels }) => ({
        name,
        type: "categorical" as const,
        levels: levels.map((level) => ({ name: level.name, values: [level.name] })),
        provenance: "suggested" as const,
      })),
      label: {
        name: `ill ${evil}`,
        negative: [`no ${evil}`],
        positive: ["yes"],
        provenance: "public",
      },
    },
  };
}

const short = (card: ScorecardRelease) =>
  totals(card).map(({ text, yes }) => `${text}${yes ? "+" : "-"}`);

test("the page says which values a level stands for, unless its name does", () => {
  const card = release([[0, 1]]);
  const [attribute] = card.schema.attributes;
  assert.ok(attribute?.type === "categorical");
  const levels = [
    { name: "well", values: ["ill", "<i>"] },
    { name: "ill?", values: ["ill?"] },
  ];
  Object.assign(attribute, { levels });
  levels.forEach(({ name }, l) => (card.card.attributes[0]!.levels[l]!.name = name));
  const html = page(card, "{}");
  assert.match(html, /"row">well <small>“ill”, “&lt;i&gt;”<\/small></);
  assert.match(html, /"row">ill\?<\/th>/);
});

test("a program made of a card says that its guarantee leaves something out", () => {
  const partly = release([[0, 1]]);
  const whole = { ...partly, guarantee: { ...partly.guarantee, covers: true, caveats: [] } };
  for (const language of Object.keys(languages) as Language[]) {
    assert.match(code(partly, language), /does not cover everything: the release says/, language);
    assert.doesNotMatch(code(whole, language), /does not cover/, language);
  }
});

test("totals are what the points can come to", () => {
  const card = release([
    [-1, 0, 1],
    [0, 1],
  ]);
  assert.deepEqual(rangeOf(card), { least: -1, largest: 2 });
  assert.deepEqual(short(card), ["−1-", "0-", "1+", "2+"]);
  assert.deepEqual(short(release([[0, 0]])), ["0-"]);
  assert.deepEqual(short(release([[3, 4]])), ["3+", "4+"]);
  assert.deepEqual(
    short(
      release([
        [-16, 16],
        [-16, 3],
      ]),
    ),
    ["−32 to 0-", "1 to 19+"],
  );
  assert.deepEqual(short(release([[-40, -1]])), ["−40 to −1-"]);
});

test("the page holds the card, the promise and the release, and no markup of anybody's", () => {
  const card = release([
    [-1, 0, 1],
    [0, 1],
  ]);
  const text = `${JSON.stringify(card, null, 2)}\n`;
  const html = page(card, text);
  assert.equal(html.match(/<script/g)?.length, 1);
  assert.doesNotMatch(html, /<img|onerror="alert/);
  assert.deepEqual(JSON.parse(releaseInCard(html)!), card);
  assert.match(html, /<td class="number">−1<\/td>/);
  assert.match(html, /52\.5\u00a0%/, "odds of 1 at ε = 0.1, rounded up");
  assert.match(html, /adding or removing any one record/);
  assert.match(html, /guarantee partly/);
  assert.match(html, /The levels of &lt;/);
  assert.match(html, /card\.py[^]*card\.R[^]*card\.mjs[^]*card\.go/);
});
