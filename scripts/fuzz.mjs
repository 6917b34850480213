// `node scripts/fuzz.mjs [DURATION] [NAME]`: fuzzes every target (or those whose name contains
// NAME), one after the other, for DURATION each ("5m" if not given). A failing input is written by
// Go under the package's testdata/fuzz, to be kept as a test.

import { fuzz, fuzzTargets } from "./check/fuzz.mjs";

const [duration = "5m", name = ""] = process.argv.slice(2);
for (const target of fuzzTargets().filter((t) => t.name.includes(name))) {
  console.log(`${target.folder} ${target.name}, ${duration}`);
  const { ok, output } = await fuzz(target, duration, {
    onLine: (line) => console.log(`  ${line}`),
  });
  if (!ok) {
    console.log(output);
    process.exitCode = 1;
  }
}
