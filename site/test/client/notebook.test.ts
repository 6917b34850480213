// A release as a notebook: it is one, and its cells, run in order as Jupyter runs them, predict
// what the client does and draw what the model found.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { AnyLabel, FitMethod, Label, Loss, Release } from "../../src/client/types.ts";
import { found } from "../../src/pages/release/found.ts";
import { notebook } from "../../src/pages/studio/result/publish/notebook.ts";
import {
  agrees,
  type Answer,
  fields,
  hasPython,
  labels,
  odd,
  opened,
  refused,
  row,
  schemaOf,
  table,
} from "./made-up.ts";

const { client, folder } = await opened("notebook");

interface Cell {
  cell_type: "markdown" | "code";
  id: string;
  metadata: object;
  source: string[];
  execution_count?: null;
  outputs?: [];
}

const there = hasPython();

/**
 * Runs the cells of notebook.ipynb, each with the names of those before it; what stands last in a
 * cell is what it shows. Then it predicts rows, one by one and from a file.
 */
const runner = `
import ast, json, sys, xml.dom.minidom
sys.stdin.reconfigure(encoding="utf-8")
sys.stdout.reconfigure(encoding="utf-8")
given = json.load(sys.stdin)
names, shows, out = {}, {}, sys.stdout
sys.stdout = sys.stderr
for cell in json.load(open("notebook.ipynb", encoding="utf-8"))["cells"]:
    if cell["cell_type"] != "code":
        continue
    tree = ast.parse("".join(cell["source"]))
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, cell["id"], "exec"), names)
    if last:
        shows[cell["id"]] = eval(compile(last, cell["id"], "eval"), names)
def answer(row):
    try:
        return names["predict"](dict(zip(given["fields"], row)))
    except ValueError:
        return None
xml.dom.minidom.parseString(shows["drawing"]._repr_svg_())
print(json.dumps({
    "svg": shows["drawing"]._repr_svg_(),
    "person": [names["person"], shows["person"]],
    "release": names["release"],
    "answers": [answer(row) for row in given["rows"]],
    "file": [a for _, a in names["predict_file"]("people.csv")],
}), file=out)`;

interface Ran {
  svg: string;
  person: [Record<string, string | number>, Answer];
  release: unknown;
  answers: (Answer | null)[];
  file: (Answer & { problem?: string })[];
}

function run(rows: readonly string[][]): Ran {
  writeFileSync(join(folder, "run.py"), runner);
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const csv = [[...fields], ...rows].map((cells) => cells.map(cell).join(",")).join("\r\n");
  writeFileSync(join(folder, "people.csv"), `\ufeff${csv}\r\n`);
  const out = execFileSync("python3", ["run.py"], {
    cwd: folder,
    input: JSON.stringify({ fields, rows }),
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
  });
  return JSON.parse(out) as Ran;
}

/** What version 4.5 of the format asks for, of notebooks that were not run. */
function isNotebook(text: string): Cell[] {
  const { cells, metadata, nbformat, nbformat_minor, ...more } = JSON.parse(text) as {
    cells: Cell[];
    metadata: { kernelspec: { name: string; display_name: string }; language_info: object };
    nbformat: number;
    nbformat_minor: number;
  };
  assert.deepEqual(more, {});
  assert.deepEqual([nbformat, nbformat_minor], [4, 5]);
  assert.equal(metadata.kernelspec.name, "python3");
  assert.ok(metadata.kernelspec.display_name);
  assert.deepEqual(metadata.language_info, { name: "python" });
  const ids = cells.map(({ id }) => id);
  for (const id of ids) assert.match(id, /^[a-zA-Z0-9-_]{1,64}$/);
  assert.equal(new Set(ids).size, ids.length);
  for (const { cell_type, source, metadata, id, execution_count, outputs, ...more } of cells) {
    assert.deepEqual(more, {}, id);
    assert.equal(typeof metadata, "object");
    assert.ok(source.length > 0, id);
    source.forEach((line, i) =>
      assert.equal(line.indexOf("\n"), i < source.length - 1 ? line.length - 1 : -1, id),
    );
    if (cell_type === "code") assert.deepEqual([execution_count, outputs], [null, []], id);
    else
      assert.deepEqual([cell_type, execution_count, outputs], ["markdown", undefined, undefined]);
  }
  return cells;
}

const cases: [string, FitMethod, Loss | undefined, "unit" | "clip" | "scale", number][] = [
  ["two classes", "amp", undefined, "clip", 0.5],
  ["two classes", "outpert", "huber", "unit", 1],
  ["two classes", "dpsgd", undefined, "unit", 0],
  ["two classes", "dpgd", "squared", "clip", 0.25],
  ["several classes", "amp", undefined, "unit", 0.5],
  ["several classes", "amp", "huber", "clip", 0.25],
  ["a number", "amp", undefined, "clip", 0.5],
  ["a number", "suffstats", undefined, "clip", 0.5],
  ["a number", "suffstats", undefined, "scale", 0.5],
];

for (const [name, method, loss, norm, intercept] of cases) {
  describe(`${name}, ${method}, ${loss ?? "its own loss"}`, async () => {
    const label = labels[name]!;
    const dataset = await client.openDataset(table(label), schemaOf(label, norm, intercept));
    const fitted = await client.fit(dataset, {
      adjacency: "add-remove",
      epsilon: 4,
      delta: 1e-6,
      method,
      ...(loss && { loss }),
      ...(/outpert|^dp/.test(method) && { records: 900 }),
    });
    await dataset.close();
    const release = fitted.release as Release<AnyLabel>;
    const differences = await client.differences(release);
    const text = notebook({ release, text: fitted.text, differences });
    const rows = [...Array.from({ length: 40 }, (_, i) => row(i * 13 + 1)), ...odd];
    const expected = await client.predict(release, rows);

    test("is a notebook, and says what is promised", () => {
      const cells = isNotebook(text);
      const [{ source }] = cells as [Cell];
      assert.match(source.join(""), new RegExp(`^# Predicting “${label.name}”`));
      assert.match(source.join(""), /ε = 4, δ = 10⁻⁶\)-differential privacy under adding or/);
    });

    test("computes", { skip: !there && "there is no python3 here" }, async () => {
      writeFileSync(join(folder, "notebook.ipynb"), text);
      const ran = run([...rows, ...refused]);
      assert.deepEqual(ran.release, JSON.parse(fitted.text));
      agrees(ran.answers.slice(0, rows.length), expected);
      agrees(ran.file.slice(0, rows.length), expected);
      assert.deepEqual(
        ran.answers.slice(rows.length),
        refused.map(() => null),
      );
      for (const { problem } of ran.file.slice(rows.length)) assert.ok(problem);
      // The person in it is one that the client takes, and judges alike.
      const [person, answer] = ran.person;
      assert.deepEqual(Object.keys(person), [...fields]);
      agrees([answer], [await client.predict(release, person)]);

      const parts = differences.vectors.map((_, k) => found(release, differences, k));
      const most = parts.length > 1 ? 6 : 12;
      const drawn = parts.flatMap((p) => p.rows.slice(0, most));
      const bars = [...ran.svg.matchAll(/<rect x=[^>]*?(fill="[^"]+")/g)].map(([, fill]) => fill);
      assert.deepEqual(
        bars,
        drawn.map((r) =>
          r.shown ? `fill="${r.value >= 0 ? "#1b5e59" : "#a8501a"}"` : 'fill="none"',
        ),
      );
      for (const { text } of drawn)
        // a small number has spaces that do not break
        assert.ok(ran.svg.includes(`>${text.replaceAll("\u00a0", " ")}</text>`), text);
    });
  });
}

test("names may hold what Markdown, Python and SVG give a meaning to", async () => {
  const name = "'''*a*\\' \\\"</text>\u00a0<b>&$";
  const label: Label = {
    name: `${name} too`,
    negative: ["no"],
    positive: ["</svg>'''"],
    provenance: "public",
  };
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = Array.from({ length: 200 }, (_, i) => `${i % 2},${i % 3 ? "no" : "</svg>'''"}`);
  const dataset = await client.openDataset(
    [`${quoted(name)},${quoted(label.name)}`, ...lines].join("\n"),
    {
      version: 1,
      features: [{ name, type: "numeric", min: 0, max: 1, provenance: "public" }],
      label,
      rows: { norm: "clip" },
      intercept: 0.5,
    },
  );
  const { release, text } = await client.fit(dataset, {
    adjacency: "add-remove",
    epsilon: 1,
    delta: 1e-5,
  });
  await dataset.close();
  const differences = await client.differences(release);
  const written = notebook({ release, text, differences });
  const [about] = isNotebook(written);
  assert.ok(
    about!.source[0]!.includes("'''\\*a\\*\\\\' \\\\\"\\</text\\> \\<b\\>\\&\\$ too"),
    about!.source[0],
  );
  // It draws nothing where the differences are not known.
  assert.ok(!isNotebook(notebook({ release, text })).some(({ id }) => id === "drawing"));
  if (!there) return;
  writeFileSync(join(folder, "notebook.ipynb"), written);
  const ran = run([]);
  assert.deepEqual(ran.release, JSON.parse(text));
  agrees([ran.person[1]], [await client.predict(release, { [name]: 0.5 })]);
  assert.match(ran.svg, /&lt;\/text&gt; &lt;b&gt;/);
});
