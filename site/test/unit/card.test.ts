// The model card: what it holds, and what it does with names that want to be markup.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnyLabel, Figures, InspectedReport, Release } from "../../src/client/types.ts";
import { card } from "../../src/publish/card.ts";
import { releaseInCard } from "../../src/publish/release-in-card.ts";

const evil = `</script><script>alert(1)</script><img src=x onerror="alert(1)">&amp;'`;

const release: Release<AnyLabel> = {
  format: "cloister-release",
  version: 1,
  library: "0.1.0",
  schema: {
    version: 1,
    features: [
      { name: `age ${evil}`, type: "numeric", min: 0, max: 100, missing: 40, provenance: "public" },
      { name: "ward", type: "categorical", categories: ["A", `B ${evil}`], unknown: "zero", provenance: "suggested" },
    ],
    label: { name: `ill ${evil}`, negative: ["no"], positive: [`yes ${evil}`], provenance: "public" },
    rows: { norm: "clip" },
    intercept: 0.5,
  },
  event: {
    mechanism: "approximate-minima-perturbation",
    adjacency: "add-remove",
    loss: "logistic",
    dimension: 4,
    row_norm: 1.12,
    lipschitz: 0.63,
    smoothness: 0.25,
    lambda: 0.9,
    sigma: 3,
    tau: 4e-8,
    sigma_out: 0.01,
    grid: 2 ** -30,
  } as unknown as Release["event"],
  guarantee: {
    adjacency: "add-remove",
    epsilon: 1,
    delta: 1e-5,
    bound: "logistic",
    theorem: "A theorem",
    covers: false,
    caveats: [`The categories of "ward" ${evil}`],
  } as Release["guarantee"],
  model: {
    loss: "logistic",
    columns: ["age", "ward=A", "ward=B", "(intercept)"],
    coefficients: [1, -2, 3, 0.25],
    intercept: 0.125,
    original: [
      { feature: `age ${evil}`, coefficient: 0.01, unit: "1" },
      { feature: "ward", category: "A", coefficient: -2, unit: "category" },
      { feature: "ward", category: `B ${evil}`, coefficient: 3, unit: "category" },
    ],
    original_constant: 0,
  },
};
const text = `${JSON.stringify(release, null, 2)}\n`;
const grid = Array.from({ length: 30 }, (_, i) => i / 10);
const series = [{ id: "spent", label: `Spent ${evil}`, epsilon: grid, logDelta: grid.map((e) => -3 - 10 * e) }];

test("names are text, wherever they stand", () => {
  const html = card({ release, text, series });
  assert.equal(html.match(/<script/g)!.length, 1);
  assert.doesNotMatch(html, /<img|<script>|onerror="/);
  assert.equal(html.split("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;amp;&#39;").length - 1 > 10, true);
});

test("the release can be taken out again as it was put in", () => {
  assert.deepEqual(JSON.parse(releaseInCard(card({ release, text, series }))!), release);
  assert.equal(releaseInCard(text), undefined);
  assert.equal(releaseInCard("<!doctype html><p>something else"), undefined);
});

test("what the guarantee leaves out is said where the guarantee is", () => {
  const partly = card({ release, text, series });
  assert.match(partly, /class="guarantee partly"[^]*It does not cover everything[^]*The categories of &quot;ward&quot;[^]*id="curve"/);
  const whole = card({ release: { ...release, guarantee: { ...release.guarantee, covers: true, caveats: [] } }, text, series });
  assert.match(whole, /covers everything in the release/);
  assert.doesNotMatch(whole, /does not cover/);
});

test("numbers are those of the release", () => {
  const html = card({ release, text, series });
  assert.match(html, /ε&nbsp;=&nbsp;1, δ&nbsp;=&nbsp;10⁻⁵/);
  assert.match(html, /e<sup>ε<\/sup>&nbsp;=&nbsp;2\.72/);
  // By the curve: the least over ε of e^ε/100 + δ(ε) is at the grid's 0.4 (by hand: 0.0149 + e^−7) or near it.
  const best = Math.min(...grid.map((e) => Math.exp(e) / 100 + Math.exp(-3 - 10 * e)));
  assert.match(html, new RegExp(`at most ${(best * 100).toPrecision(2).replace(".", "\\.")}\\u00a0% of those`));
  assert.match(html, /0 to 100[^]*40[^]*A, B/);
});

test("says why there are no standard errors, for the mechanism of which it is true", () => {
  assert.match(card({ release, text, series }), /No standard errors are given/);
  const parts = [{ event: release.event, count: 3 }];
  assert.match(card({ release: { ...release, event: { mechanism: "composition", adjacency: "add-remove", parts } as unknown as Release["event"] }, text, series }), /No standard errors are given/);
  const gaussian = { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1, sigma: 2 } as unknown as Release["event"];
  const perturbed = card({ release: { ...release, event: gaussian }, text, series });
  assert.doesNotMatch(perturbed, /No standard errors/);
  assert.match(perturbed, /added to each coefficient has standard deviation 2\./);
  assert.match(perturbed, /Output perturbation: /);
});

test("the noise of a hundred equal steps is one line", () => {
  const descent = { mechanism: "gradient-descent", adjacency: "add-remove", sensitivity: 1, sigmas: Array<number>(100).fill(3) } as unknown as Release["event"];
  const html = card({ release: { ...release, event: descent }, text, series });
  assert.match(html, /Gradient descent in 100 steps/);
  assert.match(html, /sigmas\[0…99\]<\/code><\/th><td class="number">3</);
  assert.doesNotMatch(html, /sigmas\[1\]/);
  assert.match(html, /No standard errors are given/);
});

test("without curves there is no picture; with an evaluation there is one", () => {
  const html = card({ release, text, series: [] });
  assert.doesNotMatch(html, /id="curve"|any test for whether/);
  const interval = (estimate: number) => ({ estimate, low: estimate - 0.01, high: estimate + 0.01 });
  const figures: Figures = { level: 0.95, epsilon: 0.5, adjacency: "add-remove", records: { estimate: 900, low: 890, high: 910 }, accuracy: interval(0.83), table: [] };
  assert.match(card({ release, text, series, figures }), /at ε&nbsp;=&nbsp;0\.5[^]*95\u00a0%[^]*Predicted right<\/th><td class="number">83\u00a0%[^]*82\u00a0% to 84\u00a0%/);
});

test("categories that were bought are named with what they cost, delta included", () => {
  const purchase = { charge: "k", epsilon: 0.25, delta: 4e-7 };
  const [age, ward] = release.schema.features;
  const schema = { ...release.schema, version: 4 as const, features: [{ ...(age as object), provenance: "public" }, { ...(ward as object), provenance: "bought", purchase }] } as typeof release.schema;
  const html = card({ release: { ...release, schema, guarantee: { ...release.guarantee, covers: true, caveats: [] } }, text, series });
  assert.match(html, /Some categories were bought[^]*charge <code>k<\/code> at ε&nbsp;=&nbsp;0\.25 and δ&nbsp;=&nbsp;[^;]*4[^]*model and those categories together are covered at ε&nbsp;=&nbsp;1\.25 and δ&nbsp;=&nbsp;[^<]* \+ 4/);
  assert.match(html, /public knowledge, or bought as said below/);
});

test("bounds that were bought are named with their charge, and what they come to with the model", () => {
  const purchase = { charge: `c ${evil}`, epsilon: 0.25 };
  const [age, ward] = release.schema.features;
  const schema = { ...release.schema, version: 3 as const, features: [{ ...(age as object), provenance: "bought", purchase }, { ...(ward as object), provenance: "public" }] } as typeof release.schema;
  const html = card({ release: { ...release, schema, guarantee: { ...release.guarantee, covers: true, caveats: [] } }, text, series });
  assert.match(html, /public knowledge, or bought as said below/);
  assert.match(html, /by charge <code>c &lt;\/script&gt;[^]*at ε&nbsp;=&nbsp;0\.25[^]*together are covered at ε&nbsp;=&nbsp;1\.25/);
  assert.match(html, /<span class="tag">bought<\/span>/);
  // The report and the model come to 1.2 by the accountant, and the bounds add 0.25.
  const inspected = { epsilon: 0.3, total: 1.2, delta: 1e-5, rho: 0.05 } as InspectedReport;
  const withReport = card({ release: { ...release, schema, guarantee: { ...release.guarantee, covers: true, caveats: [] } }, text, series, report: { inspected } });
  assert.match(withReport, /privacy report as well, all of it is covered at ε&nbsp;=&nbsp;1\.45 and δ&nbsp;=&nbsp;10/);
  assert.doesNotMatch(html, /as well, all of it/);
  assert.doesNotMatch(html, /read from the data/);
  assert.doesNotMatch(card({ release, text, series }), /bought/);
});
