// <noise-chooser> in a browser.

import assert from "node:assert/strict";
import { openClient } from "../harness/client.mjs";
import { open } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { rowsOf, sameLook } from "../harness/look.mjs";
import { samePicture } from "../harness/picture.mjs";
import { inOrder, pageOf, servePages, settled } from "../harness/pages.mjs";
import { setUp } from "../harness/set-up.mjs";

const script = '<script type="module" src="elements.js" integrity="sha384-FILE"></script>';
const adjacency = "add-remove";
const sgd = {
  mechanism: "subsampled-gaussian",
  adjacency,
  rate: 0.01,
  noise_multiplier: 1,
  steps: 1000,
};

const { server, browser } = await setUp(
  servePages({
    "/sgd.html": pageOf(
      `<noise-chooser mechanism="subsampled-gaussian" adjacency="add-remove" epsilon="2" state="n"></noise-chooser>`,
      script,
    ),
    "/objective.html": pageOf(
      `<noise-chooser mechanism="objective-perturbation" adjacency="add-remove" find="lambda"></noise-chooser>`,
      script,
    ),
    "/wrong.html": pageOf(
      `<noise-chooser mechanism="gaussian" adjacency="add-remove" find="steps"></noise-chooser>`,
      script,
    ),
  }),
);
const client = await openClient({ wasmURL: new URL("../../dist/curves.wasm", import.meta.url) });

async function visit(path, options) {
  const opened = await open(browser, options);
  await opened.page.goto(server.url + path);
  await settled(opened.page, "noise-chooser");
  return opened;
}

const answer = async (page) => {
  await settled(page, "noise-chooser");
  return Number(await page.locator(".answer data").getAttribute("value"));
};

test("what it finds has the guarantee, and a little less has not", async () => {
  const { page, quiet, close } = await visit("/sgd.html");
  const price = async (more) =>
    (
      await client.account({
        event: { ...sgd, ...more },
        epsilon: 2,
        accuracy: 1e-4,
      })
    ).delta;
  const sigma = await answer(page);
  assert.ok(
    (await price({ noise_multiplier: sigma })) <= 1e-5 &&
      (await price({ noise_multiplier: sigma * 0.995 })) > 1e-5,
    `${sigma}`,
  );
  // What was found stays in its field: from it the others follow.
  await page.getByRole("radio", { name: "Steps" }).check();
  const steps = await answer(page);
  assert.ok(Math.abs(steps - 1000) <= 10, `${steps}`);
  await page.getByRole("textbox", { name: "σ, the noise multiplier" }).fill("1");
  await page.waitForTimeout(200);
  const more = await answer(page);
  assert.ok(
    (await price({ steps: more })) <= 1e-5 &&
      (await price({ steps: Math.ceil(more * 1.005) + 1 })) > 1e-5,
    `${more}`,
  );
  await page.getByRole("radio", { name: "ε" }).check();
  await page.getByRole("textbox", { name: "Steps" }).fill("1000");
  await page.waitForTimeout(200);
  const epsilon = await answer(page);
  const { epsilon: upper, epsilonLower: lower } = await client.account({
    event: sgd,
    delta: 1e-5,
  });
  assert.ok(epsilon >= lower && epsilon <= upper * 1.002, `${epsilon} in [${lower}, ${upper}]`);
  quiet();
  // Reloaded by its address, it says the same.
  await page.getByRole("textbox", { name: "Steps" }).press("Tab");
  const shared = page.url();
  assert.match(shared, /n\.find=epsilon/);
  await page.reload();
  assert.equal(await answer(page), epsilon);
  await close();
});

test("the regulariser of objective perturbation, and δ", async () => {
  const { page, close } = await visit("/objective.html");
  const price = async (lambda) =>
    (
      await client.account({
        event: {
          mechanism: "objective-perturbation",
          adjacency,
          loss: "logistic",
          row_norm: 1,
          lipschitz: 1,
          smoothness: 0.25,
          sigma: 4,
          lambda,
        },
        epsilon: 1,
      })
    ).delta;
  const lambda = await answer(page);
  assert.ok((await price(lambda)) <= 1e-5 && (await price(lambda * 0.99)) > 1e-5);
  await page.getByRole("radio", { name: "δ" }).check();
  const delta = await answer(page);
  assert.ok(delta >= (await price(lambda)) && delta < 1.01 * (await price(lambda)));
  await close();
});

test("a number that is none, and a guarantee that cannot be had, are said", async () => {
  const { page, close } = await visit("/sgd.html");
  const status = page.getByRole("status");
  await page.getByRole("textbox", { name: "δ" }).fill("small");
  assert.match(await status.textContent(), /δ must be a number, such as 1e-5\./);
  await page.getByRole("textbox", { name: "δ" }).fill("2");
  await page.waitForFunction(() =>
    /delta/.test(
      document.querySelector("noise-chooser").shadowRoot.querySelector('[role="status"]')
        .textContent,
    ),
  );
  await page.goto(`${server.url}/wrong.html`);
  assert.match(
    await page.getByRole("alert").textContent(),
    /find is “steps”: it must be one of epsilon, delta, sigma\./,
  );
  await close();
});

for (const theme of ["light", "dark"]) {
  test(`it looks as it did, in ${theme}`, async (t) => {
    const { page, close } = await visit("/sgd.html", { width: 720, theme });
    sameLook(`noise-chooser-${theme}`, { rows: await rowsOf(page.locator("noise-chooser")) });
    await samePicture(t, `noise-chooser-${theme}`, page, page.locator("noise-chooser"));
    await close();
  });

  test(`axe has nothing to complain of in ${theme}, and nothing sticks out at 320 pixels`, async () => {
    const { page, close } = await visit("/sgd.html", { width: 320, height: 700, theme });
    await inOrder(page, theme);
    await close();
  });
}
