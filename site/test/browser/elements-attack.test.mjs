// <attack-view> in a browser.

import assert from "node:assert/strict";
import { load } from "../../dist/client.node.mjs";
import { test } from "../harness/limited.mjs";
import { sameLook, shapesOf } from "../harness/look.mjs";
import { samePicture } from "../harness/picture.mjs";
import { inOrder, pageOf, servePages, settled } from "../harness/pages.mjs";
import { setUp } from "../harness/set-up.mjs";

const script = '<script type="module" src="elements.js" integrity="sha384-FILE"></script>';
const page1 = pageOf(
  '<attack-view mechanism="gaussian" adjacency="add-remove" sensitivity="1" sigma="1" sliders="sigma 0.3..5" state="a"></attack-view>',
  script,
);

const { visit } = await setUp(
  servePages({
    "/one.html": page1,
    "/laplace.html": pageOf(
      '<attack-view mechanism="laplace" adjacency="add-remove" sensitivity="1" scale="1" false-alarms="0.1"></attack-view>',
      script,
    ),
    "/wrong.html": pageOf(
      '<attack-view mechanism="gaussian" adjacency="add-remove" sensitivity="1" sigma="1" false-alarms="2"></attack-view>',
      script,
    ),
  }),
);

const figures = (page) =>
  page.locator("attack-view").evaluate((one) => ({
    advantage: one.advantage,
    rates: [...one.shadowRoot.querySelectorAll("data")].map((cell) => Number(cell.value)),
  }));

test("its numbers are those of the mechanisms", async () => {
  const client = await load({ wasmURL: new URL("../../dist/curves.wasm", import.meta.url) });
  for (const [path, event, alarms, found] of [
    // Φ(1 − Φ⁻¹(0.95)), by mpmath.
    [
      "/one.html",
      { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1, sigma: 1 },
      0.05,
      0.2595110228,
    ],
    // e · 0.1: below the corner of the Laplace mechanism's curve.
    [
      "/laplace.html",
      { mechanism: "laplace", adjacency: "add-remove", sensitivity: 1, scale: 1 },
      0.1,
      0.2718281828,
    ],
  ]) {
    const { page, quiet, close } = await visit(path);
    await settled(page, "attack-view");
    const { advantage, rates } = await figures(page);
    assert.ok(Math.abs(rates[0] - alarms) < 1e-8);
    assert.ok(rates[1] >= found - 1e-9 && rates[1] < found + 2e-4, `${rates[1]} for ${found}`);
    const { delta } = await client.account({ event, epsilon: 0 });
    assert.ok(Math.abs(advantage - delta) < 1e-12);
    quiet();
    await close();
  }
  client.terminate();
});

test("the threshold moves by keys and by hand, and more noise hides more", async () => {
  const { page, close } = await visit("/one.html");
  await settled(page, "attack-view");
  const threshold = page.getByRole("slider", { name: "The attacker’s threshold" });
  await threshold.focus();
  await page.keyboard.press("PageDown");
  const { rates } = await figures(page);
  assert.ok(rates[0] > 0.25 && rates[1] > 0.6);
  const box = await threshold.boundingBox();
  await page.mouse.click(box.x + 0.9 * box.width, box.y + 100);
  assert.ok((await figures(page)).rates[0] < 1e-4);
  const before = (await figures(page)).advantage;
  await page.getByRole("slider", { name: "σ, the noise" }).focus();
  await page.keyboard.press("End");
  await settled(page, "attack-view");
  assert.ok((await figures(page)).advantage < before / 3);
  assert.match(page.url(), /#a\.sigma=5$/);
  await close();
});

test("a mistake is said", async () => {
  const { page, close } = await visit("/wrong.html");
  assert.match(
    await page.getByRole("alert").textContent(),
    /false-alarms is 2: it must lie between 0 and 1/,
  );
  await close();
});

for (const theme of ["light", "dark"]) {
  test(`it looks as it did, and axe has nothing to complain of, in ${theme}`, async (t) => {
    const { page, close } = await visit("/one.html", { width: 720, theme });
    await settled(page, "attack-view");
    sameLook(`attack-view-${theme}`, { both: await shapesOf(page.locator("attack-view")) });
    await samePicture(t, `attack-view-${theme}`, page, page.locator("attack-view"));
    await page.setViewportSize({ width: 320, height: 800 });
    await inOrder(page, theme);
    await close();
  });
}
