import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";

import type {
  AccountDescription,
  AccountResult,
  EstimateDescription,
  EstimateResult,
} from "../../src/client/types.ts";
import { look } from "../../src/chart/look.ts";
import { plot, plotText } from "../../src/chart/plot.ts";
import { plotAxis, roundedUp } from "../../src/chart/plot-axis.ts";
import { between, polyline } from "../../src/chart/shape.ts";
import { attributeTable, tables } from "../../src/elements/attribute-tables.ts";
import { AttributeError, inside } from "../../src/elements/attributes.ts";
import { alarmsAt, cuts, groundOf, lossAt, upperQuantile } from "../../src/curves/attack.ts";
import { described } from "../../src/curves/curve.ts";
import { curveSpec } from "../../src/elements/curve-spec.ts";
import { epsilonGrid, epsilonScope } from "../../src/curves/views.ts";
import { rough } from "../../src/curves/pricing.ts";
import { fieldOf, placeOf, TRACK, valueAt, withField } from "../../src/curves/slider.ts";
import { parseSliders, slider } from "../../src/elements/sliders.ts";
import { misspeltAttribute, unknownAttributes } from "../../src/elements/unknown-attributes.ts";
import { epsilonOnChord, missedAtLeast, missedAtMost } from "../../src/curves/tradeoff.ts";
import { worstAttributes } from "../../src/elements/worst-model.ts";

const attributes =
  (given: Record<string, string>) =>
  (name: string): string | null =>
    given[name] ?? null;

const gaussian = { mechanism: "gaussian", adjacency: "add-remove", sensitivity: "1", sigma: "2" };

describe("what a <privacy-curve> is asked", () => {
  test("the JSON inside says everything once", () => {
    assert.deepEqual(inside('{"event": {"sigma": 2}}'), { event: { sigma: 2 } });
    assert.throws(() => inside('{"event": {"sigma": 20, "sigma": 2}}'), /event\.sigma twice/);
    assert.throws(() => inside('{"event": '), /cannot be read/);
  });

  test("attributes are the event's fields", () => {
    const spec = curveSpec(
      attributes({
        mechanism: "subsampled-gaussian",
        adjacency: "add-remove",
        rate: "0.01",
        "noise-multiplier": "1",
        steps: "100",
      }),
      undefined,
    );
    assert.deepEqual(spec.curves[0]!.event, {
      mechanism: "subsampled-gaussian",
      adjacency: "add-remove",
      rate: 0.01,
      noise_multiplier: 1,
      steps: 100,
    });
    assert.equal(spec.delta, 1e-5);
  });

  test("count composes, and JSON gives several lines", () => {
    const spec = curveSpec(attributes({ ...gaussian, count: "3" }), {
      curves: [
        { label: "other", event: { mechanism: "pure-dp", adjacency: "add-remove", epsilon: 1 } },
      ],
    });
    assert.equal(spec.curves.length, 2);
    assert.equal(described(spec.curves[0]!.event), "Gaussian noise, σ = 2, 3 times");
    assert.equal(spec.curves[1]!.label, "other");
  });

  test("a comparison by Rényi divergence is a bound of objective perturbation and a method of all others", () => {
    assert.equal(
      curveSpec(attributes({ ...gaussian, compare: "rdp" }), undefined).curves[1]!.method,
      "rdp",
    );
    const objective = {
      mechanism: "objective-perturbation",
      adjacency: "add-remove",
      loss: "logistic",
      "row-norm": "1",
      lipschitz: "1",
      smoothness: "0.25",
      lambda: "1",
      sigma: "3",
    };
    assert.equal(
      curveSpec(attributes({ ...objective, compare: "rdp" }), undefined).curves[1]!.bound,
      "rdp",
    );
  });

  for (const [what, given, json, field] of [
    ["nothing", {}, undefined, "mechanism"],
    ["an unknown mechanism", { ...gaussian, mechanism: "gausian" }, undefined, "mechanism"],
    [
      "no adjacency",
      { mechanism: "gaussian", sensitivity: "1", sigma: "2" },
      undefined,
      "adjacency",
    ],
    ["an unknown adjacency", { ...gaussian, adjacency: "both" }, undefined, "adjacency"],
    ["text for a number", { ...gaussian, sigma: "two" }, undefined, "sigma"],
    ["an empty number", { ...gaussian, sigma: "" }, undefined, "sigma"],
    ["a δ of 1", { ...gaussian, delta: "1" }, undefined, "delta"],
    ["a view that is none", { ...gaussian, view: "all" }, undefined, "view"],
    ["views that are none", { ...gaussian, views: "delta all" }, undefined, "views"],
    ["an axis of no length", { ...gaussian, "epsilon-max": "0" }, undefined, "epsilon-max"],
    ["an axis of next to none", { ...gaussian, "epsilon-max": "5e-324" }, undefined, "epsilon-max"],
    ["an unknown comparison", { ...gaussian, compare: "best" }, undefined, "compare"],
    ["a slider without a range", { ...gaussian, sliders: "sigma" }, undefined, "sliders"],
    ["a slider backwards", { ...gaussian, sliders: "sigma 2..1" }, undefined, "sliders"],
    [
      "a slider of logarithms from 0",
      { ...gaussian, sliders: "sigma 0..1 log" },
      undefined,
      "sliders",
    ],
    ["a slider that moves nothing", { ...gaussian, sliders: "sgima 1..2" }, undefined, "sliders"],
    ["JSON of another kind", {}, { lines: [] }, "the JSON inside"],
    ["a curve without an event", {}, [{ label: "x" }], "the JSON inside, curves[0]"],
    [
      "a curve with an unknown field",
      {},
      [{ event: {}, colour: "red" }],
      "the JSON inside, curves[0]",
    ],
  ] as const) {
    test(`${what} is refused by name`, () => {
      assert.throws(
        () => curveSpec(attributes(given as Record<string, string>), json),
        (error: unknown) =>
          error instanceof AttributeError && error.field === field && error.message.endsWith("."),
      );
    });
  }
});

describe("sliders", () => {
  test("a place is a value and back, on both scales", () => {
    for (const one of [
      slider("sigma", 0.5, 10),
      slider("sigma", 0.5, 4),
      slider("steps", 1, 10000),
    ]) {
      assert.equal(valueAt(one, 0), one.from);
      assert.equal(valueAt(one, TRACK), one.to);
      for (const place of [37, 250, 411])
        assert.ok(Math.abs(placeOf(one, valueAt(one, place)) - place) <= 2 || one.whole);
    }
    assert.ok(Number.isInteger(valueAt(slider("steps", 1, 10000), 123)));
  });

  test("a wide range is logarithmic unless it is said otherwise", () => {
    assert.deepEqual(
      parseSliders("sigma 0.5..20; noise-multiplier 0.1..10 linear").map((s) => [s.field, s.log]),
      [
        ["sigma", true],
        ["noise_multiplier", false],
      ],
    );
  });

  test("paths reach into compositions", () => {
    const event = { parts: [{ event: { sigma: 1 }, count: 2 }] };
    assert.equal(fieldOf(event, "parts[0].event.sigma"), 1);
    assert.equal(fieldOf(event, "parts[1].event.sigma"), undefined);
    assert.deepEqual(withField(event, "parts[0].count", 5), {
      parts: [{ event: { sigma: 1 }, count: 5 }],
    });
    assert.equal(event.parts[0]!.count, 2);
  });
});

describe("the fast estimate", () => {
  test("is certified, if coarse, where a record is in few samples and the loss is far from normal", async () => {
    for (const [steps, count, certified] of [
      [100, 1, true],
      [100, 20, false],
      [1000, 1, false],
    ] as const) {
      const one = {
        mechanism: "subsampled-gaussian",
        adjacency: "add-remove",
        rate: 0.01,
        noise_multiplier: 1,
        steps,
      } as const;
      const event =
        count === 1
          ? one
          : ({
              mechanism: "composition",
              adjacency: "add-remove",
              parts: [{ event: one, count }],
            } as const);
      const asked: string[] = [];
      const drawn = {
        epsilon: Float64Array.from([0, 1]),
        logDelta: Float64Array.from([-1, -2]),
        estimatedLogDelta: Float64Array.from([-11, -13]),
      };
      const answer =
        (method: string) => async (description: AccountDescription | EstimateDescription) => {
          asked.push(`${method} ${description.method} ${description.accuracy}`);
          return { epsilon: 0.7, curve: drawn } as unknown as AccountResult & EstimateResult;
        };
      const accountant = { account: answer("account"), estimate: answer("estimate") };
      const priced = await rough(
        accountant,
        { label: "", event },
        [0, 1],
        { delta: Math.exp(-12), logFloor: -18, accuracy: undefined },
        {},
      );
      assert.deepEqual(asked, [certified ? "account undefined 0.1" : "estimate rdp undefined"]);
      assert.deepEqual(priced.logDelta, certified ? [-1, -2] : [-11, -13]);
      assert.ok(Math.abs(priced.epsilonAtDelta - (certified ? 0.7 : 0.5)) < 1e-12);
      assert.ok(priced.rough);
    }
  });
});

describe("trade-offs", () => {
  const epsilon = Array.from({ length: 801 }, (_, i) => i / 100);
  // Gaussian, μ = 1: f(α) = Φ(Φ⁻¹(1 − α) − 1). By mpmath: f(0.05) = Φ(0.6448536…) and f(0.5) =
  // Φ(−1).
  const known = [
    [0.05, 0.7404885326],
    [0.5, 0.1586552539],
  ] as const;
  const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  /** Φ by Simpson's rule from −12. */
  const normal = (x: number) => {
    const n = 4000;
    const h = (x + 12) / n;
    let sum = density(-12) + density(x);
    for (let i = 1; i < n; i++) sum += (i % 2 ? 4 : 2) * density(-12 + i * h);
    return (sum * h) / 3;
  };
  const logDelta = epsilon.map((e) =>
    Math.log(Math.max(1e-300, normal(0.5 - e) - Math.exp(e) * normal(-0.5 - e))),
  );

  test("of the Gaussian mechanism are its own, from below and from above", () => {
    for (const [alpha, beta] of known) {
      const least = missedAtLeast(alpha, epsilon, logDelta);
      const most = missedAtMost(alpha, epsilon, logDelta);
      assert.ok(least <= beta + 1e-9 && least > beta - 1e-4, `${least}`);
      assert.ok(most >= beta - 1e-9 && most < beta + 0.01, `${most}`);
    }
  });

  test("ε on a chord is never below the curve's, and near it", () => {
    const coarse = epsilon.filter((_, i) => i % 10 === 0);
    const heights = logDelta.filter((_, i) => i % 10 === 0);
    for (const i of [13, 57, 123, 301]) {
      const read = epsilonOnChord(coarse, heights, logDelta[i]!);
      assert.ok(
        read >= epsilon[i]! - 1e-9 && read < epsilon[i]! + 0.01,
        `${read} for ${epsilon[i]}`,
      );
    }
    assert.equal(epsilonOnChord(coarse, heights, -1000), Infinity);
  });
});

describe("attacks", () => {
  // A curve with a closed form: randomised response at ε = 1, δ(ε) = [1 − e^{ε−1}]₊/(1 + e).
  const epsilon = Array.from({ length: 101 }, (_, i) => i / 100);
  const logDelta = epsilon.map((e) => Math.log(Math.max(0, (Math.E - Math.exp(e)) / (1 + Math.E))));

  test("the corners are those of randomised response: one, and its mirror image", () => {
    for (const { alarms, found } of cuts(epsilon, logDelta)) {
      // All pieces of the curve meet in the one corner (1, e)/(1 + e).
      assert.ok(
        Math.abs(alarms - 1 / (1 + Math.E)) < 1e-9 &&
          Math.abs(found - Math.E / (1 + Math.E)) < 1e-9,
        `${alarms}, ${found}`,
      );
    }
  });

  test("corners rise, and their likelihood ratios fall", () => {
    const all = cuts(
      epsilon,
      epsilon.map((e) => Math.log(0.1) - 2 * e - e * e),
    );
    assert.ok(all.length > 100);
    for (let i = 1; i < all.length; i++)
      assert.ok(all[i]!.alarms >= all[i - 1]!.alarms && all[i]!.loss <= all[i - 1]!.loss + 1e-12);
    const places = all.map(({ alarms }) => upperQuantile(alarms));
    assert.equal(lossAt(places, all, 40), all[0]!.loss);
    assert.equal(lossAt(places, all, -40), all.at(-1)!.loss);
  });

  test("quantiles are the tables'", () => {
    for (const [p, z] of [
      [0.5, 0],
      [0.05, 1.6448536269514722],
      [0.001, 3.090232306167813],
      [0.975, -1.959963984540054],
    ] as const)
      assert.ok(Math.abs(upperQuantile(p) - z) < 1e-8);
    const laplace = groundOf({
      mechanism: "laplace",
      adjacency: "add-remove",
      sensitivity: 1,
      scale: 1,
    });
    assert.ok(Math.abs(alarmsAt(laplace, Math.log(5)) - 0.1) < 1e-12);
  });
});

describe("plots", () => {
  test("an axis of logarithms has one notation", () => {
    assert.deepEqual(
      plotAxis({ kind: "log", domain: [-8, 0], title: "" }, [300, 30], 42).ticks.map(
        (t) => t.label,
      ),
      ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "1"],
    );
    assert.deepEqual(
      plotAxis({ kind: "log", domain: [-1, 2], title: "" }, [0, 300], 76).ticks.map((t) => t.label),
      ["0.1", "1", "10", "100"],
    );
  });

  test("axes end at round numbers, not below what is asked", () => {
    for (const x of [0.0123, 0.9, 2.71, 37, 999, 1e6])
      assert.ok(roundedUp(x) >= x && roundedUp(x) <= 1.25 * x);
  });

  test("the grid of ε has the marked one exactly", () => {
    for (const log of [false, true]) {
      const grid = epsilonGrid({ epsilon: [log ? 0.01 : 0, 4], log }, 200, 1 / 3);
      assert.equal(grid[0], 0);
      assert.ok(grid.includes(1 / 3));
      assert.deepEqual(
        grid,
        [...new Set(grid)].sort((a, b) => a - b),
      );
    }
  });

  test("lines far apart get a logarithmic axis", () => {
    assert.equal(epsilonScope([2, 3], [1, 1.5], { scale: "auto", max: undefined }).log, false);
    assert.equal(epsilonScope([2, 300], [1, 150], { scale: "auto", max: undefined }).log, true);
  });

  test("paths begin anew after a gap, and bands leave it out", () => {
    assert.equal(polyline([0, 1, 2, 3], [0, 1, Number.NaN, 3]), "M0,0L1,1M3,3");
    assert.equal(between([0, 1, 2], [0, Number.NaN, 0], [1, 1, 1]), "M0,0L2,0L2,1L0,1Z");
    assert.equal(polyline([0, 1], [0, Infinity]), "M0,0L1,100000");
  });

  test("a picture for a page needs no style sheet and no script, and escapes what it is given", () => {
    const picture = plotText(
      plot({
        size: { width: 400, height: 300 },
        x: { kind: "linear", domain: [0, 1], title: "<x>" },
        y: { kind: "log", domain: [-5, 0], title: "y" },
        lines: [{ x: [0, 1], y: [0, -4], other: [0, -5], tone: 1 }],
        mark: { x: 0.5, y: -2, label: "here" },
      }),
      'a "plot"',
    );
    assert.doesNotMatch(picture, /<style|<script|style=|<x>|NaN/);
    assert.match(picture, /aria-label="a &quot;plot&quot;"/);
    assert.match(picture, /class="line tone-1" d="M[\d.,L]+"/);
    assert.match(
      picture,
      new RegExp(`stroke="${look("line tone-1").stroke!.replace(/[()]/g, "\\$&")}"`),
    );
  });
});

describe("the attributes' tables", () => {
  const folder = new URL("../../../site/src/elements/", import.meta.url);

  test("stand in README.md as the code has them", () => {
    const file = new URL("README.md", folder);
    const text = readFileSync(file, "utf8");
    const heading = "## Attributes\n";
    const head = text.slice(0, text.indexOf(heading) + heading.length);
    const written = Object.entries(tables).map(
      ([name, attributes]) => `\n### \`<${name}>\`\n\n${attributeTable(attributes)}\n`,
    );
    const wanted = head + written.join("");
    if (process.env.CLOISTER_UPDATE) writeFileSync(file, wanted);
    else assert.equal(text, wanted, "write it anew with CLOISTER_UPDATE=1");
  });

  test("hold every attribute that the code reads", () => {
    // <worst-data> is the documentation's own, and not in the tables for authors.
    const known = new Set(
      [...Object.values(tables), worstAttributes].flatMap((list) => list.map(({ name }) => name)),
    );
    let read = 0;
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".ts"))) {
      const source = readFileSync(new URL(file, folder), "utf8");
      for (const [, name = ""] of source.matchAll(
        /(?:this\.getAttribute|(?<![.\w])get|(?:choice|choices|number)Of)\((?:get, )?"([\w-]+)"/g,
      )) {
        assert.ok(known.has(name), `${file} reads ${name}`);
        read++;
      }
    }
    assert.ok(read > 20);
  });

  test("name each attribute once", () => {
    for (const [element, list] of Object.entries(tables))
      assert.equal(new Set(list.map(({ name }) => name)).size, list.length, element);
  });
});

describe("attributes that an element does not have", () => {
  const known = tables["privacy-curve"]!.map(({ name }) => name);
  const told = (...names: string[]) =>
    unknownAttributes(names, known, (name) => ["title", "hidden", "lang"].includes(name));

  test("are named with the nearest that it has", () => {
    assert.equal(
      told("sigma", "complare"),
      "“complare” is not an attribute of it; the nearest is “compare”.",
    );
    assert.match(told("sigm"), /“sigma”/);
    assert.match(told("noise_multiplier"), /“noise-multiplier”/);
    assert.match(told("epsilonmax", "slider"), /“epsilon-max”\. “slider” .* “sliders”\.$/);
  });

  test("are mistakes where they are a letter or two off, and else may be another script's", () => {
    const slip = (name: string) => misspeltAttribute([name], known, () => false)?.message;
    assert.equal(slip("lamda"), "lamda is not an attribute of it: “lambda” is.");
    assert.match(slip("mechansim")!, /“mechanism”/);
    assert.match(slip("noise_multiplier")!, /“noise-multiplier”/);
    for (const name of [
      "reveal",
      "animate",
      "src",
      "value",
      "bound",
      "w",
      "x-show",
      "hx-get",
      "uk-grid",
    ])
      assert.equal(slip(name), undefined, name);
  });

  test("are not those of HTML, of the page's own, and of frameworks", () => {
    assert.equal(
      told(
        ...known,
        "title",
        "hidden",
        "lang",
        "class",
        "role",
        "tabindex",
        "part",
        "aria-label",
        "data-x",
        "onclick",
        "itemprop",
        "v-cloak",
        "_ngcontent-a",
        "@click",
        "xml:lang",
        "ready",
      ),
      "",
    );
  });
});
