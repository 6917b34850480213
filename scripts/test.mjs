// What `make test` runs after the build: every check. `node scripts/test.mjs [STEP…]` runs only the
// named steps. The steps in Go run one after the other, and beside them, one after the other, those
// in Node: each waits for itself now and then, and two together keep two processors busy. A step
// prints its name when it begins, and what came of it when it is through. One that fails, or
// throws, does not stop the others; the last line counts, and the exit code is 1 if anything
// failed.

import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { ensureChromium } from "./check/chromium.mjs";
import { fuzz, fuzzTargets } from "./check/fuzz.mjs";
import { goTest } from "./check/gotest.mjs";
import { nodeTest, shortLived } from "./check/nodetest.mjs";
import { smallEnvironment, top, wasmBuild } from "./check/process.mjs";
import { files } from "./check/tree.mjs";
import { lint } from "./lint.mjs";

/** The packages whose tests take longest: begun first, none is left alone at the end. */
const longest = [
  "./core/account",
  "./wasm/api/fitting",
  "./core/account/objective",
  "./core/learn/selection",
  "./core/data",
  "./core/account/pld",
  "./core/account/crosscheck",
];

const lanes = [
  { go: nativeTests, wasm: wasmTests, fuzz: shortFuzz },
  { lint: lintAbout, node: nodeTests, browser: browserTests },
];

/** `make lint` tells the sizes of the binaries exactly, which takes a minute more. */
function lintAbout(print) {
  return lint(print, { about: true });
}

/**
 * Tests hold little at a time and throw much away. Those that compute with long numbers take a
 * fifth less of the processor where five times what they hold may be in use before it is collected.
 * Under js/wasm they take as much as before, and twice the memory.
 */
function nativeTests() {
  return goTest(["-timeout", "20m", ...longest, "./..."], { ...process.env, GOGC: "400" });
}

function found(pattern) {
  return files(top).filter((path) => pattern.test(path));
}

/** Tests in TypeScript are run as site/build.mjs bundled them. */
function bundled(pattern) {
  return found(pattern).map((path) =>
    path.replace(/^site\/test\//, "build/test/").replace(/\.ts$/, ".mjs"),
  );
}

function nodeTests(print, room) {
  const paths = found(/^(scripts|site\/test\/(?!browser\/)).*\.test\.mjs$/);
  return nodeTest(paths.concat(bundled(/^site\/test\/(?!browser\/).*\.test\.ts$/)), { room });
}

/**
 * The core and the handlers once more, as they run in a browser: compiled to js/wasm, under Node.
 * What is long has been run natively: here it is short, and V8 optimises only what runs long.
 */
async function wasmTests() {
  const exec = join(
    execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim(),
    "lib/wasm/go_js_wasm_exec",
  );
  const env = { ...smallEnvironment(), ...wasmBuild };
  const beside = `node ${join(top, "scripts/kernel/exec.mjs")}`;
  const kernel = await goTest(["-timeout", "10m", "-exec", beside, "./wasm/kernel"], env);
  const rest = await goTest(
    [
      "-short",
      "-p",
      "2",
      "-timeout",
      "20m",
      "-exec",
      exec,
      ...longest,
      "./core/...",
      "./wasm/api/...",
      "./wasm/bridge",
    ],
    { ...env, NODE_OPTIONS: shortLived },
  );
  return {
    passed: kernel.passed + rest.passed,
    failed: kernel.failed + rest.failed,
    say: [...kernel.say, ...rest.say],
  };
}

/**
 * An input of these is seconds of work, and the fuzzing engine takes ten seconds for a standstill,
 * which a busy machine reaches. The tests of their packages run the seeds; `make fuzz` goes on.
 */
const heavy = new Set(["FuzzEvents", "FuzzNothingIsPromisedBelowATwoPointTest"]);

async function shortFuzz() {
  const result = { passed: 0, failed: 0, say: [] };
  for (const target of fuzzTargets().filter(({ name }) => !heavy.has(name))) {
    // So many inputs are a look at each target, on two processors in half a minute.
    const { ok, output } = await fuzz(target, "10000x");
    result[ok ? "passed" : "failed"]++;
    if (!ok) result.say.push(`FAIL  ${target.folder} ${target.name}`, ...output.split("\n"));
  }
  return result;
}

/** What is long to read takes long, as a rule: begun first, none is left alone at the end. */
function longestFirst(paths) {
  const size = new Map(paths.map((path) => [path, statSync(join(top, path)).size]));
  return paths.toSorted((a, b) => size.get(b) - size.get(a));
}

async function browserTests(print, room) {
  const { ok, say } = await ensureChromium();
  if (!ok) return { passed: 0, failed: 1, say };
  // What needs a browser's ground is tested there in Go too.
  const exec = `node ${join(top, "scripts/chromium-exec.mjs")}`;
  const inGo = await goTest(["-timeout", "5m", "-exec", exec, "./wasm/idbstore"], {
    ...smallEnvironment(),
    ...wasmBuild,
  });
  // Two processors have room for a third browser: each waits for frames and for others now and
  // then. What fails beside others is tried once more alone.
  const paths = found(/^site\/test\/browser\/.*\.test\.mjs$/);
  const result = await nodeTest(longestFirst(paths), {
    again: true,
    concurrency: 3,
    room,
  });
  return {
    passed: inGo.passed + result.passed,
    failed: inGo.failed + result.failed,
    say: [...say, ...inGo.say, ...result.say],
  };
}

const asked = process.argv.slice(2);
const known = lanes.flatMap(Object.keys);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(", ")}: choose from ${known.join(", ")}.`);
  process.exit(2);
}

const total = { passed: 0, failed: 0, names: [] };

/** What came of a step: where it throws, one failure, with what was thrown. */
async function attempt(name, step) {
  try {
    return await step();
  } catch (error) {
    const [what, ...where] = String(error?.stack ?? error).split("\n");
    return { passed: 0, failed: 1, say: [`FAIL  ${name} threw ${what}`, ...where] };
  }
}

/**
 * Runs the steps of a lane that are asked for.
 * @param {Promise<unknown>} room when nothing runs beside
 */
async function runLane(lane, room) {
  for (const [name, step] of Object.entries(lane)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    console.log(`begins ${name}`);
    const [start, lines] = [Date.now(), []];
    const {
      passed,
      failed,
      say = [],
    } = await attempt(name, () => step((line) => lines.push(line), room));
    lines.push(...say);
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    lines.push(`${passed} passed, ${failed} failed, in ${seconds} s`);
    console.log(`\n== ${name}\n${lines.join("\n")}`);
    total.passed += passed;
    total.failed += failed;
    total.names.push(...say.filter((line) => /^(FAIL|not ok)\b|^ +not ok\b/.test(line)));
  }
}

const inGo = runLane(lanes[0]);
await Promise.all([inGo, runLane(lanes[1], inGo)]);
// Once more, after all the rest: what failed, by name.
if (total.names.length > 0) console.log(`\n${total.names.join("\n")}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
if (total.failed > 0) process.exitCode = 1;
