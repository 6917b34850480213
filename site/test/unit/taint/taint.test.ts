// What the rows gave away does not pass for public, whatever is edited. Thousands of sequences of
// edits are tried on a table of which every value is unlike all others. The test has a model of its
// own of what the person saw, typed, confirmed and bought; it asks no flag of the studio's. After
// each edit two things are held to it.
//
// - What would be published or kept is searched for the rows' values. Those that the person typed,
//   confirmed or bought are let pass.
// - What was read is public only by a word, typed values or not: see `unsaid`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { edits, others, pick, start, type Step, step } from "./edits.ts";
import { wrong } from "./published.ts";

/** Numbers from a seed, mulberry32. */
function numbersFrom(seed: number): () => number {
  let s = seed;
  return () => {
    s = (s + 0x6d2b79f5) | 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
}

/** What goes wrong first in a sequence, and after how many steps. */
function run(steps: readonly Step[]): { readonly after: number; readonly what: string } | null {
  let w = start();
  for (const [i, one] of steps.entries()) {
    w = step(w, one);
    const what = wrong(w);
    if (what) return { after: i + 1, what };
  }
  return null;
}

/** A shorter sequence that goes wrong, too: none of its steps can be left out. */
function shortest(steps: readonly Step[]): readonly Step[] {
  let now = steps.slice(0, run(steps)!.after);
  for (let i = now.length - 1; i >= 0;) {
    const less = now.filter((_, k) => k !== i);
    const bad = run(less);
    if (bad) {
      now = less.slice(0, bad.after);
      i = now.length - 1;
    } else i--;
  }
  return now;
}

test("long sequences, each of which needs a rule of its own", () => {
  for (const steps of [
    // A card without the column that has a spelling learnt from the rows.
    [
      ["sentinel", 1, 0],
      ["confirmAll", 0, 0],
      ["card", 1, 0],
      ["attribute", 2, 0],
    ],
    // Bought categories of a schema that was taken in, as numbers and back.
    [
      ["buy", 1, 0],
      ["save", 0, 0],
      ["load", 0, 0],
      ["type", 1, 0],
      ["type", 1, 0],
    ],
    // Cut points typed on from bounds that somebody knew, who then did not, and typed other bounds.
    [
      ["confirmAll", 0, 0],
      ["card", 1, 0],
      ["cuts", 2, 4],
      ["notKnown", 2, 1],
      ["both", 2, 1],
      ["missing", 2, 0],
    ],
    // Levels that were put together, of which one is then taken from the categories.
    [
      ["confirmAll", 0, 0],
      ["card", 1, 0],
      ["merge", 1, 0],
      ["notKnown", 1, 1],
      ["categories", 1, 16],
      ["known", 1, 0],
    ],
    // The same under a name that is typed on from the page's.
    [
      ["confirmAll", 0, 0],
      ["card", 1, 0],
      ["merge", 1, 0],
      ["nameLevel", 1, 0],
      ["notKnown", 1, 1],
      ["categories", 1, 16],
      ["known", 1, 0],
    ],
    // Codes that were read as categories, typed as bounds.
    [
      ["type", 4, 0],
      ["both", 4, 6],
    ],
    // A number that means missing, and then does not, typed as a bound.
    [
      ["sentinel", 1, 0],
      ["missingValues", 2, 0],
      ["missingValues", 2, 0],
      ["both", 2, 58],
    ],
    // A column under the name of one that is left out, with its bounds.
    [
      ["include", 0, 0],
      ["add", 0, 0],
      ["name", 5, 1],
      ["both", 5, 10],
    ],
  ] as const)
    assert.equal(run(steps)?.what, undefined);
});

test("what was read from the rows never passes for public, and no purchase goes unnamed", () => {
  const names = [...Object.keys(edits), ...Object.keys(others)];
  const sequences = Number(process.env.CLOISTER_SEQUENCES ?? 2000);
  const first = Number(process.env.CLOISTER_SEED ?? 1);
  const used = new Map<string, number>();
  for (let seed = first; seed < first + sequences; seed++) {
    const random = numbersFrom(seed);
    // A few kinds of edits, of a few columns, so that they meet.
    const few = Array.from({ length: 3 + (random() % 8) }, () => pick(names, random())!);
    const places = Array.from({ length: 1 + (random() % 3) }, () => random() % 1024);
    const steps = Array.from({ length: 4 + (random() % 24) }, (): Step => {
      const name = pick(few, random())!;
      used.set(name, (used.get(name) ?? 0) + 1);
      return [name, pick(places, random())!, random() % 1024];
    });
    if (!run(steps)) continue;
    const short = shortest(steps);
    assert.fail(`seed ${seed}: ${run(short)!.what}, after ${JSON.stringify(short)}`);
  }
  assert.ok(
    names.every((name) => used.get(name)! > sequences / 20),
    "every edit was tried",
  );
});
