// Runs test files with Node's own runner and tells what came of them.

import { join } from "node:path";
import { run, top } from "./process.mjs";

/**
 * A browser's leftover socket can keep a file's process alive after its last test: Node 20.14 and
 * later end it all the same.
 */
const [major, minor] = process.versions.node.split(".").map(Number);
const ending = major > 20 || (major === 20 && minor >= 14) ? ["--test-force-exit"] : [];

/**
 * No file takes so long; one that waits for ever shall not keep the others from being told of.
 * Which test of it waits, the test's own limit says (site/test/harness/limited.mjs).
 */
export const MINUTES = 10;

/** If more files than so many fail, it is no accident, and none is tried a second time. */
export const ACCIDENTS = 4;

/**
 * @param {string[]} paths test files, from the repository's top
 * @param {{concurrency?: number, minutes?: number, again?: boolean, room?: Promise<unknown>}}
 * options how many files at a time, and how long one may take. With again, a file that fails is run
 * once more when all others are through; if it passes then, it counts as passed, and what failed is
 * told as unsteady. Where something else runs beside, room is when that has ended: until then one
 * file runs at a time, and none is run again.
 * @returns {Promise<{passed: number, failed: number, say: string[]}>}
 */
export async function nodeTest(
  paths,
  { concurrency = 2, minutes = MINUTES, again = false, room = Promise.resolve() } = {},
) {
  if (paths.length === 0) return { passed: 0, failed: 0, say: ["no such tests"] };
  const results = [];
  const waiting = [...paths];
  const lane = async () => {
    for (let path; (path = waiting.shift());) results.push(await oneFile(path, minutes));
  };
  const first = lane();
  const others = room.then(() => Promise.all(Array.from({ length: concurrency - 1 }, lane)));
  await first;
  // Where no file is left for them, nobody waits for room.
  if (results.length < paths.length) await others;
  const bad = results.filter(({ failed }) => failed > 0);
  if (again && bad.length > 0 && bad.length <= ACCIDENTS) {
    await room;
    for (const first of bad) {
      const second = await oneFile(first.path, minutes);
      if (second.failed > 0) continue;
      const say = [`unsteady  ${first.path}: passed alone, after this`, ...first.say];
      results[results.indexOf(first)] = { ...second, say };
    }
  }
  const total = { passed: 0, failed: 0, say: [] };
  for (const { path, seconds } of results.toSorted((a, b) => b.seconds - a.seconds))
    if (seconds >= 10) total.say.push(`slow  ${path}: ${seconds.toFixed(0)} s`);
  // What failed comes last, where it is found in a long log.
  for (const { path, passed, failed, say } of results.sort((a, b) => a.failed - b.failed)) {
    total.passed += passed;
    total.failed += failed;
    if (failed > 0) total.say.push(`FAIL  ${path}`);
    total.say.push(...say);
  }
  return total;
}

const lessOptimised = `--require=${JSON.stringify(join(top, "scripts/check/short-lived.cjs"))}`;

/** NODE_OPTIONS of processes that end soon: with those that are set. */
export const shortLived = `${process.env.NODE_OPTIONS ?? ""} ${lessOptimised}`;

/** Where this itself runs in a test, the file shall not take itself for a part of it. */
const { NODE_TEST_CONTEXT: _, ...own } = process.env;
const env = { ...own, NODE_OPTIONS: shortLived };

async function oneFile(path, minutes) {
  const start = Date.now();
  const { code, output } = await run("node", [...ending, "--test-reporter=tap", path], {
    minutes,
    env,
  });
  const count = (name) => Number(output.match(new RegExp(`^# ${name} (\\d+)$`, "m"))?.[1] ?? 0);
  const failed = count("fail") + count("cancelled");
  const lines = output.split("\n");
  const say = lines
    .filter((line) => /^\s*ok .* # SKIP/.test(line))
    .map((line) => `skip  ${line.trim().replace(/^ok \d+ - /, "")}`);
  if (code !== 0) say.push(...failures(lines));
  return {
    path,
    passed: count("pass"),
    failed: code !== 0 && failed === 0 ? 1 : failed,
    say,
    seconds: (Date.now() - start) / 1000,
  };
}

/** The parts of TAP that tell of failures, and whatever was printed beside it. */
function failures(lines) {
  const kept = [];
  let inside = false;
  let passing = false;
  for (const line of lines) {
    if (/^\s*not ok /.test(line)) [inside, passing] = [true, false];
    else if (/^\s*ok /.test(line)) [inside, passing] = [false, true];
    else if (/^\s*# Subtest/.test(line)) continue;
    if (inside || (!passing && /^# /.test(line))) kept.push(line);
    if (/^\s*\.\.\.$/.test(line)) [inside, passing] = [false, false];
  }
  return kept.length > 0 ? kept : lines;
}
