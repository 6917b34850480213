// The elements in a browser: numbers, hands, keys, speed, one accountant, clear complaints.

import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { after, describe } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { load } from "../../dist/client.node.mjs";
import { objective as objectiveEvent } from "../client/sample.mjs";
import { longestWhileDragging } from "../../../scripts/bench/elements.mjs";
import { open } from "../harness/browser.mjs";
import { savesFiles } from "../harness/elements.mjs";
import { test } from "../harness/limited.mjs";
import { sameLook, shapesOf } from "../harness/look.mjs";
import { samePicture } from "../harness/picture.mjs";
import { inOrder, pageOf, servePages, settled } from "../harness/pages.mjs";
import { setUp } from "../harness/set-up.mjs";
import { mainThread } from "../harness/tasks.mjs";

const dist = new URL("../../dist/", import.meta.url);
const script = '<script type="module" src="elements.js" integrity="sha384-FILE"></script>';
const gaussian = 'mechanism="gaussian" adjacency="add-remove" sensitivity="1" sigma="2"';
const sgd =
  'mechanism="subsampled-gaussian" adjacency="add-remove" rate="0.01" noise-multiplier="1" steps="1000"';
const objective =
  'mechanism="objective-perturbation" adjacency="add-remove" loss="logistic" row-norm="1" lipschitz="1" smoothness="0.25" lambda="1" sigma="3.7"';

const pages = {
  "/one.html": pageOf(
    `<privacy-curve ${gaussian} sliders="sigma 0.5..10" state="g"></privacy-curve>`,
    script,
  ),
  "/two.html": pageOf(
    `<privacy-curve ${objective} compare="profile gaussian-lower"></privacy-curve><privacy-curve ${sgd}></privacy-curve>`,
    script,
  ),
  "/drag.html": pageOf(
    `<privacy-curve ${sgd} sliders="noise-multiplier 0.8..4, steps 100..10000"></privacy-curve>`,
    script,
  ),
  "/twenty.html": pageOf(
    Array.from(
      { length: 20 },
      (_, i) =>
        `<privacy-curve mechanism="gaussian" adjacency="add-remove" sensitivity="1" sigma="${1 + i / 4}"></privacy-curve>`,
    ).join("\n"),
    script,
  ),
  "/far.html": pageOf(
    `<div style="height: 5000px">Scroll down.</div><privacy-curve ${gaussian}></privacy-curve>`,
    script,
  ),
  "/wrong.html": pageOf(
    `<privacy-curve mechanism="gausian" adjacency="add-remove"></privacy-curve>
    <privacy-curve mechanism="gaussian" sensitivity="1" sigma="1"></privacy-curve>
    <privacy-curve mechanism="gaussian" adjacency="add-remove" sensitivity="1" sigma="-1"></privacy-curve>
    <privacy-curve mechanism="gaussian" adjacency="add-remove" sensitivity="1"></privacy-curve>
    <privacy-curve><script type="application/json">{"curves": [</script></privacy-curve>`,
    `<script>window.told = []; addEventListener("error", (event) => { if (event.target.localName === "privacy-curve") told.push([event.message, event.error.field]); }, true);</script>${script}`,
  ),
  "/misspelt.html": pageOf(
    `<privacy-curve ${gaussian} rotate="90" class="x" title="A curve" sliders="sigma 1..4"></privacy-curve>`,
    script,
  ),
  "/edge.html": pageOf(
    `<privacy-curve ${gaussian} sliders="sigma -1..4" state="e"></privacy-curve><privacy-curve id="other" ${gaussian} sliders="sigma 1..4"></privacy-curve>`,
    script,
  ),
  "/slow.html": pageOf(
    `<privacy-curve><!--pause--><script type="application/json">{"mechanism": "gaussian", "adjacency": "add-remove", "sensitivity": 1, "sigma": 2}</script></privacy-curve>`,
    `<script>window.told = 0; addEventListener("error", () => told++, true);</script><script src="elements.classic.js"></script>`,
  ),
  "/copies.html": pageOf(
    `<privacy-curve ${gaussian}></privacy-curve>`,
    `${script}<script type="module" src="copy/elements.js"></script><script src="elements.classic.js" integrity="sha384-FILE"></script>`,
  ),
};

const { server, browser, visit } = await setUp(servePages(pages), []);
const accountant = await load({ wasmURL: new URL("curves.wasm", dist) });
after(() => accountant.terminate());

const numbers = (element) =>
  element.evaluate((one) =>
    [...one.shadowRoot.querySelectorAll("table.numbers tbody tr")].map((row) =>
      [...row.querySelectorAll("data")].map((cell) => [
        cell.value === "" ? null : Number(cell.value),
        cell.dataset.lower ? Number(cell.dataset.lower) : null,
      ]),
    ),
  );

describe("numbers", () => {
  test("in the table of δ(ε) are the accountant's, for every line", async () => {
    const { page, quiet, close } = await visit("/two.html");
    await settled(page);
    const rows = await numbers(page.locator("privacy-curve").first());
    assert.ok(rows.length > 20);
    const { curve, comparisons } = await accountant.account({
      event: objectiveEvent,
      curve: rows.map(([x]) => x[0]),
      compare: ["profile", "gaussian-lower"],
    });
    let compared = 0;
    rows.forEach(([, ...cells], i) => {
      [curve, ...comparisons].forEach((line, j) => {
        const [drawn] = cells[j];
        if (drawn === null) return;
        assert.ok(Math.abs(drawn / line.delta[i] - 1) < 1e-9, `${drawn} for ${line.delta[i]}`);
        compared++;
      });
    });
    assert.ok(compared > 40);
    quiet();
    await close();
  });

  test("of a certified interval enclose what the accountant says more sharply", async () => {
    const { page, close } = await visit("/two.html");
    await settled(page);
    const rows = await numbers(page.locator("privacy-curve").last());
    const event = {
      mechanism: "subsampled-gaussian",
      adjacency: "add-remove",
      rate: 0.01,
      noise_multiplier: 1,
      steps: 1000,
    };
    const { curve } = await accountant.account({
      event,
      curve: rows.map(([x]) => x[0]),
      accuracy: 1e-4,
    });
    for (const [i, [, [upper, lower]]] of rows.entries()) {
      if (upper === null) continue;
      assert.ok(
        upper >= curve.deltaLower[i] && lower <= curve.delta[i],
        `[${lower}, ${upper}] at row ${i}`,
      );
      assert.ok(upper / lower < 1.1);
    }
    await close();
  });

  test("of the other views are the accountant's too", async () => {
    const { page, close } = await visit("/one.html");
    const element = page.locator("privacy-curve");
    await settled(page);
    const event = { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1, sigma: 2 };
    await element.getByRole("button", { name: "ε(δ)" }).click();
    for (const [[delta], [epsilon]] of await numbers(element)) {
      if (epsilon === null || epsilon === 0) continue;
      const answer = await accountant.account({ event, delta });
      // Read off a chord between two points: never below, and by less than can be seen above.
      assert.ok(
        epsilon >= answer.epsilon * (1 - 1e-9) && epsilon < answer.epsilon + 0.001,
        `${epsilon} for ${answer.epsilon} at ${delta}`,
      );
    }
    await element.getByRole("button", { name: "Rényi" }).click();
    await settled(page);
    for (const [[order], [value]] of await numbers(element))
      assert.ok(Math.abs(value - order / 8) < 1e-9, `${value} at ${order}`);
    await close();
  });
});

describe("hands and keys", () => {
  test("a slider moves the curve, and the address keeps it", async () => {
    const { page, close, quiet } = await visit("/one.html");
    await settled(page);
    const slider = page.getByRole("slider", { name: "σ, the noise" });
    await slider.focus();
    for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowRight");
    await settled(page);
    const [, sigma] = /g\.sigma=([\d.]+)/.exec(page.url()) ?? [];
    assert.ok(Number(sigma) > 2);
    const { epsilon } = await accountant.account({
      event: {
        mechanism: "gaussian",
        adjacency: "add-remove",
        sensitivity: 1,
        sigma: Number(sigma),
      },
      delta: 1e-5,
    });
    const shown = await page.locator("privacy-curve").evaluate((one) => one.epsilons[0]);
    assert.ok(Math.abs(shown - epsilon) < 1e-9);
    await page.getByRole("button", { name: "Trade-off" }).click();
    const shared = page.url();
    assert.match(shared, /g\.view=tradeoff/);
    await page.goto(`${server.url}/far.html`);
    await page.goto(shared);
    await settled(page);
    assert.equal(
      await page.getByRole("button", { name: "Trade-off" }).getAttribute("aria-pressed"),
      "true",
    );
    assert.equal(await page.locator("privacy-curve").evaluate((one) => one.epsilons[0]), shown);
    quiet();
    await close();
  });

  test("the plot is read by arrow keys and by pointing", async () => {
    const { page, close } = await visit("/one.html");
    await settled(page);
    const plot = page.getByRole("slider", { name: /Read the plot/ });
    const said = () => plot.getAttribute("aria-valuetext");
    assert.match(await said(), /ε = 2: Gaussian noise, σ = 2, δ 10⁻⁵/);
    await plot.focus();
    await page.keyboard.press("Home");
    assert.match(await said(), /ε = 0:/);
    await page.keyboard.press("ArrowRight");
    assert.match(await said(), /ε = 0\.014:/);
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.match(await said(), /ε = 1\.[34]/);
    assert.equal(await page.locator("circle.dot").count(), 1);
    await close();
  });

  savesFiles(
    async () => {
      const tab = await visit("/one.html");
      await settled(tab.page);
      return tab;
    },
    {
      SVG: /^<svg[^>]*xmlns[\s\S]*<title>Gaussian noise[\s\S]*stroke="(?:rgb\(27, 94, 89\)|#1b5e59)"[\s\S]*>This compares data with and without one record\.<\/text>/,
      CSV: /^ε,"δ, a record added or removed: Gaussian noise, σ = 2"\r\n0,0\.197/,
    },
  );
});

describe("one accountant", () => {
  test("serves twenty elements, and every copy of the script", async () => {
    for (const path of ["/twenty.html", "/copies.html"]) {
      server.asked.length = 0;
      const { page, quiet, close } = await visit(path);
      await settled(page);
      assert.ok(server.asked.filter((name) => name.endsWith(".wasm")).length <= 1, path);
      assert.equal(page.workers().length, 1, path);
      quiet();
      await close();
    }
  });

  test("is not fetched before an element is near", async () => {
    server.asked.length = 0;
    const { page, close } = await visit("/far.html");
    await page.waitForTimeout(400);
    assert.deepEqual(
      server.asked.filter((name) => name.endsWith(".wasm")),
      [],
    );
    await page.locator("privacy-curve").scrollIntoViewIfNeeded();
    await settled(page);
    assert.deepEqual(
      server.asked.filter((name) => name.endsWith(".wasm")),
      ["/curves.wasm"],
    );
    await close();
  });
});

// Other work on the machine must not decide this: the rate is compared with that of the same page
// at rest, and the work is counted in processor time of the page's main thread.
test("dragging keeps the page at its frame rate, and ends certified", async (t) => {
  const { page, close } = await visit("/drag.html");
  await settled(page);
  const box = await page.getByRole("slider", { name: "σ, the noise multiplier" }).boundingBox();
  const spent = await mainThread(page);
  await page.evaluate(() => {
    window.ticks = [];
    window.redraws = 0;
    const tick = (now) => (ticks.push(now), requestAnimationFrame(tick));
    requestAnimationFrame(tick);
    const drawing = document.querySelector("privacy-curve").shadowRoot.querySelector("svg.drawing");
    new MutationObserver(() => redraws++).observe(drawing, {
      attributes: true,
      attributeFilter: ["d"],
      subtree: true,
    });
  });
  const rateDuring = async (work) => {
    const from = await page.evaluate(() => ticks.length);
    await work();
    const times = await page.evaluate((from) => ticks.slice(from), from);
    return (1000 * (times.length - 1)) / (times.at(-1) - times[0]);
  };
  const steps = 120;
  const move = async (i) => {
    await page.mouse.move(
      box.x + (0.2 + 0.6 * Math.abs(Math.sin(i / 20))) * box.width,
      box.y + box.height / 2,
    );
    await page.waitForTimeout(8);
  };
  const beside = async (i) => {
    await page.mouse.move(box.x + i, box.y + box.height + 200);
    await page.waitForTimeout(8);
  };
  const atRest = await rateDuring(async () => {
    for (let i = 0; i < steps; i++) await beside(i);
  });
  await move(0);
  await page.mouse.down();
  const before = await spent();
  const rate = await rateDuring(async () => {
    for (let i = 0; i < steps; i++) await move(i);
  });
  const work = (await spent()) - before;
  const redraws = await page.evaluate(() => redraws);
  await page.mouse.up();
  t.diagnostic(
    `${rate.toFixed(0)} frames/s while dragging, ${atRest.toFixed(0)} at rest; ${redraws} redraws for ${steps} moves; ${(work / steps).toFixed(1)} ms of the main thread a move`,
  );
  assert.ok(redraws > 20, `${redraws} redraws`);
  const busy = loadavg()[0] > 0.9 * cpus().length;
  if (busy)
    t.diagnostic(
      `the machine is busy with other work: load ${loadavg()[0].toFixed(1)} on ${cpus().length} processors`,
    );
  assert.ok(rate >= (busy ? 0.4 * atRest : 50), `${rate} frames/s, at rest ${atRest}`);
  assert.ok(work / steps < 16, `${work / steps} ms of work a move`);
  await settled(page);
  await close();
});

test("no task of the page is longer than a frame while a slider is dragged", async (t) => {
  const longest = await longestWhileDragging(browser, `${server.url}/drag.html`);
  t.diagnostic(`the longest task took ${longest.toFixed(1)} ms of the processor`);
  assert.ok(longest < 16, `${longest} ms`);
});

test("mistakes are said where they are, and to the page", async () => {
  const { page, close, quiet } = await visit("/wrong.html");
  await page.waitForFunction(() => told.length === 5);
  assert.deepEqual(await page.evaluate(() => told.map(([, field]) => field).sort()), [
    "adjacency",
    "mechanism",
    "sigma",
    "sigma",
    "the JSON inside",
  ]);
  for (const element of await page.locator("privacy-curve").all())
    assert.ok(
      (await element.evaluate((one) => one.shadowRoot.querySelector('[role="alert"]').textContent))
        .length > 30,
    );
  // Put right, it draws.
  await page
    .locator("privacy-curve")
    .nth(2)
    .evaluate((one) => one.setAttribute("sigma", "1"));
  await settled(page, "privacy-curve:nth-of-type(3)");
  assert.equal(await page.locator("privacy-curve").nth(2).locator('[role="alert"]').count(), 0);
  quiet();
  await close();
});

test("a misspelt attribute is named in the element; one that may be another script's in the console, once", async () => {
  const { page, quiet, close } = await open(browser);
  const warnings = [];
  page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
  await page.goto(`${server.url}/misspelt.html`);
  await settled(page);
  await page.evaluate(() => document.querySelector("privacy-curve").setAttribute("sigma", "3"));
  await settled(page);
  assert.equal(
    warnings.filter((text) =>
      text.startsWith(
        "<privacy-curve>: “rotate” is not an attribute of it; the nearest is “rate”.",
      ),
    ).length,
    1,
  );
  assert.equal(warnings.length, 1);
  await page.evaluate(() => {
    const one = document.querySelector("privacy-curve");
    one.addEventListener("error", ({ error }) => (window.field = error.field));
    one.setAttribute("complare", "rdp");
    one.setAttribute("sigma", "2");
  });
  await page.getByRole("alert").waitFor();
  assert.equal(
    await page.getByRole("alert").textContent(),
    "<privacy-curve> complare is not an attribute of it: “compare” is.",
  );
  assert.equal(await page.evaluate(() => window.field), "complare");
  quiet();
  await close();
});

test("a slider that goes too far can go back, and an anchor elsewhere moves nothing", async () => {
  const { page, close } = await visit("/edge.html");
  await settled(page);
  const other = page.locator("#other").getByRole("slider", { name: "σ, the noise" });
  await other.focus();
  await page.keyboard.press("End");
  await settled(page);
  const slider = page.getByRole("slider", { name: "σ, the noise" }).first();
  await slider.focus();
  await page.keyboard.press("Home");
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /sigma is -1: it must be/);
  await page.keyboard.press("End");
  await page.getByRole("alert").waitFor({ state: "detached" });
  await settled(page);
  await page.evaluate(() => (location.hash = "#somewhere"));
  await page.waitForTimeout(100);
  await settled(page);
  assert.deepEqual(
    await page
      .locator("privacy-curve")
      .evaluateAll((all) => all.map((one) => one.epsilons[0].toFixed(3))),
    ["1.993", "0.926"],
  );
  await close();
});

test("a page that comes slowly is waited for", async () => {
  const { page, quiet, close } = await visit("/slow.html");
  await settled(page);
  assert.equal(await page.evaluate(() => told), 0);
  quiet();
  await close();
});

for (const theme of ["light", "dark"]) {
  test(`nothing for axe to complain of in ${theme}, and nothing sticks out at 320 pixels`, async () => {
    const { page, close } = await visit("/two.html", { width: 320, height: 800, theme });
    await settled(page);
    for (const view of ["δ(ε)", "Trade-off"]) {
      for (const button of await page.getByRole("button", { name: view }).all())
        await button.click();
      for (const summary of await page.locator("summary").all())
        if ((await summary.evaluate((one) => one.parentElement.open)) === false)
          await summary.click();
      await inOrder(page, `${view}, ${theme}`);
    }
    await close();
  });

  test(`the drawing looks as it did, in ${theme}`, async (t) => {
    const { page, close } = await visit("/two.html", { width: 720, height: 900, theme });
    await settled(page);
    const seen = {};
    for (const view of ["δ(ε)", "ε(δ)", "Rényi", "Trade-off"]) {
      await page.getByRole("button", { name: view }).first().click();
      await settled(page, "privacy-curve:first-of-type");
      seen[view] = await shapesOf(page.locator("privacy-curve").first());
    }
    sameLook(`privacy-curve-${theme}`, seen);
    await page.mouse.move(0, 0);
    await samePicture(t, `privacy-curve-${theme}`, page, page.locator("privacy-curve").first());
    await close();
  });
}

test("the classic script works from a file, with no server at all", async () => {
  const { page, quiet, close } = await open(browser);
  const at = fileURLToPath(new URL("elements-file-test.html", dist));
  writeFileSync(
    at,
    pageOf(
      `<privacy-curve ${gaussian}></privacy-curve>`,
      '<script src="elements.classic.js"></script>',
    ),
  );
  await page.goto(pathToFileURL(at).href);
  await settled(page);
  assert.ok(
    Math.abs(
      (await page.locator("privacy-curve").evaluate((one) => one.epsilons[0])) - 1.9930914044,
    ) < 1e-6,
  );
  quiet();
  rmSync(at);
  await close();
});
