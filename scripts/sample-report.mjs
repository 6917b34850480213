// `node scripts/sample-report.mjs`: makes site/src/reader/sample.json anew, the published release and privacy report that my-privacy.html opens as its sample. The
// rows are the studio's own made-up ones. The noise is drawn anew, so the file changes with every run; it is committed.

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
  await build({ entryPoints: [join(root, "site/src/studio/sample.ts")], bundle: true, format: "esm", platform: "node", outfile: bundle, logLevel: "warning" });
  const { sampleCSV, sampleSchema } = await import(pathToFileURL(bundle).href);
  const schema = join(folder, "schema.json");
  const rows = join(folder, "rows.csv");
  writeFileSync(schema, JSON.stringify(sampleSchema));
  writeFileSync(rows, [...sampleCSV()].join(""));
  execFileSync("go", ["run", "./scripts/sample-report", schema, rows, join(root, "site/src/reader/sample.json")], { cwd: root, stdio: "inherit" });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
