import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { sizes } from "./sizes.mjs";

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
