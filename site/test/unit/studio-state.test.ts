import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { CloisterError } from "../../src/client/types.ts";
import {
  checkBudget,
  firstBudget,
  sliderPosition,
  sliderValue,
} from "../../src/pages/studio/account/budget.ts";
import { draftOf } from "../../src/pages/studio/draft/draft.ts";
import { changeColumn } from "../../src/pages/studio/draft/edit.ts";
import { aboutRow, inPageWords, problemOf } from "../../src/pages/shell/problem.ts";
import { stays } from "../../src/pages/studio/sample/stays.ts";
import { schemaOf } from "../../src/pages/studio/sample/table.ts";
import {
  firstState,
  settingsKey,
  spentTogether,
  withEvaluation,
  type State,
} from "../../src/pages/studio/state/state.ts";
import { steps } from "../../src/pages/studio/state/steps.ts";

const source = { id: 1, kind: "sample", parts: [], names: ["x.csv"], bytes: 1 } as const;
const sampleSchema = schemaOf(stays);
const opened: State = {
  ...firstState("light"),
  draft: draftOf(sampleSchema),
  core: { phase: "ready", library: "0.1.0" },
  source,
  reading: { phase: "done" },
};
const status = (state: State) => steps(state).map((s) => s.status);

describe("the steps", () => {
  test("wait while the page opens", () => {
    assert.deepEqual(status(firstState("light")), [
      "next",
      "waiting",
      "waiting",
      "waiting",
      "waiting",
    ]);
  });

  test("of the sample are ready for a fit at once", () => {
    assert.deepEqual(status(opened), ["done", "done", "done", "next", "waiting"]);
  });

  test("say where something is wrong", () => {
    const wrong = changeColumn(opened.draft!, "c0", { min: "" });
    assert.equal(status({ ...opened, draft: wrong })[1], "next");
    assert.equal(status({ ...opened, draft: wrong, attempted: true })[1], "problem");
    assert.equal(status({ ...opened, budget: { ...firstBudget, epsilon: "0" } })[2], "problem");
    assert.equal(
      status({ ...opened, reading: { phase: "failed", problem: problemOf(new Error("x")) } })[0],
      "problem",
    );
  });

  test("ask for attention while something is read from the data", () => {
    const schema = structuredClone(sampleSchema);
    schema.features[0]!.provenance = "suggested";
    assert.equal(status({ ...opened, draft: draftOf(schema) })[1], "attention");
  });
});

test("a result is of other settings as soon as file, schema or budget differ, and not before", () => {
  const key = settingsKey(opened);
  assert.equal(
    settingsKey({ ...opened, budget: { ...firstBudget, epsilon: "1.0" } }),
    key,
    "the same number written differently",
  );
  assert.notEqual(settingsKey({ ...opened, budget: { ...firstBudget, epsilon: "2" } }), key);
  assert.notEqual(
    settingsKey({ ...opened, draft: changeColumn(opened.draft!, "c0", { max: "106" }) }),
    key,
  );
  assert.notEqual(settingsKey({ ...opened, source: { ...source, id: 2 } }), key);
});

test("models of one file are added up, those of others are not", () => {
  const one = { adjacency: "add-remove", epsilon: 1, delta: 1e-5 } as const;
  assert.equal(spentTogether({ ...opened, spent: [{ source: 1, ...one }] }), null);
  const spent = [1, 1, 2].map((s) => ({ source: s, ...one }));
  assert.deepEqual(spentTogether({ ...opened, spent }), { count: 2, epsilon: 2, delta: 2e-5 });
  const other = { source: 1, ...one, adjacency: "replace-one" } as const;
  assert.deepEqual(
    spentTogether({ ...opened, spent: [...spent, other] }),
    { count: 3 },
    "prices for different neighbours have no sum",
  );
});

test("an evaluation of the open file that no ledger keeps is added up, of another file not", () => {
  const part = (name: string) => new File(["a,b\n"], name, { lastModified: 7 });
  const open = { ...opened, source: { ...source, kind: "file", parts: [part("a.csv")] } } as State;
  const bought = (name: string): State => {
    const held = { kind: "file", names: [name], parts: [part(name)] } as const;
    const state = { ...open, evaluation: { ...open.evaluation, source: held } };
    const fit = { source: 1, adjacency: "add-remove", epsilon: 1, delta: 1e-5 } as const;
    const spent = withEvaluation(
      { ...state, spent: [fit] },
      { adjacency: "add-remove", epsilon: 0.5 },
    );
    return { ...state, spent };
  };
  assert.deepEqual(spentTogether(bought("a.csv")), { count: 2, epsilon: 1.5, delta: 1e-5 });
  assert.equal(spentTogether(bought("b.csv")), null);
});

describe("the budget", () => {
  for (const epsilon of ["0", "-1", "NaN", "Infinity", "∞", "", "one", "1e400"]) {
    test(`ε = ${epsilon || "nothing"} is refused with what would be right`, () => {
      const { budget, errors } = checkBudget({ ...firstBudget, epsilon });
      assert.equal(budget, null);
      assert.match(errors[0]!.message, /finite number above 0/);
    });
  }
  for (const delta of ["0", "1", "1.5", "-1e-5", "NaN", ""]) {
    test(`δ = ${delta || "nothing"} is refused with what would be right`, () => {
      const { budget, errors } = checkBudget({ ...firstBudget, delta });
      assert.equal(budget, null);
      assert.match(errors[0]!.message, /above 0 and below 1/);
    });
  }

  test("the slider and the number agree", () => {
    for (let p = 0; p <= 200; p++) assert.equal(sliderPosition(sliderValue(p)), p);
    assert.deepEqual([sliderValue(0), sliderValue(200)], [0.05, 10]);
    assert.deepEqual([sliderPosition(1e-9), sliderPosition(1e9)], [0, 200]);
  });
});

test("failures keep their place and say what to do next", () => {
  const p = problemOf(new CloisterError("data", "What is wrong.", { row: 17, column: "age" }));
  assert.deepEqual([p.code, p.row, p.column, p.message], ["data", 17, "age", "What is wrong."]);
  assert.match(problemOf(new CloisterError("refused", "x")).advice!, /no model left it/);
  assert.equal(problemOf(new TypeError("boom")).code, "page");
});

test("what the core advises in the schema's notation is said in the page's words", () => {
  const cases = [
    [
      'stays.csv, row 3, column "ward": "C" is not one of the categories listed ("A"). Correct it, add it to the categories, or say in the schema what an unknown value becomes ("drop", "zero" or {"category": "…"}).',
      'stays.csv, row 3, column "ward": "C" is not one of the categories listed ("A"). Correct it, add it to the categories, or say in step 2 what becomes of a category that is not listed.',
      'stays.csv, row 3, column "ward": "C" is not one of the categories listed ("A"). Correct it.',
    ],
    [
      'row 9, column "age": the value is missing. Fill it in, or say in the schema what a missing value becomes: "drop" leaves the record out, a number takes its place.',
      'Row 9, column "age": the value is missing. Fill it in, or say in step 2 what becomes of a missing value.',
      'Row 9, column "age": the value is missing. Fill it in.',
    ],
    [
      'row 9, column "age": "NaN" is not a finite number. Write a number from 0 to 120, or list "NaN" under missing_values in the schema if it means that there is none.',
      'Row 9, column "age": "NaN" is not a finite number. Write a number from 0 to 120, or add "NaN" to the spellings of a missing value in step 2 if it means that there is none.',
      'Row 9, column "age": "NaN" is not a finite number. Write a number from 0 to 120.',
    ],
  ] as const;
  for (const [core, page, row] of cases) {
    assert.equal(inPageWords(core), page);
    assert.equal(aboutRow(core), row);
  }
  assert.equal(
    inPageWords("data.csv: no column has exactly two values."),
    "data.csv: no column has exactly two values.",
  );
});
