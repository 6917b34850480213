// The page without a network: kept as one version, with headers that a static host does not send,
// replaced as a whole, and never at the price of what is stored beside it.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach } from "node:test";
import { serve, site } from "../../../scripts/serve.mjs";
import { open } from "../harness/browser.mjs";
import { attackLarge, holdable } from "../harness/held-reading.mjs";
import { hostile } from "../harness/hostile.mjs";
import { test } from "../harness/limited.mjs";
import { studioPath, verifierPath } from "../harness/path.mjs";
import { attack } from "../harness/probes.mjs";
import { setUp } from "../harness/set-up.mjs";
import { table } from "../harness/states.mjs";
import { besides, fit, openStudio, savedRelease } from "../harness/studio.mjs";
import { check, verifierReady } from "../harness/verifier.mjs";

const { browser } = await setUp();
const version = Number.parseInt(browser.version(), 10);

let root, server;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "cloister-offline-"));
  cpSync(site, root, { recursive: true });
  server = await serve({ root });
});
afterEach(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

/** A tab that has been to the page of a server, all of which is kept. */
async function firstVisit({ url }) {
  const tab = await openStudio(browser, url, { offline: true });
  await tab.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  return tab;
}

async function isServedByWorker(page) {
  assert.equal(await page.evaluate(() => navigator.serviceWorker.controller?.state), "activated");
}

/** A tab that has been to the page before and is served by the service worker. */
async function secondVisit() {
  const tab = await firstVisit(server);
  await tab.page.reload();
  await tab.page.waitForSelector("#fit-button:not([disabled])");
  await isServedByWorker(tab.page);
  return tab;
}

let common;
after(async () => (await common)?.own.close());
/**
 * A page of one browser profile that all who ask have in common. For tests that change neither the
 * site nor what is kept of it: to keep all of it takes longer than a visit.
 */
async function anotherVisit() {
  common ??= serve().then(async (own) => ({ own, first: await firstVisit(own) }));
  const { first } = await common;
  const page = await besides(first.page);
  await isServedByWorker(page);
  return page;
}

/**
 * Changes a file of the site, or of its copy in a folder, as a new build would: the service worker
 * names its new hash.
 */
function change(path, edit, folder = "") {
  const hash = (data) => `sha384-${createHash("sha384").update(data).digest("base64")}`;
  const old = readFileSync(join(root, path));
  const text = edit(old.toString());
  writeFileSync(join(root, path), text);
  const script = join(root, folder, "sw.js");
  const worker = readFileSync(script, "utf8");
  assert.ok(worker.includes(hash(old)));
  const version = /"[0-9a-f]{16}"/.exec(worker)[0];
  writeFileSync(
    script,
    worker
      .replace(hash(old), hash(text))
      .replaceAll(version, `"${createHash("sha256").update(text).digest("hex").slice(0, 16)}"`),
  );
}

/** The person's own file. */
async function openTable(page) {
  await page.setInputFiles("#file", table);
  await page.waitForFunction(() => document.querySelectorAll(".column").length === 3);
}

test(
  "with the service worker, too, nothing leaves the page or its worker, at any step of the path or in the verifier",
  { timeout: 240_000 },
  async (t) => {
    const endpoint = await hostile();
    t.after(() => endpoint.close());
    const page = await anotherVisit();
    const kept = {};
    await attack(page, endpoint, "before a file is chosen");
    for (const [name, go] of studioPath) {
      await go(page, kept);
      await attack(page, endpoint, name);
    }
    const verifier = await page.context().newPage();
    await verifier.goto(`${new URL(page.url()).origin}/verify.html`);
    await verifierReady(verifier);
    await isServedByWorker(verifier);
    await attack(verifier, endpoint, "the verifier, before a file is chosen");
    for (const [name, go] of verifierPath) {
      await go(verifier, kept);
      await attack(verifier, endpoint, `the verifier: ${name}`);
    }
    await verifier.close();
    await page.close();
  },
);

test(
  "with the service worker, too, the workers that share a large file are sealed",
  { timeout: 240_000 },
  async (t) => {
    const endpoint = await hostile();
    t.after(() => endpoint.close());
    const page = await anotherVisit();
    await holdable(page);
    await page.reload();
    await page.waitForSelector("#fit-button:not([disabled])");
    await isServedByWorker(page);
    await attackLarge(page, endpoint);
    await page.close();
  },
);

test(
  "after one visit to either page both open, and work, with the server gone",
  { timeout: 120_000 },
  async () => {
    for (const first of ["", "verify.html"]) {
      const own = await serve({ root });
      const { page, quiet, close } = await open(browser, { offline: true });
      await page.goto(own.url + first);
      await page.waitForSelector('input[type="file"]:not([disabled])');
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));
      await own.close();
      await page.goto(own.url);
      await page.waitForSelector("#fit-button:not([disabled])");
      await openTable(page);
      assert.equal(await fit(page), "done");
      const release = JSON.stringify(await savedRelease(page));
      await page.goto(`${own.url}verify.html`);
      await page.waitForSelector("#release-file:not([disabled])");
      // Nobody said where its schema is from.
      assert.equal(
        (await check(page, release)).title,
        "It tells the truth, and the guarantee leaves something out",
      );
      quiet();
      await close();
    }
  },
);

test(
  "with the service worker, the page can't be left for another host either, nor can WebRTC",
  {
    timeout: 120_000,
    skip:
      version < 152 && `Chromium ${version} does not know Connection-Allowlist; 152 and later do`,
  },
  async (t) => {
    const endpoint = await hostile();
    t.after(() => endpoint.close());
    const page = await anotherVisit();
    await openTable(page);
    await page.evaluate((url) => {
      const peer = new RTCPeerConnection({
        iceServers: [
          { urls: `turn:${new URL(url).host}?transport=tcp`, username: "data", credential: "data" },
        ],
      });
      peer.createDataChannel("data");
      return peer.createOffer().then((offer) => peer.setLocalDescription(offer));
    }, endpoint.url);
    await page
      .evaluate((url) => void (location.href = `${url}leave?data`), endpoint.url)
      .catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 2000));
    assert.deepEqual(endpoint.reached(), {});
    assert.equal(endpoint.bytes(), 0);
    await page.close();
  },
);

test(
  "on the first visit, without those headers, leaving does reach another host: the test above can fail",
  { timeout: 120_000 },
  async (t) => {
    const endpoint = await hostile();
    t.after(() => endpoint.close());
    const { page, close } = await openStudio(browser, server.url, { offline: true });
    await page
      .evaluate((url) => void (location.href = `${url}leave?data`), endpoint.url)
      .catch(() => {});
    await page.waitForURL(/leave/);
    assert.equal(endpoint.reached().leave, 1);
    await close();
  },
);

test(
  "a newer version waits, is offered, replaces the old one as a whole, and leaves what is stored alone",
  { timeout: 120_000 },
  async () => {
    const { page, quiet, close } = await secondVisit();
    await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const opening = indexedDB.open("kept-by-a-test", 1);
          opening.onupgradeneeded = () =>
            opening.result.createObjectStore("charges").put("a charge", 1);
          opening.onsuccess = () => (opening.result.close(), resolve());
          opening.onerror = reject;
        }),
    );
    change("index.html", (text) => text.replace("<title>", "<title>Newer. "));
    await page.reload();
    assert.doesNotMatch(await page.title(), /Newer/);
    const offer = page.getByRole("button", { name: "Load it now" });
    await offer.waitFor();
    await Promise.all([page.waitForEvent("load"), offer.click()]);
    assert.match(await page.title(), /Newer/);
    await page.waitForSelector("#fit-button:not([disabled])");
    assert.equal((await page.evaluate(() => caches.keys())).length, 1);
    const stored = await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const opening = indexedDB.open("kept-by-a-test", 1);
          opening.onsuccess = () => {
            const reading = opening.result.transaction("charges").objectStore("charges").get(1);
            reading.onsuccess = () => resolve(reading.result);
          };
          opening.onerror = reject;
        }),
    );
    assert.equal(stored, "a charge");
    quiet();
    await close();
  },
);

test("files that are not those of the build are not kept", { timeout: 120_000 }, async () => {
  writeFileSync(join(root, "theme.js"), "// something else\n");
  const { page, close } = await openStudio(browser, server.url, { offline: true });
  await page.waitForFunction(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return (
      !registration || (!registration.installing && !registration.waiting && !registration.active)
    );
  });
  assert.equal(await fit(page), "done");
  await close();
});

test(
  "where a file is missing of what was kept, another version of it is not taken",
  { timeout: 120_000 },
  async () => {
    const newer = (path) => writeFileSync(join(root, path), `${readFileSync(join(root, path))} `);
    const { page, close } = await secondVisit();
    // One file is missing of what was kept, and the host has another one by now.
    const path = "theme.js";
    newer(path);
    await page.evaluate(async (path) => {
      const [name] = await caches.keys();
      await (await caches.open(name)).delete(new URL(path, location.href).href);
    }, path);
    const answered = (path) =>
      page.evaluate(
        (path) =>
          fetch(path).then(
            () => true,
            () => false,
          ),
        path,
      );
    await page.goto(`${server.url}docs/`); // which may fetch
    assert.equal(await answered(`../${path}`), false);
    assert.equal(await answered("../verify.js"), true);
    await close();
  },
);

test(
  "two copies in folders of one origin keep what is theirs: neither takes the other's away",
  { timeout: 120_000 },
  async () => {
    const [first, second] = ["first", "second"].map((name) => join(root, name));
    cpSync(site, first, { recursive: true });
    cpSync(site, second, { recursive: true });
    for (const name of readdirSync(root)) {
      if (name !== "first" && name !== "second")
        rmSync(join(root, name), { recursive: true, force: true });
    }
    change("second/index.html", (text) => text.replace("<title>", "<title>Second. "), "second");
    const { page, close } = await open(browser, { offline: true });
    for (const name of ["first", "second"]) {
      await page.goto(`${server.url}${name}/`);
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    }
    await page.waitForFunction(async () => (await caches.keys()).length === 2);
    await server.close();
    for (const name of ["first", "second"]) {
      await page.goto(`${server.url}${name}/`);
      await page.waitForSelector("#fit-button:not([disabled])");
      assert.equal(/Second/.test(await page.title()), name === "second");
    }
    await close();
    server = await serve({ root }); // for afterEach
  },
);

test("the page can be installed", { timeout: 60_000 }, async () => {
  const page = await anotherVisit();
  const devtools = await page.context().newCDPSession(page);
  const { errors, data } = await devtools.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  const manifest = JSON.parse(data);
  assert.equal(manifest.start_url, page.url());
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  // A test's profile is a private window, in which nothing is ever installed.
  assert.deepEqual(
    installabilityErrors.map((e) => e.errorId).filter((id) => id !== "in-incognito"),
    [],
  );
  await page.close();
});

test(
  "leaving with a model of one's own that no file holds asks first",
  { timeout: 60_000 },
  async () => {
    const { page, close } = await openStudio(browser, server.url);
    const asked = [];
    page.on("dialog", (dialog) => (asked.push(dialog.type()), dialog.accept()));
    assert.equal(await fit(page), "done"); // of the sample: nothing is lost
    await page.reload();
    assert.deepEqual(asked, []);
    await page.waitForSelector("#fit-button:not([disabled])");
    await openTable(page);
    assert.equal(await fit(page), "done");
    await page.reload();
    assert.deepEqual(asked, ["beforeunload"]);
    await close();
  },
);

test(
  "after one visit to the studio every page of the documentation can be read with the server gone, its figures are live, and it can be searched",
  { timeout: 180_000 },
  async () => {
    const { page, quiet, close } = await secondVisit();
    await server.close();
    await page.goto(`${server.url}docs/`);
    await page.getByRole("heading", { name: "Start here" }).waitFor();
    const index = JSON.parse(readFileSync(join(root, "docs/search.json"), "utf8"));
    const files = index.map(({ file }) => file);
    assert.deepEqual(
      files.toSorted(),
      readdirSync(join(root, "docs")).filter((name) => name.endsWith(".html")),
    );
    for (const file of files) {
      await page.goto(`${server.url}docs/${file}?from=somewhere`);
      const { title } = index.find((one) => one.file === file);
      await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
      await page.waitForFunction(() => document.querySelector(".search-button"));
      assert.equal(
        await page.evaluate(
          () => getComputedStyle(document.querySelector("nav.contents")).position,
        ),
        "sticky",
      );
    }
    for (const [file, element] of [
      ["epsilon.html", "privacy-curve"],
      ["objective-perturbation.html", "private-fit-demo"],
      ["scorecards.html", "private-scorecard-demo"],
    ]) {
      await page.goto(`${server.url}docs/${file}`);
      await page.locator(element).first().scrollIntoViewIfNeeded();
      await page.waitForFunction((name) => document.querySelector(name).ready, element);
    }
    await page.keyboard.press("/");
    await page.keyboard.type("odds");
    await page.locator("#search-results [aria-selected=true]").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/epsilon\.html#odds$/);
    quiet();
    await close();
    server = await serve({ root }); // for afterEach
  },
);

test(
  "what an earlier version kept of the documentation is thrown away",
  { timeout: 60_000 },
  async () => {
    const { page, close } = await open(browser, { offline: true });
    await page.goto(`${server.url}docs/`);
    await page.evaluate(async () => {
      const cache = await caches.open("cloister-visited");
      await cache.put("go.html", new Response("as it was"));
    });
    await page.goto(server.url);
    await page.waitForFunction(async () => {
      await navigator.serviceWorker.ready;
      return !(await caches.keys()).includes("cloister-visited");
    });
    await close();
  },
);
