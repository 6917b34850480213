// The Quarto report of the documentation, beside a release and its Python program: its cells, run
// in order as Quarto's kernel runs them, write what the client says. Quarto itself is not run.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Release } from "../../src/client/types.ts";
import { code } from "../../src/pages/studio/result/publish/code.ts";
import { hasPython, opened } from "./made-up.ts";
import { readmitted } from "./readmitted.ts";

const at = (path: string): string =>
  fileURLToPath(new URL(`../../../site/${path}`, import.meta.url));
const report = readFileSync(at("docs/examples/report.qmd"), "utf8");
const cells = [...report.matchAll(/^```\{python\}\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);

const { client, folder } = await opened("report");

let release: Release;
before(async () => {
  release = await readmitted(client);
  writeFileSync(join(folder, "release.json"), JSON.stringify(release));
  writeFileSync(join(folder, "model.py"), code(release, "python"));
});

const there = hasPython();

/** What each cell prints, and what stands last in it, as JSON. */
function run(): { out: string; last: unknown }[] {
  const runner = `
import ast, contextlib, io, json, sys
sys.path.insert(0, "")
sys.stdin.reconfigure(encoding="utf-8")
names, done = {}, []
for cell in json.load(sys.stdin):
    tree, out, last = ast.parse(cell), io.StringIO(), None
    end = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(out):
        exec(compile(tree, "cell", "exec"), names)
        if end:
            last = eval(compile(end, "cell", "eval"), names)
    done.append({"out": out.getvalue(), "last": last})
print(json.dumps(done))`;
  return JSON.parse(
    execFileSync("python3", ["-c", runner], {
      cwd: folder,
      input: JSON.stringify(cells),
      encoding: "utf8",
    }),
  ) as { out: string; last: unknown }[];
}

test("the report takes in the script that it names, and hands it on", () => {
  const [, script] = /^<script src="([^"]+)"><\/script>$/m.exec(report)!;
  assert.ok(readFileSync(at(`dist/${script}`)).length > 0);
  assert.match(report, new RegExp(`^---\n[^]*\nresources:\n  - ${script}\n---\n`));
});

test("its cells", { skip: !there && "there is no python3 here" }, async () => {
  const [promise, curve, one, many, ...more] = run();
  assert.deepEqual(more, []);
  assert.match(promise!.out, /\(ε = 1, δ = 1e-05\).*adjacency add-remove\.\n$/);

  const html =
    /^```\{=html\}\n<privacy-curve><script type="application\/json">(.*)<\/script><\/privacy-curve>\n```\n$/;
  assert.deepEqual(JSON.parse(html.exec(curve!.out)![1]!), release.event);

  const { margin, label, probability } = await client.predict(release, {
    age: 72,
    ward: "surgery",
  });
  const got = one!.last as { margin: number; label: string; probability: number };
  assert.deepEqual(Object.keys(got), ["margin", "label", "probability"]);
  assert.equal(got.label, label);
  assert.ok(Math.abs(got.margin - margin) < 1e-12);
  assert.ok(Math.abs(got.probability - probability!) < 1e-12);

  const [head, rule, ...rows] = many!.out.trimEnd().split("\n");
  assert.deepEqual([head, rule], ["| age | medicine | surgery |", "|--:|--:|--:|"]);
  assert.equal(rows.length, 8);
  for (const row of rows) {
    const [, age, ...chances] = row.split("|").map((cell) => cell.trim());
    for (const [i, ward] of ["medicine", "surgery"].entries()) {
      const { probability } = await client.predict(release, { age: Number(age), ward });
      assert.ok(Math.abs(Number(chances[i]) - probability!) < 0.0051, row);
    }
  }
});
