// Runs `node --test` on files and tells what came of it.

import { run } from "./process.mjs";

/** A browser's leftover socket can keep a file's process alive after its last test: Node 20.14 and later end it all the same. */
const [major, minor] = process.versions.node.split(".").map(Number);
const ending = major > 20 || (major === 20 && minor >= 14) ? ["--test-force-exit"] : [];

/**
 * @param {string[]} paths test files, from the repository's top
 * @param {{concurrency?: number}} options how many files at a time
 * @returns {Promise<{passed: number, failed: number, say: string[]}>}
 */
export async function nodeTest(paths, { concurrency = 2 } = {}) {
  if (paths.length === 0) return { passed: 0, failed: 0, say: ["no such tests"] };
  const { code, output } = await run("node", ["--test", ...ending, "--test-reporter=tap", `--test-concurrency=${concurrency}`, ...paths]);
  const count = (name) => Number(output.match(new RegExp(`^# ${name} (\\d+)$`, "m"))?.[1] ?? 0);
  const failed = count("fail") + count("cancelled");
  const lines = output.split("\n");
  const say = lines.filter((line) => /^\s*ok .* # SKIP/.test(line)).map((line) => `skip  ${line.trim().replace(/^ok \d+ - /, "")}`);
  if (code !== 0) say.push(...failures(lines));
  return { passed: count("pass"), failed: code !== 0 && failed === 0 ? 1 : failed, say };
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
