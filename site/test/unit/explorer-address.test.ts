// A state as an address: it comes back as it was, and a text that was edited by hand is either
// another state or refused with a reason.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { apart } from "../../src/pages/explorer/view/stage.ts";
import { AddressError, decode, encode } from "../../src/pages/explorer/address.ts";
import { type KindName, kindNames, kindOf } from "../../src/pages/explorer/mechanisms.ts";
import {
  type ParameterName,
  parameterNames,
  parameters,
} from "../../src/pages/explorer/parameters.ts";
import { defaultPreset, presets, stateOf } from "../../src/pages/explorer/presets.ts";
import {
  type CurveState,
  drawable,
  duplicated,
  followed,
  freeOf,
  plain,
  removed,
  same,
  scales,
  type State,
  TONES,
  valuesOf,
  views,
  withKind,
  withOwn,
  withPin,
  withShared,
  withView,
} from "../../src/pages/explorer/state.ts";

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function sequence(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const among = <T>(next: () => number, list: readonly T[]): T =>
  list[Math.floor(next() * list.length)]!;

function value(next: () => number, name: ParameterName): number {
  const { least, most, whole } = parameters[name];
  const x = least * (most / least) ** next();
  return whole ? Math.max(least, Math.min(most, Math.round(x))) : x;
}

function anyCurve(next: () => number): CurveState {
  const kind = among(next, kindNames);
  const { uses, free } = kindOf(kind);
  const pinned = next() < 0.3;
  const own = Object.fromEntries(
    uses.filter(() => pinned || next() < 0.4).map((name) => [name, value(next, name)]),
  );
  const chosen = free.length > 1 && next() < 0.4 ? free[1] : undefined;
  return {
    kind,
    tone: 1 + Math.floor(next() * TONES),
    hidden: next() < 0.3,
    pinned,
    own,
    ...(chosen && { free: chosen }),
  };
}

function anyState(next: () => number): State {
  const curves = Array.from({ length: Math.floor(next() * 9) }, () => anyCurve(next));
  const from = 10 ** (6 * next() - 4);
  return {
    view: among(next, views),
    over: among(next, parameterNames),
    delta: 10 ** (-29 * next() - 0.01),
    budget: next() < 0.5 ? null : 10 ** (4 * next() - 3),
    span: next() < 0.5 ? null : [next() < 0.3 ? 0 : from, from * (1 + 5 * next()) + 1e-9],
    low: next() < 0.5 ? null : -1 - Math.floor(99 * next()),
    x: among(next, scales),
    y: among(next, scales),
    shared: {
      ...Object.fromEntries(
        parameterNames.map((name) => [
          name,
          next() < 0.5 ? parameters[name].standard : value(next, name),
        ]),
      ),
      adjacency: next() < 0.5 ? "add-remove" : "replace-one",
    } as State["shared"],
    curves,
    about: curves.length === 0 || next() < 0.5 ? null : Math.floor(next() * curves.length),
    preset: next() < 0.5 ? "" : among(next, presets).id,
  };
}

describe("an address", () => {
  test("brings every state back as it was", () => {
    for (let seed = 0; seed < 600; seed++) {
      const state = anyState(sequence(seed));
      const back = decode(encode(state));
      assert.ok(same(state, back), `seed ${seed}: ${encode(state)}`);
      assert.deepEqual(
        { ...back, curves: back.curves.map((one) => ({ ...one, own: { ...one.own } })) },
        state,
        `seed ${seed}`,
      );
    }
  });

  test("survives what mail and chat programs do to it: encoded as a whole or in part", () => {
    for (let seed = 0; seed < 100; seed++) {
      const text = encode(anyState(sequence(seed)));
      assert.ok(same(decode(encodeURIComponent(text).replaceAll("%26", "&")), decode(text)));
      assert.equal(
        new URL(`https://example.org/#${text}`).hash.slice(1),
        text,
        "no character of it is changed by an address",
      );
    }
  });

  test("edited by hand is refused with a reason, or is a state that comes back", () => {
    const next = sequence(7);
    const alphabet = "0123456789abcdefgilmnoprstuvwxyz.:;,&=-%#~é ";
    let refused = 0;
    for (let i = 0; i < 4000; i++) {
      const text = [...encode(anyState(sequence(i % 50)))];
      for (let edits = 1 + Math.floor(3 * next()); edits > 0; edits--) {
        const at = Math.floor(next() * text.length);
        if (next() < 0.4) text.splice(at, 1 + Math.floor(4 * next()));
        else text.splice(at, next() < 0.5 ? 1 : 0, among(next, [...alphabet]));
      }
      try {
        const state = decode(text.join(""));
        assert.ok(same(decode(encode(state)), state));
        for (const one of state.curves)
          for (const name of kindOf(one.kind).uses)
            assert.ok(Number.isFinite(valuesOf(state, one)[name]));
      } catch (error) {
        assert.ok(error instanceof AddressError, `${text.join("")}: ${String(error)}`);
        assert.match(error.message, /[.:]$|\.$/);
        refused++;
      }
    }
    assert.ok(refused > 2000, `${refused} of 4000 were refused`);
  });

  for (const [text, reason] of [
    ["2&view=rdp", /version 2/],
    ["plot", /must begin with #1/],
    ["1&veiw=rdp", /“veiw” is not known/],
    ["1&view=all", /“view” is “all”/],
    ["1&view=rdp&view=delta", /twice/],
    ["1&preset=figure-9", /no preset “figure-9”/],
    ["1&preset=figure-4&delta=1e-6", /stands alone/],
    ["1&curve=op.best;1", /no kind of curve “op.best”/],
    ["1&curve=gauss;9", /colour from 1 to 6/],
    ["1&curve=gauss;1;lambda:2", /has no lambda/],
    ["1&curve=gauss;1;pin;sigma:2", /has all its parameters/],
    ["1&curve=gauss;1;sigma:-2", /must lie between/],
    ["1&curve=sgd;1;steps:2.5", /whole number/],
    ["1&set=sigma:2,sigma:3", /sigma twice/],
    ["1&set=sigma:0x10", /must be a number/],
    ["1&delta=0", /between 1e-30 and 1/],
    ["1&delta=", /“delta” is “”/],
    ["1&span=2..1", /two numbers/],
    ["1&span=0..5e-324", /far enough apart/],
    ["1&span=1..1.0000000000000002", /far enough apart/],
    ["1&about=3&curve=gauss;1", /number of a curve/],
    ["1&curve=sgd;1;free:rate", /“free” is “rate”/],
    ["1&%zz", /% that stands for nothing/],
    [`1${"&curve=gauss;1".repeat(13)}`, /13 curves/],
  ] as const) {
    test(`${text.slice(0, 40)} is refused`, () => {
      assert.throws(
        () => decode(text),
        (error) => error instanceof AddressError && reason.test(error.message),
      );
    });
  }
});

describe("presets", () => {
  test("have addresses of their own, the default an empty one", () => {
    assert.equal(encode(stateOf(defaultPreset)), "");
    assert.equal(decode("").preset, defaultPreset.id);
    assert.equal(new Set(presets.map(({ id }) => id)).size, presets.length);
    for (const preset of presets) {
      const text = encode(stateOf(preset));
      if (preset !== defaultPreset) assert.equal(text, `1&preset=${preset.id}`);
      assert.deepEqual(decode(text), stateOf(preset));
      assert.ok(
        preset.group === "Cloister" || (preset.paper && preset.differs),
        `${preset.id} says what the paper's figure shows, and where ours differs`,
      );
    }
  });

  test("that were changed stay under their words, with an address in full", () => {
    const state = withShared(stateOf(presets.find(({ id }) => id === "figure-4")!), "sigma", 9);
    assert.match(encode(state), /^1&from=figure-4&/);
    assert.equal(decode(encode(state)).preset, "figure-4");
  });
});

describe("what a hand does to a state", () => {
  const state = stateOf(presets.find(({ id }) => id === "equal-budget")!);

  test("a pinned curve stays while the others move, and no budget calibrates it", () => {
    const now = { ...valuesOf(state, state.curves[0]!), sigma: 4.5 };
    const pinned = withShared(withPin(state, 0, true, now), "lambda", 7);
    assert.equal(valuesOf(pinned, pinned.curves[0]!).lambda, 1);
    assert.equal(valuesOf(pinned, pinned.curves[0]!).sigma, 4.5);
    assert.equal(valuesOf(pinned, pinned.curves[1]!).lambda, 7);
    assert.equal(freeOf(pinned, pinned.curves[0]!), undefined);
    assert.equal(freeOf(pinned, pinned.curves[1]!), "sigma");
    assert.deepEqual(withPin(pinned, 0, false, now).curves[0]!.own, {});
  });

  test("a duplicate is pinned, and has a colour of its own", () => {
    const twice = duplicated(state, 1, valuesOf(state, state.curves[1]!));
    assert.equal(twice.curves.length, state.curves.length + 1);
    assert.ok(twice.curves[2]!.pinned);
    assert.notEqual(twice.curves[2]!.tone, twice.curves[1]!.tone);
    assert.equal(twice.about, 2);
  });

  test("another kind keeps what it has of its own, and nothing that it has not", () => {
    const own = withOwn(withOwn(state, 0, "lambda", 3), 0, "sigma", 2);
    assert.deepEqual(withKind(own, 0, "gauss").curves[0]!.own, { sigma: 2 });
    const pinned = withKind(withPin(state, 0, true, valuesOf(state, state.curves[0]!)), 0, "sgd");
    assert.deepEqual(Object.keys(pinned.curves[0]!.own).sort(), ["noise", "rate", "steps"]);
  });

  test("sliders are those that a drawn curve follows", () => {
    assert.deepEqual(followed(state), ["lambda", "beta", "times", "rate", "steps", "condition"]);
    assert.deepEqual(followed({ ...state, budget: null, curves: state.curves.slice(4) }), [
      "sigma",
      "times",
    ]);
    assert.deepEqual(
      followed({
        ...plain,
        preset: "",
        view: "sweep",
        over: "sigma",
        curves: state.curves.slice(4),
      }),
      ["times"],
    );
  });

  test("a view of a parameter has one that a curve follows", () => {
    const sampled = { ...state, curves: state.curves.slice(2, 3) };
    assert.equal(withView(sampled, "sweep").over, "noise");
    assert.equal(withView({ ...sampled, span: [0, 2] }, "epsilon").span?.[1], 2);
    assert.equal(withView({ ...sampled, span: [0, 2] }, "rdp").span, null);
  });

  test("a view of a parameter that no curve follows is drawn as δ by ε", () => {
    const own = "1&view=sweep&over=sigma&span=1..9&curve=vote.best;1;single:0.1,failure:1e-6";
    const link = drawable(decode(own));
    assert.equal(link.view, "delta");
    assert.equal(link.span, null, "the span was the parameter's");
    const both = decode(`${own}&curve=gauss;2`);
    assert.equal(drawable(both), both, "one of them follows σ");
    assert.equal(drawable(removed(both, 1)).view, "delta");
    const pinned = withPin(both, 1, true, valuesOf(both, both.curves[1]!));
    assert.equal(drawable(pinned).view, "delta");
    assert.equal(drawable({ ...both, curves: [] }).view, "delta");
    for (const view of views)
      if (view !== "sweep") assert.equal(drawable({ ...link, view }).view, view);
  });

  test("every kind has an event for the parameters that it names, and no other", () => {
    for (const kind of kindNames as KindName[]) {
      const { uses, priced } = kindOf(kind);
      const before = JSON.stringify(priced(plain.shared));
      for (const name of parameterNames) {
        const { standard, whole } = parameters[name];
        const changed =
          JSON.stringify(
            priced({ ...plain.shared, [name]: whole ? standard + 1 : standard * 0.9 }),
          ) !== before;
        assert.equal(changed, (uses as readonly string[]).includes(name), `${kind}, ${name}`);
      }
    }
  });
});

test("an end of an axis that cannot stand is told by what is wrong with it", () => {
  assert.equal(apart(3, "below", 2), "It must lie below 2.");
  assert.match(apart(2 - 1e-9, "below", 2), /far enough apart/, "it lies below 2");
  assert.match(apart(2 + 1e-9, "above", 2), /far enough apart/);
  assert.match(apart(1e-16, "above", 0), /far enough apart/);
  assert.equal(apart(0, "above", 0), "It must lie above 0.");
  assert.equal(apart(1e13, "above", 0), "It can be 1e12 at most.", "it lies above 0");
  assert.equal(apart(-1, "below", 2), "It cannot be negative.");
});
