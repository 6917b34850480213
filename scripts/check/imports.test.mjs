import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import test from "node:test";
import { checkImports, checkPageImports, importsIn, table } from "./imports.mjs";

const rows = [
  { folder: "low" },
  { folder: "low/deep", below: ["low"], other: ["lit/"] },
  { folder: "high", below: ["low/deep"] },
];
const check = (files) => checkImports(new Map(Object.entries(files)), rows);

test("the page code keeps to the table, and imports in no circle", () => {
  assert.deepEqual(checkPageImports(fileURLToPath(new URL("../..", import.meta.url))), []);
});

test("an import upwards is caught, of values, of types, when needed, and of styles", () => {
  const upwards = [
    'import { a } from "../high/b.ts";',
    'import type { A } from "../high/b.ts";',
    'export * from "../high/b.ts";',
    'const a = () => import("../high/b.ts");',
    'type A = typeof import("../high/b.ts");',
    'import "../high/b.ts";',
    'import {\n  a,\n} from "../high/b.ts";',
  ];
  for (const line of upwards) {
    const complaints = check({ "low/a.ts": line, "high/b.ts": "" });
    assert.equal(complaints.length, 1, line);
    assert.match(complaints[0], /low\/a\.ts imports high\/b\.ts/);
  }
  assert.equal(check({ "low/a.css": '@import "../high/b.css";', "high/b.css": "" }).length, 1);
});

test("a row opens what it names, with all below that; a folder within has a row of its own", () => {
  assert.deepEqual(check({ "low/deep/a.ts": 'import "../b.ts";', "low/b.ts": "" }), []);
  assert.deepEqual(check({ "high/c.ts": 'import "../low/b.ts";', "low/b.ts": "" }), []);
  assert.equal(check({ "low/b.ts": 'import "./deep/a.ts";', "low/deep/a.ts": "" }).length, 1);
});

test("a package that the row does not name is caught", () => {
  assert.deepEqual(check({ "low/deep/a.ts": 'import { html } from "lit/html.js";' }), []);
  assert.equal(check({ "low/deep/a.ts": 'import { LitElement } from "lit";' }).length, 1);
  assert.equal(check({ "low/a.ts": 'import { html } from "lit/html.js";' }).length, 1);
});

test("a circle is caught, also one of types alone and within a folder", () => {
  const complaints = check({
    "low/a.ts": 'import type { B } from "./b.ts";',
    "low/b.ts": 'import { c } from "./c.ts";',
    "low/c.ts": 'import { a } from "./a.ts";',
    "low/d.ts": 'import { a } from "./a.ts";',
  });
  assert.equal(complaints.length, 1);
  assert.match(complaints[0], /circle: low\/a\.ts → low\/b\.ts → low\/c\.ts → low\/a\.ts$/);
});

test("a file in a folder without a row is caught, and a row that names one below itself", () => {
  assert.equal(check({ "new/a.ts": "" }).length, 1);
  assert.equal(checkImports(new Map(), [{ folder: "a", below: ["b"] }, { folder: "b" }]).length, 1);
  assert.equal(new Set(table.map(({ folder }) => folder)).size, table.length);
});

test("texts that are no imports are left alone", () => {
  const text = [
    '// import { a } from "./b.ts";',
    'const text = `import x from "./y.mjs"`;',
    '/** see import("./z.ts") */',
    'const from = "./w.ts";',
  ];
  assert.deepEqual(importsIn(text.join("\n")), []);
});
