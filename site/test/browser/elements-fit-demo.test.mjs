// <private-fit-demo> in a browser.

import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { open } from "../harness/browser.mjs";
import { savesFiles } from "../harness/elements.mjs";
import { test } from "../harness/limited.mjs";
import { sameLook, shapesOf } from "../harness/look.mjs";
import { samePicture } from "../harness/picture.mjs";
import { inOrder, pageOf, servePages, settled } from "../harness/pages.mjs";
import { setUp } from "../harness/set-up.mjs";
import { mainThread } from "../harness/tasks.mjs";

const dist = new URL("../../dist/", import.meta.url);
const script = '<script type="module" src="fit-demo.js" integrity="sha384-FILE"></script>';
const element = (more = "") =>
  `<private-fit-demo adjacency="add-remove" ${more}></private-fit-demo>`;

const { server, browser } = await setUp(
  servePages({
    "/one.html": pageOf(
      element('n="300" epsilon="0.5" sliders="epsilon 0.05..10, n 100..2000" state="f"'),
      script,
    ),
    "/two.html": pageOf(
      `${element('n="200" method="output-perturbation"')}${element('n="200" method="gradient-descent" draws="5"')}`,
      script,
    ),
    "/far.html": pageOf(
      `<div style="height: 5000px">Scroll down.</div>${element('n="100"')}`,
      script,
    ),
    "/wrong.html": pageOf(
      `${element('method="magic"')}${element('n="3"')}${element('epsilon="-1"')}${element('sliders="sigma 1..2"')}<private-fit-demo></private-fit-demo>`,
      `<script>window.told = []; addEventListener("error", (event) => { if (event.target.localName === "private-fit-demo") told.push(event.error.field); }, true);</script>${script}`,
    ),
    "/blocked.html": {
      html: pageOf(
        `<private-fit-demo adjacency="add-remove"><svg viewBox="0 0 4 2" width="400"></svg></private-fit-demo>`,
        script,
      ),
      headers: { "content-security-policy": "script-src 'self'" },
    },
  }),
);

async function visit(path, options) {
  const opened = await open(browser, options);
  opened.page.setDefaultTimeout(15_000);
  await opened.page.goto(server.url + path);
  await opened.page.waitForFunction(() => customElements.get("private-fit-demo"));
  return opened;
}

const fitted = (page, i = 0) =>
  page
    .locator("private-fit-demo")
    .nth(i)
    .evaluate((one) => ({ ...one.fitted, points: Array.from(one.fitted.points) }));
const turned = (one, other) =>
  Math.abs(Math.atan2(one.a * other.b - one.b * other.a, one.a * other.a + one.b * other.b));
const spread = ({ lines, plain }) =>
  lines.reduce((sum, line) => sum + turned(line, plain), 0) / lines.length;

test("the line without privacy is the minimum for the points that are drawn", async () => {
  const { page, quiet, close } = await visit("/one.html");
  await settled(page, "private-fit-demo");
  const { points, plain, lines } = await fitted(page);
  assert.equal(points.length, 600);
  assert.equal(lines.length, 20);
  // The gradient of Σ log(1 + e^(−ym)) + (0.01/2)‖θ‖², θ = (a, b, c/κ), κ = ½.
  const gradient = [0.01 * plain.a, 0.01 * plain.b, (0.01 * plain.c) / 0.5];
  for (let i = 0; i < 300; i++) {
    const [x, y, sign] = [points[2 * i], points[2 * i + 1], i % 2 === 0 ? 1 : -1];
    const slope = -sign / (1 + Math.exp(sign * (plain.a * x + plain.b * y + plain.c)));
    [x, y, 0.5].forEach((entry, j) => (gradient[j] += slope * entry));
  }
  for (const part of gradient) assert.ok(Math.abs(part) < 1e-6, `gradient ${gradient}`);
  // Each private line differs from it, and from the others.
  assert.equal(new Set(lines.map(({ a }) => a)).size, 20);
  assert.ok(spread({ lines, plain }) > 0.02);
  quiet();
  await close();
});

test("sliders move it, the address keeps it, and ε and records both make it narrower", async () => {
  const { page, close, quiet } = await visit("/one.html");
  await settled(page, "private-fit-demo");
  const first = await fitted(page);
  for (const [name, key] of [
    ["ε", "epsilon"],
    ["Records", "n"],
  ]) {
    await page.getByRole("slider", { name, exact: true }).focus();
    await page.keyboard.press("End");
    await settled(page, "private-fit-demo");
    assert.match(page.url(), new RegExp(`f\\.${key}=${key === "n" ? 2000 : 10}`));
    const now = await fitted(page);
    assert.ok(spread(now) < spread(first) / 2, `${spread(now)} after ${spread(first)}`);
    await page.getByRole("slider", { name, exact: true }).focus();
    await page.keyboard.press("Home");
    await settled(page, "private-fit-demo");
    await page.goto(`${server.url}/far.html`);
    await page.goto(`${server.url}/one.html`);
    await page.waitForFunction(() => customElements.get("private-fit-demo"));
    await settled(page, "private-fit-demo");
    assert.deepEqual((await fitted(page)).lines, first.lines, "the same is drawn again");
  }
  await page.goto(`${server.url}/two.html`);
  await page.goto(`${server.url}/one.html#f.epsilon=10`);
  await page.waitForFunction(() => customElements.get("private-fit-demo"));
  await settled(page, "private-fit-demo");
  assert.equal((await fitted(page)).question.epsilon, 10);
  quiet();
  await close();
});

test("two share one worker and one binary, and nothing is fetched before one is near", async () => {
  for (const path of ["/two.html", "/far.html"]) {
    server.asked.length = 0;
    const { page, quiet, close } = await visit(path);
    if (path === "/far.html") {
      await page.waitForTimeout(400);
      assert.deepEqual(
        server.asked.filter((name) => name.endsWith(".wasm")),
        [],
      );
    }
    await settled(page, "private-fit-demo");
    assert.deepEqual(
      server.asked.filter((name) => name.endsWith(".wasm")),
      ["/fit-demo.wasm"],
    );
    assert.equal(page.workers().length, 1);
    quiet();
    await close();
  }
});

test("the lines are read one by one, by keys and by pointing", async () => {
  const { page, close } = await visit("/one.html");
  await settled(page, "private-fit-demo");
  const plot = page.getByRole("slider", { name: "Read the private lines one by one" });
  const says = () => plot.getAttribute("aria-valuetext");
  assert.equal(await says(), "all 20 draws");
  await plot.focus();
  await page.keyboard.press("End");
  const { lines } = await fitted(page);
  const [, right] = /^draw 20 of 20: ([\d.]+)\s% of new records right/.exec(await says());
  assert.ok(Math.abs(right / 100 - lines[19].right) < 0.001);
  assert.equal(await page.locator("path.chosen").count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("path.chosen").count(), 0);
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + 0.53 * box.width, box.y + 0.45 * box.height);
  assert.match(await says(), /^draw \d+ of 20/);
  await close();
});

savesFiles(
  async () => {
    const tab = await visit("/one.html");
    await settled(tab.page, "private-fit-demo");
    return tab;
  },
  {
    SVG: /^<svg[^>]*xmlns[\s\S]*<title>Each thin line is[\s\S]*stroke-dasharray="8px, 4px|8, 4|8 4"/,
    CSV: /^line,first number,second number,constant,share of new records right\r\nwithout privacy,[\d.]+,[\s\S]*\r\ndraw 20,/,
  },
);

test("mistakes are said, and blocked WebAssembly leaves the picture", async () => {
  const { page, close } = await visit("/wrong.html");
  await page.waitForFunction(() => told.length === 5);
  assert.deepEqual(await page.evaluate(() => told.sort()), [
    "adjacency",
    "epsilon",
    "method",
    "n",
    "sliders",
  ]);
  await page.goto(`${server.url}/blocked.html`);
  const note = page.getByRole("alert");
  await note.waitFor();
  assert.match(await note.textContent(), /content security policy does not let WebAssembly run/);
  assert.ok((await page.locator("private-fit-demo > svg").boundingBox()).width > 300);
  await close();
});

test("while a slider moves the main thread has next to nothing to do", async (t) => {
  const { page, close } = await visit("/one.html");
  await settled(page, "private-fit-demo");
  const box = await page.getByRole("slider", { name: "ε", exact: true }).boundingBox();
  const spent = await mainThread(page);
  await page.evaluate(() => {
    window.redraws = 0;
    const drawing = document
      .querySelector("private-fit-demo")
      .shadowRoot.querySelector("svg.drawing");
    new MutationObserver(() => redraws++).observe(drawing, {
      attributes: true,
      attributeFilter: ["d"],
      subtree: true,
    });
  });
  const steps = 100;
  await page.mouse.move(box.x + 0.5 * box.width, box.y + box.height / 2);
  await page.mouse.down();
  const before = await spent();
  for (let i = 0; i < steps; i++) {
    await page.mouse.move(
      box.x + (0.5 + 0.4 * Math.sin(i / 15)) * box.width,
      box.y + box.height / 2,
    );
    await page.waitForTimeout(8);
  }
  const work = (await spent()) - before;
  const redraws = await page.evaluate(() => redraws);
  await page.mouse.up();
  await settled(page, "private-fit-demo");
  t.diagnostic(
    `${redraws} redraws for ${steps} moves; ${(work / redraws).toFixed(1)} ms of the main thread for each`,
  );
  assert.ok(redraws > 20, `${redraws} redraws`);
  assert.ok(work / redraws < 16, `${work / redraws} ms a redraw`);
  await close();
});

for (const theme of ["light", "dark"]) {
  test(`it looks as it did, and axe has nothing to complain of, in ${theme}`, async (t) => {
    const { page, close } = await visit("/one.html", { width: 720, theme });
    await settled(page, "private-fit-demo");
    sameLook(`private-fit-demo-${theme}`, {
      fits: await shapesOf(page.locator("private-fit-demo")),
    });
    await samePicture(t, `private-fit-demo-${theme}`, page, page.locator("private-fit-demo"));
    await page.setViewportSize({ width: 320, height: 800 });
    await page.locator("summary").click();
    await inOrder(page, theme);
    await close();
  });
}

test("the classic script works from a file, with no server at all", async () => {
  const { page, quiet, close } = await open(browser);
  const at = fileURLToPath(new URL("fit-demo-file-test.html", dist));
  writeFileSync(at, pageOf(element('n="100"'), '<script src="fit-demo.classic.js"></script>'));
  await page.goto(pathToFileURL(at).href);
  await settled(page, "private-fit-demo");
  assert.equal((await fitted(page)).lines.length, 20);
  quiet();
  rmSync(at);
  await close();
});
