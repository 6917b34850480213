// The explorer in a browser: its numbers, every preset, links and Back, hands and keys, what it
// says when something is wrong, and how it looks.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe } from "node:test";
import { serve } from "../../../scripts/serve.mjs";
import { load } from "../../dist/client.node.mjs";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { open } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";
import { drawn } from "../harness/studio.mjs";
import { tasksDuring } from "../harness/tasks.mjs";

const { server, browser } = await setUp(undefined, []);
const accountant = await load({ wasmURL: new URL("../../dist/curves.wasm", import.meta.url) });
after(() => accountant.terminate());

/** Waits until everything that the page shows is certified, and crossings have been looked for. */
async function settled(page) {
  await page.waitForFunction(() => globalThis.explorerPicture?.()?.places !== undefined, null, {
    timeout: 90_000,
  });
  await drawn(page);
}

async function visit(fragment = "", options) {
  const tab = await open(browser, options);
  await tab.page.goto(`${server.url}explorer.html${fragment}`);
  if (!options?.unsettled) await settled(tab.page);
  return tab;
}

const view = (page, name) =>
  page.getByRole("group", { name: "What is drawn" }).getByRole("button", { name });
const rows = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("table.numbers tbody tr")].map((row) =>
      [...row.querySelectorAll("data")].map(({ value }) => (value === "" ? null : Number(value))),
    ),
  );
/** All that is shown, apart from what only says that the page is at work. */
const shown = (page) =>
  page.evaluate(() => ({
    lines: [...document.querySelectorAll("#plot svg path.line")].map((path) =>
      path.getAttribute("d"),
    ),
    curves: [...document.querySelectorAll(".curve-line")].map((line) => line.innerText),
    fields: [
      ...document.querySelectorAll(".panel input:not([type=radio]), .axes input, select"),
    ].map((input) => (input.type === "checkbox" ? input.checked : input.value)),
    says: document.querySelector("#says").innerText,
    crossings: document.querySelector("#crossings")?.innerText,
    words: document.querySelector(".below").innerText,
  }));

describe("what is drawn", () => {
  test("at first is the default, and the table's numbers are the accountant's", async () => {
    const { page, quiet, close } = await visit();
    assert.equal(
      await page.locator("#stage-title").innerText(),
      "Objective perturbation at the price of one Gaussian mechanism",
    );
    assert.match(
      await page.locator("#crossings").innerText(),
      /From ε = 0\.964 on, “Cloister, logistic loss” lies on the floor: no proof can do better/,
    );
    await page.getByText("Numbers as a table").click();
    const table = await rows(page);
    const common = {
      mechanism: "objective-perturbation",
      adjacency: "add-remove",
      row_norm: 1,
      lipschitz: 1,
      smoothness: 0.25,
      lambda: 1,
      sigma: 3.73,
    };
    const { curve } = await accountant.account({
      event: { ...common, loss: "logistic" },
      bound: "logistic",
      curve: table.map(([epsilon]) => epsilon),
    });
    const { comparisons } = await accountant.account({
      event: { ...common, loss: "glm" },
      curve: table.map(([epsilon]) => epsilon),
      compare: ["profile", "rdp", "kifer", "gaussian-lower"],
    });
    let compared = 0;
    table.forEach(([, ...cells], i) => {
      [curve, ...comparisons].forEach((line, j) => {
        if (cells[j] === null) return;
        assert.ok(
          Math.abs(cells[j] / line.delta[i] - 1) < 1e-6,
          `${cells[j]} for ${line.delta[i]}, line ${j}, row ${i}`,
        );
        compared++;
      });
    });
    assert.ok(compared > 100);
    quiet();
    await close();
  });

  test("of several classes are the prices of one softmax, and of a fit for each", async () => {
    const { page, quiet, close } = await visit("#1&preset=classes");
    assert.doesNotMatch((await shown(page)).crossings ?? "", /is the smaller/);
    await page.getByText("Numbers as a table").click();
    const table = await rows(page);
    const common = {
      mechanism: "objective-perturbation",
      adjacency: "add-remove",
      row_norm: 1,
      lambda: 3,
      sigma: 3.73,
    };
    const logistic = { ...common, loss: "logistic", lipschitz: 1, smoothness: 0.25 };
    const softmax = { ...common, loss: "softmax", lipschitz: Math.SQRT2, smoothness: 0.5 };
    for (const K of [2, 3, 10, 30]) {
      const [, ...cells] = table.find(([x]) => x === K);
      const wanted = [
        { event: { ...softmax, classes: K }, bound: "softmax" },
        {
          event: {
            mechanism: "composition",
            adjacency: "add-remove",
            parts: [{ event: logistic, count: K }],
          },
          bound: "control",
        },
        {
          event: {
            mechanism: "gaussian",
            adjacency: "add-remove",
            sensitivity: 1,
            sigma: 2.63751,
          },
        },
      ];
      for (const [i, question] of wanted.entries()) {
        const { epsilon } = await accountant.account({ ...question, delta: 1e-5 });
        assert.ok(Math.abs(cells[i] / epsilon - 1) < 1e-6, `${K} classes: ${cells}, ${epsilon}`);
      }
      assert.ok(cells[2] <= cells[0] * (1 + 1e-4) && cells[0] <= cells[1], `${cells}`);
    }
    quiet();
    await close();
  });

  test("of every preset is drawn without a complaint, in one page after another", async () => {
    const { page, quiet, close } = await visit();
    const options = await page
      .locator("#preset option")
      .evaluateAll((all) => all.map(({ value }) => value));
    assert.ok(options.length >= 12);
    for (const id of options) {
      await page.selectOption("#preset", id);
      await settled(page);
      const { lines, curves } = await shown(page);
      // A trade-off has the diagonal beside its curves.
      assert.equal(lines.length, curves.length + (id === "attacker" ? 1 : 0), id);
      assert.ok(
        lines.every((d) => d.length > 100),
        id,
      );
      assert.equal(await page.locator(".curve-problem, .notice-bad, .notice-warn").count(), 0, id);
      assert.ok(
        curves.every((text) => !/none|…|≈|–/.test(text.split("\n").at(-1))),
        `${id}: ${curves}`,
      );
      assert.equal(new URL(page.url()).hash, id === options[0] ? "" : `#1&preset=${id}`);
      assert.equal(
        (await view(page, "Parameter").getAttribute("aria-disabled")) === "true",
        id === "vote",
        `${id}: whether a curve follows a parameter`,
      );
      assert.equal(await page.locator("#no-sweep").count(), id === "vote" ? 1 : 0, id);
    }
    quiet();
    await close();
  });

  test("where no curve follows a parameter, the view along one says why it cannot be had", async () => {
    const { page, quiet, close } = await visit("#1&preset=vote");
    const button = view(page, "Parameter");
    await button.focus();
    assert.ok(await button.evaluate((one) => one === document.activeElement), "it has the focus");
    const described = await button.getAttribute("aria-describedby");
    assert.match(
      await page.locator(`#${described}`).innerText(),
      /needs a curve that follows a shared parameter/,
    );
    await fitsWindow(page, "with the reason");
    await page.keyboard.press("Enter");
    await drawn(page);
    assert.equal(new URL(page.url()).hash, "#1&preset=vote");
    assert.equal(await button.getAttribute("aria-pressed"), "false");
    quiet();
    await close();
  });

  test("without a curve along its parameter, a link and the last removal go to δ by ε", async () => {
    const { page, quiet, close } = await visit(
      "#1&view=sweep&over=sigma&curve=vote.best;1;single:0.1,failure:1e-6",
    );
    const pressed = (name) => view(page, name).getAttribute("aria-pressed");
    assert.equal(await pressed("δ(ε)"), "true", "a link");
    await page.goto(
      `${server.url}explorer.html#1&view=sweep&over=sigma&curve=vote.best;1;single:0.1,failure:1e-6&curve=gauss;2&about=1`,
    );
    await settled(page);
    assert.equal(await pressed("Parameter"), "true");
    await page.getByRole("button", { name: "Remove" }).click();
    await settled(page);
    assert.equal(await pressed("δ(ε)"), "true", "the last was removed");
    assert.equal(await page.locator(".curve-row").count(), 1);
    quiet();
    await close();
  });

  test("in the other views, too", async () => {
    const { page, quiet, close } = await visit(
      "#1&curve=op.logistic;1&curve=op.linear;2&curve=op.half;3&curve=gauss.rdp;4&curve=gd.convex;5;steps:20",
    );
    for (const [name, least] of [
      ["ε(δ)", 4],
      ["Rényi", 5],
      ["Trade-off", 5],
      ["Parameter", 4],
    ]) {
      await view(page, name).click();
      await settled(page);
      assert.equal((await shown(page)).lines.length, least, name);
      assert.equal(
        await page.locator(".curve-problem").count(),
        name === "Rényi" ? 0 : 1,
        "the estimate is drawn by its divergence alone",
      );
    }
    quiet();
    await close();
  });
});

describe("links", () => {
  test("restore all that is shown, exactly", async () => {
    const first = await visit("#1&preset=equal-budget");
    const { page } = first;
    await page.getByRole("button", { name: /Theorem 3\.1/ }).click();
    await page.getByRole("button", { name: "Duplicate" }).click();
    await page.getByLabel("λ, the regulariser").first().fill("2.5");
    await page.keyboard.press("Enter");
    await page.getByRole("slider", { name: "T, the number of steps" }).press("ArrowLeft");
    await page
      .getByLabel("Neighbours: one record is")
      .selectOption({ label: "replaced by another" });
    await view(page, "ε(δ)").click();
    await settled(page);
    const before = await shown(page);
    assert.match(before.says, /before and after one record is replaced/);
    assert.match(
      before.curves.find((text) => /DP-SGD/.test(text)),
      /none/,
    );
    assert.ok(before.curves.some((text) => /pinned/.test(text)));
    const second = await visit(new URL(page.url()).hash);
    assert.deepEqual(await shown(second.page), before);
    assert.equal(second.page.url(), page.url());
    first.quiet();
    second.quiet();
    await first.close();
    await second.close();
  });

  test("Back undoes step by step, and Forward does it again", async () => {
    const { page, quiet, close } = await visit();
    const pressed = () => page.locator('.switch [aria-pressed="true"]').innerText();
    await view(page, "Rényi").click();
    await settled(page);
    await page.selectOption("#preset", "figure-5-a");
    await settled(page);
    await view(page, "δ(ε)").click();
    await settled(page);
    for (const [preset, view] of [
      ["figure-5-a", "Rényi"],
      ["no-overhead", "Rényi"],
      ["no-overhead", "δ(ε)"],
    ]) {
      await page.goBack();
      await settled(page);
      assert.deepEqual([await page.inputValue("#preset"), await pressed()], [preset, view]);
    }
    await page.goForward();
    await settled(page);
    assert.equal(await pressed(), "Rényi");
    quiet();
    await close();
  });

  test("that cannot be read say so, and the default is shown; the next change makes a good one", async () => {
    const { page, quiet, close } = await visit("#1&view=rdp&curve=op.profile;2;sigma:-1");
    assert.match(
      await page.locator("#trouble").innerText(),
      /cannot be read, so the default is shown\. “curve” has “sigma:-1”: σ must lie between/,
    );
    assert.match(await page.locator(".says").innerText(), /Cloister, logistic loss 1\.01/);
    await accessible(page, "a broken link");
    await view(page, "Rényi").click();
    await settled(page);
    assert.equal(await page.locator("#trouble").count(), 0);
    assert.match(page.url(), /#1&from=no-overhead&view=rdp&/);
    // By hand, in the address.
    await page.evaluate(() => void (location.hash = "1&preset=figure-4"));
    await settled(page);
    assert.equal(await page.inputValue("#preset"), "figure-4");
    quiet();
    await close();
  });
});

describe("hands and keys", () => {
  test("everything is reached and moved by keys alone", async () => {
    const { page, quiet, close } = await visit();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await drawn(page);
    assert.equal(
      await page.evaluate(() => document.activeElement.id),
      "plot",
      "the skip link leads to the plot",
    );
    assert.equal(new URL(page.url()).hash, "", "and leaves the address alone");
    const said = () => page.locator("#plot").getAttribute("aria-valuetext");
    assert.match(await said(), /^ε = 1\.01: Cloister, logistic loss, δ 10⁻⁵/);
    for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
    await drawn(page);
    assert.match(await said(), /^ε = 1\.(0[5-9]|10): Cloister, logistic loss, δ [\d.]+\s×\s10⁻⁶/);
    assert.equal(await page.locator("#plot svg .cursor").count(), 1);
    await page.keyboard.press("Escape");
    await drawn(page);
    assert.match(await said(), /^ε = 1\.01/);

    await page.getByRole("button", { name: /Theorem 3\.1/ }).focus();
    await page.keyboard.press("Enter");
    await settled(page);
    assert.match(await page.locator("#theorem-title").innerText(), /Theorem 3\.1: privacy profile/);
    await page.getByRole("button", { name: "Pin", exact: true }).focus();
    await page.keyboard.press("Enter");
    await settled(page);
    const reading = (name) =>
      page.locator(".curve-line", { hasText: name }).locator(".curve-value").innerText();
    const [pinned, free] = [await reading("Theorem 3.1"), await reading("Theorem 3.2")];
    await page.getByRole("slider", { name: "λ, the regulariser" }).focus();
    for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.notEqual(await reading("Theorem 3.2"), free);
    // The read-out follows the first curve, which does not depend on λ here.
    assert.equal(await reading("Theorem 3.1"), pinned);

    await page.locator("#new-curve").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await page.locator(".curve-row").count(), 6);
    const status = page.locator("p.hidden[role=status]").first();
    assert.match(await status.textContent(), / is added\. There are \d curves\.$/);
    await page.getByRole("button", { name: "Remove" }).focus();
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await page.locator(".curve-row").count(), 5);
    assert.match(await status.textContent(), / is removed\. There (are \d curves|is 1 curve)\.$/);
    assert.equal(
      await page.evaluate(() => document.activeElement.className),
      "curve-name",
      "the focus stays among the curves",
    );
    await page.keyboard.press("Enter");
    await settled(page);
    const more = page.getByRole("button", { name: "Duplicate" });
    while (await more.isEnabled()) {
      await more.focus();
      await page.keyboard.press("Enter");
      await settled(page);
    }
    assert.match(
      await status.textContent(),
      /^A duplicate of .* is added\. There are 12 curves\.$/,
    );
    assert.equal(await page.locator(".curve-row").count(), 12);
    assert.equal(
      await page.evaluate(() => document.activeElement.className),
      "curve-name",
      "the button that was pressed is disabled now",
    );
    quiet();
    await close();
  });

  test("the pointer reads the plot", async () => {
    const { page, close } = await visit();
    const box = await page.locator("#plot").boundingBox();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2);
    await drawn(page);
    const at = await page.locator(".at").innerText();
    assert.match(at, /ε = 1\.[5-9]/);
    await page.mouse.move(box.x + box.width + 150, box.y + 10);
    await drawn(page);
    assert.match(await page.locator(".at").innerText(), /ε = 1\.01/);
    await close();
  });

  test("a number that cannot be used stays, with its complaint; nothing else changes", async () => {
    const { page, quiet, close } = await visit();
    const before = await shown(page);
    const field = page.locator("#shared-lambda");
    await field.fill("-3");
    await field.press("Enter");
    await drawn(page);
    assert.match(await page.locator("#shared-lambda-mistake").innerText(), /λ must lie between/);
    assert.equal(await field.inputValue(), "-3");
    assert.deepEqual((await shown(page)).lines, before.lines);
    await accessible(page, "a field that complains");
    await field.fill("0,5");
    await field.press("Enter");
    await settled(page);
    assert.equal(await page.locator("#shared-lambda-mistake").count(), 0);
    assert.match(page.url(), /lambda:0\.5/);
    quiet();
    await close();
  });

  test("the plot is saved as SVG, PNG and CSV", async () => {
    const { page, quiet, close } = await visit("#1&preset=figure-4");
    const saved = async (kind) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: `Save as ${kind}` }).click(),
      ]);
      assert.equal(download.suggestedFilename(), `privacy-curves.${kind.toLowerCase()}`);
      return readFileSync(await download.path());
    };
    const svg = (await saved("SVG")).toString();
    assert.match(svg, /^<svg[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.ok(!/var\(|light-dark/.test(svg), "every colour is resolved");
    assert.match(svg, /<title>[^<]*without one record[^]*>This compares data with and without one/);
    assert.deepEqual([...(await saved("PNG")).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    const lines = (await saved("CSV")).toString().trim().split("\r\n");
    assert.match(lines[0], /^ε,"δ, a record added or removed: Theorem 3\.1, k = 1"/);
    assert.match(lines[0], /certified lower end: Theorem 3\.1, k = 2/);
    assert.ok(lines.length > 200);
    quiet();
    await close();
  });

  test("while a slider moves, no task of the page takes 50 ms of the processor", async (t) => {
    const { page, close } = await visit("#1&preset=equal-budget");
    const slider = page.getByRole("slider", { name: "q, the sampling rate" });
    await slider.focus();
    const tasks = await tasksDuring(browser, page, async () => {
      for (let i = 0; i < 25; i++) await page.keyboard.press("ArrowRight");
      await settled(page);
      await view(page, "Trade-off").click();
      await settled(page);
    });
    t.diagnostic(
      `${tasks.length} tasks, the longest ${tasks[0].cpu.toFixed(1)} ms of the processor`,
    );
    assert.ok(tasks[0].cpu < 50, `${tasks[0].cpu} ms: ${tasks[0].what}`);
    await close();
  });
});

describe("when something is missing", () => {
  test("without scripts there are a picture and words", async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 1280, height: 900 },
    });
    const page = await context.newPage();
    await page.goto(`${server.url}explorer.html`);
    assert.equal(await page.locator("svg.first-picture path.line").count(), 5);
    assert.match(
      await page.locator("figcaption").innerText(),
      /ε at δ = 10⁻⁵: Cloister, logistic loss 1\.01; Theorem 3\.1 1\.34[^]*From the top/,
    );
    assert.match(await page.locator("noscript").innerText(), /JavaScript and WebAssembly/);
    await context.close();
  });

  test("an accountant that does not come is named", async () => {
    const { page, close } = await open(browser);
    await page.route(/\.wasm\b/, (route) => route.fulfill({ status: 404 }));
    await page.goto(`${server.url}explorer.html`);
    await page.locator(".notice-bad").waitFor();
    assert.match(await page.locator(".notice-bad").innerText(), /could not be loaded/);
    await accessible(page, "the explorer without its accountant");
    await close();
  });

  test("a curve whose theorem does not hold says why, and the others are drawn", async () => {
    const { page, quiet, close } = await visit(
      "#1&set=lambda:0.2,beta:1&curve=op.profile;1&curve=op.glm;2",
    );
    assert.match(
      await page.locator(".curve-problem").innerText(),
      /^Theorem 3\.1 needs λ > β, and λ is 0\.2, β 1\./,
    );
    assert.equal((await shown(page)).lines.length, 1);
    for (const name of [/any linear model/, /Theorem 3\.1/]) {
      await page.locator(".curve-name", { hasText: name }).click();
      await page.getByRole("button", { name: "Remove" }).click();
      await settled(page);
    }
    assert.match(await page.locator(".curves").innerText(), /No curve is left/);
    await accessible(page, "no curve");
    quiet();
    await close();
  });

  test("a value is not read beside controls that it is not of", async () => {
    const { page, quiet, close } = await visit(
      "#1&view=epsilon&set=noise:1,rate:0.3,steps:200&curve=sgd;1",
    );
    const value = () => page.locator(".curve-value").innerText();
    const before = await value();
    assert.match(before, /^[\d.]+$/);
    // Two frames later the page shows the other state, and nothing of it can be certified yet.
    const soon = await page.evaluate(async () => {
      location.hash = "#1&view=epsilon&set=noise:0.7,rate:0.3,steps:3000&curve=sgd;1";
      for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
      return {
        value: document.querySelector(".curve-value").innerText,
        spoken: document.querySelector("#plot")?.ariaValueText ?? "…",
        words: document.querySelector(".after").ariaBusy,
        dim: document.querySelectorAll(".outdated").length,
      };
    });
    assert.match(soon.value, /^(…|≈ .*)$/);
    assert.notEqual(soon.value, `≈ ${before}`);
    assert.ok(!soon.spoken.endsWith(` ${before}`), soon.spoken);
    if (soon.value === "…") assert.deepEqual([soon.words, soon.dim], ["true", 2]);
    await settled(page);
    assert.equal(await page.locator(".after").getAttribute("aria-busy"), "false");
    assert.equal(await page.locator(".outdated").count(), 0);
    assert.ok(Number(await value()) > Number(before));
    quiet();
    await close();
  });

  test("after one visit it opens, and computes, with the server gone", async () => {
    const own = await serve();
    const { page, quiet, close } = await open(browser, { offline: true });
    await page.goto(`${own.url}explorer.html`);
    await settled(page);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await own.close();
    await page.goto(`${own.url}explorer.html#1&preset=schedules`);
    await page.reload();
    await settled(page);
    assert.equal(await page.evaluate(() => navigator.serviceWorker.controller?.state), "activated");
    assert.match(await page.locator(".says").innerText(), /Adaptive descent 0\.668/);
    quiet();
    await close();
  });
});

describe("how it looks", () => {
  for (const theme of ["light", "dark"]) {
    for (const width of [1280, 390, 320]) {
      test(`${theme}, ${width} pixels wide`, async () => {
        const { page, quiet, close } = await visit("#1&preset=equal-budget", {
          theme,
          width,
          height: 900,
        });
        await page.getByRole("button", { name: /DP-SGD/ }).click();
        await page.getByText("Axes", { exact: true }).click();
        await page.getByText("What it assumes").click();
        await settled(page);
        await fitsWindow(page, `the explorer, ${width}`);
        if (width > 320)
          await accessible(page, `the explorer, ${theme}, ${width}`, {
            contrast: theme === "dark",
          });
        quiet();
        await close();
      });
    }
  }
});
