// The same experiment, run natively: the laboratory's results by key.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("../../../", import.meta.url));

/** @returns {Map<string, {accuracy: number, loss: number}>} by key */
export function nativeRuns({ sets, methods, epsilons, trials, effort }) {
  const out = mkdtempSync(join(tmpdir(), "laboratory-"));
  try {
    const flags = [
      "-sets",
      sets.join(","),
      "-methods",
      methods.join(","),
      "-epsilon",
      epsilons.join(","),
      "-trials",
      String(trials),
      "-out",
      out,
    ];
    execFileSync(
      "go",
      ["run", "./scripts/reproduce", ...(effort === "quick" ? ["-quick"] : []), ...flags],
      { cwd: top, stdio: ["ignore", "pipe", "pipe"] },
    );
    // No field has a comma in it but the detail, near the end; the key comes last.
    const [header, ...lines] = readFileSync(join(out, "results.csv"), "utf8").trim().split("\n");
    const at = (line, name) => Number(line.split(",")[header.split(",").indexOf(name)]);
    return new Map(
      lines.map((line) => [
        line.slice(line.lastIndexOf(",") + 1),
        { accuracy: at(line, "accuracy"), loss: at(line, "loss") },
      ]),
    );
  } finally {
    rmSync(out, { recursive: true });
  }
}
