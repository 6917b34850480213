// The elements in pages as static site generators emit them, and in pages that forbid something.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe } from "node:test";
import { fileURLToPath } from "node:url";
import { pictures, sourcesIn } from "../../dist/prerender.node.mjs";
import { prerender } from "../../../scripts/prerender.mjs";
import { test } from "../harness/limited.mjs";
import { fixtures, servePages, settled } from "../harness/pages.mjs";
import { setUp } from "../harness/set-up.mjs";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const names = readdirSync(fixtures).filter((name) => name.endsWith(".html"));
// All show the same curve, so its prerendered picture stands in a file of its own.
const picture = readFileSync(`${fixtures}picture.svg`, "utf8");
const html = Object.fromEntries(
  names.map((name) => [
    name,
    readFileSync(fixtures + name, "utf8").replace("<!-- the picture -->\n", () => picture),
  ]),
);
const policy = (text) => ({ "content-security-policy": text });
const allowed =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self'; style-src 'unsafe-inline'; img-src data:";

const pages = {};
for (const name of names) {
  pages[`/${name}`] = html[name];
  pages[`/blocked/${name}`] = { html: html[name], headers: policy("script-src 'self'") };
}
pages["/strict.html"] = { html: html["plain.html"], headers: policy(allowed) };
pages["/no-worker.html"] = {
  html: html["plain.html"],
  headers: policy(allowed.replace("blob:", "'none'")),
};
pages["/no-wasm.html"] = html["plain.html"].replaceAll(
  "<privacy-curve ",
  '<privacy-curve wasm="/nowhere/missing.wasm" ',
);
pages["/wrong-hash.html"] = html["plain.html"].replaceAll(
  "<privacy-curve ",
  '<privacy-curve wasm="/cloister.wasm" ',
);
const { server, browser, visit } = await setUp(servePages(pages));

describe("a page as made by", () => {
  for (const name of names) {
    test(`${name.replace(".html", "")} draws the curve and says nothing on the console`, async () => {
      const { page, quiet, close } = await visit(`/${name}`);
      await settled(page);
      const element = page.locator("privacy-curve");
      const { epsilon, plot, table, sentence } = await element.evaluate((one) => ({
        epsilon: one.epsilons[0],
        plot: one.shadowRoot.querySelector(".plot").getBoundingClientRect().toJSON(),
        table: getComputedStyle(one.shadowRoot.querySelector("table.legend")).display,
        sentence: one.shadowRoot.querySelector("figcaption").textContent,
      }));
      assert.ok(Math.abs(epsilon - 1.9930914044) < 1e-6);
      assert.ok(plot.width > 300 && plot.height > 200);
      assert.equal(table, "table");
      assert.match(sentence, /ε\s=\s2\b/);
      // The picture that was there has made room.
      assert.equal(
        await page.locator("privacy-curve > svg").evaluate((svg) => svg.getClientRects().length),
        0,
      );
      quiet();
      await close();
    });

    test(`${name.replace(".html", "")} keeps its picture where WebAssembly is blocked, and says so`, async () => {
      const { page, close } = await visit(`/blocked/${name}`);
      const note = page.locator("privacy-curve").getByRole("alert");
      await note.waitFor();
      assert.match(
        await note.textContent(),
        /content security policy does not let WebAssembly run.*'wasm-unsafe-eval'/,
      );
      const box = await page.locator("privacy-curve > svg").boundingBox();
      assert.ok(box.width > 300 && box.height > 150, JSON.stringify(box));
      await close();
    });
  }

  test("none, without scripts, shows the picture", async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    });
    const page = await context.newPage();
    await page.goto(`${server.url}/plain.html`);
    const box = await page.locator("privacy-curve > svg").boundingBox();
    assert.ok(box.width > 300 && box.width <= 390 && box.height > 120);
    assert.match(await page.locator("privacy-curve > svg").getAttribute("aria-label"), /ε\s=\s2\b/);
    await context.close();
  });
});

test("the picture in the fixtures is what the drawing function draws today", async () => {
  const sources = sourcesIn(dist);
  for (const name of names) assert.ok(html[name].includes(picture), `${name} shows the picture`);
  for (const name of names)
    assert.equal(
      await prerender(html[name], (element, get, json) => pictures[element](get, json, sources)),
      html[name],
      `${name}: draw picture.svg anew with scripts/prerender.mjs`,
    );
  sources.end();
});

describe("a policy", () => {
  test("that allows what is needed and nothing else is enough", async () => {
    const { page, quiet, close } = await visit("/strict.html");
    await settled(page);
    quiet();
    await close();
  });

  for (const [path, says] of [
    ["/no-worker.html", /worker could not be started/],
    [
      "/no-wasm.html",
      /could not be loaded from http:\/\/localhost:\d+\/nowhere\/missing\.wasm: .*is not there/,
    ],
    ["/wrong-hash.html", /could not be loaded from .*its hash is not the one/],
  ]) {
    test(`or a host that stands in the way (${path.slice(1, -5)}) leaves the picture and a reason`, async () => {
      const { page, close } = await visit(path);
      const note = page.locator("privacy-curve").getByRole("alert");
      await note.waitFor();
      assert.match(await note.textContent(), says);
      assert.ok((await page.locator("privacy-curve > svg").boundingBox()).height > 150);
      await close();
    });
  }
});
