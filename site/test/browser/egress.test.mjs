// Nothing leaves the page once it is sealed. A hostile endpoint on localhost lets everyone in and
// counts: before the seal every probe reaches it, so the probes work; after the seal none does,
// from the page or from the worker that holds the data. Every step of the path works with the
// server gone.
//
// What the seal does not close, and the page says so: navigation of the page itself, WebRTC from
// the page, looking up a host's name. (Submitting a form makes Chromium open a connection before it
// refuses the submission; not a byte is sent on it, and that is what is asserted.)

import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { serve } from "../../../scripts/serve.mjs";
import { open } from "../harness/browser.mjs";
import { attackLarge, holdable } from "../harness/held-reading.mjs";
import { hostile } from "../harness/hostile.mjs";
import { test } from "../harness/limited.mjs";
import { attack, pageProbes, probe, workerProbes } from "../harness/probes.mjs";
import { studioPath, verifierPath } from "../harness/path.mjs";
import { setUp } from "../harness/set-up.mjs";
import { fit, openStudio } from "../harness/studio.mjs";
import { openVerifier } from "../harness/verifier.mjs";

const { server, browser } = await setUp();
let endpoint;
beforeEach(async () => {
  endpoint = await hostile();
});
afterEach(() => endpoint.close());

/** No request came, and not a byte on any connection. */
function nothingArrived() {
  assert.deepEqual(endpoint.reached(), {});
  assert.equal(endpoint.bytes(), 0);
}

test("before the seal, every probe gets through", { timeout: 120_000 }, async () => {
  const { page, close } = await open(browser, { offline: true });
  // The core never arrives, so the page is not sealed yet; nor can a file be chosen.
  await page.route(/\.wasm\b/, () => {});
  await page.goto(server.url, { waitUntil: "commit" });
  await page.waitForSelector("#file");
  assert.equal(await page.isDisabled("#file"), true, "a file can be chosen before the seal");
  const [worker] = await Promise.all([
    page.waitForEvent("worker"),
    page.evaluate(() => {
      globalThis.kept = new Worker(
        URL.createObjectURL(new Blob(["onmessage = () => {}"], { type: "text/javascript" })),
      );
    }),
  ]);
  await probe(page, pageProbes, endpoint.url);
  await probe(worker, workerProbes, endpoint.url);
  const reached = endpoint.reached();
  const silent = [...Object.keys(pageProbes), ...Object.keys(workerProbes)].filter(
    (name) => !reached[name],
  );
  assert.deepEqual(silent, [], "these probes have no power");
  assert.ok(endpoint.bytes() > 0);
  await close();
});

test(
  "before the seal, every probe gets through when all are run together, too",
  { timeout: 120_000 },
  async () => {
    const { page, close } = await open(browser, { offline: true });
    await page.route(/\.wasm\b/, () => {});
    await page.goto(`${server.url}verify.html`, { waitUntil: "commit" });
    await page.waitForSelector("#release-file");
    assert.equal(
      await page.isDisabled("#release-file"),
      true,
      "a file can be chosen before the seal",
    );
    await probe(page, pageProbes, endpoint.url, { together: true, patience: 3000 });
    const reached = endpoint.reached();
    assert.deepEqual(
      Object.keys(pageProbes).filter((name) => !reached[name]),
      [],
      "these probes have no power",
    );
    await close();
  },
);

test(
  "after the seal, none does, at any step of the path or in the verifier",
  { timeout: 240_000 },
  async () => {
    const { page, close } = await openStudio(browser, server.url, { offline: true });
    assert.equal(await page.isDisabled("#file"), false);
    await attack(page, endpoint, "before a file is chosen");
    const kept = {};
    for (const [name, go] of studioPath) {
      await go(page, kept);
      await attack(page, endpoint, name);
    }
    await close();

    const verifier = await openVerifier(browser, server.url, { offline: true });
    await attack(verifier.page, endpoint, "the verifier, before a file is chosen");
    for (const [name, go] of verifierPath) {
      await go(verifier.page, kept);
      await attack(verifier.page, endpoint, `the verifier: ${name}`);
    }
    await verifier.close();
  },
);

test("a worker that replaces one that died is sealed too", { timeout: 120_000 }, async () => {
  const { page, close } = await openStudio(browser, server.url, { offline: true });
  const [first] = page.workers();
  const died = first.waitForEvent("close");
  await first.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error("staged");
      }),
  );
  await died;
  assert.equal(await fit(page), "done");
  const [second] = page.workers();
  assert.notEqual(second, first);
  await probe(second, workerProbes, endpoint.url);
  nothingArrived();
  await close();
});

test(
  "the workers that share a large file are sealed, each of them",
  { timeout: 240_000 },
  async () => {
    const { page, close } = await open(browser, { offline: true });
    await holdable(page);
    await page.goto(server.url);
    await page.waitForSelector("#fit-button:not([disabled])");
    await attackLarge(page, endpoint);
    await close();
  },
);

test("the policy cannot be taken back", { timeout: 60_000 }, async () => {
  const { page, close } = await openStudio(browser, server.url, { offline: true });
  await page.evaluate(() => {
    for (const meta of document.querySelectorAll("meta[http-equiv]")) meta.remove();
    const open = document.createElement("meta");
    open.httpEquiv = "Content-Security-Policy";
    open.content = "default-src * 'unsafe-inline' 'unsafe-eval' data: blob:";
    document.head.append(open);
  });
  await probe(page, pageProbes, endpoint.url);
  nothingArrived();
  await close();
});

test(
  "every step of the path works with the server gone, and asks for nothing",
  { timeout: 240_000 },
  async () => {
    const own = await serve();
    const asked = [];
    const studio = await openStudio(browser, own.url, { offline: true });
    const verifier = await openVerifier(browser, own.url, { offline: true });
    for (const { page } of [studio, verifier]) {
      page.on("request", (request) => {
        if (!/^(?:blob|data):/.test(request.url())) asked.push(request.url());
      });
    }
    await own.close();

    const kept = {};
    for (const [, go] of studioPath) await go(studio.page, kept);
    for (const [, go] of verifierPath) await go(verifier.page, kept);
    const { guarantee, evaluation } = JSON.parse(kept.evaluated);
    assert.deepEqual([guarantee.epsilon, guarantee.covers, evaluation.epsilon], [2, true, 0.5]);
    for (const language of ["Python", "R", "JavaScript", "Go"])
      assert.ok(kept[language].length > 500, language);
    assert.equal(JSON.parse(kept.notebook).nbformat, 4);
    assert.deepEqual(asked, []);
    for (const { quiet, close } of [studio, verifier]) {
      quiet();
      await close();
    }
  },
);
