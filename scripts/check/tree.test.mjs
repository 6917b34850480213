import assert from "node:assert/strict";
import test from "node:test";
import { checkNames, checkText } from "./tree.mjs";

test("a new name at the top level is caught", () => {
  assert.deepEqual(checkNames(["core", "site", "README.md"]), []);
  assert.equal(checkNames(["core", "notes.txt"]).length, 1);
});

test("words that do not belong in a text are caught", () => {
  for (const line of ["// TODO: later", "const u = Math.random();"]) {
    const [complaint, ...more] = checkText("file.md", `first\n${line}\n`);
    assert.match(complaint, /^file\.md:2: /, line);
    assert.deepEqual(more, []);
  }
});

test("ordinary text is left alone", () => {
  for (const line of ["core/random", "a todo list", "crypto.getRandomValues(x)"]) {
    assert.deepEqual(checkText("file.md", line), [], line);
  }
});
