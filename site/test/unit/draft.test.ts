import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { LedgerCharge, Schema } from "../../src/client/types.ts";
import { enteredOf, levelsOf } from "../../src/pages/studio/draft/card.ts";
import { mergeLevels, nameLevel } from "../../src/pages/studio/draft/card-edit.ts";
import { check, fieldFor } from "../../src/pages/studio/draft/check.ts";
import {
  classesOf,
  draftOf,
  linesOf,
  type SchemaDraft,
  textOf,
} from "../../src/pages/studio/draft/draft.ts";
import {
  addColumn,
  changeColumn,
  changeLabel,
  changeRows,
  changeKind,
  chooseLabel,
  confirmAll,
  confirmLabel,
  decide,
  putBought,
  sayWhy,
  removeColumn,
  swapClasses,
} from "../../src/pages/studio/draft/edit.ts";
import { unconfirmed } from "../../src/pages/studio/draft/learnt.ts";
import { parseNumber } from "../../src/pages/studio/draft/number.ts";
import {
  provenanceOf,
  sourceOf,
  undecided,
  wanted,
  wasRead,
} from "../../src/pages/studio/draft/source.ts";
import { isMissing, treatAsMissing } from "../../src/pages/studio/draft/sentinels.ts";
import { uncharged } from "../../src/pages/studio/schema/purchase/purchasable.ts";
import { stays } from "../../src/pages/studio/sample/stays.ts";
import { schemaOf } from "../../src/pages/studio/sample/table.ts";

const sampleSchema = schemaOf(stays);

const suggested: Schema = {
  version: 1,
  features: [
    {
      name: "age",
      type: "numeric",
      min: 17,
      max: 90,
      log: false,
      missing: "drop",
      provenance: "suggested",
    },
    {
      name: "work",
      type: "categorical",
      categories: ["Private", "State", "Self \\ other"],
      missing: { category: "Private" },
      unknown: "zero",
      provenance: "suggested",
    },
    {
      name: "hours",
      type: "numeric",
      min: 1,
      max: 99,
      log: true,
      missing: 40,
      provenance: "public",
    },
  ],
  label: {
    name: "Y",
    negative: ["<=50K", "<=50K."],
    positive: [">50K"],
    missing: "drop",
    provenance: "suggested",
  },
  rows: { norm: "unit" },
  intercept: 1,
  missing_values: ["", "?"],
};

/** The messages for a field. */
function messages(draft: SchemaDraft, field: string): string[] {
  return check(draft)
    .errors.filter((e) => e.field === field)
    .map((e) => e.message);
}

describe("a schema", () => {
  test("comes back from the editor as it went in", () => {
    assert.deepEqual(check(draftOf(suggested)).schema, suggested);
  });

  test("gets its defaults written out", () => {
    const { schema } = check(draftOf(sampleSchema));
    assert.deepEqual(schema?.missing_values, ["", "?", "NA"]);
    assert.ok(schema?.features.every((f) => f.missing === "error"));
  });

  test("keeps categories with line breaks and backslashes through a text area", () => {
    const odd = ["a\nb", "c\\d", "\\n", "plain"];
    assert.deepEqual(linesOf(textOf(odd)), odd);
    assert.equal(textOf(odd).split("\n").length, 4);
  });
});

describe("what was read from the data", () => {
  test("stays marked until it is confirmed, one by one or all at once", () => {
    const draft = draftOf(suggested);
    assert.deepEqual(unconfirmed(draft), ["age", "work", "Y"]);
    assert.deepEqual(unconfirmed(decide(draft, "c1", "public")), ["age", "Y"]);
    assert.deepEqual(unconfirmed(decide(decide(draft, "c1", "public"), "c1", "accept")), [
      "age",
      "work",
      "Y",
    ]);
    assert.deepEqual(unconfirmed(confirmAll(draft)), []);
  });

  test("is bought: with its charge, until a bound is the file's again", () => {
    const paid = { charge: "c", epsilon: 0.5, min: "15", max: "100" };
    const wish = decide(decide(draftOf(suggested), "c0", "buy"), "c2", "buy");
    assert.deepEqual(wanted(wish, "bounds"), [
      { id: "c0", name: "age" },
      { id: "c2", name: "hours" },
    ]);
    assert.equal(undecided(wish).length, 2, "work and Y");
    assert.deepEqual(
      unconfirmed(confirmAll(wish)),
      ["age", "hours"],
      "what is to be bought is not confirmed with the rest",
    );
    const bought = putBought(wish, "c0", paid);
    const { schema } = check(bought);
    assert.equal(schema?.version, 6);
    assert.deepEqual(schema?.features[0], {
      name: "age",
      provenance: "bought",
      purchase: { charge: "c", epsilon: 0.5 },
      type: "numeric",
      min: 15,
      max: 100,
      log: false,
      missing: "indicator",
    });
    assert.deepEqual(
      check(draftOf(schema!)).schema,
      schema,
      "comes back from the editor as it went in",
    );

    const age = (draft: SchemaDraft) => draft.columns[0]!;
    for (const [change, provenance] of [
      [{ min: "0" }, "bought"],
      [{ max: "1" }, "bought"],
      [{ max: "90" }, "suggested"],
      [{ min: "17.0" }, "suggested"],
    ] as const) {
      const changed = changeColumn(bought, "c0", change);
      assert.equal(provenanceOf(age(changed)), provenance, JSON.stringify(change));
      assert.equal(
        provenanceOf(age(changeColumn(changed, "c0", { min: "15", max: "100" }))),
        "bought",
      );
    }
    // With no bound left that was bought, nothing of the purchase is there to be named.
    const own = changeColumn(bought, "c0", { min: "0", max: "120" });
    assert.equal(provenanceOf(age(own)), "public");
    assert.ok(!("purchase" in check(own).schema!.features[0]!));
    assert.equal(
      provenanceOf(age(changeColumn(bought, "c0", { min: "0", max: "90" }))),
      "suggested",
    );
    const kept = decide(bought, "c0", "accept");
    assert.deepEqual(
      [age(kept).min, age(kept).max, provenanceOf(age(kept))],
      ["17", "90", "suggested"],
    );
    assert.deepEqual(
      [age(decide(kept, "c0", "bought")).min, provenanceOf(age(decide(kept, "c0", "bought")))],
      ["15", "bought"],
    );
    const asPublic = decide(bought, "c0", "public");
    assert.equal(provenanceOf(age(changeColumn(asPublic, "c0", { min: "1" }))), "public");
    assert.ok(!("purchase" in check(asPublic).schema!.features[0]!), "what is public needs none");

    const texts = changeColumn(bought, "c0", { type: "categorical", categories: "a\nb" });
    assert.equal(provenanceOf(age(texts)), "suggested");
    assert.equal(provenanceOf(age(changeColumn(texts, "c0", { type: "numeric" }))), "bought");
  });

  test("is bought as a list of categories, and what is not on it counts as none of them", () => {
    const paid = {
      charge: "k",
      epsilon: 0.3,
      delta: 1e-8,
      min: "",
      max: "",
      categories: "Private\nState",
    };
    const read = changeColumn(draftOf(suggested), "c1", {
      unknown: { action: "error", value: "" },
      missing: { action: "category", value: "Self \\ other" },
    });
    const wish = decide(read, "c1", "buy");
    assert.deepEqual(
      [wanted(wish, "categories"), wanted(wish, "bounds")],
      [[{ id: "c1", name: "work" }], []],
    );
    const bought = putBought(wish, "c1", paid);
    const work = (draft: SchemaDraft) => draft.columns[1]!;
    assert.deepEqual(unconfirmed(bought), ["age", "Y"]);
    assert.equal(work(bought).missing.action, "drop", "a rule cannot name what is not listed");
    const { schema } = check(bought);
    assert.equal(schema?.version, 4);
    assert.deepEqual(schema?.features[1], {
      name: "work",
      provenance: "bought",
      purchase: { charge: "k", epsilon: 0.3, delta: 1e-8 },
      type: "categorical",
      categories: ["Private", "State"],
      missing: "drop",
      unknown: "zero",
    });
    assert.deepEqual(
      check(draftOf(schema!)).schema,
      schema,
      "comes back from the editor as it went in",
    );

    for (const [categories, provenance] of [
      ["State", "bought"],
      ["Private\nState\nNone", "bought"],
      ["Private\nState\nSelf \\\\ other", "suggested"],
      ["None\nOther", "suggested"],
    ] as const) {
      const changed = changeColumn(bought, "c1", { categories });
      assert.equal(provenanceOf(work(changed)), provenance, categories);
      assert.equal(
        provenanceOf(work(changeColumn(changed, "c1", { categories: paid.categories }))),
        "bought",
      );
    }
    const kept = decide(bought, "c1", "accept");
    assert.deepEqual(
      [work(kept).categories, provenanceOf(work(kept))],
      [work(read).categories, "suggested"],
    );
    assert.deepEqual(
      [
        work(decide(kept, "c1", "bought")).categories,
        provenanceOf(work(decide(kept, "c1", "bought"))),
      ],
      [paid.categories, "bought"],
    );
    const numbers = changeColumn(bought, "c1", { type: "numeric" });
    assert.equal(provenanceOf(work(numbers)), "suggested");
    assert.equal(
      provenanceOf(work(changeColumn(numbers, "c1", { type: "categorical" }))),
      "bought",
    );
    const label = chooseLabel(bought, "c1").label;
    assert.deepEqual(
      [provenanceOf(label), wasRead(label), sourceOf(label).bought],
      ["suggested", true, undefined],
      "the classes of a label are not bought",
    );
  });

  test("is bought again, and the rules suit the categories that there are then", () => {
    const purchase = { charge: "k", epsilon: 0.3, delta: 1e-8 };
    const paid = { ...purchase, min: "", max: "" };
    const work = {
      ...suggested.features[1]!,
      provenance: "bought",
      purchase,
      categories: ["A", "B", "C"],
      missing: { category: "C" },
      unknown: "error",
    };
    const taken = draftOf({ ...suggested, version: 4, features: [work] } as Schema);
    const again = putBought(taken, "c0", { ...paid, charge: "l", categories: "A\nB" });
    const { missing, unknown } = again.columns[0]!;
    assert.deepEqual([missing.action, unknown.action], ["drop", "zero"]);
    assert.deepEqual(check(again).errors, []);
    const kept = changeColumn(again, "c0", { missing: { action: "category", value: "A" } });
    const third = putBought(kept, "c0", { ...paid, charge: "m", categories: "A\nD" });
    assert.deepEqual(third.columns[0]!.missing, { action: "category", value: "A" });
  });

  test("and bought is the label's, too, if it is a number", () => {
    const paid = { charge: "c", epsilon: 0.5, min: "1", max: "100" };
    const label = chooseLabel(draftOf(suggested), "c0");
    const wish = decide(label, "label", "buy");
    assert.deepEqual(wanted(wish, "bounds"), [{ id: "label", name: "age" }]);
    const bought = putBought(wish, "label", paid);
    assert.deepEqual(check(bought).schema?.label, {
      name: "age",
      missing: "error",
      provenance: "bought",
      purchase: { charge: "c", epsilon: 0.5 },
      type: "numeric",
      min: 1,
      max: 100,
    });
    const other = changeKind(changeLabel(bought, { negative: "a", positive: "b" }), "two");
    assert.equal(provenanceOf(other.label), "suggested");
    assert.equal(provenanceOf(changeKind(other, "numeric").label), "bought");
    const back = chooseLabel(bought, "c2").columns.find((c) => c.name === "age");
    assert.deepEqual([provenanceOf(back!), sourceOf(back!).bought], ["bought", paid]);
  });

  test("is replaced when both bounds are, and not by one of them or by the same number", () => {
    const one = changeColumn(draftOf(suggested), "c0", { min: "0" });
    assert.ok(unconfirmed(one).includes("age"));
    assert.ok(unconfirmed(changeColumn(one, "c0", { max: "90.0" })).includes("age"));
    assert.ok(unconfirmed(changeColumn(one, "c0", { max: "" })).includes("age"));
    assert.ok(!unconfirmed(changeColumn(one, "c0", { max: "120" })).includes("age"));
  });

  test("has an indicator once nothing else of the file's is left, whatever the file has", () => {
    const missing = (draft: SchemaDraft) => check(draft).schema?.features[0]?.missing;
    const changed = (draft: SchemaDraft) => changeColumn(draft, "c0", { min: "0", max: "120" });
    for (const rule of ["drop", "indicator"] as const) {
      const read = draftOf({
        ...suggested,
        version: 6,
        features: [
          { ...suggested.features[0]!, missing: rule } as never,
          ...suggested.features.slice(1),
        ],
      });
      assert.equal(missing(read), rule);
      assert.equal(missing(changed(read)), "indicator", "bounds that were replaced");
      const own = changeColumn(read, "c0", { missing: { action: "value", value: "50" } });
      assert.equal(missing(changed(own)), 50, "the person's own rule");
      assert.equal(missing(confirmAll(read)), rule, "the person's word covers it");
    }
  });

  test("has no proposed logarithm once nothing else of the file's is left", () => {
    const log = (draft: SchemaDraft) => draft.columns[2]?.log;
    const changed = (draft: SchemaDraft, on?: boolean) =>
      changeColumn(draft, "c2", { min: "0", max: "120", ...(on !== undefined && { log: on }) });
    const read = draftOf({
      ...suggested,
      features: suggested.features.map((f) => ({ ...f, provenance: "suggested" }) as typeof f),
    });
    assert.ok(log(read) && read.columns[2]?.proposed?.log);
    assert.ok(log(changeColumn(read, "c2", { max: "120" })), "one bound is the file's");
    const replaced = changed(read);
    assert.equal(log(replaced), false, "bounds that were replaced");
    assert.ok(!unconfirmed(replaced).includes("hours"));
    const chosen = changeColumn(replaced, "c2", { log: true });
    assert.ok(log(chosen) && log(changeColumn(chosen, "c2", { max: "130" })), "their own choice");
    assert.ok(log(confirmAll(read)), "the person's word covers it");
    const bought = { charge: "a", epsilon: 1, delta: 0, min: "0", max: "120" };
    assert.equal(log(putBought(read, "c2", bought)), false);
    const own = draftOf({
      ...suggested,
      features: suggested.features.map(
        (f) => ({ ...f, provenance: "suggested", log: false }) as typeof f,
      ),
    });
    assert.ok(log(changed(changeColumn(own, "c2", { log: true }))), "it was not proposed");
  });

  test("is marked again when a bound is the file's again, unless the person confirmed it", () => {
    const typing = ["0", "1", "17"].reduce(
      (d, min) => changeColumn(d, "c0", { min }),
      changeColumn(draftOf(suggested), "c0", { max: "120" }),
    );
    assert.ok(unconfirmed(typing).includes("age"), "17 was typed by way of 1");
    const replaced = changeColumn(typing, "c0", { min: "0" });
    assert.ok(!unconfirmed(replaced).includes("age"));
    assert.ok(
      !unconfirmed(changeColumn(decide(replaced, "c0", "public"), "c0", { min: "17" })).includes(
        "age",
      ),
    );
    assert.ok(
      !unconfirmed(changeColumn(confirmAll(replaced), "c0", { min: "17" })).includes("age"),
    );
  });

  test("is not replaced by a number that was read as a category", () => {
    const codes = { ...suggested.features[1]!, categories: ["0", "1", "2", "37"] };
    const read = draftOf({ ...suggested, features: [codes as (typeof suggested.features)[1]] });
    const typed = (min: string, max: string, draft = read) =>
      provenanceOf(changeColumn(draft, "c0", { type: "numeric", min, max }).columns[0]!);
    assert.equal(typed("0", "37"), "suggested");
    assert.equal(typed("-1", "37.0"), "suggested");
    assert.equal(typed("0", "50"), "suggested");
    assert.equal(typed("-1", "50"), "public");
    const paid = { charge: "c", epsilon: 0.5, min: "-1", max: "40" };
    const bought = putBought(changeColumn(read, "c0", { type: "numeric" }), "c0", paid);
    assert.equal(typed("-1", "40", bought), "bought");
    assert.equal(typed("-1", "37", bought), "suggested");
    assert.equal(typed("0", "37", bought), "suggested");
  });

  test("is not replaced by a bound that was read before a number came to mean missing", () => {
    const age = { ...suggested.features[0]!, min: 0, max: 999 };
    const read = draftOf({ ...suggested, features: [age as (typeof suggested.features)[0]] });
    const at = { column: "age", value: 999, spellings: ["999"], share: 0.1, min: 0, max: 90 };
    const moved = treatAsMissing(read, at, [at]);
    assert.deepEqual([moved.columns[0]!.min, moved.columns[0]!.max], ["0", "90"]);
    const back = changeRows(moved, { missingValues: "?" });
    const typed = (min: string, max: string) =>
      provenanceOf(changeColumn(back, "c0", { min, max }).columns[0]!);
    assert.equal(typed("-1", "999"), "suggested");
    assert.equal(typed("-1", "90"), "suggested");
    assert.equal(typed("-1", "120"), "public");
  });

  test("is not replaced by a further column of that name", () => {
    const out = addColumn(changeColumn(draftOf(suggested), "c0", { include: false }));
    const named = (name: string) =>
      changeColumn(out, out.columns.at(-1)!.id, { name, min: "17", max: "90" });
    assert.deepEqual(messages(named("age "), `${out.columns.at(-1)!.id}.name`), [
      "“age” is a column of the file that is left out below. Use that one.",
    ]);
    assert.deepEqual(check(named("years")).errors, []);
    assert.deepEqual(check(changeColumn(named("years"), "c0", { include: true })).errors, []);
  });

  test("is not replaced by another spelling of the number, or by what is none", () => {
    const negative = draftOf({
      ...suggested,
      features: [
        { name: "t", type: "numeric", min: -5, max: 40, missing: "error", provenance: "suggested" },
      ],
    });
    const one = changeColumn(negative, "c0", { max: "60" });
    for (const min of ["−5", "-5.0", "x", ""])
      assert.ok(unconfirmed(changeColumn(one, "c0", { min })).includes("t"), min);
  });

  test("is not replaced by editing a list of categories", () => {
    assert.ok(
      unconfirmed(
        changeColumn(draftOf(suggested), "c1", { categories: "Private\nState" }),
      ).includes("work"),
    );
  });

  test("is marked again when a column or a label is what the file's values are in again", () => {
    const work = (draft: SchemaDraft) => provenanceOf(draft.columns[1]!);
    const numbers = changeColumn(draftOf(suggested), "c1", { type: "numeric" });
    const typed = changeColumn(numbers, "c1", { min: "0", max: "9" });
    assert.equal(work(typed), "public", "nothing of the file's is left in it");
    const said = decide(numbers, "c1", "public");
    for (const draft of [typed, said]) {
      const again = changeColumn(draft, "c1", { type: "categorical" });
      assert.equal(work(again), "suggested", "nobody said it of the categories");
      assert.ok(unconfirmed(again).includes("work"));
    }
    const purchase = { charge: "c", epsilon: 1, delta: 1e-9 };
    const paid = { ...suggested.features[1]!, provenance: "bought" as const, purchase };
    const imported = draftOf({ ...suggested, version: 4, features: [paid] } as Schema);
    const there = changeColumn(imported, "c0", { type: "numeric" });
    const back = changeColumn(there, "c0", { type: "categorical" });
    assert.equal(provenanceOf(back.columns[0]!), "bought", "its price is named again");
    const number = changeKind(draftOf(suggested), "numeric");
    const known = confirmLabel(changeLabel(number, { min: "0", max: "9" }), true);
    assert.equal(provenanceOf(known.label), "public");
    assert.equal(provenanceOf(changeKind(known, "numeric").label), "public");
    assert.equal(provenanceOf(changeKind(known, "two").label), "suggested");
    const mine = { ...suggested, label: { ...suggested.label, provenance: "public" as const } };
    const other = changeKind(changeKind(draftOf(mine), "numeric"), "two");
    assert.equal(provenanceOf(other.label), "public", "it never came from the file");
  });

  test("does not count while its column is left out, and confirming all leaves such a column marked", () => {
    const out = changeColumn(draftOf(suggested), "c0", { include: false });
    assert.deepEqual(unconfirmed(out), ["work", "Y"]);
    assert.deepEqual(unconfirmed(changeColumn(confirmAll(out), "c0", { include: true })), ["age"]);
  });
});

describe("another label", () => {
  test("takes the column's categories as spellings, and leaves the former label out of the model", () => {
    const draft = chooseLabel(draftOf(suggested), "c1");
    assert.equal(draft.label.name, "work");
    assert.equal(draft.label.kind, "classes");
    assert.deepEqual(classesOf(draft.label.classes), [["Private"], ["State"], ["Self \\ other"]]);
    assert.equal(provenanceOf(draft.label), "suggested");
    const former = draft.columns.find((c) => c.name === "Y")!;
    assert.equal(former.include, false);
    assert.deepEqual(linesOf(former.categories), ["<=50K", "<=50K.", ">50K"]);
    assert.equal(new Set(draft.columns.map((c) => c.id)).size, draft.columns.length);
  });

  test("can be chosen and chosen back", () => {
    const there = chooseLabel(draftOf(suggested), "c1");
    const back = chooseLabel(there, there.columns.find((c) => c.name === "Y")!.id);
    assert.equal(back.label.name, "Y");
    assert.deepEqual(back.columns.map((c) => c.name).sort(), ["age", "hours", "work"]);
  });

  test("that is a number keeps its bounds, and gives them back", () => {
    const there = chooseLabel(draftOf(suggested), "c0");
    assert.deepEqual([there.label.kind, there.label.min, there.label.max], ["numeric", "17", "90"]);
    const back = chooseLabel(there, "c1").columns.find((c) => c.name === "age")!;
    assert.deepEqual([back.type, back.min, back.max, back.include], ["numeric", "17", "90", false]);
  });

  test("can be taken for another kind, and back, without a loss", () => {
    const two = draftOf(suggested);
    const several = changeKind(two, "classes");
    assert.deepEqual(classesOf(several.label.classes), [["<=50K"], ["<=50K."], [">50K"]]);
    assert.equal(check(confirmAll(several)).schema?.version, 2);
    assert.deepEqual(check(changeKind(several, "two")).schema?.label, check(two).schema?.label);
    const numeric = changeKind(two, "numeric");
    assert.deepEqual(
      check(numeric).errors.map((e) => e.field),
      ["label.min", "label.max"],
    );
  });

  test("that was read stays so, whichever kind it is taken for in between", () => {
    const emptied = changeLabel(draftOf(suggested), { negative: "", positive: "" });
    for (const kinds of [["numeric", "two"], ["classes", "numeric", "two"], ["classes"]] as const) {
      const draft = kinds.reduce<SchemaDraft>(changeKind, emptied);
      const typed = changeLabel(draft, { negative: "<=50K", positive: ">50K", classes: "a\nb\nc" });
      assert.equal(provenanceOf(typed.label), "suggested", kinds.join());
      assert.ok(wasRead(typed.label));
    }
  });

  test("as a column has what was read of all the kinds that it was", () => {
    const label = {
      ...suggested.label,
      type: "classes" as const,
      classes: [["a"], ["b"], ["c"]],
    };
    const read = draftOf({ ...suggested, label });
    const own = changeLabel(read, { negative: "no", positive: "yes" });
    for (const kind of ["two", "numeric"] as const) {
      const there = chooseLabel(changeKind(own, kind), "c1");
      const { id } = there.columns.find((c) => c.name === "Y")!;
      const typed = changeColumn(there, id, { type: "categorical", categories: "a\nb\nc" });
      const y = typed.columns.find((c) => c.id === id)!;
      assert.equal(provenanceOf(y), "suggested", kind);
      assert.equal(sourceOf(y).read?.categories, "a\nb\nc");
    }
  });

  test("of several classes is written as it was read, whatever its spellings", () => {
    const label = {
      name: "state",
      type: "classes" as const,
      classes: [["a | b", "a\\"], ["c"], ["d\ne", "|"]],
      missing: "error" as const,
      provenance: "public" as const,
    };
    const schema = { ...sampleSchema, version: 2 as const, label };
    assert.deepEqual(check(draftOf(schema)).schema?.label, label);
  });

  test("its classes can be exchanged", () => {
    const { label } = swapClasses(draftOf(suggested));
    assert.deepEqual(
      [linesOf(label.negative), linesOf(label.positive)],
      [[">50K"], ["<=50K", "<=50K."]],
    );
  });
});

describe("what is wrong is said beside its field", () => {
  const draft = draftOf(sampleSchema);
  const cases: [string, SchemaDraft, string, RegExp][] = [
    [
      "min ≥ max",
      changeColumn(draft, "c0", { min: "90", max: "17" }),
      "c0.min",
      /lowest value, 90, must be below the highest, 17/,
    ],
    ["min = max", changeColumn(draft, "c0", { min: "5", max: "5" }), "c0.min", /must be below/],
    ["no bound", changeColumn(draft, "c0", { max: " " }), "c0.max", /Enter the highest value/],
    [
      "text as a bound",
      changeColumn(draft, "c0", { max: "old" }),
      "c0.max",
      /“old” is not a finite number/,
    ],
    ["NaN", changeColumn(draft, "c0", { min: "NaN" }), "c0.min", /not a finite number/],
    ["Infinity", changeColumn(draft, "c0", { max: "Infinity" }), "c0.max", /not a finite number/],
    ["1e400", changeColumn(draft, "c0", { max: "1e400" }), "c0.max", /not a finite number/],
    [
      "a decimal comma",
      changeColumn(draft, "c0", { max: "99,5" }),
      "c0.max",
      /Write 99\.5 with a point/,
    ],
    [
      "no categories",
      changeColumn(draft, "c1", { categories: "\n \n" }),
      "c1.categories",
      /at least one category/,
    ],
    [
      "a category twice",
      changeColumn(draft, "c1", { categories: "female\nmale\nfemale" }),
      "c1.categories",
      /“female” is listed twice/,
    ],
    [
      "a category that means missing",
      changeColumn(draft, "c1", { categories: "female\nNA" }),
      "c1.categories",
      /“NA” means a missing value/,
    ],
    [
      "a stand-in out of bounds",
      changeColumn(draft, "c0", { missing: { action: "value", value: "300" } }),
      "c0.missing",
      /between 18 and 105/,
    ],
    [
      "a stand-in that is no category",
      changeColumn(draft, "c1", { missing: { action: "category", value: "other" } }),
      "c1.missing",
      /one of this column’s categories/,
    ],
    [
      "a feature listed twice",
      changeColumn(addColumn(draft), "c9", { name: "age" }),
      "c9.name",
      /“age” is listed twice/,
    ],
    [
      "the label as a feature",
      changeColumn(addColumn(draft), "c9", { name: "readmitted" }),
      "c9.name",
      /cannot be used to predict itself/,
    ],
    ["a feature without a name", addColumn(draft), "c9.name", /as it stands in the file/],
    [
      "no features",
      draft.columns.reduce((d, c) => changeColumn(d, c.id, { include: false }), draft),
      "columns",
      /at least one column/,
    ],
    [
      "no positive spelling",
      changeLabel(draft, { positive: "" }),
      "label.positive",
      /positive outcome/,
    ],
    [
      "one spelling on both sides",
      changeLabel(draft, { positive: "no" }),
      "label.positive",
      /listed as negative too/,
    ],
    [
      "two classes of several",
      changeLabel(changeKind(draft, "classes"), { classes: "a\nb" }),
      "label.classes",
      /three classes or more/,
    ],
    [
      "a class twice",
      changeLabel(changeKind(draft, "classes"), { classes: "a\nb | c\nc" }),
      "label.classes",
      /“c” is listed twice/,
    ],
    [
      "a number's bounds the wrong way round",
      changeLabel(changeKind(draft, "numeric"), { min: "5", max: "1" }),
      "label.min",
      /lowest value, 5, must be below the highest, 1/,
    ],
    [
      "a negative intercept",
      changeRows(draft, { intercept: "-1" }),
      "intercept",
      /0 \(no intercept\)/,
    ],
  ];
  for (const [name, wrong, field, message] of cases) {
    test(name, () => {
      assert.equal(check(wrong).schema, null);
      const said = messages(wrong, field);
      assert.equal(said.length, 1, JSON.stringify(check(wrong).errors));
      assert.match(said[0]!, message);
    });
  }

  test("a column that is left out may be as wrong as it likes", () => {
    assert.ok(check(changeColumn(draft, "c0", { min: "90", max: "17", include: false })).schema);
  });

  test("changing what a column holds drops rules that no longer mean anything", () => {
    const changed = changeColumn(draftOf(suggested), "c1", { type: "numeric", min: "0", max: "1" });
    assert.ok(check(changed).schema, JSON.stringify(check(changed).errors));
    assert.equal(
      check(changeColumn(draftOf(suggested), "c0", { type: "categorical", categories: "x" })).schema
        ?.features[0]?.missing,
      "drop",
    );
  });
});

test("paths of the core lead to fields of the editor, past the columns that are left out", () => {
  const draft = changeColumn(draftOf(suggested), "c0", { include: false });
  assert.equal(fieldFor(draft, "features[0].categories[1]"), "c1.categories");
  assert.equal(fieldFor(draft, "schema.features[1].min"), "c2.min");
  assert.equal(fieldFor(draft, "features[1]"), "c2.name");
  assert.equal(fieldFor(draft, "label.positive[0]"), "label.positive");
  assert.equal(fieldFor(draft, "intercept"), "intercept");
  assert.equal(fieldFor(draft, "features[7].min"), "columns");
  assert.equal(fieldFor(draft, "version"), "columns");
});

test("columns can be added and removed", () => {
  const more = addColumn(addColumn(draftOf(sampleSchema)));
  assert.deepEqual(
    more.columns.slice(-2).map((c) => c.id),
    ["c9", "c10"],
  );
  assert.equal(
    addColumn(removeColumn(more, "c10")).columns.at(-1)!.id,
    "c11",
    "an id is never used twice",
  );
});

test("numbers are read as people write them, and nothing else is a number", () => {
  assert.deepEqual([" 12 ", "1e3", "−4.5", "+.5", "3."].map(parseNumber), [12, 1000, -4.5, 0.5, 3]);
  for (const text of ["", "1,5", "0x10", "1e400", "NaN", "∞", "1 000", "12abc"])
    assert.equal(parseNumber(text), null, text);
});

describe("a reason why something is public", () => {
  const because = (reason: string) => changeColumn(draftOf(sampleSchema), sampleId, { reason });
  const sampleId = draftOf(sampleSchema).columns[0]!.id;

  test("is in the schema, and comes back from it", () => {
    const draft = sayWhy(because(" code book,\tpage 3\n"), "label", "protocol");
    const { schema } = check(draft);
    assert.equal(schema?.version, 5);
    assert.equal(schema?.features[0]!.reason, "code book, page 3");
    assert.equal(schema?.label.reason, "protocol");
    const again = draftOf(schema!);
    assert.equal(again.columns[0]!.reason, "code book, page 3");
    assert.equal(again.label.reason, "protocol");
    assert.deepEqual(check(again).schema, schema);
  });

  test("is left out where there is none, and of what is not public", () => {
    const { schema } = check(because("  "));
    assert.equal(schema?.version, 1);
    assert.ok(!("reason" in schema!.features[0]!));
    const suggested = {
      ...sampleSchema,
      features: sampleSchema.features.map((f) => ({ ...f, provenance: "suggested" as const })),
    };
    const said = changeColumn(draftOf(suggested), sampleId, { reason: "code book" });
    assert.equal(check(said).schema?.features[0]!.reason, "code book");
    const kept = decide(said, sampleId, "accept");
    assert.ok(!("reason" in check(kept).schema!.features[0]!), "the core would refuse it");
  });

  test("is a line of 300 bytes at most, as the core has it", () => {
    assert.ok(check(because("é".repeat(150))).schema);
    assert.equal(check(because("é".repeat(151))).errors[0]?.field, `${sampleId}.reason`);
  });
});

test("a number that means missing leaves the bounds, unless the person has put them", () => {
  const at = (value: number) => ({
    column: "age",
    value,
    spellings: [String(value)],
    share: 0.1,
    min: 20,
    max: 80,
  });
  const all = [at(-1), at(999)];
  const age = { ...suggested.features[0]!, min: -1, max: 1000 };
  const draft = draftOf({ ...suggested, features: [age as (typeof suggested.features)[0]] });
  const once = treatAsMissing(draft, all[1]!, all);
  assert.ok(isMissing(once, all[1]!) && !isMissing(once, all[0]!));
  assert.deepEqual([once.columns[0]!.min, once.columns[0]!.max], ["-1", "80"]);
  const twice = treatAsMissing(once, all[0]!, all);
  assert.deepEqual([twice.columns[0]!.min, twice.columns[0]!.max], ["20", "80"]);
  assert.equal(provenanceOf(twice.columns[0]!), "suggested");
  assert.ok(check(twice).schema?.missing_values?.includes("999"));
  const own = changeColumn(draft, "c0", { min: "0", max: "120" });
  assert.equal(treatAsMissing(own, all[1]!, all).columns[0]!.max, "120");
});

test("a schema may name a charge that the account of the file does not have", () => {
  const charges = [{ id: "a1" }, { id: "b2" }] as unknown as LedgerCharge[];
  const said = (
    phase: "looking" | "unread" | "unknown" | "open" | "unavailable",
    account: { charges: LedgerCharge[] } | null,
    charge: string,
  ) => uncharged({ phase, account }, { charge });
  assert.equal(said("open", { charges }, "b2"), null);
  assert.match(said("open", { charges }, "b")!, /account of this file has no such charge/);
  assert.match(said("open", { charges: [] }, "a1")!, /account of this file has no such charge/);
  // Of an account that nobody has read, nothing is said.
  assert.equal(said("looking", null, "a1"), null);
  assert.equal(said("unread", null, "a1"), null);
  assert.match(said("unknown", null, "a1")!, /no account here/);
  assert.match(said("unavailable", null, "a1")!, /cannot be looked up here/);
});

test("a name of a level that was typed on from the page's does not keep a category that is gone", () => {
  const known = decide(draftOf(suggested), "c1", "public");
  const work = (draft: SchemaDraft) => draft.columns[1]!;
  const merged = mergeLevels(known, work(known), new Set(["Private", "State"]));
  const named = (name: string, categories: string) => {
    const [level] = levelsOf(work(merged), enteredOf(merged, "c1"));
    const typed = changeColumn(nameLevel(merged, "c1", level!, name), "c1", { categories });
    return levelsOf(work(typed), enteredOf(typed, "c1"))[0]!.name;
  };
  assert.equal(named("Private or State, all", "Private\nState"), "Private or State, all");
  assert.equal(named("Private or State, all", "State"), "State");
  assert.equal(named("employed", "State"), "employed");
});
