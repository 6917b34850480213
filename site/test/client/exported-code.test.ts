// The programs of the page on exported code, each beside a file that a release was saved as: what
// they print is what the client predicts.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { code, languages } from "../../src/pages/studio/result/publish/code.ts";
import { opened } from "./made-up.ts";
import { readmitted } from "./readmitted.ts";

const at = (path: string): string =>
  fileURLToPath(new URL(`../../../site/${path}`, import.meta.url));
const page = readFileSync(at("docs/exported-code.md"), "utf8");
const fenced = [...page.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm)];
const pieces = (language: string): string[] =>
  fenced.filter(([, name]) => name === language).map(([, , text]) => text!);

const { client, folder } = await opened("exported");

let label: string;
let probability: string;
before(async () => {
  const release = await readmitted(client);
  const predicted = await client.predict(release, { age: 72, ward: "surgery" });
  label = predicted.label;
  probability = predicted.probability!.toFixed(2);
  for (const [language, { file }] of Object.entries(languages))
    writeFileSync(join(folder, file), code(release, language as keyof typeof languages));
});

function run(command: string, args: string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: "utf8" }).trim();
}

function has(command: string): boolean {
  try {
    execFileSync(command, ["--version"], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

/** The probability as programs print it: without zeros at its end, or rounded the other way. */
function agrees(printed: string): void {
  const [got, number] = printed.split(" ");
  assert.equal(got, label);
  assert.ok(Math.abs(Number(number) - Number(probability)) < 0.0100001, printed);
}

test("Python: one record, and a file of them", () => {
  const [one, all] = pieces("python");
  writeFileSync(join(folder, "one.py"), one!);
  agrees(run("python3", ["one.py"]));
  writeFileSync(
    join(folder, "new-patients.csv"),
    "\ufeffage,ward\r\n72,surgery\r\n30,medicine\r\n40,garden\r\n",
  );
  writeFileSync(join(folder, "all.py"), all!);
  const lines = run("python3", ["all.py"]).split(/\r?\n/);
  assert.equal(lines.length, 3);
  assert.match(lines[0]!, new RegExp(`^72,surgery,${label},0\\.\\d+$`));
  assert.match(lines[2]!, /^40,garden,,.*is not a category that the model knows/);
});

test("R", { skip: !has("Rscript") && "there is no Rscript here" }, () => {
  writeFileSync(join(folder, "main.R"), pieces("r")[0]!);
  agrees(run("Rscript", ["main.R"]));
});

test("JavaScript", () => {
  writeFileSync(join(folder, "main.mjs"), pieces("js")[0]!);
  agrees(run("node", ["main.mjs"]));
});

test("Go", () => {
  writeFileSync(join(folder, "new-patients.csv"), "age,ward\n72,surgery\n");
  const [command, ...args] = pieces("sh")[0]!.trim().split(" ");
  const answer = JSON.parse(run(command!, args)) as { Label: string; Probabilities: number[] };
  agrees(`${answer.Label} ${answer.Probabilities[0]}`);
});
