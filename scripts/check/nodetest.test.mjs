import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { nodeTest } from "./nodetest.mjs";

const files = {
  "good.mjs": 'import { test } from "node:test"; test("one", () => {}); test("two", { skip: "no disk" }, () => {});',
  "bad.mjs": 'import { test } from "node:test"; test("one", () => {}); test("three", () => { throw new Error("of three"); });',
  "broken.mjs": "this is no program",
  "endless.mjs": 'import { test } from "node:test"; test("four", () => new Promise((end) => setTimeout(end, 1e6)));',
};

test("files are counted, and what fails, breaks or does not end is told with its name", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "cloister-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const paths = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const good = await nodeTest(paths.slice(0, 1));
  assert.deepEqual([good.passed, good.failed, good.say], [1, 0, ["skip  two # SKIP no disk"]]);

  const { passed, failed, say } = await nodeTest(paths, { minutes: 0.1 });
  assert.deepEqual([passed, failed], [2, 3]);
  for (const name of ["bad.mjs", "broken.mjs", "endless.mjs"]) assert.ok(say.includes(`FAIL  ${join(folder, name)}`), name);
  assert.ok(!say.includes(`FAIL  ${paths[0]}`));
  const told = say.join("\n");
  assert.match(told, /not ok \d+ - three/);
  assert.match(told, /of three/);
  assert.match(told, /SyntaxError/);
  assert.match(told, /node was ended by SIGKILL, as after 0.1 minutes/);
});
