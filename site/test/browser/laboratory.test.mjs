// An experiment in Chromium: the same numbers as natively, told of one by one, and cancelled in the
// middle.

import assert from "node:assert/strict";
import { open } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { nativeRuns } from "../harness/native-runs.mjs";
import { setUp } from "../harness/set-up.mjs";

const { server, browser } = await setUp();
const tab = await open(browser);
await tab.page.route(/\/empty$/, (route) =>
  route.fulfill({ contentType: "text/html", body: "<!doctype html><title>empty</title>" }),
);
await tab.page.goto(`${server.url}empty`);

test("an experiment comes out as it does natively, run by run", async () => {
  const plan = {
    sets: ["synthetic-2d"],
    methods: ["amp", "plain"],
    epsilons: [0.5, 4],
    trials: 2,
    effort: "quick",
  };
  const native = nativeRuns(plan);
  const { results, told } = await tab.page.evaluate(async (plan) => {
    const client = await (await import("/client.js")).loadLaboratory();
    const told = [];
    const { results } = await client.experiment(plan, {
      onProgress: (p) => told.push(p.result.key),
    });
    return { results, told };
  }, plan);
  assert.deepEqual(
    told,
    results.map((r) => r.key),
  );
  assert.equal(results.length, native.size);
  for (const r of results) {
    const { accuracy, loss } = native.get(r.key);
    assert.equal(r.accuracy, accuracy, r.key);
    assert.ok(Math.abs(r.loss - loss) <= 1e-9 * loss, `${r.key}: ${r.loss}, natively ${loss}`);
  }
});

test("aborting an experiment rejects it, and the next one works", async () => {
  const { code, next } = await tab.page.evaluate(async () => {
    const client = await (await import("/client.js")).loadLaboratory();
    const stop = new AbortController();
    const grid = { sets: ["synthetic-2d"], methods: ["amp"], epsilons: [1] };
    const code = await client
      .experiment(
        { ...grid, trials: 5000 },
        { signal: stop.signal, onProgress: () => stop.abort() },
      )
      .then(
        () => "none",
        (error) => error.code,
      );
    const { results } = await client.experiment(grid);
    return { code, next: results.length };
  });
  assert.equal(code, "aborted");
  assert.equal(next, 1);
});

test("nothing went wrong on the page meanwhile", () => tab.quiet());
