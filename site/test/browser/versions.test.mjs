// A page after an update of its host: what a browser's own cache still has of the version before
// never runs beside what the host has.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "node:test";
import { serve, site } from "../../../scripts/serve.mjs";
import { open } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";

const { browser } = await setUp();

let root, plain, server;
/** The paths that were asked for, with their queries. */
let asked;

/**
 * A host whose .wasm files a browser keeps for an hour, and whose scripts, too, where `scripts` is
 * set. Other files it asks for each time.
 */
let scripts;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "cloister-versions-"));
  cpSync(site, root, { recursive: true });
  plain = await serve({ root });
  asked = [];
  scripts = false;
  const answer = async (request, response) => {
    asked.push(request.url);
    const { status, headers, body } = await fetch(new URL(request.url, plain.url));
    const kept = scripts ? /\.(wasm|js)(\?|$)/ : /\.wasm(\?|$)/;
    response.writeHead(status, {
      "content-type": headers.get("content-type"),
      "cache-control": kept.test(request.url) ? "max-age=3600" : "no-cache",
    });
    response.end(Buffer.from(await new Response(body).arrayBuffer()));
  };
  server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await plain.close();
  rmSync(root, { recursive: true, force: true });
});

const pages = [
  { path: "", wasm: "cloister.wasm", ready: "#fit-button:not([disabled])" },
  { path: "verify.html", wasm: "cloister.wasm", ready: "#release-file:not([disabled])" },
];

const address = (path) => `http://localhost:${server.address().port}/${path}`;

/** Gives a binary another build, as a change of the core does: in the binary itself only. */
function otherBinary(name) {
  const path = join(root, name);
  const bytes = readFileSync(path);
  const module = new WebAssembly.Module(bytes);
  const [section] = WebAssembly.Module.customSections(module, "cloister.build");
  const old = Buffer.from(section).toString();
  const other = old.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
  bytes.write(other, bytes.length - old.length);
  writeFileSync(path, bytes);
  return { old, other };
}

/** Puts the next version on the host: another core, and the scripts that belong to it. */
function update(name) {
  const { old, other } = otherBinary(name);
  let changed = 0;
  for (const file of readdirSync(root)) {
    if (!file.endsWith(".js")) continue;
    const text = readFileSync(join(root, file), "utf8");
    if (!text.includes(old)) continue;
    writeFileSync(join(root, file), text.replaceAll(old, other));
    changed++;
  }
  assert.ok(changed > 0);
}

for (const { path, wasm, ready } of pages) {
  const name = path || "index.html";
  test(
    `${name}: a script takes no core of another version, and says what to do`,
    { timeout: 60_000 },
    async () => {
      otherBinary(wasm);
      const { page, close } = await open(browser);
      await page.goto(address(path));
      await page
        .getByText(/could not be loaded from .*not of the same version as this page/)
        .first()
        .waitFor();
      assert.equal(await page.locator(ready).count(), 0);
      await close();
    },
  );

  test(
    `${name}: another core that the cache has under the page's own address is fetched anew`,
    { timeout: 60_000 },
    async () => {
      const own = readFileSync(join(root, wasm));
      otherBinary(wasm);
      const { page, close } = await open(browser);
      await page.goto(address(path));
      await page
        .getByText(/not of the same version as this page/)
        .first()
        .waitFor();
      writeFileSync(join(root, wasm), own);
      await page.goto("about:blank");
      await page.goto(address(path));
      await page.waitForSelector(ready);
      await close();
    },
  );

  test(
    `${name}: after an update the new script fetches the new core, whatever the cache has`,
    { timeout: 60_000 },
    async () => {
      const { page, quiet, close } = await open(browser);
      await page.goto(address(path));
      await page.waitForSelector(ready);
      const cores = () => new Set(asked.filter((url) => url.includes(wasm))).size;
      assert.equal(cores(), 1);
      update(wasm);
      await page.goto("about:blank");
      await page.goto(address(path));
      await page.waitForSelector(ready);
      assert.equal(cores(), 2, "the core of the version before, from the cache");
      quiet();
      await close();
    },
  );
}

test(
  "after an update the new page runs its own script, not the one that the cache has",
  { timeout: 60_000 },
  async () => {
    scripts = true;
    const { page, quiet, close } = await open(browser);
    await page.goto(address("verify.html"));
    await page.waitForSelector(pages[1].ready);
    const mark = "globalThis.ofTheNextVersion = true;";
    const script = join(root, "verify.js");
    writeFileSync(script, mark + readFileSync(script, "utf8"));
    const html = join(root, "verify.html");
    const text = readFileSync(html, "utf8");
    writeFileSync(html, text.replace(/(?<=verify\.js\?v=)\w+/, "0123456789abcdef"));
    await page.goto("about:blank");
    await page.goto(address("verify.html"));
    await page.waitForSelector(pages[1].ready);
    assert.equal(await page.evaluate(() => globalThis.ofTheNextVersion), true);
    quiet();
    await close();
  },
);

test(
  "a page whose script imports a file that the host has no more says so",
  { timeout: 60_000 },
  async () => {
    for (const file of readdirSync(root))
      if (/^studio-chunk-.*\.js$/.test(file)) rmSync(join(root, file));
    const { page, close } = await open(browser);
    await page.goto(address(""));
    await page.getByText("A part of this page is missing. Load the page again.").waitFor();
    await close();
  },
);
