// <my-privacy> in pages of others: its answer is the package's own; what it says where something is
// wrong; hands, keys and eyes; and nothing of what is typed is sent, kept or written anywhere.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe } from "node:test";
import { pathToFileURL } from "node:url";
import { loadReader } from "../../dist/client.node.mjs";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { open } from "../harness/browser.mjs";
import { hostile } from "../harness/hostile.mjs";
import { test } from "../harness/limited.mjs";
import { assistive } from "../harness/listener.mjs";
import { answered, fill, release, report, someone } from "../harness/my-privacy.mjs";
import { pageOf, servePages } from "../harness/pages.mjs";
import { attack } from "../harness/probes.mjs";
import { setUp } from "../harness/set-up.mjs";

const script =
  '<script type="module" src="my-privacy.js" integrity="sha384-FILE" crossorigin="anonymous"></script>';
const fallback = "Without scripts: the worst case holds for everybody.";
const element = (attributes = 'release="release.json" report="report.json"', inside = "") =>
  `<my-privacy ${attributes}><p>${fallback}</p>${inside}</my-privacy>`;
const json = (tree) =>
  `<script type="application/json">${JSON.stringify(tree).replaceAll("<", "\\u003c")}</script>`;
const strict = {
  "content-security-policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self'; img-src data:",
};

const lying = { ...release, guarantee: { ...release.guarantee, epsilon: 0.25 } };
const wrong = {
  other: [element('release="release.json" report="of-another.json"'), /belongs to another release/],
  newer: [
    element('release="release.json" report="newer.json"'),
    /report was made by a newer version/,
  ],
  "newer-release": [
    element('release="newer-release.json" report="report.json"'),
    /release was made by a newer version/,
  ],
  missing: [
    element('release="release.json" report="nowhere.json"'),
    /privacy report could not be fetched from .*nowhere\.json: the server answered 404/,
  ],
  half: [element('release="release.json"'), /is no privacy report/],
  neither: [element(""), /release is missing/],
  cut: [
    element("", '<script type="application/json">{"release": {</script>'),
    /ends in the middle/,
  ],
  twice: [
    element("", json({ release, report }).replace('"rho":', '"rho":0.5,"rho":')),
    /says report\.rho twice/,
  ],
  rho: [
    element('release="release.json" report="report.json" rho="2"'),
    /rho is 2: it must be from/,
  ],
};

const served = (body) => pageOf(body, script);
const pages = {
  "/page.html": served(element()),
  "/everybody.html": served(
    element('people="0" rho="0.05" release="release.json" report="report.json"'),
  ),
  "/two.html": served(element() + element('rho="0.2"', json({ release, report }))),
  "/strict.html": {
    html: `<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">${script}<h1>A page</h1>${element()}`,
    headers: strict,
  },
  "/sealed.html": served(
    element('seal release="release.json" report="report.json"') +
      element('seal release="release.json" report="report.json"'),
  ),
  "/wrong.html": served(
    Object.values(wrong)
      .map(([body]) => body)
      .join("") + element(),
  ),
  "/release.json": JSON.stringify(release),
  "/report.json": JSON.stringify(report),
  "/of-another.json": JSON.stringify({ ...report, release: "0".repeat(64) }),
  "/newer.json": JSON.stringify({ ...report, version: 99 }),
  "/newer-release.json": JSON.stringify({ ...release, version: 99 }),
};
const { server, browser } = await setUp(servePages(pages));
const client = await loadReader();
after(() => client.terminate());
const opened = await client.open(release, report);
const tab = await visit("/page.html");
await tab.mine.and(tab.page.locator("[ready]")).waitFor();
after(() => tab.quiet());

async function visit(path, options) {
  const own = await open(browser, options);
  await own.page.goto(server.url + path);
  return { ...own, mine: own.page.locator("my-privacy") };
}

/** The answer as it is shown, and as the element has it. */
const shown = (mine) =>
  mine.evaluate((one) => ({
    bound: one.bound,
    text: one.shadowRoot.querySelector("#answer").innerText.replace(/\s+/g, " "),
  }));

/** Waits until the element's live region says so. */
const announced = (mine, text) =>
  mine.locator("p[role=status]", { hasText: text }).waitFor({ state: "attached" });

describe("the answer", () => {
  test("is the package's own, in words first, beside the worst case, and says what moves it", async () => {
    const { mine, page } = tab;
    await answered(mine);
    const { bound, text } = await shown(mine);
    assert.deepEqual(bound, await opened.bound(someone));
    const factor = Math.ceil(100 * Math.exp(bound.largest)) / 100;
    assert.match(
      text,
      new RegExp(
        `^Whoever sees this model can be at most ${factor.toFixed(2)} times surer about you than before, with probability 99.%\\. The worst case promised to everyone is 2\\.72 times\\.`,
      ),
    );
    assert.match(
      text,
      new RegExp(
        `at most ${Math.ceil(100 / (1 + Math.exp(-bound.largest)))}.% likely now; by the worst case, 74.%`,
      ),
    );
    for (const part of [
      /yours, ×/,
      /Surprise ×.*gives readmitted “yes” a probability of [\d.]+.%/,
      /Leverage ×/,
      /Final noise ×/,
      /What it depends on/,
    ])
      assert.match(text, part);
    const moves = await opened.moves(someone);
    const named = await mine.locator("[part=moves] tbody th").allInnerTexts();
    assert.ok(named.length > 3);
    const span = (m) => m.most.bound - m.least.bound;
    assert.equal(
      named[0].split("\n")[0].trim(),
      [...moves].sort((a, b) => span(b) - span(a))[0].name,
    );
    const widths = await mine.evaluate((one) =>
      [".scale .own", ".scale .whole"].map(
        (part) => one.shadowRoot.querySelector(part).getBoundingClientRect().width,
      ),
    );
    assert.ok(Math.abs(widths[0] / widths[1] - bound.largest / release.guarantee.epsilon) < 0.02);
    // It follows what is typed, once there is one.
    await mine.getByLabel("readmitted").selectOption("no");
    const other = await opened.bound({ ...someone, readmitted: "no" });
    await page.waitForFunction(
      (largest) => document.querySelector("my-privacy").bound?.largest === largest,
      other.largest,
    );
  });

  test("is as sure as the reader chooses, and says so", async () => {
    const { mine } = tab;
    await answered(mine);
    const sure = mine.getByLabel("How sure should it be?");
    const options = (await sure.locator("option").allInnerTexts()).map((text) =>
      text.replace(/\s/g, " "),
    );
    assert.deepEqual(options, [
      "90 %",
      "95 %",
      "99 %, as published",
      "99.9 %",
      "99.999 %, as sure as the promise",
    ]);
    assert.equal(Number(await sure.inputValue()), report.rho);
    let before = 0;
    for (const [rho, says] of [
      [0.1, "90 %"],
      [0.001, "99.9 %"],
      [release.guarantee.delta, "99.999 %"],
    ]) {
      await sure.selectOption(String(rho));
      await announced(
        mine,
        `with probability ${says}`
          .replace(/ (?=[%9])/g, "\u00a0")
          .replace("probability\u00a0", "probability "),
      );
      const { bound, text } = await shown(mine);
      assert.deepEqual(bound, await opened.bound(someone, { rho }));
      assert.ok(text.includes(`with probability ${says}.`), text);
      assert.ok(bound.largest > before, "a surer bound is no larger");
      before = bound.largest;
    }
    // What the columns do is asked for the same.
    assert.deepEqual(
      await mine.evaluate((one) => one.moves),
      await opened.moves(someone, { rho: release.guarantee.delta }),
    );
    await sure.selectOption(String(report.rho));
    await announced(mine, "with probability 99\u00a0%");
  });

  test("of a value beyond the bounds says what it counts as; a value that cannot be is said at its field", async () => {
    const { mine } = tab;
    await answered(mine, { age: "130" });
    assert.match(
      await mine.locator("[part=note]").innerText(),
      /age: "130" is above the upper bound and counts as 105/,
    );
    await mine.getByLabel("bmi").fill("heavy");
    await mine.getByRole("button", { name: /^Work/ }).click();
    await mine.locator(".fault").waitFor();
    assert.match(
      await mine.locator(".fault").innerText(),
      /"heavy" is not a number\. Write a number in digits/,
    );
    assert.equal(
      await mine.locator("[part=sentence]").count(),
      0,
      "an answer stays that is not of what is typed",
    );
    assert.equal(
      await mine.evaluate((one) => one.shadowRoot.activeElement?.getAttribute("aria-invalid")),
      "true",
    );
    await announced(mine, 'bmi: "heavy" is not a number');
    await answered(mine, { bmi: "27.5", age: "71" });
    assert.equal(await mine.locator(".fault").count(), 0);
  });

  test("that is above the worst case is not made better by it: that promise is not one about a single result", async () => {
    const { mine, quiet, close } = await visit("/everybody.html");
    await answered(mine);
    const { bound, text } = await shown(mine);
    assert.ok(bound.largest > opened.worst.epsilon);
    assert.match(text, /no better than the worst case promised to everyone, 2\.72 times/);
    assert.match(
      text,
      new RegExp(`at most ${Math.ceil(100 / (1 + Math.exp(-bound.largest)))}.% likely now\\.`),
    );
    quiet();
    await close();
  });

  test("of two elements are each their own, by one worker", async () => {
    const { page, mine, quiet, close } = await visit("/two.html");
    await answered(mine.nth(0));
    await answered(mine.nth(1), { ...someone, age: "30" });
    assert.deepEqual((await shown(mine.nth(0))).bound, await opened.bound(someone));
    assert.deepEqual(
      (await shown(mine.nth(1))).bound,
      await opened.bound({ ...someone, age: "30" }, { rho: 0.2 }),
    );
    assert.match((await shown(mine.nth(1))).text, /with probability 80.%/);
    assert.equal(page.workers().length, 1);
    quiet();
    await close();
  });

  test("comes in a page whose policy allows no inline style", async () => {
    const { mine, quiet, close } = await visit("/strict.html");
    await answered(mine);
    const [own, whole] = await mine.evaluate((one) =>
      [".own", ".whole"].map(
        (part) => one.shadowRoot.querySelector(`.scale ${part}`).getBoundingClientRect().width,
      ),
    );
    assert.ok(
      Math.abs(own / whole - (await opened.bound(someone)).largest / opened.worst.epsilon) < 0.02,
      "the picture is not to scale",
    );
    quiet();
    await close();
  });

  test("comes from a file, with everything in one classic script", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cloister-my-privacy-"));
    try {
      writeFileSync(
        join(folder, "my-privacy.classic.js"),
        readFileSync(new URL("../../dist/my-privacy.classic.js", import.meta.url)),
      );
      writeFileSync(
        join(folder, "page.html"),
        pageOf(
          element("", json({ release, report })),
          '<script src="my-privacy.classic.js"></script>',
        ),
      );
      const { page, quiet, close } = await open(browser);
      await page.goto(pathToFileURL(join(folder, "page.html")).href);
      const mine = page.locator("my-privacy");
      await answered(mine);
      assert.deepEqual((await shown(mine)).bound, await opened.bound(someone));
      quiet();
      await close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("where something is wrong", () => {
  test("each element says what, keeps what stands inside, and leaves the others alone", async () => {
    const { page, mine, close } = await visit("/wrong.html");
    for (const [i, [name, [, says]]] of Object.entries(wrong).entries()) {
      const one = mine.nth(i);
      await one.scrollIntoViewIfNeeded();
      const alert = one.getByRole("alert");
      await alert.waitFor();
      assert.match(await alert.innerText(), says, name);
      assert.equal(await one.locator("form").count(), 0, name);
      assert.ok(await one.getByText(fallback).isVisible(), name);
    }
    await accessible(page, "nine errors");
    const last = mine.nth(Object.keys(wrong).length);
    await last.scrollIntoViewIfNeeded();
    await last.and(page.locator("[ready]")).waitFor();
    await close();
  });

  test("a release that does not tell the truth is not relied on", async () => {
    const { page, mine, close } = await visit("/page.html");
    await mine.and(page.locator("[ready]")).waitFor();
    // Its report is of it, by its fingerprint: what is not so is what it promises.
    await mine.evaluate((one, documents) => void (one.documents = documents), {
      release: lying,
      report: { ...report, release: await fingerprint(lying) },
    });
    const alert = mine.getByRole("alert");
    await alert.waitFor();
    assert.match(
      await alert.innerText(),
      /does not tell the truth.*At ε = 0\.25 the bound gives δ/,
    );
    await close();
  });

  test("without scripts, what stands inside is there", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${server.url}/page.html`);
    assert.ok(await page.getByText(fallback).isVisible());
    await context.close();
  });
});

/** Of a release: SHA-256 of its JSON with names sorted, as Go writes it. */
async function fingerprint(tree) {
  const sorted = (value) => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((name) => [name, sorted(value[name])]),
    );
  };
  const text = JSON.stringify(sorted(tree)).replace(
    /[<>&]/g,
    (c) => `\\u00${c.charCodeAt(0).toString(16)}`,
  );
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Buffer.from(digest).toString("hex");
}

test("by keyboard alone: every stop has a name and shows its focus, and the answer is announced", async () => {
  const { page, mine, quiet, close } = await visit("/page.html");
  await mine.and(page.locator("[ready]")).waitFor();
  const focused = await assistive(page);
  for (const [column, value] of Object.entries(someone)) {
    await page.keyboard.press("Tab");
    const at = await focused();
    assert.equal(at.name, column);
    assert.ok(at.visible, column);
    // A letter or two choose in a list; a number is typed.
    await page.keyboard.type(at.role === "textbox" ? value : value.slice(0, 5));
  }
  await page.keyboard.press("Tab");
  assert.deepEqual(await focused().then(({ role, name }) => [role, name]), [
    "button",
    "Work out my bound",
  ]);
  await page.keyboard.press("Enter");
  await mine.locator("[part=sentence]").waitFor();
  assert.deepEqual((await shown(mine)).bound, await opened.bound(someone));
  await announced(mine, "Whoever sees this model can be at most");
  await page.keyboard.press("Tab");
  assert.equal((await focused()).name, "Forget what I typed");
  await page.keyboard.press("Tab");
  assert.equal((await focused()).name, "How sure should it be?");
  await page.keyboard.press("Tab");
  assert.match((await focused()).name, /What this number is/);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  assert.equal((await focused()).name, "age");
  assert.equal(await mine.locator("[part=sentence]").count(), 0);
  assert.deepEqual(
    await mine.evaluate((one) =>
      [...one.shadowRoot.querySelectorAll("input, select")].map((f) => f.value).filter(Boolean),
    ),
    [],
  );
  quiet();
  await close();
});

test("axe-core finds nothing and nothing is too wide: empty, at fault and answered, wide and narrow, light and dark", async () => {
  const { page, mine } = tab;
  const look = async (state) => {
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await fitsWindow(page, `${state}, ${width}`);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await accessible(page, `${state}, ${width}, ${colorScheme}`, {
          contrast: colorScheme === "dark",
        });
      }
    }
  };
  await mine.evaluate((one) => one.forget());
  await look("empty");
  await fill(mine, { ...someone, age: "" });
  await mine.getByRole("button", { name: /^Work/ }).click();
  await mine.locator(".fault").waitFor();
  await look("at fault");
  await answered(mine, { age: "130" });
  await mine.locator("summary").click();
  await look("answered");
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("while it loads, what stands inside is there, and that it loads is said", async () => {
  const own = await open(browser, { width: 320 });
  let answer;
  await own.page.route("**/report.json", (route) => void (answer = () => route.continue()));
  await own.page.goto(`${server.url}/page.html`);
  const mine = own.page.locator("my-privacy");
  await mine.getByRole("status").filter({ hasText: "Fetching the release" }).waitFor();
  assert.ok(await own.page.getByText(fallback).isVisible());
  await fitsWindow(own.page, "loading");
  for (const colorScheme of ["light", "dark"]) {
    await own.page.emulateMedia({ colorScheme });
    await accessible(own.page, `loading, ${colorScheme}`);
  }
  while (!answer) await new Promise((resolve) => setTimeout(resolve, 20));
  answer();
  await mine.and(own.page.locator("[ready]")).waitFor();
  assert.equal(await mine.getByText("Fetching the release").count(), 0);
  own.quiet();
  await own.close();
});

describe("what is typed", () => {
  test("is in no address, no storage and no request, and is gone when the page is left and comes back", async () => {
    const { page, mine, quiet, close } = await visit("/page.html");
    await mine.and(page.locator("[ready]")).waitFor();
    const address = page.url();
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    await answered(mine);
    assert.deepEqual(requests, []);
    assert.equal(page.url(), address);
    assert.deepEqual(
      await page.evaluate(async () => [
        localStorage.length,
        sessionStorage.length,
        document.cookie,
        (await indexedDB.databases()).length,
        JSON.stringify(history.state),
      ]),
      [0, 0, "", 0, "null"],
    );
    assert.ok(
      await mine.evaluate((one) =>
        [...one.shadowRoot.querySelectorAll("form, input, select")].every(
          (f) => f.autocomplete === "off" && !f.getAttribute("name"),
        ),
      ),
    );
    await page.goto("about:blank");
    await page.goBack();
    await mine.and(page.locator("[ready]")).waitFor();
    assert.deepEqual(
      await mine.evaluate((one) =>
        [...one.shadowRoot.querySelectorAll("input, select")].map((f) => f.value).filter(Boolean),
      ),
      [],
    );
    assert.equal(await mine.locator("[part=sentence]").count(), 0);
    quiet();
    await close();
  });

  test(
    "cannot leave a page that the element seals, not by whatever script",
    { timeout: 120_000 },
    async (t) => {
      const endpoint = await hostile();
      t.after(() => endpoint.close());
      const { page, mine, close } = await visit("/sealed.html");
      await mine.nth(1).and(page.locator("[ready]")).waitFor();
      await answered(mine.nth(0));
      await attack(page, endpoint, "a row is typed and answered");
      await close();
    },
  );
});
