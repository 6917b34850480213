// `node scripts/sample-report.mjs`: replaces site/src/pages/report/sample.json, the published
// release and privacy report that my-privacy.html opens as its sample. The rows are the studio's
// made-up hospital stays. Each run draws new noise and changes the file, so the file is committed.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "../site/node_modules/esbuild/lib/main.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cloister-sample-"));
try {
  const bundle = join(folder, "sample.mjs");
  await build({
    entryPoints: [join(root, "site/src/pages/studio/sample/tables.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile: bundle,
    logLevel: "warning",
  });
  const { csvOf, schemaOf, seeds, tables } = await import(pathToFileURL(bundle).href);
  const schema = join(folder, "schema.json");
  const rows = join(folder, "rows.csv");
  writeFileSync(schema, JSON.stringify(schemaOf(tables.stays)));
  writeFileSync(rows, [...csvOf(tables.stays, 12_000, seeds.open)].join(""));
  execFileSync(
    "go",
    [
      "run",
      "./scripts/sample-report",
      schema,
      rows,
      join(root, "site/src/pages/report/sample.json"),
    ],
    { cwd: root, stdio: "inherit" },
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
