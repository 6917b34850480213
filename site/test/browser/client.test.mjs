// The client in Chromium: a fit, and workers that are killed in the middle of one.

import assert from "node:assert/strict";
import { load } from "../../dist/client.node.mjs";
import { csv, schema } from "../client/sample.mjs";
import { open } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";

const { server, browser } = await setUp();
const tab = await open(browser);
// A page of the site with nothing on it.
await tab.page.route(/\/empty$/, (route) =>
  route.fulfill({ contentType: "text/html", body: "<!doctype html><title>empty</title>" }),
);
await tab.page.goto(`${server.url}empty`);

const request = { adjacency: "add-remove", epsilon: 1, delta: 1e-5 };

/** Runs a function in the page with the client, the sample and a small box of tools. */
function inPage(body, argument) {
  return tab.page.evaluate(
    async ([source, given]) => {
      const module = await import("/client.js");
      const client = await module.load();
      // What a rejection was, as plain data.
      const failure = (promise) =>
        promise.then(
          () => ({ code: "none" }),
          (error) => ({
            code: error.code,
            name: error.name,
            message: error.message,
            field: error.field,
          }),
        );
      const run = new Function("tools", "given", `return (${source})(tools, given)`);
      return run({ ...module, client, failure }, given);
    },
    [body.toString(), argument],
  );
}

const sample = { text: csv(), schema, request, large: csv(60000) };

test("a file becomes a release, with progress on the way", async () => {
  const { release, phases, prediction, repriced } = await inPage(
    async ({ client }, { text, schema, request }) => {
      const phases = new Set();
      const dataset = await client.openDataset(new Blob([text]), schema);
      const { release } = await client.fit(dataset, {
        ...request,
        onProgress: (p) => phases.add(p.phase),
      });
      await dataset.close();
      const prediction = await client.predict(release, { age: 90, dose: 9, ward: "A" });
      const repriced = await client.reprice(release);
      return { release, phases: [...phases], prediction, repriced };
    },
    sample,
  );
  assert.equal(release.format, "cloister-release");
  assert.equal(release.guarantee.covers, true);
  assert.ok(phases.includes("solving"), String(phases));
  assert.ok(prediction.probability > 0.5);
  assert.equal(prediction.label, "yes");
  assert.equal(repriced.holds, true);
  assert.deepEqual(repriced.problems, []);
});

test("terminating in the middle of a fit rejects it, and the next fit works on the same dataset", async () => {
  const { failed, next } = await inPage(async ({ client, failure }, { large, schema, request }) => {
    const dataset = await client.openDataset(new Blob([large]), schema);
    const failed = failure(
      client.fit(dataset, { ...request, onProgress: () => client.terminate() }),
    );
    const seen = await failed;
    const { release } = await client.fit(dataset, request);
    await dataset.close();
    return { failed: seen, next: release.model.coefficients.length };
  }, sample);
  assert.equal(failed.code, "terminated");
  assert.equal(failed.name, "CloisterError");
  assert.equal(next, 6);
});

test("aborting in the middle of a fit rejects it at once, and other calls are answered", async () => {
  const { failed, curve, elapsed } = await inPage(
    async ({ client, failure }, { large, schema, request }) => {
      const dataset = await client.openDataset(new Blob([large]), schema);
      const control = new AbortController();
      let abortedAt = 0;
      const fit = failure(
        client.fit(dataset, {
          ...request,
          signal: control.signal,
          onProgress: () => {
            abortedAt ||= performance.now();
            control.abort();
          },
        }),
      );
      // Waits behind the fit, and must outlive its worker.
      const behind = client.account({
        event: { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1, sigma: 4 },
        delta: 1e-5,
      });
      const failed = await fit;
      const elapsed = performance.now() - abortedAt;
      await dataset.close();
      return { failed, elapsed, curve: (await behind).epsilon };
    },
    sample,
  );
  assert.equal(failed.code, "aborted");
  assert.ok(elapsed < 1000, `${elapsed} ms`);
  assert.ok(Math.abs(curve - 0.9) < 0.2, String(curve));
});

test("a dataset from a stream does not outlive its worker, and says so", async () => {
  const failed = await inPage(async ({ client, failure }, { text, schema, request }) => {
    const dataset = await client.openDataset(new Blob([text]).stream(), schema);
    client.terminate();
    return failure(client.fit(dataset, request));
  }, sample);
  assert.equal(failed.code, "dataset-lost");
});

test("a file over the limit is refused by its declared size", async () => {
  const failed = await inPage(({ client, failure }, { schema }) => {
    // 1 GiB that takes no memory: one block, named many times.
    const block = new Blob([new Uint8Array(2 ** 20)]);
    return failure(client.openDataset(new Blob(Array(1024).fill(block)), schema));
  }, sample);
  assert.equal(failed.code, "too-large");
});

test("an error names its field, and the client goes on", async () => {
  const failed = await inPage(async ({ client, failure }, { text, schema, request }) => {
    const dataset = await client.openDataset(text, schema);
    const failures = [];
    for (const wrong of [
      { epsilon: 0 },
      { epsilon: Number.NaN },
      { epsilon: Infinity },
      { delta: 0 },
      { delta: 1 },
    ]) {
      failures.push(await failure(client.fit(dataset, { ...request, ...wrong })));
    }
    await client.fit(dataset, request);
    return failures;
  }, sample);
  assert.deepEqual(
    failed.map((f) => [f.code, f.field]),
    [...Array(3).fill(["parameter", "epsilon"]), ...Array(2).fill(["parameter", "delta"])],
  );
});

test("several classes are fitted and evaluated, and Node reads the same figures off the release", async () => {
  const [header, ...lines] = sample.text.trimEnd().split("\n");
  const state = (line) =>
    ["well", "ill", "dead"][
      Math.min(2, Math.floor((Number(line.split(",")[0]) + 4 * Number(line.split(",")[1])) / 47))
    ];
  const text = `${header},state\n${lines.map((line) => `${line},${state(line)}`).join("\n")}\n`;
  const label = {
    name: "state",
    type: "classes",
    classes: [["well"], ["ill"], ["dead"]],
    provenance: "public",
  };
  const given = { text, schema: { ...schema, version: 2, label }, request };
  const { release, figures, predictions } = await inPage(
    async ({ client }, { text, schema, request }) => {
      const dataset = await client.openDataset(new Blob([text]), schema);
      const { release: fitted } = await client.fit(dataset, { ...request, epsilon: 4 });
      const { release, figures } = await client.evaluate(fitted, dataset, {
        adjacency: "add-remove",
        epsilon: 1,
      });
      await dataset.close();
      const predictions = await client.predict(release, [
        [0, 0, "A"],
        [100, 10, "B"],
      ]);
      return { release, figures, predictions };
    },
    given,
  );
  assert.deepEqual(
    predictions.map((p) => p.label),
    ["well", "dead"],
  );
  const node = await load();
  try {
    const repriced = await node.reprice(release);
    assert.equal(repriced.holds, true, String(repriced.problems));
    assert.deepEqual(repriced.figures, figures);
    assert.deepEqual(
      await node.predict(release, [
        [0, 0, "A"],
        [100, 10, "B"],
      ]),
      predictions,
    );
  } finally {
    node.terminate();
  }
});

test("nothing went wrong on the page meanwhile", () => tab.quiet());
