import assert from "node:assert/strict";
import test from "node:test";
import { checkNames, checkText } from "./tree.mjs";

test("a new name at the top level is caught", () => {
  assert.deepEqual(checkNames(["core", "site", "README.md"]), []);
  assert.equal(checkNames(["core", "notes.txt"]).length, 1);
});

test("words that do not belong in a text are caught", () => {
  for (const line of [
    "see /work/shared/x",
    "cd /home/anna && make",
    'open("/tmp/x.csv")',
    '"resolved": "https://registry.npmjs.org/lit"',
    "GOPROXY=proxy.golang.org",
    "// TODO: later",
    "const u = Math.random();",
  ]) {
    assert.equal(checkText("file.md", `first\n${line}\n`).length, 1, line);
    assert.match(checkText("file.md", `first\n${line}\n`)[0], /^file\.md:2: /);
  }
});

test("ordinary text is left alone", () => {
  for (const line of ["../shared/reference", "https://example.org/work/1", "core/random", "homework/ is not home", "a todo list", "crypto.getRandomValues(x)"]) {
    assert.deepEqual(checkText("file.md", line), [], line);
  }
});
