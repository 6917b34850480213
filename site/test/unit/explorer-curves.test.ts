// Crossings against known answers; the presets' numbers against values from elsewhere.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";

import {
  brackets,
  closedIn,
  type Crossing,
  crossings,
  inWords,
} from "../../src/pages/explorer/crossings.ts";
import {
  type KindName,
  kindNames,
  noiseOf,
  noises,
  together,
} from "../../src/pages/explorer/mechanisms.ts";
import { foundPlaces } from "../../src/pages/explorer/found.ts";
import type { Line, Picture } from "../../src/pages/explorer/lines.ts";
import { load, pictureOf } from "../../src/pages/explorer/picture.ts";
import { presets, stateOf } from "../../src/pages/explorer/presets.ts";
import { divergences, epsilonAt, logDeltas } from "../../src/pages/explorer/price.ts";
import { curve, plain, type State, valuesOf } from "../../src/pages/explorer/state.ts";
import { theorems } from "../../src/pages/explorer/theorems.ts";

const grid = (from: number, to: number, n: number): number[] =>
  Array.from({ length: n + 1 }, (_, i) => from + ((to - from) * i) / n);
const found = (
  a: (x: number) => number,
  b: (x: number) => number,
  xs: number[],
  grain = 0,
): Promise<Crossing[]> =>
  crossings(
    xs,
    xs.map(a),
    xs.map(b),
    (at) => Promise.resolve(at.map(a)),
    (at) => Promise.resolve(at.map(b)),
    { grain },
  );

describe("crossings", () => {
  test("of a line and a parabola", async () => {
    const [one, ...more] = await found(
      (x) => x * x,
      (x) => x,
      grid(0.1, 3, 17),
    );
    assert.equal(more.length, 0);
    assert.ok(Math.abs(one!.x - 1) < 1e-6);
    assert.deepEqual([one!.kind, one!.smaller], ["cross", "first"]);
  });

  test("of a sine and zero, at every multiple of π", async () => {
    const places = await found(Math.sin, () => 0, grid(0.5, 10, 41));
    assert.deepEqual(
      places.map(({ smaller }) => smaller),
      ["second", "first", "second"],
    );
    places.forEach(({ x }, i) => assert.ok(Math.abs(x - (i + 1) * Math.PI) < 1e-5));
  });

  test("that lie on a sample are one crossing; a touch is none", async () => {
    assert.equal(
      (
        await found(
          (x) => x - 1,
          () => 0,
          grid(0, 2, 4),
        )
      ).length,
      1,
    );
    assert.equal(
      (
        await found(
          (x) => (x - 1) ** 2,
          () => 0,
          grid(0, 2, 4),
        )
      ).length,
      0,
    );
  });

  test("of curves that are the same from somewhere on, or up to there", async () => {
    const [meet] = await found(
      (x) => Math.max(0, 2 - x) ** 2 + x,
      (x) => x,
      grid(0, 5, 23),
    );
    assert.deepEqual([meet!.kind, meet!.smaller], ["meet", "second"]);
    assert.ok(Math.abs(meet!.x - 2) < 2e-3, `${meet!.x}: a parabola leaves its tangent slowly`);
    const [part] = await found(
      (x) => Math.max(x, 3),
      () => 3,
      grid(0, 5, 23),
    );
    assert.deepEqual([part!.kind, part!.smaller], ["part", "second"]);
    assert.ok(Math.abs(part!.x - 3) < 1e-5);
  });

  test("are not looked for where one curve is not", () => {
    assert.deepEqual(
      brackets([0, 1, 2, 3], [0, Number.NaN, Number.NaN, 5], [1, 1, 1, Number.NaN]),
      [],
    );
    assert.equal(brackets([0, 1, 2], [0, Infinity, Infinity], [1, Infinity, 1]).length, 1);
  });

  test("of a whole number are whole", async () => {
    const [one] = await found(
      (x) => x * x,
      () => 40,
      [1, 3, 9, 27],
      1,
    );
    assert.equal(one!.x, 7, "the first whole number at which the order is the other one");
  });

  test("stay where they are when nothing lies between", async () => {
    const one = await closedIn(
      { from: 4, to: 5, left: -1, right: 1 },
      () => Promise.reject(new Error("asked")),
      () => Promise.reject(new Error("asked")),
      { grain: 1 },
    );
    assert.equal(one!.x, 5);
  });

  // Two Laplace mechanisms to the page, and to this accountant e^−1−ε, from `at` on ε − at less for
  // the second.
  for (const [what, at, places] of [
    ["a parting early in a wide window is said", 0.9, 1],
    ["a parting next to 0 is not", 3e-9, 0],
  ] as const)
    test(what, async () => {
      const logDelta = (scale: number, epsilon: number) =>
        -1 - epsilon - (scale === 1 ? 0 : Math.max(0, epsilon - at));
      type Asked = { event: { scale: number }; curve: readonly number[] };
      const accountant = {
        account: ({ event, curve }: Asked) =>
          Promise.resolve({ curve: { logDelta: curve.map((e) => logDelta(event.scale, e)) } }),
      } as unknown as Parameters<typeof foundPlaces>[0];
      const epsilon = grid(0, 1000, 200);
      const state: State = {
        ...plain,
        preset: "",
        curves: [1, 0.5].map((single, i) => curve("vote.laplace", i + 1, { single })),
      };
      const lines = state.curves.map((one, i) => ({
        at: i,
        kind: one.kind,
        name: `line ${i}`,
        tone: one.tone,
        floor: false,
        values: valuesOf(state, one),
        priced: { epsilon, logDelta: epsilon.map((e) => logDelta(i + 1, e)) },
        rough: false,
      }));
      const picture = { state, lines, along: [], logFloor: -3000 } as unknown as Picture;
      const said = await foundPlaces(accountant, picture, () => false);
      assert.equal(said!.length, places);
      for (const { kind, x } of said!) {
        assert.equal(kind, "part");
        assert.ok(Math.abs(x - at) < 1e-4, `at ${x}`);
      }
    });

  test("are said with every name on its side", () => {
    assert.equal(
      inWords("cross", ["A", "B"], ["C"], "ε", "1.20"),
      "Below ε = 1.20 “A” and “B” are the smaller, above it “C”.",
    );
    assert.equal(
      inWords("meet", ["A"], ["B"], "ε", "1.20"),
      "From ε = 1.20 on, “B” and “A” are the same; before, “A” is the smaller.",
    );
    assert.equal(
      inWords("part", ["A"], ["B"], "T", "1"),
      "Up to T = 1, “A” and “B” are the same; after it “A” is the smaller.",
    );
  });
});

describe("formulas of the page's own", () => {
  test("a schedule falls as Fay et al., Proposition 3, say", () => {
    const strong = noises("strong", { start: 8, steps: 5, condition: 10 });
    assert.equal(strong[0], 8);
    for (let t = 1; t < 5; t++)
      assert.ok(Math.abs(strong[t]! ** 2 / strong[t - 1]! ** 2 - (1 - 1 / 20)) < 1e-12);
    assert.deepEqual(noises("convex", { start: 8, steps: 4, condition: 10 }), [8, 4, 8 / 3, 2]);
    assert.ok(
      Math.abs(together(noises("constant", { start: 10, steps: 25, condition: 1 })) - 0.5) < 1e-15,
    );
  });

  test("noise of all steps put together", () => {
    const v = { ...plain.shared, sigma: 3, times: 4, noise: 2, rate: 0.1, steps: 25, start: 10 };
    assert.equal(noiseOf("op.logistic", v), 1.5);
    assert.equal(noiseOf("sgd", v), 4);
    assert.ok(Math.abs(noiseOf("gd.constant", v) - 2) < 1e-15);
  });

  test("every kind of curve has its theorem", () => {
    for (const kind of kindNames)
      assert.ok(theorems[kind].statement.length > 0 && theorems[kind].source, kind);
  });
});

const wasm = new URL("../../../site/dist/curves.wasm", import.meta.url);

describe(
  "numbers of the presets",
  { skip: existsSync(wasm) ? false : "curves.wasm is not built" },
  () => {
    let client: Awaited<ReturnType<typeof load>>;
    before(async () => void (client = await load({ wasmURL: wasm })));
    after(() => client?.terminate());
    const of = (id: string): State => stateOf(presets.find((one) => one.id === id)!);
    const accountant = (): Parameters<typeof logDeltas>[0] =>
      client as unknown as Parameters<typeof logDeltas>[0];

    async function delta(id: string, at: number, epsilon: number): Promise<number> {
      const state = of(id);
      const one = state.curves[at]!;
      return Math.exp(
        (
          await logDeltas(accountant(), one.kind, valuesOf(state, one), [epsilon], undefined, {})
        )[0]!,
      );
    }
    const near = (got: number, expected: number, relative: number, what: string) =>
      assert.ok(Math.abs(got / expected - 1) < relative, `${what}: ${got}, not ${expected}`);

    // Formulas of core/account/theory.md §3 in double precision with the system's erfc, orders
    // scanned in steps of 0.05 %.
    for (const [id, epsilon, floor, profile, rdp, kifer] of [
      [
        "figure-1-left",
        0.75,
        6.092435848499187e-6,
        3.388642069153001e-5,
        0.00012802935186381975,
        0.5017439649198777,
      ],
      [
        "figure-1-left",
        1,
        1.754633331896146e-8,
        1.311889553052105e-7,
        6.312853257750549e-7,
        0.1448795140685029,
      ],
      [
        "figure-1-right",
        0.5,
        6.8565824558383895e-9,
        0.00019398467643651218,
        0.0006221145567305983,
        0.1128322790075547,
      ],
      [
        "figure-1-right",
        0.75,
        5.980306161195457e-16,
        3.1830110841675163e-9,
        1.6742929313567908e-8,
        0.002571919377208418,
      ],
    ] as const) {
      test(`${id} at ε = ${epsilon}`, async () => {
        near(await delta(id, 1, epsilon), profile, 1e-6, "Theorem 3.1");
        near(await delta(id, 2, epsilon), rdp, 1e-4, "Theorem 3.2");
        near(await delta(id, 3, epsilon), kifer, 1e-8, "Kifer et al.");
        near(await delta(id, 4, epsilon), floor, 1e-6, "the floor");
        const ours = await delta(id, 0, epsilon);
        assert.ok(ours < profile && ours > floor);
      });
    }

    // δ′ + G(ε; √(1/σ² + 1/σ_t²)) from the normal distribution's tails, to 40 digits.
    for (const [epsilon, ...deltas] of [
      [0.5, 0.004562359727214842, 0.0046613597272148425, 0.009696567416112236],
      [1, 1.4264276467691083e-5, 0.00011326427646769109, 0.00010843131077555944],
      [1.5, 1.0018610416881742e-6, 0.00010000186104168818, 1.1299278927453957e-6],
    ] as const) {
      test(`a test is paid for at ε = ${epsilon}`, async () => {
        for (const [at, expected] of deltas.entries())
          near(await delta("tested", at, epsilon), expected, 1e-6, `curve ${at}`);
        const untested = await delta("tested", 3, epsilon);
        assert.ok(deltas.every((one) => one > untested));
      });
    }

    // The least δ′ + exp((a − 1)(R − ε + log(1 − 1/a)))/a, R = B + a/(2σ_t²), of 200,000 orders a
    // up to α: a divergence of order α bounds those of smaller ones.
    for (const [epsilon, narrow, wide] of [
      [0.6, 2.1127583206830316e-6, 0.015653818305766645],
      [1, 2.0000013139029413e-6, 9.583708647271358e-5],
    ] as const) {
      test(`labels after a test are paid for at ε = ${epsilon}`, async () => {
        near(await delta("pate", 0, epsilon), narrow, 1e-6, "teachers who agree");
        near(await delta("pate", 1, epsilon), wide, 1e-6, "teachers who agree less");
      });
    }

    test("labels by teachers: 0.45 where they agree, 1.993 whatever they say", async () => {
      const state = of("pate");
      const epsilons = await Promise.all(
        state.curves.map((one) =>
          epsilonAt(accountant(), one.kind, valuesOf(state, one), 1e-5, {}),
        ),
      );
      assert.ok(epsilons[0]! <= 0.45 && epsilons[0]! > 0.445, `${epsilons[0]}`);
      near(epsilons[2]!, 1.993, 5e-4, "no test");
    });

    // Noisy min, and discrete Laplace noise on a count, have exactly the profile of a coin that
    // tells the truth with probability p = e^ε₀/(1 + e^ε₀); ten are ten coins.
    test("scorecards cost what coins do, and ten with Gumbel noise 0.62", async () => {
      const coins = (count: number, e0: number, epsilon: number): number => {
        const p = Math.exp(e0) / (1 + Math.exp(e0));
        let [sum, ways] = [0, 1];
        for (let i = count; i >= 0; i--) {
          const gain = Math.max(0, 1 - Math.exp(epsilon - (2 * i - count) * e0));
          sum += ways * p ** i * (1 - p) ** (count - i) * gain;
          ways *= i / (count - i + 1);
        }
        return sum;
      };
      near(await delta("cards", 0, 0.05), coins(1, 0.1, 0.05), 1e-9, "one card");
      near(await delta("cards", 2, 0.5), coins(1, 1, 0.5), 1e-9, "noisy cells");
      const state = of("cards");
      const ten = (at: number) => ({ ...valuesOf(state, state.curves[at]!), times: 10 });
      const [log] = await logDeltas(accountant(), "card.min", ten(0), [0.7], undefined, {});
      near(Math.exp(log!), coins(10, 0.1, 0.7), 1e-6, "ten cards");
      const epsilons = await Promise.all(
        state.curves.map((one, at) => epsilonAt(accountant(), one.kind, ten(at), 1e-5, {})),
      );
      near(epsilons[0]!, 0.9937, 1e-4, "geometric");
      near(epsilons[1]!, 0.6157, 1e-4, "Gumbel");
      near(epsilons[2]!, 1, 1e-4, "noisy cells");
      const replaced = { ...valuesOf(state, state.curves[2]!), adjacency: "replace-one" } as const;
      near(
        Math.exp((await logDeltas(accountant(), "card.cells", replaced, [0.5], undefined, {}))[0]!),
        coins(2, 0.5, 0.5),
        1e-6,
        "noisy cells, a record replaced",
      );
    });

    test("the best vote is never wrong at a gap of 100, and the other as seldom as is said", async () => {
      const { single, failure } = valuesOf(of("vote"), of("vote").curves[0]!);
      let wrong = 0.5;
      for (let gap = 1; gap <= 100; gap++)
        wrong = Math.max(
          0,
          1 - Math.exp(single) * (1 - wrong) - failure,
          Math.exp(-single) * (wrong - failure),
        );
      assert.equal(wrong, 0);
      const { single: laplace } = valuesOf(of("vote"), of("vote").curves[1]!);
      const seldom = ((2 + 100 * laplace) * Math.exp(-100 * laplace)) / 4;
      assert.ok(seldom <= 1e-13 && seldom > 0.9e-13, `${seldom}`);
      near(await delta("vote", 0, 0.11), 1e-6, 1e-9, "the best vote at its own ε");
      assert.ok((await delta("vote", 1, 0.3211)) < 1e-200);
    });

    // E[1 − e^(ε − s)]₊ by Simpson's rule, s = k(c + μ²/2) + μ·Σ|Nᵢ|, the density of |N₁| + |N₂|
    // being 2/√π·e^(−t²/4)·erf(t/2).
    for (const [epsilon, one, two] of [
      [0.5, 6.597396033452276e-5, 0.016788748058659368],
      [0.8, 8.225158552205549e-10, 0.0001059530424493942],
      [1.1, 4.406829583029412e-17, 4.986311922334838e-8],
    ] as const) {
      test(`figure-4 at ε = ${epsilon}`, async () => {
        near(await delta("figure-4", 0, epsilon), one, 1e-5, "k = 1");
        near(await delta("figure-4", 2, epsilon), two, 0.05, "k = 2, certified from above");
        assert.ok((await delta("figure-4", 2, epsilon)) >= two * (1 - 1e-6));
        assert.ok((await delta("figure-4", 3, epsilon)) > two, "the Rényi bound lies above");
      });
    }

    // Theorem 3.2 in double precision; the sampled Gaussian's divergence by Simpson's rule over
    // E[(1 − q + q·e^((2x−1)/(2σ²)))^α].
    for (const [id, at, alpha, expected] of [
      ["figure-3-b", 0, 2, 0.7797893510048644],
      ["figure-3-b", 0, 100, 1.200148667232268],
      ["figure-3-b", 1, 10, 0.10441473008935538],
      ["figure-3-b", 2, 10, 0.05],
      ["figure-3-c", 0, 10, 5.097219060713069],
      ["figure-5-a", 0, 1000, 0.10198713540913211],
      ["figure-5-a", 1, 2, 0.00010049662083055917],
      ["figure-5-a", 1, 400, 0.03597836503433143],
      ["figure-5-b", 1, 100, 0.03331962858027191],
    ] as const) {
      test(`${id}, line ${at}, at order ${alpha}`, async () => {
        const state = of(id);
        const one = state.curves[at]!;
        const [got] = await divergences(accountant(), one.kind, valuesOf(state, one), [alpha], {});
        near(got!, expected, 1e-7, one.kind);
      });
    }

    /** What a picture shows of the line of a kind. */
    const line = (picture: Picture, kind: KindName): Line =>
      picture.lines.find((one) => one.kind === kind)!;

    // G(1; 1/3.7) with 50 digits; Theorem 3.1 in closed form.
    test("the default lies on the floor from ε = 1/λ − 1/(2σ²) on", async () => {
      const state = { ...of("no-overhead"), shared: { ...plain.shared, sigma: 3.7 } };
      const [ours, theorem, , , floor] = state.curves;
      const at = async (one: typeof ours) =>
        Math.exp(
          (await logDeltas(accountant(), one!.kind, valuesOf(state, one!), [1], undefined, {}))[0]!,
        );
      near(await at(ours), 1.145608783904888e-5, 1e-9, "ours");
      near(await at(floor), 1.145608783904888e-5, 1e-9, "the floor");
      assert.ok((await at(theorem)) > 7e-4);
      const picture = await pictureOf(state, accountant());
      const [place] = picture.places!;
      assert.equal(place!.kind, "meet");
      near(place!.x, 1 - 1 / (2 * 3.7 ** 2), 1e-3, "where it meets");
    });

    test("lines that are one at ε = 0 are not said to part there", async () => {
      const from = of("regulariser");
      const curves = from.curves.filter(({ kind }) => kind === "op.control" || kind === "floor");
      const { places } = await pictureOf(
        { ...from, view: "delta", curves, span: [0, 1.8] },
        accountant(),
      );
      assert.deepEqual(
        places!.map(({ kind }) => kind),
        ["meet"],
      );
    });

    test("under an equal budget every line meets the promise, and noise is the least for ours", async () => {
      const picture = await pictureOf(of("equal-budget"), accountant());
      for (const { priced, name } of picture.lines)
        assert.ok(
          priced!.epsilonAtDelta <= 1 + 1e-9 && priced!.epsilonAtDelta > 0.999,
          `${name}: ${priced!.epsilonAtDelta}`,
        );
      const noise = (kind: KindName) => noiseOf(kind, line(picture, kind).values) / picture.least;
      // σ of Balle & Wang's Algorithm 1 at (1, 10⁻⁵) is 3.7306.
      near(picture.least, 3.7306, 1e-4, "σ of the Gaussian mechanism");
      near(noise("op.logistic"), 1, 1e-6, "ours");
      near(noise("gd.strong"), 1, 1e-6, "descent");
      assert.ok(noise("op.profile") > 1.4 && noise("sgd") > 1.05);
      // As without a budget: 1/λ − 1/(2σ²), which people read to three digits.
      const [place, next] = picture.places!;
      assert.deepEqual(
        [
          place!.kind,
          place!.upper.map(({ kind }) => kind),
          place!.lower.map(({ kind }) => kind).sort(),
        ],
        ["meet", ["op.logistic"], ["gauss", "gd.strong"]],
      );
      near(place!.x, 1 - 1 / (2 * picture.least ** 2), 4e-4, "where ours comes to the floor");
      near(next!.x, 1, 1e-6, "where all keep the promise");
    });

    // G(ε; μ) = 10⁻⁵ solved by halving, μ² = Σ 1/σₜ², in double precision.
    test("schedules cost what one Gaussian mechanism does", async () => {
      const picture = await pictureOf(of("schedules"), accountant());
      const at = picture.along.indexOf(200);
      near(line(picture, "gd.constant").y![at]!, 0.49697536391469815, 1e-7, "constant");
      near(line(picture, "gd.strong").y![at]!, 0.6673723570334861, 1e-7, "falling");
      assert.ok(line(picture, "gd.zcdp").y![at]! > 0.6674);
    });

    test("what λ costs ends at the floor", async () => {
      const picture = await pictureOf(of("regulariser"), accountant());
      const place = picture.places!.find(
        ({ kind, lower }) => kind === "meet" && lower.some(({ floor }) => floor),
      )!;
      const epsilon = line(picture, "floor").y![0]!;
      near(place.x, 1 / (epsilon + 1 / (2 * 3.73 ** 2)), 2e-3, "λ");
    });

    const oneReplaced = (state: State): State => ({
      ...state,
      shared: { ...state.shared, adjacency: "replace-one" },
    });

    // The least of δ(ε₁) + e^ε₁·δ(ε − ε₁) over 400,001 places of ε₁, δ by Theorem 3.1's formula in
    // double precision.
    for (const [id, epsilon, expected] of [
      ["figure-1-left", 1.5, 9.717931443880691e-5],
      ["figure-1-right", 1, 0.0004947604914656398],
    ] as const) {
      test(`${id} at ε = ${epsilon}, where a record is replaced`, async () => {
        const state = oneReplaced(of(id));
        const at = async (i: number) =>
          Math.exp(
            (
              await logDeltas(
                accountant(),
                state.curves[i]!.kind,
                valuesOf(state, state.curves[i]!),
                [epsilon],
                undefined,
                {},
              )
            )[0]!,
          );
        near(await at(1), expected, 1e-5, "Theorem 3.1");
        const [ours, floor] = [await at(0), await at(4)];
        assert.ok(ours < expected && ours > floor);
      });
    }

    test("where a record is replaced, a sum moves by 2, and what is not priced says so", async () => {
      const picture = await pictureOf(oneReplaced(of("equal-budget")), accountant());
      near(picture.least, 2 * 3.7306, 1e-4, "σ of the Gaussian mechanism");
      near(noiseOf("gd.strong", line(picture, "gd.strong").values), picture.least, 1e-6, "descent");
      assert.ok(noiseOf("op.logistic", line(picture, "op.logistic").values) > picture.least);
      assert.match(line(picture, "sgd").problem!, /not where one is replaced/);
      for (const { name, priced, problem } of picture.lines)
        assert.ok(problem ?? priced!.epsilonAtDelta <= 1 + 1e-9, name);
      // Two Gaussian mechanisms in a row lose nothing by the best split: ours comes to the floor.
      const { places } = await pictureOf(oneReplaced(of("no-overhead")), accountant());
      assert.deepEqual(
        places!
          .filter(({ lower }) => lower.some(({ floor }) => floor))
          .map(({ kind, upper }) => [kind, upper.map((one) => one.kind)]),
        [["meet", ["op.logistic"]]],
      );
      // Along the number of runs, points that are not priced are left out.
      const runs = await pictureOf(
        {
          ...oneReplaced(of("no-overhead")),
          view: "sweep",
          over: "times",
          span: [1, 3],
          curves: [curve("op.logistic", 1), curve("op.rdp", 2), curve("gauss", 3)],
        },
        accountant(),
      );
      assert.deepEqual(
        runs.lines.map(({ y }) => y!.map(Number.isNaN)),
        [
          [false, true, true],
          [false, false, false],
          [false, false, false],
        ],
      );
    });

    // δ(ε) of the step is that of the minimiser, meant over a normal loss of mean μ²/2 and variance
    // μ², μ = 2τ/(λσ_out): by the trapezoidal rule over ±7 deviations.
    test("the output step is a Gaussian mechanism after objective perturbation", async () => {
      const values = { ...plain.shared, tau: 0.01, out: 0.15 };
      const mu = (2 * values.tau) / (values.lambda * values.out);
      const nodes = Array.from({ length: 281 }, (_, i) => (i - 140) / 20);
      const inner = await logDeltas(
        accountant(),
        "op.logistic",
        values,
        nodes.map((z) => 1.5 - (mu * mu) / 2 - mu * z),
        undefined,
        {},
      );
      const mean = nodes.reduce(
        (sum, z, i) => sum + Math.exp(inner[i]! - (z * z) / 2) / 20 / Math.sqrt(2 * Math.PI),
        0,
      );
      const [step] = await logDeltas(accountant(), "op.amp", values, [1.5], undefined, {});
      near(Math.exp(step!), mean, 1e-6, "δ at ε = 1.5");
      // Theorem 3.2 and 2τ²α/(λσ_out)², in double precision.
      near(
        (await divergences(accountant(), "op.amp.rdp", values, [10], {}))[0]!,
        0.8120832162136838,
        1e-7,
        "Theorem 4.1",
      );
    });

    test("a theorem that does not hold says so, and leaves the others", async () => {
      const state: State = {
        ...plain,
        preset: "",
        shared: { ...plain.shared, lambda: 0.2, beta: 1 },
        curves: [curve("op.profile", 1), curve("op.glm", 2), curve("op.linear", 3, { lambda: 5 })],
      };
      const picture = await pictureOf(state, accountant());
      assert.match(picture.lines[0]!.problem!, /^Theorem 3\.1 needs λ > β/);
      assert.equal(picture.lines[1]!.problem, undefined);
      assert.match(picture.lines[2]!.problem!, /estimate/);
    });
  },
);
