// Nothing leaves the page once it is sealed. A hostile endpoint on localhost lets everyone in and counts: before the seal every probe reaches it, so the
// probes work; after the seal none does, from the page or from the worker that holds the data. The whole fit works with the server gone.
//
// What the seal does not close, and the page says so: navigation of the page itself, WebRTC from the page, looking up a host's name. (Submitting a form
// makes Chromium open a connection before it refuses the submission; not a byte is sent on it, and that is what is asserted.)

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { serve } from "../../../scripts/serve.mjs";
import { launch, open } from "../harness/browser.mjs";
import { hostile } from "../harness/hostile.mjs";
import { pageProbes, probe, workerProbes } from "../harness/probes.mjs";
import { schemaFile, table } from "../harness/states.mjs";
import { fit, openStudio } from "../harness/studio.mjs";

let server, browser, endpoint;
before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});
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
  const { page, close } = await open(browser);
  // The core never arrives, so the page is not sealed yet; nor can a file be chosen.
  await page.route("**/*.wasm", () => {});
  await page.goto(server.url, { waitUntil: "commit" });
  await page.waitForSelector("#file");
  assert.equal(await page.isDisabled("#file"), true, "a file can be chosen before the seal");
  const [worker] = await Promise.all([
    page.waitForEvent("worker"),
    page.evaluate(() => {
      globalThis.kept = new Worker(URL.createObjectURL(new Blob(["onmessage = () => {}"], { type: "text/javascript" })));
    }),
  ]);
  await probe(page, pageProbes, endpoint.url);
  await probe(worker, workerProbes, endpoint.url);
  const reached = endpoint.reached();
  const silent = [...Object.keys(pageProbes), ...Object.keys(workerProbes)].filter((name) => !reached[name]);
  assert.deepEqual(silent, [], "these probes have no power");
  assert.ok(endpoint.bytes() > 0);
  await close();
});

test("after the seal, none does, before a file is chosen and after a fit on one", { timeout: 240_000 }, async () => {
  const { page, close } = await openStudio(browser, server.url);
  assert.equal(await page.isDisabled("#file"), false);

  const attack = async () => {
    const workers = page.workers();
    assert.equal(workers.length, 1, "the page has one worker, which computes");
    await probe(workers[0], workerProbes, endpoint.url);
    await probe(page, pageProbes, endpoint.url);
    nothingArrived();
  };
  await attack();

  await page.setInputFiles("#schema-file", schemaFile);
  await page.setInputFiles("#file", table);
  await page.waitForFunction(() => document.querySelector(".file-name")?.textContent.includes("stays.csv"));
  assert.equal(await fit(page), "done");
  await attack();
  await close();
});

test("a worker that replaces one that died is sealed too", { timeout: 120_000 }, async () => {
  const { page, close } = await openStudio(browser, server.url);
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

test("the policy cannot be taken back", { timeout: 60_000 }, async () => {
  const { page, close } = await openStudio(browser, server.url);
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

test("the whole fit works with the server gone", { timeout: 120_000 }, async () => {
  const own = await serve();
  const asked = [];
  const { page, quiet, close } = await openStudio(browser, own.url);
  await own.close();
  page.on("request", (request) => {
    if (!request.url().startsWith("blob:")) asked.push(request.url());
  });

  await page.setInputFiles("#file", table);
  await page.waitForFunction(() => document.querySelectorAll(".column").length === 3);
  await page.getByRole("button", { name: /each is public knowledge/ }).click();
  await page.fill("#epsilon", "2");
  assert.equal(await fit(page), "done");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the release" }).click()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const release = Buffer.concat(chunks);
  assert.equal(JSON.parse(release).guarantee.epsilon, 2);
  assert.equal(JSON.parse(release).guarantee.covers, true);
  await page.fill("#predict-0", "80");
  await page.fill("#predict-1", "2.5");
  await page.selectOption("#predict-2", "B");
  await page.locator("form.predict").first().getByRole("button", { name: "Predict" }).click();
  await page.waitForSelector(".answer-number");
  await page.setInputFiles("#release-file", { name: "release.json", mimeType: "application/json", buffer: release });
  await page.waitForSelector("#check .notice-good");
  assert.deepEqual(asked, []);
  quiet();
  await close();
});
