// Bad input in the page: every one is refused with a message that says where and what would be
// right, and the page stays usable: the sample can be fitted right after each.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { mkdtemp, open as openFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessible } from "../harness/axe.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";
import { csv, fit, json, openStudio, schemaOf } from "../harness/studio.mjs";

const { server, browser } = await setUp();
let tab, page;

const schema = schemaOf({ wards: ["A", "B"], intercept: 1 });

const good = Array.from(
  { length: 60 },
  (_, i) => `${20 + i},${"AB"[i % 2]},${["no", "yes"][i % 3 === 0 ? 1 : 0]}`,
);

/** A CSV with lines put in place of some of its rows; row 2 is the first below the header. */
function table(changes = {}, header = "age,ward,ill", rows = good) {
  return [header, ...rows.map((line, i) => changes[i + 2] ?? line)].join("\n");
}

const importSchema = (tree) => page.setInputFiles("#schema-file", json(tree));

/** Imports the schema, opens the table, fits, and returns the text of the refusal. */
async function refusal(text) {
  await importSchema(schema);
  await page.waitForFunction(() => document.querySelectorAll(".column").length === 2);
  await page.setInputFiles("#file", csv(text));
  await page.waitForFunction(() =>
    document.querySelector(".file-name")?.textContent.includes("table.csv"),
  );
  const said = await fit(page);
  assert.notEqual(said, "done", "it was not refused");
  return said;
}

/** What is shown beside a field. */
const errorOf = (id) => page.locator(`#${id}-error`).innerText();

/**
 * One page for all of a group: that it can be used after each refusal is part of what is tested.
 */
function inOnePage() {
  before(async () => {
    tab = await openStudio(browser, server.url);
    page = tab.page;
  });
  after(async () => {
    tab.quiet();
    await tab.close();
  });
}

/** Goes back to the sample in the same page and fits it. */
async function stillWorks() {
  const back = page.getByRole("button", { name: "Go back to the made-up tables" });
  if ((await back.count()) > 0) {
    await back.click();
    await page.locator(".card", { hasText: "Hospital stays" }).getByText("open").waitFor();
  }
  assert.equal(await fit(page), "done");
}

describe("a file that does not fit the schema", () => {
  inOnePage();

  const cases = [
    ["a ragged row", table({ 7: "30,A,no,extra" }), { row: 7 }, /4 fields.*3/],
    ["the label column missing", table({}, "age,ward,sick"), { column: "ill" }, /ill/],
    ["a third label value", table({ 9: "30,A,maybe" }), { row: 9, column: "ill" }, /maybe/],
    [
      "one class only",
      table(
        {},
        "age,ward,ill",
        good.map((l) => l.replace("yes", "no")),
      ),
      { column: "ill" },
      /both|two classes|one class|all/i,
    ],
    ["zero rows", "age,ward,ill\n", {}, /no (rows|records)|header/i],
    [
      "an unknown category without a rule",
      table({ 11: "30,C,no" }),
      { row: 11, column: "ward" },
      /"C"/,
    ],
    ["NaN", table({ 12: "NaN,A,no" }), { row: 12, column: "age" }, /NaN/],
    ["Inf", table({ 13: "Inf,A,no" }), { row: 13, column: "age" }, /Inf/],
    ["1e400", table({ 14: "1e400,A,no" }), { row: 14, column: "age" }, /1e400/],
    ["text in a numeric column", table({ 15: "young,A,no" }), { row: 15, column: "age" }, /young/],
    [
      "a missing value without a rule",
      table({ 16: ",A,no" }),
      { row: 16, column: "age" },
      /missing/,
    ],
  ];
  for (const [name, text, where, message] of cases) {
    test(name, async () => {
      const said = await refusal(text);
      assert.match(said, message);
      if (where.row) assert.match(said, new RegExp(`Row ${where.row}\\b`));
      if (where.column) assert.match(said, new RegExp(`Column ${where.column}\\b`));
      await stillWorks();
    });
  }

  test("the refusal leads to the column that is meant", async () => {
    await refusal(table({ 11: "30,C,no" }));
    await page.getByRole("button", { name: "Show me where" }).click();
    await page.waitForFunction(() => document.activeElement?.id === "c1-categories");
    await accessible(page, "a refused file");
    await page.selectOption("#c1-unknown", "zero");
    // Now it can be read, so it is looked up in the ledger.
    await page.waitForSelector("#account-fix");
    assert.equal(await fit(page), "done");
    await stillWorks();
  });
});

describe("a file that no schema would fit", () => {
  inOnePage();

  const cases = [
    [
      "a picture",
      {
        name: "table.csv",
        mimeType: "text/csv",
        buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
      },
      /CSV/,
    ],
    [
      "a workbook",
      {
        name: "table.csv",
        mimeType: "text/csv",
        buffer: Buffer.from("PK\u0003\u0004\u0014\u0000\u0006\u0000 xl/workbook.xml"),
      },
      /CSV/,
    ],
    ["a web page", csv("<!doctype html><html><body>hello</body></html>"), /CSV|web page/],
    ["nothing at all", csv(""), /empty|no rows|nothing/i],
    ["a header alone", csv("age,ward,ill\n"), /row|record/i],
    ["a ragged row", csv(table({ 5: "1,2" })), /Row 5\b/],
  ];
  for (const [name, file, message] of cases) {
    test(name, async () => {
      await page.setInputFiles("#file", file);
      const problem = page.locator("#data-problem");
      await problem.waitFor();
      assert.match(await problem.innerText(), message);
      if (file === cases[0][1]) await accessible(page, "a file that is not a table");
      await stillWorks();
    });
  }

  test("2 GB: refused before anything is read", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cloister-"));
    const path = join(folder, "large.csv");
    const file = await openFile(path, "w");
    await file.truncate(2 ** 31);
    await file.close();
    try {
      await page.setInputFiles("#file", path);
      const problem = page.locator("#data-problem");
      await problem.waitFor();
      assert.match(await problem.innerText(), /too large[^]*2,147,483,648 bytes[^]*512 MiB/i);
      await stillWorks();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("no column with two values: the person says what to predict", async () => {
    await page.setInputFiles(
      "#file",
      csv(
        ["size,species", ...Array.from({ length: 30 }, (_, i) => `${i / 7},${"abc"[i % 3]}`)].join(
          "\n",
        ),
      ),
    );
    await page.locator("#data-problem").waitFor();
    await page.selectOption("#hint-label", "species");
    await page.selectOption("#hint-kind", "two");
    await page.fill("#hint-positive", "b");
    await page.getByRole("button", { name: "Read the file again" }).click();
    await page.waitForSelector(".column");
    assert.equal(await page.inputValue("#label-positive"), "b");
    assert.equal(await page.inputValue("#label-negative"), "a\nc");
    await stillWorks();
  });
});

describe("a schema file that cannot be used", () => {
  inOnePage();

  const change = (edit) => {
    const tree = structuredClone(schema);
    edit(tree);
    return tree;
  };
  const cases = [
    ["another version", change((s) => (s.version = 8)), /version is 8/],
    [
      "a single class",
      change((s) =>
        Object.assign(s, {
          version: 2,
          label: { name: "ill", type: "classes", classes: [["a"]], provenance: "public" },
        }),
      ),
      /label\.classes/,
    ],
    [
      "a name given twice",
      JSON.stringify(schema).replace('"min":', '"min":0,"min":'),
      /features\[0\]\.min is given twice/,
    ],
    [
      "a feature listed twice",
      change((s) => s.features.push(s.features[0])),
      /features\[2\]\.name.*"age"/,
    ],
    ["min ≥ max", change((s) => (s.features[0].min = 120)), /features\[0\]\.min is 120.*below max/],
    ["no provenance", change((s) => delete s.features[1].provenance), /features\[1\]\.provenance/],
    ["a field that has no meaning", change((s) => (s.features[0].mean = 3)), /mean/],
    ["not JSON", "{version: 1}", /not JSON/],
  ];
  for (const [name, tree, message] of cases) {
    test(name, async () => {
      await importSchema(tree);
      const problem = page.locator("#schema-problem");
      await page.waitForFunction(
        (text) => new RegExp(text).test(document.querySelector("#schema-problem")?.innerText ?? ""),
        message.source,
      );
      assert.match(await problem.innerText(), message);
      assert.equal(await page.locator(".column").count(), 9, "the editor keeps what it had");
      if (tree === cases[0][1]) await accessible(page, "a schema that cannot be used");
      await stillWorks();
    });
  }
});

describe("what is typed", () => {
  inOnePage();

  for (const [epsilon, message] of [
    ["0", /“0” cannot be a budget.*above 0/],
    ["-1", /“-1” cannot be a budget/],
    ["NaN", /“NaN” cannot be a budget.*finite/],
    ["∞", /“∞” cannot be a budget.*finite/],
    ["Infinity", /finite number above 0/],
    ["", /An empty field cannot be a budget/],
  ]) {
    test(`ε = ${epsilon || "nothing"}`, async () => {
      await page.fill("#epsilon", epsilon);
      assert.match(await errorOf("epsilon"), message);
      assert.equal(await page.getAttribute("#epsilon", "aria-invalid"), "true");
      assert.match(await fit(page), /need a correction/);
      await page.getByRole("button", { name: "Show me where" }).click();
      await page.waitForFunction(() => document.activeElement?.id === "epsilon");
      await page.fill("#epsilon", "1");
      await stillWorks();
    });
  }

  for (const delta of ["0", "1", "2", "-0.1", "NaN"]) {
    test(`δ = ${delta}`, async () => {
      await page.fill("#delta", delta);
      assert.match(await errorOf("delta"), /above 0 and below 1/);
      await page.fill("#delta", "1e-5");
      await stillWorks();
    });
  }

  test("bounds the wrong way round, and a feature listed twice", async () => {
    await page.getByRole("button", { name: "Edit age" }).click();
    await page.fill("#c0-min", "110");
    await page.press("#c0-min", "Tab");
    assert.match(await errorOf("c0-min"), /lowest value, 110, must be below the highest, 105/);
    await page.getByRole("button", { name: "Add a column" }).click();
    await page.getByRole("button", { name: "Edit New column" }).click();
    await page.fill("#c9-name", "bmi");
    await page.press("#c9-name", "Tab");
    assert.match(await errorOf("c9-name"), /“bmi” is listed twice/);
    await accessible(page, "errors beside fields");
    assert.match(await fit(page), /need a correction/);
    await page.fill("#c0-min", "18");
    await page.getByRole("button", { name: "Remove this column" }).last().click();
    await stillWorks();
  });
});

describe("a file without a header", () => {
  inOnePage();
  const bare = `\uFEFF${good.join("\r")}`;

  test("its first person is shown to the holder alone, and becomes no name", async () => {
    await page.setInputFiles("#file", csv(bare));
    const asked = page.locator("#data-problem");
    await asked.waitFor();
    assert.match(await asked.innerText(), /Is this line a person\?/);
    assert.deepEqual(await asked.locator(".first-line span").allInnerTexts(), good[0].split(","));
    await accessible(page, "the question what the first line is");
    await page.click("#header-none");
    // c1 numbers the rows, and is left out.
    await page.waitForFunction(() => document.querySelectorAll(".column").length === 1);
    assert.match(await page.locator(".column").innerText(), /c2/);
    assert.equal(await page.locator("#data-problem").count(), 0);
  });

  test("what looks like a person may be names all the same", async () => {
    await page.setInputFiles("#file", csv(bare, "other.csv"));
    await page.locator("#data-problem").waitFor();
    await page.click("#header-first");
    await page.waitForFunction(() => document.querySelectorAll(".column").length > 0);
    assert.equal(await page.locator("#data-problem").count(), 0);
  });
});
