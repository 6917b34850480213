// scripts/fit.mjs from end to end: the same binary and client as the page uses.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath } from "node:url";
import { csv, schema } from "../site/test/client/sample.mjs";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "fit-"));
after(() => rmSync(folder, { recursive: true }));

function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function run(script, ...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [path(script), ...args], { maxBuffer: 1e8 }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
  });
}

const data = file("data.csv", csv());
const publicSchema = file("schema.json", schema);
const asked = ["--data", data, "--schema", publicSchema, "--epsilon", "1", "--delta", "1e-5"];
const fit = (...more) => run("fit.mjs", ...asked, ...more);

test("--json prints the release and nothing else, and account.mjs prices it again", async () => {
  const { code, stdout, stderr } = await fit("--json", "--norm", "clip", "--bound", "profile");
  assert.equal(code, 0, stderr);
  const release = JSON.parse(stdout);
  assert.equal(release.format, "cloister-release");
  assert.equal(release.schema.rows.norm, "clip");
  assert.deepEqual([release.guarantee.epsilon, release.guarantee.delta, release.guarantee.adjacency, release.guarantee.bound], [1, 1e-5, "add-remove", "profile"]);
  assert.equal(release.guarantee.covers, true);
  // What is private is on the other stream.
  assert.match(stderr, /^Private.*\n {2}records used {7}2000\n {2}training accuracy /);
  for (const word of ["accuracy", "iterations", "records"]) assert.ok(!stdout.includes(word), word);

  const priced = await run("account.mjs", JSON.stringify({ event: release.event, bound: "profile", epsilon: 1, delta: 1e-5 }));
  assert.equal(priced.code, 0, priced.stderr);
  const { delta, epsilon } = JSON.parse(priced.stdout);
  assert.ok(delta <= 1e-5 && epsilon <= 1 && epsilon > 0.99);

  const checked = await run("account.mjs", "--file", file("release.json", stdout));
  assert.equal(checked.code, 0, checked.stderr);
  assert.deepEqual([JSON.parse(checked.stdout).holds, JSON.parse(checked.stdout).epsilon], [true, epsilon]);
  release.guarantee.epsilon = 0.5;
  const caught = await run("account.mjs", JSON.stringify(release));
  assert.equal(caught.code, 1);
  assert.equal(JSON.parse(caught.stdout).holds, false);
});

test("without --json it prints the release for people", async () => {
  const output = join(folder, "release.json");
  const { code, stdout, stderr } = await fit("--quiet", "--output", output);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
  assert.match(stdout, /^Logistic regression with \(1, 0\.00001\)-differential privacy, add-remove/);
  assert.match(stdout, /\n {2}ward = B +-?[\d.]+/);
  const release = JSON.parse(readFileSync(output, "utf8"));
  assert.equal(release.guarantee.bound, "logistic");
  assert.ok(stdout.includes(release.guarantee.theorem));
});

test("several files are one table", async () => {
  const lines = csv().trimEnd().split("\n");
  const first = file("first.csv", `${lines.slice(0, 1000).join("\n")}\n`);
  const second = file("second.csv", `${[lines[0], ...lines.slice(1000)].join("\n")}\n`);
  const { code, stderr } = await run("fit.mjs", "--data", first, "--data", second, ...asked.slice(2));
  assert.equal(code, 0, stderr);
  assert.match(stderr, /records used {7}2000\n/);
});

test("a label of several values is suggested with those that are named as positive", async () => {
  const three = file("three.csv", "a,kind\n1,x\n2,y\n3,z\n");
  const { code, stdout, stderr } = await run("fit.mjs", "--data", three, "--suggest-schema", "--label", "kind", "--positive", "x", "--positive", "z");
  assert.equal(code, 0, stderr);
  const { label } = JSON.parse(stdout);
  assert.deepEqual([label.name, label.positive, label.negative], ["kind", ["x", "z"], ["y"]]);
});

test("a suggested schema says what it is, and so does a release made with it", async () => {
  const { code, stdout, stderr } = await run("fit.mjs", "--data", data, "--suggest-schema", "--label", "sick");
  assert.equal(code, 0, stderr);
  const suggested = JSON.parse(stdout);
  assert.ok(suggested.features.every((f) => f.provenance === "suggested"));
  const made = await run("fit.mjs", "--data", data, "--schema", file("suggested.json", stdout), ...asked.slice(4));
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /The guarantee does not cover everything:\n.*"age" and "dose"/);
});

test("what is wrong with the input is said on standard error, with its place", async () => {
  const header = "age,dose,ward,sick\n";
  let files = 0;
  const bad = (text) => ["--data", file(`bad${files++}.csv`, text)];
  const other = (change) => ["--schema", file(`other${files++}.json`, { ...schema, ...change })];
  const cases = [
    [bad("PK\x03\x04\0\0"), /CSV/],
    [bad(`${header}1,2,A,no\n1,2,A\n`), /row 3/],
    [bad("age,dose,ward\n1,2,A\n"), /column "sick"/],
    [bad(`${header}1,2,A,no\n1,2,A,perhaps\n`), /row 3, column "sick": "perhaps"/],
    [bad(`${header}1,2,A,no\n1,2,A,no\n`), /column "sick".*negative class/],
    [bad(header), /no record/],
    [bad(`${header}1e400,2,A,no\n`), /row 2, column "age": "1e400"/],
    [bad(`${header}NaN,2,A,no\n`), /row 2, column "age": "NaN"/],
    [bad(`${header}old,2,A,no\n`), /row 2, column "age": "old"/],
    [["--data", join(folder, "none.csv")], /none\.csv/],
    [other({ version: 3 }), /version is 3/],
    [other({ features: [schema.features[0], schema.features[0]] }), /features\[1\]\.name/],
    [other({ features: [{ ...schema.features[0], min: 100 }] }), /features\[0\]\.min/],
    [["--schema", file("broken.json", "{")], /not JSON/],
    [["--schema", join(folder, "none.json")], /none\.json/],
    [["--epsilon", "0"], /epsilon is 0/],
    [["--epsilon=-1"], /epsilon is -1/],
    [["--epsilon", "NaN"], /epsilon is NaN/],
    [["--epsilon", "Infinity"], /epsilon is \+?Inf/],
    [["--delta", "0"], /delta is 0/],
    [["--delta", "1"], /delta is 1/],
    [["--bound", "best"], /bound is "best"/],
    [["--norm", "max"], /rows\.norm is "max"/],
    [["--adjacency", "any"], /adjacency is "any"/],
    [["--lambda", "0"], /lambda is 0/],
  ];
  const wrong = await Promise.all(
    cases.map(async ([args, says]) => {
      const name = args[0].split("=")[0];
      const rest = asked.filter((_, i) => asked[i - (i % 2)] !== name);
      return { args, says, ...(await run("fit.mjs", ...rest, ...args)) };
    }),
  );
  for (const { args, says, code, stdout, stderr } of wrong) {
    assert.equal(code, 1, `${args}: ${stderr}`);
    assert.equal(stdout, "", String(args));
    assert.match(stderr, says);
    assert.ok(!stderr.includes("    at "), stderr);
  }
});

test("usage", async () => {
  const help = await run("fit.mjs", "--help");
  assert.equal(help.code, 0);
  assert.match(help.stdout, /^Usage: node scripts\/fit\.mjs/);
  for (const args of [[], asked.slice(0, 6), [...asked, "--colour"], [...asked, "extra"], [...asked.slice(0, 4), "--epsilon", "one", "--delta", "1e-5"]]) {
    const { code, stdout, stderr } = await run("fit.mjs", ...args);
    assert.equal(code, 2, stderr);
    assert.equal(stdout, "");
    assert.match(stderr, /missing|colour|extra|--epsilon is "one"/);
  }
});

const adult = join(process.env.CLOISTER_DATA ?? path("../../shared/data"), "adult.train.csv");
test("Adult at epsilon 1", { skip: existsSync(adult) ? false : "adult.train.csv is not there" }, async () => {
  const adultSchema = path("../core/data/testdata/adult.schema.json");
  const { code, stdout, stderr } = await run("fit.mjs", "--data", adult, "--schema", adultSchema, "--epsilon", "1", "--delta", "1e-5", "--norm", "unit", "--json");
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).model.coefficients.length, 105);
  assert.match(stderr, /records used {7}30162 /);
  const accuracy = Number(/training accuracy {2}([\d.]+) %/.exec(stderr)[1]);
  assert.ok(accuracy > 82.5, `${accuracy} %`);
});
