// Scorecards in Node: planned, bought, checked, and used for rows.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { CloisterError, load } from "../../dist/client.node.mjs";
import { csv, levels } from "./sample.mjs";

const client = await load();
after(() => client.terminate());

const asked = { schema: levels, adjacency: "add-remove", epsilon: 2 };
const fails = (code, field) => (error) => {
  assert.ok(error instanceof CloisterError, String(error.stack));
  assert.deepEqual([error.code, error.field], [code, field], error.message);
  return true;
};

test("a card is chosen as planned, says what it costs, and can be used", async () => {
  const plan = await client.planScorecard({ ...asked, schema: JSON.stringify(levels) });
  assert.deepEqual([plan.levels, plan.cells, plan.cards, plan.epsilon], [7, 12, 2187, 2]);
  assert.ok(Math.abs(plan.excess - (Math.log(2187) + Math.log(20)) / 2) < 1e-9);
  const phases = new Set();
  const { release, text, diagnostics } = await client.scorecard(csv(3000), {
    ...asked,
    onProgress: ({ phase }) => phases.add(phase),
  });
  assert.ok(phases.has("searching"));
  assert.deepEqual(release.event, plan.event);
  assert.deepEqual(release.schema, plan.schema);
  assert.deepEqual(JSON.parse(text), release);
  assert.match(text, /^\{\n {2}"format": "cloister-scorecard",/);
  assert.equal(diagnostics.records, 3000);
  assert.ok(diagnostics.wrong < 900, String(diagnostics.wrong));
  assert.doesNotMatch(text, /3000/);

  const { epsilon } = await client.account({ event: release.event, delta: 1e-12 });
  assert.ok(epsilon <= 2 && epsilon > 1.99, String(epsilon));
  const { holds, problems } = await client.checkScorecard(release);
  assert.deepEqual([holds, problems], [true, []]);

  // What the card says is the sum of its points.
  const of = (g, l) => release.card.attributes[g].levels[l].points;
  const row = { age: 70, dose: "4.99", ward: "C" };
  const score = of(0, 2) + of(1, 0) + of(2, 1);
  const said = { score, yes: score >= 1, label: score >= 1 ? "yes" : "no" };
  assert.deepEqual(await client.score(release, row), said);
  assert.deepEqual(await client.score(release, ["70", 4.99, "C"]), said);
  assert.deepEqual(await client.score(release, [row, row]), [said, said]);
  await assert.rejects(client.score(release, { age: 1, dose: 1, ward: "D" }), (error) => {
    assert.deepEqual([error.code, error.column], ["data", "ward"]);
    return true;
  });

  const forged = structuredClone(release);
  forged.guarantee.epsilon = 0.1;
  assert.equal((await client.checkScorecard(forged)).holds, false);
  forged.card.attributes[0].levels[0].name = "below 41";
  await assert.rejects(
    client.checkScorecard(forged),
    fails("release", "card.attributes[0].levels[0].name"),
  );
});

test("a card is evaluated on other rows, with noise, and its readers find the same", async () => {
  const { release } = await client.scorecard(csv(2000), asked);
  const on = { adjacency: "replace-one", epsilon: 1 };
  const measured = await client.evaluateScorecard(release, csv(4000), on);
  assert.deepEqual(Object.keys(measured).sort(), ["figures", "release", "text"]);
  const { figures, text } = measured;
  assert.equal(measured.release.version, 2);
  assert.deepEqual(measured.release.card, release.card);
  assert.deepEqual(JSON.parse(text), measured.release);
  assert.ok(figures.accuracy.low < figures.accuracy.estimate);
  assert.ok(Math.abs(figures.records.estimate - 4000) < 60, String(figures.records.estimate));
  const checked = await client.checkScorecard(measured.release);
  assert.deepEqual([checked.holds, checked.figures], [true, figures]);

  await assert.rejects(
    client.evaluateScorecard(release, csv(400), { ...on, epsilon: 0 }),
    fails("parameter", "epsilon"),
  );
  const forged = structuredClone(release);
  forged.guarantee.epsilon = 0.1;
  await assert.rejects(client.evaluateScorecard(forged, csv(400), on), fails("release", "release"));
});

test("a dataset's file is counted by the card's own levels", async () => {
  const content = await client.suggestSchema(csv(400), { label: "sick" });
  const { release } = await client.scorecard(content.content, { ...asked, noise: "gumbel" });
  assert.equal(release.event.noise, "gumbel");
});

test("what cannot be a card is refused, and the client goes on", async () => {
  const wide = structuredClone(levels);
  wide.attributes[0].cuts = Array.from({ length: 40 }, (_, i) => i + 1);
  await assert.rejects(client.scorecard(csv(50), { ...asked, schema: wide }), (error) => {
    assert.match(error.message, /merge some levels of "age", which has 41/);
    return fails("schema", "attributes")(error);
  });
  const empty = structuredClone(levels);
  empty.attributes[2].levels[1].name = "";
  await assert.rejects(
    client.planScorecard({ ...asked, schema: empty }),
    fails("schema", "attributes[2].levels[1].name"),
  );
  await assert.rejects(
    client.scorecard(csv(50), { ...asked, epsilon: 0 }),
    fails("parameter", "epsilon"),
  );
  await assert.rejects(
    client.scorecard(csv(50), { ...asked, points: 17 }),
    fails("parameter", "points"),
  );
  await assert.rejects(
    client.scorecard("age,dose,ward,sick\n1,1,A,no\n2,1,A,no\n", asked),
    (error) => error.code === "data" && /every record is of the negative class/.test(error.message),
  );
  await assert.rejects(
    client.scorecard("age,dose,ward,sick\n1,1,D,no\n2,1,A,yes\n", asked),
    (error) => error.code === "data" && error.row === 2 && error.column === "ward",
  );
  await client.planScorecard(asked);
});

test("a search that is cancelled shows nothing", async () => {
  const long = {
    ...levels,
    attributes: [
      { ...levels.attributes[0], cuts: [10, 20, 30, 40, 50, 60, 70, 80, 90] },
      { ...levels.attributes[1], cuts: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
    ],
  };
  const controller = new AbortController();
  let searched = 0;
  const searching = client.scorecard(csv(500), {
    ...asked,
    schema: long,
    points: 3,
    epsilon: 0.01,
    signal: controller.signal,
    onProgress(progress) {
      // The first says that noise is drawn from there on.
      if (progress.phase !== "searching" || searched++ === 0) return;
      assert.deepEqual(Object.keys(progress).sort(), ["fraction", "nodes", "phase"]);
      controller.abort();
    },
  });
  await assert.rejects(searching, fails("aborted", undefined));
  assert.ok(searched > 1);
  await client.planScorecard(asked);
});
