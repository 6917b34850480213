// Times the choice of a scorecard at ε = 0.1 on balanced Adult, 23 levels, in Chromium.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { top } from "../check/process.mjs";
import { dataFolder } from "./adult.mjs";
import { inPage } from "./page.mjs";

/**
 * Four fifths of the balanced training part of Adult, and the levels of the laboratory's table.
 * @returns {{table: string, schema: string} | undefined} CSV and JSON; undefined where the data is
 * absent
 */
export function balancedAdult() {
  const path = join(dataFolder, "adult.train.csv");
  if (!existsSync(path)) return undefined;
  const [header, ...rows] = readFileSync(path, "utf8").split(/\r?\n/).filter(Boolean);
  const isPositive = (row) => row.trimEnd().endsWith(">50K");
  const positives = rows.filter(isPositive);
  const negatives = rows.filter((row) => !isPositive(row));
  // Which negatives there are and which fifth is held out is no matter to a time.
  const few = negatives.filter((_, i) => i % 3 === 0).slice(0, positives.length);
  const kept = [positives, few].flatMap((list) => list.slice(0, (list.length * 4) / 5));
  return {
    table: `${[header, ...kept].join("\n")}\n`,
    schema: readFileSync(join(top, "core/lab/cards/adult.json"), "utf8"),
  };
}

/**
 * @returns {Promise<Record<string, number>>} the mean and the longest of 30 choices, reading and
 * pricing included, in milliseconds
 */
export async function scorecardsInChromium() {
  const data = balancedAdult();
  if (data === undefined) return {};
  return inPage({ "cards.csv": ["text/csv", data.table] }, (page) =>
    page.evaluate(measure, JSON.parse(data.schema)),
  );
}

/** Runs in the page. */
async function measure(schema) {
  const { load } = await import("/client.js");
  const client = await load({ wasmURL: "/cloister.wasm" });
  const table = await (await fetch("/cards.csv")).blob();
  const taken = [];
  for (let i = 0; i < 30; i++) {
    const start = performance.now();
    await client.scorecard(table, { schema, adjacency: "add-remove", epsilon: 0.1 });
    taken.push(performance.now() - start);
  }
  client.terminate();
  return {
    "card-mean": taken.reduce((sum, t) => sum + t) / taken.length,
    "card-longest": Math.max(...taken),
  };
}
