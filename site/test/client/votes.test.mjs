// Labels for public rows by votes, in Node: no data set is opened and no model shared.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CloisterError } from "../../dist/client.node.mjs";
import { openClient } from "../harness/client.mjs";

const client = await openClient();

const budget = { adjacency: "add-remove", epsilon: 0.5, delta: 1e-6 };
const fails = (field) => (error) => {
  assert.ok(error instanceof CloisterError, String(error.stack));
  assert.deepEqual([error.code, error.field], ["parameter", field], error.message);
  return true;
};

test("a majority of two, and what it cost", async () => {
  const { labels, event } = await client.vote({
    ...budget,
    changes: "voter",
    votes: [
      [60, 0],
      [3, 90],
    ],
  });
  assert.deepEqual(labels, [0, 1]);
  const { epsilon } = await client.account({ event, delta: 2e-6 });
  assert.ok(epsilon <= 1 + 1e-9, String(epsilon));
});

test("labels by teachers who agree, and by teachers who do not", async () => {
  const votes = Array.from({ length: 40 }, () => [10, 380, 10]);
  const agreed = await client.pate({ ...budget, delta: 1e-5, sigma: 25, votes });
  assert.deepEqual(new Set(agreed.labels), new Set([1]));
  assert.equal(agreed.test.passed, true);
  assert.ok(agreed.epsilon <= 0.5 && agreed.test.fallback > 25);
  const { epsilon } = await client.account({ event: agreed.event, delta: 1e-5 });
  assert.ok(Math.abs(epsilon / agreed.epsilon - 1) < 1e-9, `${epsilon} ${agreed.epsilon}`);

  const split = await client.pate({
    ...budget,
    delta: 1e-5,
    sigma: 25,
    votes: votes.map(() => [140, 130, 130]),
  });
  assert.equal(split.test.passed, false);
  assert.equal(split.sigma, split.test.fallback);
  assert.equal(split.labels.length, 40, "it answers all the same");
});

const vote = (votes, more) => client.vote({ ...budget, changes: "vote", votes, ...more });
const pate = (votes, more) => client.pate({ ...budget, sigma: 2, votes, ...more });

for (const [what, ask, votes, field, more] of [
  ["no row", vote, [], "votes"],
  ["half a vote", vote, [[1, 2.5]], "votes[0][1]"],
  ["fewer than none", vote, [[1, -2]], "votes[0][1]"],
  ["no number", vote, [[1, Number.NaN]], "votes[0][1]"],
  ["a text", vote, [[1, "2"]], "votes[0][1]"],
  ["a third class", vote, [[1, 2, 3]], "votes[0]"],
  [
    "a voter who leaves",
    vote,
    [
      [4, 5],
      [4, 4],
    ],
    "votes[1]",
  ],
  ["no δ", vote, [[4, 5]], "delta", { delta: Number.NaN }],
  ["no query", pate, [], "votes"],
  ["half a vote", pate, [[1, 2.5]], "votes[0][1]"],
  ["fewer than none", pate, [[1, -2]], "votes[0][1]"],
  ["too many", pate, [[1, 2 ** 40]], "votes[0][1]"],
  ["one class", pate, [[4]], "votes[0]"],
  [
    "classes that come and go",
    pate,
    [
      [4, 5, 0],
      [4, 5],
    ],
    "votes[1]",
  ],
  [
    "a teacher who leaves",
    pate,
    [
      [4, 5, 0],
      [4, 4, 0],
    ],
    "votes[1]",
  ],
  ["no teacher", pate, [[0, 0]], "teachers"],
  ["a gap beyond them", pate, [[4, 5]], "gap", { gap: 10 }],
  ["no noise", pate, [[4, 5]], "sigma", { sigma: 0 }],
])
  test(`refused, with its place: ${what}`, () => assert.rejects(ask(votes, more), fails(field)));
