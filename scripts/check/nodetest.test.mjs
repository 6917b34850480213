import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LIMIT } from "../../site/test/harness/limited.mjs";
import { ACCIDENTS, MINUTES, nodeTest } from "./nodetest.mjs";

const files = {
  "good.mjs":
    'import { test } from "node:test"; test("one", () => {}); test("two", { skip: "no disk" }, () => {});',
  "bad.mjs":
    'import { test } from "node:test"; test("one", () => {}); test("three", () => { throw new Error("of three"); });',
  "broken.mjs": "this is no program",
  "endless.mjs":
    'import { test } from "node:test"; test("four", () => new Promise((end) => setTimeout(end, 1e6)));',
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
  for (const name of ["bad.mjs", "broken.mjs", "endless.mjs"])
    assert.ok(say.includes(`FAIL  ${join(folder, name)}`), name);
  assert.ok(!say.includes(`FAIL  ${paths[0]}`));
  const told = say.join("\n");
  assert.match(told, /not ok \d+ - three/);
  assert.match(told, /of three/);
  assert.match(told, /SyntaxError/);
  assert.match(told, /node was ended by SIGKILL, as after 0.1 minutes/);
});

test("a file that fails once is run again alone, and told as unsteady if it passes then", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "cloister-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const fromSecondTimeOn = `import { existsSync, writeFileSync } from "node:fs"; import { test } from "node:test";
    const mark = import.meta.filename + ".mark";
    test("nine", () => { if (!existsSync(mark)) { writeFileSync(mark, ""); throw new Error("of nine"); } });`;
  const luck = write("luck.mjs", fromSecondTimeOn);
  const bad = write("bad.mjs", files["bad.mjs"]);
  const { passed, failed, say } = await nodeTest([luck, bad], { again: true });
  assert.deepEqual([passed, failed], [2, 1]);
  assert.ok(say.includes(`unsteady  ${luck}: passed alone, after this`));
  assert.match(say.join("\n"), /of nine/, "the first failure is told");
  assert.ok(say.includes(`FAIL  ${bad}`));

  const many = Array.from({ length: ACCIDENTS + 1 }, (_, i) =>
    write(`luck-${i}.mjs`, fromSecondTimeOn),
  );
  const all = await nodeTest(many, { again: true });
  assert.equal(all.failed, ACCIDENTS + 1, "so many at once are no accident");
});

test("files run two at a time, and one at a time while something else runs beside", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "cloister-"));
  t.after(() => rmSync(folder, { recursive: true }));
  /** Two files that pass if the other has begun before they end. */
  const pair = (name) =>
    ["one", "other"].map((own, i, both) => {
      const mark = (which) => JSON.stringify(join(folder, `${name}-${which}.mark`));
      const path = join(folder, `${name}-${own}.mjs`);
      writeFileSync(
        path,
        `import { existsSync, writeFileSync } from "node:fs"; import { test } from "node:test";
        test("ten", async () => {
          writeFileSync(${mark(own)}, "");
          const end = Date.now() + 5000;
          while (!existsSync(${mark(both[1 - i])})) {
            if (Date.now() > end) throw new Error("alone");
            await new Promise((then) => setTimeout(then, 20));
          }
        });`,
      );
      return path;
    });
  const together = await nodeTest(pair("together"));
  assert.deepEqual([together.passed, together.failed], [2, 0]);
  const never = new Promise(() => {});
  const apart = await nodeTest(pair("apart"), { room: never });
  assert.deepEqual([apart.passed, apart.failed], [1, 1], "the first does not see the second");
});

test("a test of a browser that stands still is told by its name, and those after it are run", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "cloister-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "still.mjs");
  const limited = new URL("../../site/test/harness/limited.mjs", import.meta.url).href;
  writeFileSync(
    path,
    `import { test } from "${limited}";
    const never = () => new Promise((end) => setTimeout(end, 1e6));
    test("five", { timeout: 200 }, never);
    test("six", { timeout: 200 }, (t) => t.test("seven", never));
    test("eight", () => {});`,
  );
  const { passed, say } = await nodeTest([path], { minutes: 0.5 });
  assert.equal(passed, 1);
  for (const name of ["five", "six", "seven"])
    assert.match(say.join("\n"), new RegExp(`not ok \\d+ - ${name}`));
  assert.ok(LIMIT < (MINUTES * 60_000) / 2, "two in one file that stand still are both told of");
});

test("every test of a browser has a limit of its own", () => {
  const folder = new URL("../../site/test/", import.meta.url);
  const own = /import\s*\{([^}]*)\}\s*from "node:test"/g;
  const files = ["browser/", "harness/"].flatMap((part) =>
    readdirSync(new URL(part, folder))
      .filter((name) => name.endsWith(".mjs") && name !== "limited.mjs")
      .map((name) => part + name),
  );
  assert.ok(files.length > 50);
  for (const file of files) {
    for (const [, names] of readFileSync(new URL(file, folder), "utf8").matchAll(own))
      assert.doesNotMatch(names, /\b(test|it)\b/, `${file}: import it from harness/limited.mjs`);
  }
});
