// What a bound means in words: factors rounded against the promise, and only what is known.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { Move, PersonalBound, PersonalReport } from "../../src/client/types.ts";
import { kindOf, parse, together } from "../../src/elements/my-privacy/documents.ts";
import { withFile } from "../../src/pages/report/files.ts";
import {
  expectation,
  forWhom,
  fromEven,
  levels,
  movers,
  notCounted,
  promised,
  sentence,
  times,
  whole,
  withReport,
} from "../../src/elements/my-privacy/words.ts";

const report = {
  kind: "data-independent",
  rho: 0.01,
  people: 1,
  worst: { epsilon: 1, delta: 1e-5, adjacency: "add-remove", covers: true, caveats: [] },
  problems: [],
  besides: [],
} as unknown as PersonalReport;
const paid = { ...report, cost: { epsilon: 0.5, total: 1.25, delta: 1e-5 } } as PersonalReport;
const bound = (largest: number, more: Partial<PersonalBound> = {}): PersonalBound => ({
  rho: 0.01,
  people: 1,
  in: { low: -largest, high: largest },
  out: { low: -largest, high: largest },
  largest,
  leverage: 0,
  surprise: largest,
  output: 0,
  report: 0,
  length: 1,
  longest: 1,
  notes: [],
  ...more,
});

describe("a bound in words", () => {
  test("a factor is never smaller than the bound", () => {
    assert.equal(times(0), "1.00");
    assert.equal(times(1e-6), "1.01");
    assert.equal(times(Math.log(1.5)), "1.50");
    assert.equal(times(1), "2.72"); // e = 2.71828…
    assert.equal(times(Math.log(12.31)), "12.4");
    assert.equal(times(Math.log(123.1)), "124");
    for (let loss = 0; loss < 6; loss += 0.0137)
      assert.ok(Number(times(loss)) >= Math.exp(loss) - 1e-8);
  });

  test("an even chance becomes e^b/(1 + e^b)", () => {
    assert.equal(fromEven(0), "50\u00a0%");
    assert.equal(fromEven(Math.log(3)), "75\u00a0%");
    assert.equal(fromEven(1), "74\u00a0%"); // 73.1 %, rounded up
    assert.equal(fromEven(1e9), "100\u00a0%");
  });

  test("what the report itself released counts on both sides", () => {
    assert.equal(whole(bound(0.5, { report: 0.1 })), 0.6);
    assert.equal(promised(report), 1);
    assert.equal(promised(paid), 1.25);
    assert.equal(promised({ ...paid, cost: { epsilon: 0.5, total: Infinity, delta: 1e-5 } }), 1.5);
    assert.equal(withReport(report), "");
    assert.match(withReport(paid), /^; with the report, .* ε = 1\.25 in all$/);
    assert.match(
      withReport({ ...paid, cost: { epsilon: 0.5, total: Infinity, delta: paid.worst.delta } }),
      /ε = 1\.50? in all, at δ = 2.*, as both costs are simply added up$/,
    );
    assert.match(
      sentence(report, bound(0.5)),
      /^Whoever sees this model can be at most 1\.65 times surer about you than before, with probability 99.%\. The worst case promised to everyone is 2\.72 times\.$/,
    );
    assert.match(
      sentence(paid, bound(0.5, { report: 0.1 })),
      /^Whoever sees this model and its report can be at most 1\.83 times .* 3\.50 times\.$/,
    );
    assert.match(
      sentence(report, bound(0, { leftOut: { column: "age", text: "the value is missing" } })),
      /^A row like this was left out before the fit\. This model tells nothing about a row like this\.$/,
    );
  });

  test("what the promise leaves out is said beside the bound, not only in its small print", () => {
    const left = "The scales come from the file.";
    const less = { ...report, worst: { ...report.worst, covers: false, caveats: [left] } };
    assert.equal(notCounted(report), "");
    assert.ok(notCounted(less).endsWith(left));
    assert.ok(sentence(less, bound(0.5)).endsWith(left));
    const unlisted = { ...less, worst: { ...less.worst, caveats: [] } };
    assert.match(notCounted(unlisted), /leave something out\.$/);
  });

  test("of a row that was left out it is not said that nothing tells of it, where something may", () => {
    const out = bound(0, { leftOut: { column: "age", text: "the value is missing" } });
    const worst = { ...report.worst, covers: false, caveats: ["The bounds come from the file."] };
    const besides = ["The bounds of “age” were bought at ε = 1."];
    for (const more of [
      { ...report, worst },
      { ...report, besides },
      { ...paid, worst, besides },
    ])
      assert.match(
        sentence(more, out),
        /\. But for what follows, this model( and its report tell| tells) nothing .*: The bounds /,
      );
    assert.match(sentence(paid, out), /\. This model and its report tell nothing about a row/);
  });

  test("what was paid for apart is not in it, and that is said", () => {
    assert.equal(notCounted(report), "");
    const more = { ...report, besides: ["The bounds of “age” were bought at ε = 1."] };
    assert.match(
      notCounted(more),
      /^Not counted here, .*: The bounds .* ε = 1\. What .* adds to it\.$/,
    );
    for (const mine of [bound(0.5), bound(0, { leftOut: { column: "age", text: "missing" } })])
      assert.ok(sentence(more, mine).endsWith(notCounted(more)));
  });

  test("a reader may choose how sure it is: as proposed, as usual, and as the promise is, where that is possible", () => {
    assert.deepEqual(levels(report, 0.01), [0.1, 0.05, 0.01, 0.001, 1e-5]);
    assert.deepEqual(levels(report, 0.2), [0.2, 0.1, 0.05, 0.01, 0.001, 1e-5]);
    assert.deepEqual(levels(report, 1e-5), [0.1, 0.05, 0.01, 0.001, 1e-5]);
    for (const delta of [1e-9, 0, 0.02])
      assert.deepEqual(
        levels({ ...report, worst: { ...report.worst, delta } }, 0.05),
        [0.1, 0.05, 0.01, 0.001],
      );
  });

  test("for whom it holds", () => {
    assert.match(forWhom(0), /every row/);
    assert.match(forWhom(1), /one person/);
    assert.match(forWhom(5000), /5,000 people/);
    assert.match(forWhom(1_237_000), /1\.23.×.10⁶ people/);
  });

  test("what the model expected, by what it can say", () => {
    assert.match(
      expectation({ probability: 0.25 }, "ill", "yes"),
      /gives ill “yes” a probability of 25.%/,
    );
    assert.match(expectation({ value: 41.5 }, "days", "3"), /expects 41\.5 for days; yours is 3/);
    assert.match(expectation({ likely: false }, "ill", "yes"), /less likely answer/);
    assert.equal(expectation(undefined, "ill", "yes"), "");
  });

  test("columns that hardly move it are left out, the others by how much they do", () => {
    const move = (name: string, least: number, most: number): Move => ({
      name,
      label: false,
      tried: 9,
      least: { value: "a", bound: least },
      most: { value: "b", bound: most },
    });
    assert.deepEqual(
      movers(
        [move("little", 0.499, 0.501), move("some", 0.4, 0.6), move("most", 0.1, 0.6)],
        bound(0.5),
      ).map((m) => m.name),
      ["most", "some"],
    );
  });
});

describe("the documents", () => {
  const release = { format: "cloister-release" };
  const own = { format: "cloister-report" };

  test("are known by what they say of themselves, in whatever order", () => {
    assert.deepEqual([release, own, { release, report: own }, {}, null, [1]].map(kindOf), [
      "release",
      "report",
      "both",
      undefined,
      undefined,
      undefined,
    ]);
    for (const [first, second] of [
      [release, own],
      [own, release],
      [{ release, report: own }, undefined],
      [undefined, { release, report: own }],
    ]) {
      assert.deepEqual(together(first, second), { release, report: own });
    }
    assert.deepEqual(together(release, undefined), { release, report: undefined });
  });

  test("are not read if they are far too large", async () => {
    const large = {
      name: "large.json",
      size: 33e6,
      text: () => assert.fail("it was read"),
    } as unknown as File;
    await assert.rejects(
      withFile({}, large),
      /large\.json has 33 MB, more than any release or report/,
    );
  });

  test("are refused where their bytes are no UTF-8", async () => {
    const latin = new File([new Uint8Array([0x7b, 0x22, 0xe4, 0x22, 0x3a, 0x31, 0x7d])], "x.json");
    await assert.rejects(withFile({}, latin), /x\.json is not UTF-8 text/);
  });

  test("are refused where they are no JSON, cut, empty, or say something twice", () => {
    assert.deepEqual(parse('\uFEFF{"a": 1}', "report", "x"), { a: 1 });
    for (const [text, says] of [
      ["", /x is empty/],
      ["{", /x is not whole/],
      ["{]", /x is not JSON/],
      ['{"a": 1, "a": 2}', /x says a twice/],
    ] as const) {
      assert.throws(
        () => parse(text, "report", "x"),
        (error: Error & { code?: string }) => error.code === "report" && says.test(error.message),
      );
    }
  });
});
