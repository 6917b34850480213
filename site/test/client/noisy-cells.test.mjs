// Noisy cells in Node: planned, bought once, checked, and searched for nothing.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { CloisterError, load } from "../../dist/client.node.mjs";
import { csv, levels } from "./sample.mjs";

const client = await load();
after(() => client.terminate());

const asked = { schema: levels, adjacency: "add-remove", epsilon: 4 };

test("noisy cells are bought as planned, and cards of them cost nothing", async () => {
  const plan = await client.planNoisyCells({ ...asked, schema: JSON.stringify(levels) });
  assert.deepEqual([plan.cells, plan.epsilon, plan.caveats], [12, 4, []]);
  // Discrete Laplace noise: a variance of 1/(2 sinh²(ε/2)) for each of 12 counts.
  assert.ok(Math.abs(plan.deviation - Math.sqrt(6) / Math.sinh(2)) < 1e-9);
  const { release, text, ...rest } = await client.noisyCells(csv(3000), asked);
  assert.deepEqual(rest, {}, "nothing is for the holder's eyes alone");
  assert.deepEqual(release.event, plan.event);
  assert.deepEqual(JSON.parse(text), release);
  assert.match(text, /^\{\n {2}"format": "cloister-noisy-cells",/);
  assert.equal(release.counts.positives.length, 12);
  const { epsilon } = await client.account({ event: release.event, delta: 1e-12 });
  assert.ok(epsilon <= 4 * (1 + 1e-12) && epsilon > 3.99, String(epsilon));
  const { holds, problems } = await client.checkNoisyCells(release);
  assert.deepEqual([holds, problems], [true, []]);

  const phases = new Set();
  const best = await client.cardOfCells(release, {
    points: 2,
    onProgress: ({ phase }) => phases.add(phase),
  });
  assert.ok(phases.has("searching"));
  assert.equal(best.release.from_counts, true);
  assert.deepEqual(JSON.parse(best.text), best.release);
  assert.equal((await client.checkScorecard(best.release)).holds, true);
  assert.ok(Math.abs(best.records - 3000) < 10 * Math.SQRT2 * best.deviation);
  assert.ok(best.wrong < 900, String(best.wrong));

  const card = best.release.card.attributes.map((a) => a.levels.map(({ points }) => points));
  const again = await client.cardOfCells(release, { points: 2, card });
  assert.deepEqual(again, best);
  const fewer = await client.cardOfCells(release, { attributes: ["ward", "age"], points: 2 });
  assert.deepEqual(
    fewer.release.schema.attributes.map(({ name }) => name),
    ["ward", "age"],
  );
  assert.ok(fewer.wrong >= best.wrong);
  assert.equal((await client.checkScorecard(fewer.release)).holds, true);
});

test("what is not noisy cells, or no card of them, is refused", async () => {
  const { release } = await client.noisyCells(csv(200), { ...asked, adjacency: "replace-one" });
  const fails = (code, field) => (error) => {
    assert.ok(error instanceof CloisterError, String(error.stack));
    assert.deepEqual([error.code, error.field], [code, field], error.message);
    return true;
  };
  const card = { release };
  await assert.rejects(
    client.cardOfCells(release, { attributes: ["height"] }),
    fails("parameter", "attributes[0]"),
  );
  await assert.rejects(
    client.cardOfCells(release, { card: [[0, 0, 0]] }),
    fails("parameter", "card.attributes"),
  );
  await assert.rejects(client.checkNoisyCells(card), fails("release", "format"));
  const forged = structuredClone(release);
  forged.counts.negatives.pop();
  await assert.rejects(client.checkNoisyCells(forged), fails("release", "counts.negatives"));
  const cheaper = structuredClone(release);
  cheaper.guarantee.epsilon = 1;
  assert.equal((await client.checkNoisyCells(cheaper)).holds, false);
  await assert.rejects(
    client.noisyCells(csv(200), { ...asked, epsilon: 0 }),
    fails("parameter", "epsilon"),
  );
  await client.planNoisyCells(asked);
});
