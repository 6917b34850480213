import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { describe, sizes } from "./sizes.mjs";

test("a file past its budget is caught, and so is one that is missing", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "sizes-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "plain"), Buffer.alloc(100_000));
  writeFileSync(join(folder, "dense"), randomBytes(10_000));
  const result = await sizes(folder, [
    { file: "plain", kilobytes: 5 },
    { file: "dense", kilobytes: 5 },
    { file: "missing", kilobytes: 5 },
  ]);
  assert.deepEqual(
    result.map((r) => r.fits),
    [true, false, false],
  );
});

test("about as large as it is, a binary is held to two hundredths more than its budget", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "sizes-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const built = readFileSync(new URL("../../build/wasm/curves.wasm", import.meta.url));
  // A part of it, which is soon measured both ways, and to a twentieth alike.
  writeFileSync(join(folder, "part.wasm"), built.subarray(0, 1 << 20));
  const budget = (kilobytes) => [{ file: "part.wasm", kilobytes }];
  const [exact] = await sizes(folder, budget(1));
  assert.equal(exact.fits, false);
  const measured = async (budgeted) => {
    const [one] = await sizes(folder, budget(budgeted), { about: true });
    return one;
  };
  const { kilobytes } = await measured(1);
  assert.ok(Math.abs(kilobytes / exact.kilobytes - 1) < 0.05, `${kilobytes}, ${exact.kilobytes}`);
  assert.equal((await measured(kilobytes / 1.019)).fits, true);
  assert.equal((await measured(kilobytes / 1.021)).fits, false);
  assert.match(describe(await measured(kilobytes / 1.01)), / within two hundredths of its budget /);
  assert.match(describe(await measured(kilobytes / 0.99)), / within its budget /);
});

test("a script counts with what it imports before it runs, and a page with what it imports later", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "sizes-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const noise = () => `/*${randomBytes(5_000).toString("hex")}*/`;
  writeFileSync(
    join(folder, "page.js"),
    `import{a as b}from"./shared.js";import("./later.js");${noise()}`,
  );
  writeFileSync(join(folder, "shared.js"), `export const a=1;${noise()}`);
  writeFileSync(join(folder, "later.js"), `import"./shared.js";${noise()}`);
  writeFileSync(
    join(folder, "page.html"),
    '<link rel="modulepreload" href="later.js" /><script type="module" src="page.js"></script>',
  );
  const [first, all] = await sizes(folder, [
    { file: "page.js", kilobytes: 5 },
    { file: "page.html", kilobytes: 20 },
  ]);
  assert.ok(first.kilobytes > 10 && first.kilobytes < 12, `${first.kilobytes}`);
  assert.equal(first.fits, false);
  assert.ok(all.kilobytes > 15 && all.kilobytes < 18 && all.fits, `${all.kilobytes}`);
  writeFileSync(join(folder, "page.js"), 'import"./gone.js";');
  const [broken] = await sizes(folder, [{ file: "page.js", kilobytes: 5 }]);
  assert.equal(broken.fits, false, "a part that is missing is no small one");
});
