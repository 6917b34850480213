// The page of who reads a privacy report: files in any order, what it says of those it cannot use,
// its sample; nothing leaves it once it is sealed; it works with the server gone; and how it looks
// to axe-core.

import assert from "node:assert/strict";
import { after, describe } from "node:test";
import { serve } from "../../../scripts/serve.mjs";
import { loadReader } from "../../dist/client.node.mjs";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { open } from "../harness/browser.mjs";
import { hostile } from "../harness/hostile.mjs";
import { test } from "../harness/limited.mjs";
import { assistive, hear, listen } from "../harness/listener.mjs";
import { answered, fill, release, report, someone } from "../harness/my-privacy.mjs";
import { attack } from "../harness/probes.mjs";
import { setUp } from "../harness/set-up.mjs";
import { json } from "../harness/studio.mjs";

const { server, browser } = await setUp();
const tab = await openPage();
const { page, mine } = tab;
after(() => tab.quiet());

async function openPage(url = server.url, options = {}) {
  const own = await open(browser, options);
  await listen(own.page);
  await own.page.goto(`${url}my-privacy.html`);
  await own.page.waitForSelector("#published-files:not([disabled])", { state: "attached" });
  return { ...own, mine: own.page.locator("my-privacy") };
}

const choose = (...files) => page.setInputFiles("#published-files", files);
const card = (text) => ({ name: "card.html", mimeType: "text/html", buffer: Buffer.from(text) });
const whole = JSON.stringify(release);

async function expected() {
  const client = await loadReader();
  const bound = await (await client.open(release, report)).bound(someone);
  client.terminate();
  return bound;
}

describe("the files", () => {
  test("may come one after the other, the report first", async () => {
    await choose(json(report, "report.json"));
    await hear(page, "Now choose the release that it belongs to.");
    assert.match(
      await page.locator(".chosen").innerText(),
      /Release: not chosen yet\s+Privacy report: report\.json/,
    );
    await choose(json(release, "release.json"));
    await hear(page, "Both files are open.");
    await answered(mine);
    assert.deepEqual(await mine.evaluate((one) => one.bound), await expected());
  });

  for (const [name, files] of [
    ["at once", () => [json(release, "release.json"), json(report, "report.json")]],
    ["in one", () => [json({ report, release }, "both.json")]],
    [
      "as a model card and a report",
      () => [
        card(
          `<!doctype html><script type="application/json" id="release">${whole.replaceAll("<", "\\u003c")}</script></html>`,
        ),
        json(report, "report.json"),
      ],
    ],
  ]) {
    test(`may come ${name}`, async () => {
      await page.reload();
      await page.waitForSelector("#published-files:not([disabled])", { state: "attached" });
      await choose(...files());
      await mine.and(page.locator("[ready]")).waitFor();
      assert.equal(await page.getByRole("alert").count(), 0);
    });
  }

  for (const [name, file, says] of [
    ["no JSON", json("dear reader", "letter.json"), /letter\.json is not JSON/],
    ["cut short", json(whole.slice(0, 900), "half.json"), /half\.json is not whole/],
    ["empty", json("", "none.json"), /none\.json is empty/],
    [
      "far too deep",
      json(`{"format":"cloister-report","a":${"[".repeat(1e5)}${"]".repeat(1e5)}}`, "deep.json"),
      /deep\.json is nested more deeply than any/,
    ],
    [
      "something else",
      json({ hello: 1 }, "hello.json"),
      /hello\.json is neither a release nor a privacy report/,
    ],
    [
      "a page with nothing in it",
      card("<!doctype html><p>hello</html>"),
      /card\.html is a web page, and holds no release/,
    ],
    [
      "a claim made twice",
      json(whole.replace('"epsilon":', '"epsilon":0.01,"epsilon":'), "two.json"),
      /two\.json says guarantee\.epsilon twice/,
    ],
  ]) {
    test(`${name}: it says so, and what was open stays`, async () => {
      await choose(file);
      const notice = page.locator(".notice-bad", { hasText: file.name });
      await notice.waitFor();
      assert.match(await notice.innerText(), says);
      assert.equal(await mine.and(page.locator("[ready]")).count(), 1);
    });
  }

  for (const [name, files, says] of [
    [
      "of another release",
      () => [json({ ...report, release: "0".repeat(64) }, "report.json")],
      /belongs to another release/,
    ],
    [
      "from a newer version",
      () => [json({ ...report, version: 99 }, "report.json")],
      /newer version/,
    ],
    [
      "with a release from a newer version",
      () => [json({ ...release, version: 99 }, "release.json"), json(report, "report.json")],
      /This release was made by a newer version/,
    ],
  ]) {
    test(`a report ${name}: it says so in the place of the form`, async () => {
      await choose(...files());
      const alert = mine.getByRole("alert").filter({ hasText: says });
      await alert.waitFor();
      assert.equal(await mine.locator("form").count(), 0);
      assert.doesNotMatch(
        await alert.innerText(),
        /</,
        "the element's name is nothing to this page's readers",
      );
      await choose(json(release, "release.json"), json(report, "report.json"));
      await mine.and(page.locator("[ready]")).waitFor();
    });
  }
});

test(
  "nothing leaves the page, not before a file is chosen and not after a row was typed",
  { timeout: 180_000 },
  async (t) => {
    const endpoint = await hostile();
    t.after(() => endpoint.close());
    const own = await openPage();
    await attack(own.page, endpoint, "before a file is chosen");
    await own.page.getByRole("button", { name: "Open the sample" }).click();
    await fill(own.mine);
    await attack(own.page, endpoint, "a row is typed");
    await answered(own.mine);
    await attack(own.page, endpoint, "it is answered");
    // One of the probes follows a link within the page.
    assert.equal(own.page.url(), `${server.url}my-privacy.html#here`);
    assert.deepEqual(
      await own.page.evaluate(async () => [
        localStorage.length,
        sessionStorage.length,
        document.cookie,
        (await indexedDB.databases()).length,
      ]),
      [0, 0, "", 0],
    );
    await own.close();
  },
);

test("before the seal, no file can be chosen and no sample opened", async () => {
  const { page: early, close } = await open(browser);
  await early.route(/\.wasm\b/, () => {});
  await early.goto(`${server.url}my-privacy.html`, { waitUntil: "commit" });
  await early.waitForSelector("#published-files", { state: "attached" });
  assert.equal(await early.isDisabled("#published-files"), true);
  assert.equal(await early.getByRole("button", { name: "Open the sample" }).isDisabled(), true);
  await close();
});

test(
  "after one visit it opens and answers with the server gone",
  { timeout: 120_000 },
  async () => {
    const own = await serve();
    const visit = await openPage(own.url, { offline: true });
    await visit.page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await own.close();
    await visit.page.goto(`${own.url}my-privacy.html`);
    await visit.page.getByRole("button", { name: "Open the sample", disabled: false }).click();
    await answered(visit.mine);
    assert.deepEqual(await visit.mine.evaluate((one) => one.bound), await expected());
    visit.quiet();
    await visit.close();
  },
);

test("by keyboard alone: from the top of the page to the answer", async () => {
  const own = await openPage();
  const focused = await assistive(own.page);
  const stop = async (name) => {
    for (let i = 0; i < 20; i++) {
      await own.page.keyboard.press("Tab");
      const at = await focused();
      assert.ok(at.visible, `the focus cannot be seen on “${at.name}”`);
      if (at.name === name) return;
    }
    assert.fail(`there is no stop ${name}`);
  };
  await stop("Open the sample");
  await own.page.keyboard.press("Enter");
  await hear(own.page, "Both files are open.");
  await own.mine.and(own.page.locator("[ready]")).waitFor();
  assert.equal(
    (await focused()).name,
    "The sample",
    "the focus is lost with the button that had it",
  );
  for (const [column, value] of Object.entries(someone)) {
    await stop(column);
    await own.page.keyboard.type(value.slice(0, 5));
  }
  await own.page.keyboard.press("Tab");
  await own.page.keyboard.press("Enter");
  await own.mine.locator("[part=sentence]").waitFor();
  assert.deepEqual(await own.mine.evaluate((one) => one.bound), await expected());
  own.quiet();
  await own.close();
});

test(
  "axe-core finds nothing and nothing is too wide, in each state, wide and narrow, light and dark",
  { timeout: 120_000 },
  async () => {
    const own = await openPage();
    const look = async (state) => {
      for (const width of [1280, 390]) {
        await own.page.setViewportSize({ width, height: 844 });
        await fitsWindow(own.page, `${state}, ${width}`);
        for (const colorScheme of ["light", "dark"]) {
          await own.page.emulateMedia({ colorScheme });
          await accessible(own.page, `${state}, ${width}, ${colorScheme}`, {
            contrast: colorScheme === "dark",
          });
        }
      }
    };
    const put = (...files) => own.page.setInputFiles("#published-files", files);
    await look("empty");
    await put(json(release, "release.json"));
    await own.page.getByText("not chosen yet").waitFor();
    await look("one of two");
    await put(json({ ...report, release: "0".repeat(64) }, "report.json"));
    await own.mine.getByRole("alert").waitFor();
    await put(json("{", "x.json"));
    await own.page.locator(".notice-bad").waitFor();
    await look("two errors");
    await put(json({ release, report }));
    await answered(own.mine, { ...someone, age: "130" });
    await look("answered");
    own.quiet();
    await own.close();
  },
);
