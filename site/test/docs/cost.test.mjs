// The tables of the page on what objective perturbation costs, worked out anew: every noise that a
// proof asks for, and how near explicit data come.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { load } from "cloister";

const page = readFileSync(new URL("../../docs/cost.md", import.meta.url), "utf8");
const client = await load();
after(() => client.terminate());
const delta = 1e-5;

const bounds = {
  "Kifer et al. 2012": "kifer",
  "Redberg et al. 2023": "profile",
  "Theorem 3": "logistic",
  "control problem": "control",
};

/** The cells of the table below a heading: its first row, and the others. */
function tableBelow(id) {
  const [, below] = page.split(`{#${id}}`);
  const lines = below.split("\n");
  const from = lines.findIndex((line) => line.startsWith("|"));
  const length = lines.slice(from).findIndex((line) => !line.startsWith("|"));
  const [names, , ...rows] = lines.slice(from, from + length).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return { epsilons: names.filter((name) => name.startsWith("ε")).map(number), rows };
}

const number = (cell) => Number(cell.replace(/^ε = | ?λ₀/g, "") || 1);

const gaussian = { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1 };
const noise = new Map();
/** σ of one Gaussian mechanism that keeps (ε, 10⁻⁵). */
async function gaussianNoise(epsilon) {
  if (!noise.has(epsilon)) {
    const asked = { event: gaussian, parameter: "sigma", epsilon, delta };
    noise.set(epsilon, (await client.solve(asked)).value);
  }
  return noise.get(epsilon);
}

/** A fit at a share of λ₀, as theory.md has it; the client says the same of it. */
async function fitAt(epsilon, share) {
  const sigma = await gaussianNoise(epsilon);
  return {
    mechanism: "objective-perturbation",
    adjacency: "add-remove",
    loss: "logistic",
    row_norm: 1,
    lipschitz: 1,
    smoothness: 0.25,
    lambda: share / (epsilon + 1 / (2 * sigma * sigma)),
    sigma,
  };
}

/** Noise over the Gaussian's; undefined where no noise is enough, or the proof says nothing. */
async function multiple(epsilon, share, bound) {
  const event = await fitAt(epsilon, share);
  const asked = { event, parameter: "sigma", epsilon, delta, bound };
  try {
    return (await client.solve(asked)).value / event.sigma;
  } catch (error) {
    if (error.code !== "parameter") throw error;
    return undefined;
  }
}

test("the noise of each proof is that of the solver, rounded up", async () => {
  const { epsilons, rows } = tableBelow("table");
  assert.deepEqual(epsilons, [0.1, 0.5, 1, 3, 8]);
  let share;
  const seen = new Map();
  for (const [first, proof, ...cells] of rows) {
    if (first) seen.set((share = number(first)), new Set());
    assert.ok(bounds[proof], proof);
    seen.get(share).add(proof);
    for (const [i, cell] of cells.entries()) {
      const where = `${share} λ₀, ${proof}, ε = ${epsilons[i]}`;
      const asked = await multiple(epsilons[i], share, bounds[proof]);
      if (cell === "–") assert.equal(asked, undefined, where);
      // The search for a noise ends within 1e-4 of it.
      else
        assert.ok(
          asked <= number(cell) + 2e-4 && asked > number(cell) - 1.2e-3,
          `${where}: ${asked}`,
        );
    }
  }
  assert.deepEqual([...seen.keys()], [1, 0.65, 0.5, 0.35, 0.25]);
  // What a λ has no row of asks for more than any noise at every ε.
  for (const [share, proofs] of seen)
    for (const [proof, bound] of Object.entries(bounds)) {
      if (proofs.has(proof)) continue;
      for (const epsilon of epsilons)
        assert.equal(await multiple(epsilon, share, bound), undefined, `${share}, ${proof}`);
    }
});

test("explicit data come as near to V as it says, and nowhere above", async () => {
  const { epsilons, rows } = tableBelow("exact");
  assert.equal(rows.length, 3);
  for (const [first, ...cells] of rows)
    for (const [i, cell] of cells.entries()) {
      const event = await fitAt(epsilons[i], number(first));
      const worst = await client.worst({ event, epsilon: epsilons[i] });
      const share = 100 * Math.exp(worst.logDeltaData - worst.logDelta);
      const where = `${first}, ε = ${epsilons[i]}: ${share}`;
      assert.ok(!worst.pinned, where);
      assert.ok(share >= number(cell) && share < number(cell) + 0.1 && share < 100, where);
    }
});

test("two thirds of λ₀ are free to within 0.1 % of the noise", async () => {
  for (const epsilon of [0.1, 0.5, 1, 3, 8])
    assert.ok((await multiple(epsilon, 2 / 3, "control")) <= 1.001, `${epsilon}`);
});
