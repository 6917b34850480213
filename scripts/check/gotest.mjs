// Runs `go test -json` and tells what came of it: counts, what failed and why, what was skipped and
// why.

import { run } from "./process.mjs";

/**
 * The linter has vetted all code before, whole: `go test` need not vet it once more. Nor does a
 * test need what a debugger reads: it takes a fifth of the time of linking, and traces of panics
 * are the same without it.
 */
export const always = ["-vet=off", "-ldflags=-s -w"];

/**
 * @param {string[]} args what follows `go test -json` and what is always asked
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<{passed: number, failed: number, say: string[]}>}
 */
export async function goTest(args, env = process.env) {
  const tally = new Tally();
  const { code, output } = await run("go", ["test", "-json", ...always, ...args], {
    env,
    onLine: (line) => tally.line(line),
  });
  const result = tally.result();
  if (code !== 0 && result.failed === 0) {
    result.failed = 1;
    result.say.push(...output.split("\n").filter((line) => line && !line.startsWith("{")));
  }
  return result;
}

/** Reads the events of `go test -json`, one line each. */
export class Tally {
  #tests = new Map();
  #loose = [];
  #packages = new Map();

  line(text) {
    let event;
    try {
      event = JSON.parse(text);
    } catch {
      this.#loose.push(text);
      return;
    }
    if (event.Action === "build-output") this.#loose.push(event.Output.trimEnd());
    if (!event.Package) return;
    const key = event.Test ? `${event.Package} ${event.Test}` : event.Package;
    const map = event.Test ? this.#tests : this.#packages;
    if (!map.has(key))
      map.set(key, { name: key, test: event.Test ?? "", output: [], action: "", seconds: 0 });
    const entry = map.get(key);
    if (event.Action === "output") entry.output.push(event.Output.trimEnd());
    if (["pass", "fail", "skip"].includes(event.Action)) {
      entry.action = event.Action;
      entry.seconds = event.Elapsed ?? 0;
    }
  }

  result() {
    const tests = [...this.#tests.values()];
    const parents = new Set(tests.map((t) => t.name.slice(0, t.name.lastIndexOf("/"))));
    // A test that never ended was stopped by a panic or a time limit in its package.
    const bad = (t) => t.action === "fail" || t.action === "";
    const failed = tests.filter(
      (t) =>
        bad(t) &&
        !(parents.has(t.name) && tests.some((c) => bad(c) && c.name.startsWith(`${t.name}/`))),
    );
    const brokenPackages = [...this.#packages.values()].filter(
      (p) => p.action === "fail" && !failed.some((t) => t.name.startsWith(`${p.name} `)),
    );
    const skipped = tests.filter((t) => t.action === "skip");
    const say = [];
    if (failed.length + brokenPackages.length > 0) say.push(...this.#loose);
    for (const t of [...failed, ...brokenPackages]) {
      say.push(
        `FAIL  ${t.name}`,
        ...t.output
          .filter((line) => !/^\s*(=== |--- FAIL: .*\(cached\))/.test(line))
          .map((line) => `    ${line}`),
      );
    }
    for (const t of skipped) say.push(`skip  ${t.name}: ${reason(t.output)}`);
    const slow = [...this.#packages.values()].filter((p) => p.seconds >= 10);
    for (const p of slow.sort((a, b) => b.seconds - a.seconds))
      say.push(`slow  ${p.name}: ${p.seconds.toFixed(0)} s`);
    return {
      passed: tests.filter((t) => t.action === "pass").length,
      failed: failed.length + brokenPackages.length,
      say,
    };
  }
}

function reason(output) {
  const lines = output
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith("===") && !line.startsWith("---"));
  return lines.map((line) => line.replace(/^\S+\.go:\d+: /, "")).join(" ") || "no reason given";
}
