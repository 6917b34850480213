// Writes the overlay with which `go build` takes scripts/smallfmt for package fmt: node scripts/smallfmt.mjs FILE.
//
// go-indexeddb and the package below it print a few errors with fmt. The whole of fmt formats any value by reflection, and with it come package reflect and, since
// a method may be called by its name then, all exported methods of all types: a fourteenth of the program.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const original = join(execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim(), "src/fmt");
const small = fileURLToPath(new URL("smallfmt/fmt.go", import.meta.url));
const replaced = readdirSync(original).filter((name) => name.endsWith(".go") && !name.endsWith("_test.go"));
const overlay = Object.fromEntries(replaced.map((name) => [join(original, name), name === "print.go" ? small : ""]));
mkdirSync(dirname(process.argv[2]), { recursive: true });
writeFileSync(process.argv[2], JSON.stringify({ Replace: overlay }, null, 2));
