import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { joined, readSections, readSegments, slim, split, untrace } from "./slim-wasm.mjs";

const DATA = 11;
const sample = fileURLToPath(new URL("testdata/slim-wasm", import.meta.url));
const go = (...args) => execFileSync("go", args, { encoding: "utf8" }).trim();

/** The sample, as the Makefile builds programs, and with every function inlined that can be. */
function build(t, ...flags) {
  const folder = mkdtempSync(join(tmpdir(), "slim-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(sample, folder, { recursive: true });
  const file = join(folder, "whole.wasm");
  execFileSync("go", ["build", "-trimpath", "-ldflags=-s", ...flags, "-o", file, "."], {
    cwd: folder,
    env: { ...process.env, GOOS: "js", GOARCH: "wasm", CGO_ENABLED: "0", GOFLAGS: "" },
  });
  return { folder, whole: readFileSync(file) };
}

/** What the program does with each of its arguments: its output, and how it ends. */
function runs(folder, name) {
  const glue = join(go("env", "GOROOT"), "lib/wasm/wasm_exec_node.js");
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const ways = ["work", "defers", "collect", "deadlock", "panic", "nested", "fatal"];
  const all = ways.map((how) => {
    const args = [glue, join(folder, name), how];
    const { status, stdout, stderr } = spawnSync("node", args, { encoding: "utf8", env });
    // A trace follows: names and lines, which are what was taken out.
    return [how, { status, stdout, stderr: stderr.split(/\n\n?goroutine \d+ /)[0] }];
  });
  return Object.fromEntries(all);
}

for (const [how, flags] of [
  ["as here", ["-gcflags=all=-l"]],
  ["inlined", []],
]) {
  test(`recover, panics, goroutines and the collector do what they did, ${how}`, (t) => {
    const { folder, whole } = build(t, ...flags);
    const { file, warning } = slim(whole);
    assert.equal(warning, undefined);
    writeFileSync(join(folder, "slim.wasm"), file);
    const expected = runs(folder, "whole.wasm");
    assert.deepEqual(runs(folder, "slim.wasm"), expected);
    assert.match(expected.work.stdout, /value method main\.point\.Sum called using nil \*point/);
    assert.equal(expected.defers.stdout, "<nil> then through\nagain: second\nfirst\n");
    assert.match(expected.collect.stdout, /^2000\n10 7\n\d+\n$/);
    assert.match(expected.deadlock.stderr, /all goroutines are asleep - deadlock!/);
    assert.match(expected.panic.stderr, /panic: .*error number 7/);
    assert.match(expected.nested.stderr, /panic: first.*\n.*panic: second/s);
    assert.match(expected.fatal.stderr, /fatal error: sync: unlock of unlocked mutex/);

    const rest = (file) => readSections(file).filter(({ id }) => id !== DATA);
    assert.deepEqual(rest(file), rest(whole), "only data differs");
    for (const name of ["main.deepNameOfAFunction", "main.go"]) {
      assert.ok(whole.includes(name));
      assert.ok(!file.includes(name), `${name} is gone`);
    }
    assert.deepEqual(slim(file).file, file, "a second time changes nothing");
  });
}

test("a program by another Go is left whole, and that is said", (t) => {
  const { whole } = build(t);
  const version = go("env", "GOVERSION");
  const other = Buffer.from(whole);
  for (let at = -1; (at = other.indexOf(version, at + 1)) >= 0;) other.write("go9", at);
  const { file, warning } = slim(other);
  assert.equal(file, other);
  assert.match(warning, /^built by go9.*, left whole: known are go1\.26$/);
});

test("tables that are laid out otherwise stop the build", (t) => {
  const { whole } = build(t);
  const { body } = readSections(whole).find(({ id }) => id === DATA);
  const memory = joined(readSegments(body));
  const view = new DataView(memory.bytes.buffer);
  let header = 0;
  while (view.getUint32(header) !== 0xf1ffffff || view.getUint32(header + 32, true) !== 72)
    header++;
  const functions = header + Number(view.getBigUint64(header + 64, true));
  const record = functions + view.getUint32(functions + 8 * 7 + 4, true);
  const changes = {
    "the header has a field more": [header + 32, 80],
    "the names begin elsewhere": [header + 40, view.getUint32(header + 40, true) + 8],
    "there are fewer functions": [header + 8, view.getUint32(header + 8, true) - 1],
    "a record is elsewhere": [functions + 8 * 7 + 4, record - functions + 8],
    "a record is of another function": [record, view.getUint32(record, true) + 1],
    "a name begins within another": [record + 4, view.getUint32(record + 4, true) + 1],
    "a record has more streams": [record + 28, view.getUint32(record + 28, true) + 2],
    "a stream lies outside": [record + 16, 0x7fffffff],
  };
  for (const [what, [place, value]] of Object.entries(changes)) {
    const bytes = memory.bytes.slice();
    new DataView(bytes.buffer).setUint32(place, value, true);
    assert.throws(() => untrace({ ...memory, bytes }), /not laid out as/, what);
  }
  untrace(memory); // unchanged it is as it is known to be
});

test("joined segments say the same, and leave out long gaps", () => {
  const segments = [
    [0, [1, 2, 3]],
    [10, [4]],
    [5000, [7, 7]],
    [200_000, [9, 0, 8]],
  ].map(([address, bytes]) => ({ address, bytes: Uint8Array.from(bytes) }));
  const memory = (list) => {
    const bytes = new Uint8Array(262_144);
    for (const { address, bytes: part } of list) bytes.set(part, address);
    return bytes;
  };
  const whole = joined(segments);
  assert.deepEqual([whole.address, whole.bytes.length], [0, 200_003]);
  const parts = split(whole);
  const found = parts.map(({ address, bytes }) => [address, bytes.length]);
  assert.deepEqual(found, [
    [0, 5002],
    [200_000, 3],
  ]);
  assert.deepEqual(memory(parts), memory(segments));
  assert.deepEqual(split({ address: 8, bytes: new Uint8Array(100) }), []);
  assert.throws(() => joined([segments[0], { address: 2, bytes: Uint8Array.of(1) }]), /overlap/);
});
