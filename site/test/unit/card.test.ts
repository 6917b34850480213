// The model card: what it holds, and what it does with names that want to be markup.

import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  AnyLabel,
  Differences,
  Figures,
  InspectedReport,
  Release,
} from "../../src/client/types.ts";
import { card } from "../../src/pages/studio/result/publish/card.ts";
import { code } from "../../src/pages/studio/result/publish/code.ts";
import { languages } from "../../src/pages/studio/result/publish/languages.ts";
import { releaseInCard } from "../../src/pages/shell/release-in-card.ts";

const evil = `</script><script>alert(1)</script><img src=x onerror="alert(1)">&amp;'`;

const release: Release<AnyLabel> = {
  format: "cloister-release",
  version: 1,
  library: "0.1.0",
  schema: {
    version: 1,
    features: [
      { name: `age ${evil}`, type: "numeric", min: 0, max: 100, missing: 40, provenance: "public" },
      {
        name: "ward",
        type: "categorical",
        categories: ["A", `B ${evil}`],
        unknown: "zero",
        provenance: "suggested",
      },
    ],
    label: {
      name: `ill ${evil}`,
      negative: ["no"],
      positive: [`yes ${evil}`],
      provenance: "public",
    },
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
const series = [
  { id: "spent", label: `Spent ${evil}`, epsilon: grid, logDelta: grid.map((e) => -3 - 10 * e) },
];

test("names are text, wherever they stand", () => {
  const html = card({ release, text, series });
  assert.equal(html.match(/<script/g)!.length, 1);
  assert.doesNotMatch(html, /<img|<script>|onerror="/);
  assert.equal(
    html.split("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;amp;&#39;").length - 1 > 10,
    true,
  );
});

// Every text of a release in turn, and of its curves and figures, wherever it stands.
test("no text of a release is markup, ends the release in the card, or turns a line round", () => {
  const tags = (html: string) => html.match(/<[a-z/!][^\s>]*/gi)!.join();
  const hostile = [evil, "\u202eevil", "x\u2066", "--><script>", "</pre>", "<!--", "]]>", "\u2028"];
  const plain = tags(card({ release, text, series }));
  let tried = 0;
  const each = (node: unknown, put: (text: string) => unknown): void => {
    if (typeof node === "string") {
      for (const bad of hostile) {
        const forged = put(`${node}${bad}`) as typeof release;
        const written = JSON.stringify(forged);
        let html = "";
        try {
          html = card({ release: forged, text: written, series });
        } catch {
          continue; // a word that decides what is written, and is none
        }
        tried++;
        assert.equal(html.match(/<script/gi)!.length, 1, bad);
        const shown = html.replace(/<script[^]*<\/script>/, "");
        const raw = /.{0,60}(?:<img|<!--|[\u202a-\u202e\u2066-\u2069]).{0,9}/.exec(shown);
        assert.equal(raw?.[0], undefined);
        assert.deepEqual(JSON.parse(releaseInCard(html)!), forged);
        if (forged.schema.label.name !== release.schema.label.name)
          assert.equal(tags(html), plain, bad);
      }
    } else if (typeof node === "object" && node !== null)
      for (const [name, member] of Object.entries(node))
        each(member, (text) =>
          put(
            (Array.isArray(node)
              ? node.map((item, i) => (String(i) === name ? text : item))
              : { ...node, [name]: text }) as unknown as string,
          ),
        );
  };
  each(release, (tree) => tree);
  assert.ok(tried > 200, String(tried));
});

test("the release can be taken out again as it was put in", () => {
  assert.deepEqual(JSON.parse(releaseInCard(card({ release, text, series }))!), release);
  assert.equal(releaseInCard(text), undefined);
  assert.equal(releaseInCard("<!doctype html><p>something else"), undefined);
});

test("a page with two releases, or a hidden one, holds none", () => {
  const html = card({ release, text, series });
  const script = /<script[^]*<\/script>/.exec(html)![0];
  for (const [what, page] of Object.entries({
    "another before it": html.replace(
      "<main",
      `${script.replace('"epsilon": 1,', '"epsilon": 9,')}<main`,
    ),
    "one that is written otherwise": html.replace(
      "<main",
      `<SCRIPT id=release type=application/json>{}</SCRIPT><main`,
    ),
    "in a comment": html.replace(script, `<!-- ${script} -->`),
  })) {
    assert.notEqual(page, html, what);
    assert.equal(releaseInCard(page), undefined, what);
  }
});

test("what the guarantee leaves out is said where the guarantee is", () => {
  const partly = card({ release, text, series });
  assert.match(
    partly,
    /class="guarantee partly"[^]*It does not cover everything[^]*The categories of &quot;ward&quot;[^]*id="curve"/,
  );
  const whole = card({
    release: { ...release, guarantee: { ...release.guarantee, covers: true, caveats: [] } },
    text,
    series,
  });
  assert.match(whole, /covers everything in the release/);
  assert.doesNotMatch(whole, /does not cover/);
});

const differences: Differences = {
  share: 0.025,
  vectors: [
    {
      limit: 2,
      differences: [
        { feature: `age ${evil}`, estimate: 1, error: 2, shown: false },
        {
          feature: "ward",
          category: `B ${evil}`,
          reference: "A",
          estimate: 5,
          error: 2 * Math.SQRT2,
          shown: true,
        },
      ],
    },
  ],
};

test("what was found comes before the guarantee, with what could be noise", () => {
  const html = card({ release, text, series, differences });
  assert.match(html, /id="found"[^]*id="guarantee"[^]*id="use"[^]*id="limits"[^]*id="curve"/);
  assert.match(
    html,
    /1 of 2 differences in the odds that [^<]+ is more than noise[^]*On average, at most 2\.5\s% of such/,
  );
  assert.match(html, /How many point the wrong way is an average[^]*rare category 95\.3 %/);
  // A row of a number in the middle and a category has length √1.25: e^(5/√1.25) = 88.
  assert.match(html, /<tr><th scope="row">ward [^]*× 88<br>/);
  assert.match(html, /class="noise"><th scope="row">age [^]*this could be noise/);
  assert.match(html, /compared with a reference: ward with “A”/);
  assert.doesNotMatch(html, /<img|<script>|onerror="/);
  const unknown = { share: 0.025, vectors: [{ ...differences.vectors[0]!, limit: Infinity }] };
  assert.match(
    card({ release, text, series, differences: unknown }),
    /nothing is known of the noise(?![^]*is an average)/,
  );
  assert.doesNotMatch(card({ release, text, series }), /id="found"/);
});

test("what counted as missing is said", () => {
  const said = (missing_values?: string[]) =>
    card({
      release: {
        ...release,
        schema: { ...release.schema, ...(missing_values && { missing_values }) },
      },
      text,
      series,
    });
  assert.match(
    said(["", "999", "<i>"]),
    /Counted as missing: an empty field, “999”, “&lt;i&gt;”\./,
  );
  assert.match(said(), /Counted as missing: an empty field, “\?”, “NA”\./);
  assert.match(said([]), /Nothing counted as missing\./);
});

test("numbers are those of the release", () => {
  const html = card({ release, text, series });
  assert.match(html, /ε&nbsp;=&nbsp;1, δ&nbsp;=&nbsp;10⁻⁵/);
  assert.match(html, /e<sup>ε<\/sup>&nbsp;=&nbsp;2\.72/);
  // By the curve: the least over ε of e^ε/100 + δ(ε) is at the grid's 0.4 (by hand: 0.0149 + e^−7)
  // or near it.
  const best = Math.min(...grid.map((e) => Math.exp(e) / 100 + Math.exp(-3 - 10 * e)));
  assert.match(
    html,
    new RegExp(`at most ${(best * 100).toPrecision(2).replace(".", "\\.")}\\u00a0% of those`),
  );
  assert.match(html, /0 to 100[^]*40[^]*A, B/);
});

test("says why there are no standard errors, for the mechanism of which it is true", () => {
  assert.match(card({ release, text, series }), /No standard errors are given/);
  const parts = [{ event: release.event, count: 3 }];
  assert.match(
    card({
      release: {
        ...release,
        event: {
          mechanism: "composition",
          adjacency: "add-remove",
          parts,
        } as unknown as Release["event"],
      },
      text,
      series,
    }),
    /No standard errors are given/,
  );
  const gaussian = {
    mechanism: "gaussian",
    adjacency: "add-remove",
    sensitivity: 1,
    sigma: 2,
  } as unknown as Release["event"];
  const perturbed = card({ release: { ...release, event: gaussian }, text, series });
  assert.doesNotMatch(perturbed, /No standard errors/);
  assert.match(perturbed, /added to each coefficient has standard deviation 2\./);
  assert.match(perturbed, /Output perturbation: /);
});

test("the noise of a hundred equal steps is one line", () => {
  const descent = {
    mechanism: "gradient-descent",
    adjacency: "add-remove",
    sensitivity: 1,
    sigmas: Array<number>(100).fill(3),
  } as unknown as Release["event"];
  const html = card({ release: { ...release, event: descent }, text, series });
  assert.match(html, /Gradient descent in 100 steps/);
  assert.match(html, /sigmas\[0…99\]<\/code><\/th><td class="number">3</);
  assert.doesNotMatch(html, /sigmas\[1\]/);
  assert.match(html, /No standard errors are given/);
});

test("a program made of a release says that its guarantee leaves something out", () => {
  const whole = { ...release, guarantee: { ...release.guarantee, covers: true, caveats: [] } };
  for (const language of Object.keys(languages) as (keyof typeof languages)[]) {
    assert.match(code(release, language), /does not cover everything: the release says/, language);
    assert.doesNotMatch(code(whole, language), /does not cover/, language);
  }
});

test("what is made of a release says that something was bought at a price of its own", () => {
  const bought = { ...release.schema.features[0]!, provenance: "bought" as const };
  const schema = { ...release.schema, features: [bought, ...release.schema.features.slice(1)] };
  const paid = { ...release, schema } as typeof release;
  const words = /bought from the same data, at a price that is not in this epsilon/;
  for (const language of Object.keys(languages) as (keyof typeof languages)[]) {
    assert.match(code(paid, language), words, language);
    assert.doesNotMatch(code(release, language), words, language);
  }
});

test("without curves there is no picture; with an evaluation there is one", () => {
  const html = card({ release, text, series: [] });
  assert.doesNotMatch(html, /id="curve"|any test for whether/);
  const interval = (estimate: number) => ({
    estimate,
    low: estimate - 0.01,
    high: estimate + 0.01,
  });
  const figures: Figures = {
    level: 0.95,
    epsilon: 0.5,
    adjacency: "add-remove",
    records: { estimate: 900, low: 890, high: 910 },
    accuracy: interval(0.83),
    table: [],
  };
  assert.match(
    card({ release, text, series, figures }),
    /at ε&nbsp;=&nbsp;0\.5 for those records, under adding or removing any one record\.[^]*95\u00a0%[^]*Predicted right<\/th><td class="number">83\u00a0%[^]*82\u00a0% to 84\u00a0%/,
  );
  // Its neighbours are its own, whatever the model's are.
  assert.match(
    card({ release, text, series, figures: { ...figures, adjacency: "replace-one" } }),
    /at ε&nbsp;=&nbsp;0\.5 for those records, under replacing any one record by another\./,
  );
});

test("categories that were bought are named with what they cost, delta included", () => {
  const purchase = { charge: "k", epsilon: 0.25, delta: 4e-7 };
  const [age, ward] = release.schema.features;
  const schema = {
    ...release.schema,
    version: 4 as const,
    features: [
      { ...(age as object), provenance: "public" },
      { ...(ward as object), provenance: "bought", purchase },
    ],
  } as typeof release.schema;
  const html = card({
    release: { ...release, schema, guarantee: { ...release.guarantee, covers: true, caveats: [] } },
    text,
    series,
  });
  assert.match(
    html,
    /Some categories were bought[^]*charge <code>k<\/code> at ε&nbsp;=&nbsp;0\.25 and δ&nbsp;=&nbsp;[^;]*4[^]*If that price is under adding or removing any one record, too,[^]*model and those categories together are covered at ε&nbsp;=&nbsp;1\.25 and δ&nbsp;=&nbsp;[^<]* \+ 4/,
  );
  assert.match(html, /public knowledge, or bought as said below/);
});

test("why an entry is public stands beside it, as text and only where it was said", () => {
  const [age, ward] = release.schema.features;
  const schema = {
    ...release.schema,
    version: 5 as const,
    features: [{ ...(age as object), reason: `code book ${evil}` }, ward],
    label: { ...release.schema.label, reason: "protocol, page 2" },
  } as typeof release.schema;
  const html = card({ release: { ...release, schema }, text, series });
  assert.match(html, /<th scope="col">Why this is public<\/th>/);
  assert.match(html, /<td>code book &lt;\/script&gt;[^<]*&lt;script&gt;/);
  assert.match(html, /Why this is public: protocol, page 2/);
  assert.match(html, /the word of whoever published it/);
  assert.doesNotMatch(html, /, or bought/, "the version alone says nothing of a purchase");
  assert.doesNotMatch(card({ release, text, series }), /Why this is public/);
});

test("a reason that all columns share stands once, above the table", () => {
  const because = (age: string, ward: string, label: string) => {
    const [first, second] = release.schema.features;
    const schema = {
      ...release.schema,
      version: 5 as const,
      features: [
        { ...(first as object), reason: age },
        { ...(second as object), reason: ward, provenance: "public" },
      ],
      label: { ...release.schema.label, reason: label },
    } as typeof release.schema;
    return card({ release: { ...release, schema }, text, series });
  };
  const book = "code book <2025>, page 4";
  const times = (html: string) => html.split("code book &lt;2025&gt;, page 4").length - 1;

  const all = because(book, book, book);
  assert.match(all, /<p>Why all of this is public: code book &lt;2025&gt;, page 4<\/p><div/);
  assert.equal(times(all), 1);
  assert.doesNotMatch(all, /<th scope="col">Why this is public/);

  const columns = because(book, book, "protocol, page 2");
  assert.match(columns, /<p>Why each column is public: code book &lt;2025&gt;, page 4<\/p><div/);
  assert.match(columns, /Why this is public: protocol, page 2/);
  assert.equal(times(columns), 1);

  const apart = because(book, "protocol, page 2", book);
  assert.match(apart, /<th scope="col">Why this is public<\/th>/);
  assert.equal(times(apart), 2, "in its row, and of the label");
});

test("bounds that were bought are named with their charge, and what they come to with the model", () => {
  const purchase = { charge: `c ${evil}`, epsilon: 0.25 };
  const [age, ward] = release.schema.features;
  const schema = {
    ...release.schema,
    version: 3 as const,
    features: [
      { ...(age as object), provenance: "bought", purchase },
      { ...(ward as object), provenance: "public" },
    ],
  } as typeof release.schema;
  const html = card({
    release: { ...release, schema, guarantee: { ...release.guarantee, covers: true, caveats: [] } },
    text,
    series,
  });
  assert.match(html, /public knowledge, or bought as said below/);
  assert.match(
    html,
    /by charge <code>c &lt;\/script&gt;[^]*at ε&nbsp;=&nbsp;0\.25[^]*together are covered at ε&nbsp;=&nbsp;1\.25/,
  );
  assert.match(html, /<span class="tag">bought<\/span>/);
  // The report and the model come to 1.2 by the accountant, and the bounds add 0.25.
  const inspected = { epsilon: 0.3, total: 1.2, delta: 1e-5, rho: 0.05 } as InspectedReport;
  const withReport = card({
    release: { ...release, schema, guarantee: { ...release.guarantee, covers: true, caveats: [] } },
    text,
    series,
    report: { inspected },
  });
  assert.match(
    withReport,
    /privacy report as well, all of it is covered at ε&nbsp;=&nbsp;1\.45 and δ&nbsp;=&nbsp;10/,
  );
  assert.doesNotMatch(html, /as well, all of it/);
  assert.doesNotMatch(html, /read from the data/);
  assert.doesNotMatch(card({ release, text, series }), /bought/);
});

test("the card says how its model was chosen, and that it is not stated where it is not", () => {
  const of = (choice?: Release["choice"]) =>
    card({ release: { ...release, ...(choice && { choice }) }, text: "{}", series: [] });
  assert.match(of(), /How it was chosen<\/h2>\s*<p>Not stated\. Ask whoever published it/);
  assert.match(
    of("only-model"),
    /states that this is the only model fitted to these records[^<]*word of whoever published it/,
  );
  assert.match(
    of("all-published"),
    /states that all models fitted to these records are published\. Then this model was not picked from others/,
  );
  assert.match(of("paid-figures"), /chosen from several models by what had been paid for/);
  assert.doesNotMatch(of("private-selection"), /word of whoever/);
});
