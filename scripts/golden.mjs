// Runs the tests against the reference files and the public data sets, verbosely. The files lie
// beside the repository, in ../shared, or in the folders that CLOISTER_REFERENCE and
// CLOISTER_DATA name. Tests whose files are absent are skipped, and this program says so.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { run, top } from "./check/process.mjs";

const folders = {
  CLOISTER_REFERENCE: process.env.CLOISTER_REFERENCE ?? join(top, "../shared/reference"),
  CLOISTER_DATA: process.env.CLOISTER_DATA ?? join(top, "../shared/data"),
};
for (const [name, folder] of Object.entries(folders)) {
  if (!existsSync(folder))
    console.log(
      `There is no ${folder}: the tests that need it will be skipped. ${name}=… says where it is.`,
    );
}
const { code, output } = await run(
  "go",
  [
    "test",
    "-count=1",
    "-v",
    "-run",
    "Reference|Golden|Independent|Adult|BreastCancer|Iris",
    "./core/...",
  ],
  { onLine: (line) => /no test files|no tests to run|=== RUN/.test(line) || console.log(line) },
);
if (code !== 0) {
  console.log(
    output
      .split("\n")
      .filter((line) => !line.startsWith("=== "))
      .slice(-40)
      .join("\n"),
  );
  process.exitCode = 1;
}
