// Adult as the papers prepare it: both parts together, rows with a missing value left out, shuffled
// with a seed, 80 % kept for training.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { top } from "../check/process.mjs";

/** Where the public data sets stand, if anywhere. */
export const dataFolder = process.env.CLOISTER_DATA ?? join(top, "../shared/data");

/**
 * @param {number} seed
 * @returns {{train: string, test: string, schema: string} | undefined} CSV texts of 36,177 and
 * 9,045 rows and the schema's JSON; undefined where the data is absent
 */
export function adult(seed = 1) {
  const parts = ["adult.train.csv", "adult.test.csv"].map((name) => join(dataFolder, name));
  if (!parts.every((path) => existsSync(path))) return undefined;
  let header;
  const rows = [];
  for (const path of parts) {
    const [first, ...rest] = readFileSync(path, "utf8").split(/\r?\n/).filter(Boolean);
    header ??= first;
    rows.push(...rest.filter((row) => !row.includes("?")));
  }
  shuffle(rows, seed);
  const cut = Math.floor(0.8 * rows.length);
  const text = (list) => `${[header, ...list].join("\n")}\n`;
  return {
    train: text(rows.slice(0, cut)),
    test: text(rows.slice(cut)),
    schema: readFileSync(join(top, "core/data/testdata/adult.schema.json"), "utf8"),
  };
}

/**
 * Fisher–Yates with a small seeded generator (mulberry32): for splitting public data, never for
 * noise.
 */
function shuffle(list, seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
}
