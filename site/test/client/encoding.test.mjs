// What the command line does with a file of ours that is not UTF-8: it reads none of it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../../dist/cloister.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cloister-encoding-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const latin = join(folder, "latin.json");
writeFileSync(latin, Buffer.from('{"note": "gen\u00e4hert"}', "latin1"));

for (const [what, args] of [
  ["description", ["account", "--file", latin]],
  ["schema", ["fit", "--data", latin, "--schema", latin, "--epsilon", "1", "--delta", "1e-5"]],
  ["release", ["regress", "--release", latin, "--output", join(folder, "out.json")]],
  ["card", ["scorecard", "--card", latin]],
])
  test(`a ${what} that is not UTF-8 is refused`, () => {
    const { status, stdout, stderr } = spawnSync("node", [command, ...args], { encoding: "utf8" });
    assert.match(stderr, new RegExp(`The ${what} is not UTF-8 text: save it as UTF-8`));
    assert.equal(stdout, "");
    assert.notEqual(status, 0);
  });

test("a description that is not UTF-8 is refused from standard input too", () => {
  const { status, stderr } = spawnSync("node", [command, "account", "-"], {
    encoding: "utf8",
    input: Buffer.from('{"note": "gen\u00e4hert"}', "latin1"),
  });
  assert.match(stderr, /The description is not UTF-8 text/);
  assert.notEqual(status, 0);
});
