// Times what tested releases and votes are made of: the same Go program natively and in a worker of
// a page in Chromium, by the processor's time.

import { run } from "../check/process.mjs";
import { besideWorker } from "./worker.mjs";

const program = "./wasm/tested";
const turns = 9;

/** What is measured, how many of its units a millisecond has, and the goals in that unit. */
const actions = {
  "tested-pair": ["δ of a posterior sample, one pair", "µs", { native: 1, chromium: 3 }],
  "tested-pair-renyi": ["its Rényi divergence", "µs", { native: 1, chromium: 3 }],
  "tested-shift": ["the shift that (ε, δ) affords", "ms", { native: 0.2, chromium: 1 }],
  "tested-tails": ["a vote's two tails, certified", "µs", { native: 20, chromium: 80 }],
  "tested-votes": ["a vote's exact divergence, ten classes", "ms", { native: 1 }],
  "tested-distance": [
    "the distance of 200 votes, ten classes",
    "ms",
    { native: 60, chromium: 250 },
  ],
  "tested-sample": [
    "a tested regression, 20,000 rows × 20, dense",
    "ms",
    { native: 30, chromium: 120 },
  ],
};

/** What `make bench` prints of them. */
export const testedRows = Object.entries(actions).map(([name, [text, unit, goal]]) => [
  name,
  `${text}, of the processor's time`,
  unit,
  goal,
]);

const inUnits = (name, milliseconds) =>
  actions[name][1] === "µs" ? 1000 * milliseconds : milliseconds;

/** @returns {Promise<Record<string, number>>} medians of turns, by the names of the rows */
export async function testedNatively() {
  const { code, output } = await run("go", ["run", program]);
  if (code !== 0) throw new Error(output);
  const figures = Object.entries(JSON.parse(output));
  return Object.fromEntries(figures.map(([name, taken]) => [name, inUnits(name, taken)]));
}

/** @returns {Promise<Record<string, number>>} the same in Chromium */
export function testedInChromium() {
  return besideWorker(program, {}, async ({ said, spent, ask }) => {
    const figures = {};
    for (const [name, times] of Object.entries(said.times)) {
      const taken = [];
      // The first turn is for the engine, which makes code faster that is in use.
      for (let turn = -1; turn < turns; turn++) {
        const before = await spent();
        await ask("pass", name, times);
        if (turn >= 0) taken.push(((await spent()) - before) / times);
      }
      figures[name] = inUnits(name, taken.sort((a, b) => a - b)[turns >> 1]);
    }
    return figures;
  });
}
