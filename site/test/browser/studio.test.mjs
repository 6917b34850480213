// The whole path through the page: how it opens, the sample, and checking what was released.

import assert from "node:assert/strict";
import { describe } from "node:test";
import { openClient } from "../harness/client.mjs";
import { open } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import { drawn, fit, json, openSection, openStudio, savedRelease } from "../harness/studio.mjs";

const { server, browser, inStudio } = await setUpStudio();
const client = await openClient();

const text = (page, selector) => page.locator(selector).innerText();

describe("opening", () => {
  test("no file can be chosen before the page is sealed and its worker started under the seal", async () => {
    const tab = await open(browser);
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await tab.page.route(/\.wasm\b/, async (route) => {
      await held;
      await route.continue();
    });
    await tab.page.goto(server.url);
    await tab.page.waitForSelector("#file");
    const state = () =>
      tab.page.evaluate(() => ({
        sealed: document.querySelector('meta[http-equiv="Content-Security-Policy"]') !== null,
        closed: [...document.querySelectorAll('input[type="file"]')].every(
          (input) => input.disabled,
        ),
      }));
    assert.deepEqual(await state(), { sealed: false, closed: true });
    release();
    await tab.page.waitForSelector("#file:not([disabled])");
    assert.deepEqual(await state(), { sealed: true, closed: false });
    assert.match(await text(tab.page, ".seal"), /Page sealed/);
    tab.quiet();
    await tab.close();
  });

  test("the seal is worded no stronger than it is", () =>
    inStudio(async (page) => {
      await page.click(".seal");
      const said = await text(page, ".seal-card");
      for (const left of [/does not close/, /another address/, /WebRTC/, /extensions/])
        assert.match(said, left);
    }));

  test("the theme follows the system, can be turned by hand, and is remembered", async () => {
    const tab = await openStudio(browser, server.url, { theme: "dark" });
    const ground = () =>
      tab.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await ground();
    await tab.page.getByRole("button", { name: "Light theme" }).click();
    assert.notEqual(await ground(), dark);
    await tab.page.reload();
    await tab.page.waitForSelector("#fit-button:not([disabled])");
    assert.notEqual(await ground(), dark);
    await tab.page.getByRole("button", { name: "Dark theme" }).click();
    assert.equal(await ground(), dark);
    tab.quiet();
    await tab.close();
  });
});

describe("the sample", () => {
  test("is fitted with one click, and the release says what the page says", () =>
    inStudio(async (page) => {
      await page.getByRole("button", { name: "Try it on made-up hospital stays" }).click();
      await page.waitForSelector(".verdict");
      assert.equal(
        await page.evaluate(() => document.activeElement.id),
        "result-title",
        "the focus goes to the result",
      );
      const release = await savedRelease(page);
      assert.equal(release.format, "cloister-release");
      assert.deepEqual(
        [release.guarantee.epsilon, release.guarantee.delta, release.guarantee.covers],
        [1, 1e-5, true],
      );
      assert.match(await text(page, ".verdict"), /ε = 1, δ = 10⁻⁵/);
      assert.match(await text(page, ".verdict"), /covers the whole release/);

      const repriced = await client.reprice(release);
      assert.ok(repriced.holds && repriced.problems.length === 0, repriced.problems.join(" "));

      // What is private is shown behind its fence, and is not in the file.
      const fence = await text(page, "[aria-labelledby=fence-title]");
      assert.match(fence, /Rows used\s+12,000/);
      assert.ok(!JSON.stringify(release).includes("12000"));
      assert.deepEqual(Object.keys(release).sort(), [
        "event",
        "format",
        "guarantee",
        "library",
        "model",
        "schema",
        "version",
      ]);

      const right = Number(/Right on your rows\s+([\d.]+)/.exec(fence)[1]);
      const constant = Number(/commonest answer\s+([\d.]+)/.exec(fence)[1]);
      assert.ok(
        right > constant + 2,
        `the model, ${right} %, does better than a constant answer, ${constant} %`,
      );

      await openSection(page, "all-coefficients");
      const names = await page.locator(".coefficients tbody th").allInnerTexts();
      const strongest = release.model.original
        .map((o, i) => [Math.abs(release.model.coefficients[i]), o.feature])
        .sort((a, b) => b[0] - a[0]);
      assert.ok(names[0].startsWith(strongest[0][1]), `${names[0]} is the strongest`);
    }));

  test("begins with what was found, then the promise and Publish on one screen", () =>
    inStudio(async (page) => {
      await page.fill("#records", ""); // without it the noise is in the problem
      assert.equal(await fit(page), "done");
      await page.locator("#proof").waitFor();
      await page.setViewportSize({ width: 1280, height: 900 });
      await drawn(page);
      const bottom = (selector) =>
        page
          .locator(selector)
          .evaluate((element) => element.getBoundingClientRect().bottom + window.scrollY);
      // The strongest eight, the promise, and the button that publishes.
      for (const selector of [".findings", "#promise", "#publish li:first-child .button"])
        assert.ok((await bottom(selector)) <= 900, `${selector}: ${await bottom(selector)}`);
      // In the order of the questions, for screen readers too.
      assert.deepEqual(
        await page.locator("#result :is(h3)").evaluateAll((all) => all.map((h) => h.id)),
        [
          "found-title",
          "try-title",
          "promise-title",
          "publish-title",
          "fence-title",
          "attack-title",
          "losses-title",
          "evaluation-title",
          "report-title",
          "proof-title",
          "all-coefficients-title",
        ],
      );
    }));

  for (const name of ["stays", "loans", "species", "wages"])
    test(`a model of ${name} is at most two windows tall, all of the page`, async () => {
      const tab = await openStudio(browser, `${server.url}?sample=${name}`);
      const { page } = tab;
      assert.equal(await fit(page), "done");
      await page.locator("#proof").waitFor();
      await page.setViewportSize({ width: 1280, height: 900 });
      await drawn(page);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(height <= 1800, `${height} px`);
      tab.quiet();
      await tab.close();
    });

  test("says of each difference whether it is more than noise, as the core derives it from the release", () =>
    inStudio(async (page) => {
      assert.equal(await fit(page), "done");
      const release = await savedRelease(page);
      const { vectors } = await client.differences(release);
      const { differences } = vectors[0];
      await page.click("#findings-all");
      await page.waitForFunction(
        (n) => document.querySelectorAll(".findings tbody tr").length === n,
        differences.length,
      );
      const rows = await page.locator(".findings tbody tr").evaluateAll((all) =>
        all.map((tr) => ({
          name: tr.querySelector("th").textContent.replace(/\s+/g, " ").trim(),
          noise: /could be noise/.test(tr.textContent),
        })),
      );
      for (const d of differences) {
        const row = rows.find(
          ({ name }) =>
            name.startsWith(d.feature) &&
            (d.category === undefined || name.endsWith(`${d.category}, not ${d.reference}`)),
        );
        assert.equal(row?.noise, !d.shown, `${d.feature} ${d.category ?? ""}`);
      }
      const shown = differences.filter((d) => d.shown).length;
      assert.match(
        await text(page, ".findings-lead"),
        shown === 0 ? /^None of these/ : new RegExp(`^${shown} of ${differences.length} `),
      );
    }));

  test("the numbers of the drawn curves are the accountant's", () =>
    inStudio(async (page) => {
      await page.fill("#records", ""); // without it the noise is in the problem
      assert.equal(await fit(page), "done");
      const release = await savedRelease(page);
      await openSection(page, "proof");
      const drawnCurves = await page.evaluate(() => {
        const { series } = document.querySelector("curve-chart");
        return series.map(({ id, label, epsilon, logDelta, reaches }) => ({
          id,
          label,
          epsilon: [...epsilon],
          logDelta: [...logDelta],
          reaches,
        }));
      });
      assert.deepEqual(
        drawnCurves.map((s) => s.id),
        ["spent", "profile", "rdp", "kifer", "gaussian-lower"],
      );
      const { event, guarantee } = release;
      for (const s of drawnCurves) {
        const name = s.id === "spent" ? guarantee.bound : s.id;
        const exact = await client.curve({ event, name, curve: s.epsilon });
        s.logDelta.forEach((v, i) =>
          assert.ok(
            v === exact.logDelta[i] || Math.abs(v - exact.logDelta[i]) <= 1e-9 * Math.abs(v),
            `${s.id} at ${s.epsilon[i]}: ${v}, ${exact.logDelta[i]}`,
          ),
        );
      }
      // And the table shows them: the read-out stands on the promise as it opens.
      const at = drawnCurves[0].epsilon.indexOf(1);
      assert.ok(at > 0);
      assert.ok(drawnCurves[0].logDelta[at] <= Math.log(1e-5) + 1e-9, "the promise is kept");
      const legend = await page.locator("curve-chart .legend tbody tr").allInnerTexts();
      assert.equal(legend.length, 5);
      assert.match(legend[0], /What this model spent/);
      await page.locator("curve-chart summary").click();
      const rows = await page.locator("curve-chart .scroll tbody tr").count();
      assert.ok(rows >= 20 && rows <= 60, `${rows} rows`);
    }));

  test("a row typed and the same row pasted are predicted alike, and as the release says", () =>
    inStudio(async (page) => {
      assert.equal(await fit(page), "done");
      const release = await savedRelease(page);
      const row = {
        age: "81",
        sex: "female",
        smoking: "former",
        systolic: "150",
        bmi: "31",
        creatinine: "140",
        stays_last_year: "3",
        ward: "geriatrics",
        discharged_to: "nursing home",
      };
      const features = release.schema.features;
      for (const [i, f] of features.entries()) {
        if (f.type === "numeric") await page.fill(`#predict-${i}`, row[f.name]);
        else await page.selectOption(`#predict-${i}`, row[f.name]);
      }
      await page.getByRole("button", { name: "Predict", exact: true }).first().click();
      const typed = await text(page, ".answer-number");
      await page.getByText("Paste a row instead").click();
      await page.fill(
        "#predict-pasted",
        `${features.map((f) => f.name).join(",")}\n${features.map((f) => row[f.name]).join(",")}`,
      );
      await page.getByRole("button", { name: "Predict", exact: true }).last().click();
      await page.waitForFunction(
        () =>
          document.querySelectorAll(".answer-number").length === 1 &&
          document.querySelector("form:nth-of-type(1) .answer-number") !== null,
      );
      assert.equal(await text(page, ".answer-number"), typed);
      const { probability } = await client.predict(release, row);
      assert.ok(
        Math.abs(Number.parseFloat(typed) - 100 * probability) < 0.1,
        `${typed}, ${probability}`,
      );
      await page.fill("#predict-pasted", "81,female");
      await page.getByRole("button", { name: "Predict", exact: true }).last().click();
      await page.locator("#result form [role=alert]").waitFor();
      assert.match(
        await text(page, "#result form [role=alert]"),
        /This row cannot be used[^]*Paste the 9 values/,
      );
    }));

  test("changing a setting afterwards says that the result is of other settings; changing it back takes that back", () =>
    inStudio(async (page) => {
      assert.equal(await fit(page), "done");
      const stale = page.getByText("Settings above were changed");
      assert.equal(await stale.count(), 0);
      await page.fill("#epsilon", "2");
      await stale.waitFor();
      await page.fill("#epsilon", "1");
      await stale.waitFor({ state: "detached" });
    }));
});

describe("keys", () => {
  test("the slider and the curve are moved by arrows, and say where they stand", () =>
    inStudio(async (page) => {
      await page.focus(".slider input");
      await page.keyboard.press("ArrowRight");
      await drawn(page);
      assert.ok(Number(await page.inputValue("#epsilon")) > 1);
      await page.fill("#epsilon", "2");
      assert.equal(await fit(page), "done");
      await openSection(page, "proof");
      const cursor = page.locator("curve-chart .cursor input");
      const said = () => cursor.getAttribute("aria-valuetext");
      const first = await said();
      assert.match(first, /^ε 2: What this model spent, δ/);
      await cursor.focus();
      await page.keyboard.press("ArrowRight");
      await drawn(page);
      assert.notEqual(await said(), first);
      assert.doesNotMatch(await said(), /^ε 2:/);
    }));

  test("a refused fit leads to the field that is meant", () =>
    inStudio(async (page) => {
      await page.fill("#delta", "2");
      await page.focus("#fit-button");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#fit-problem");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.activeElement.id === "delta");
    }));
});

describe("checking a release", () => {
  test("one that tells the truth, one that claims too much, one that is none", () =>
    inStudio(async (page) => {
      assert.equal(await fit(page), "done");
      const release = await savedRelease(page);
      const check = async (file) => {
        await page.setInputFiles("#release-file", file);
        await page.locator("#check .notice").waitFor();
        await drawn(page);
        return text(page, "#check .notice");
      };
      assert.match(
        await check(json(release, "release.json")),
        /The guarantee holds[^]*release\.json claims ε = 1 at δ = 10⁻⁵/,
      );
      release.guarantee.epsilon = 0.5;
      await page.setInputFiles("#release-file", json(release, "edited.json"));
      await page.getByRole("heading", { name: "does not hold as written" }).waitFor();
      assert.match(await text(page, "#check .notice"), /edited\.json claims ε = 0\.5/);
      await page.setInputFiles("#release-file", json({ hello: 1 }, "other.json"));
      await page.locator("#check [role=alert]").waitFor();
      assert.match(await text(page, "#check [role=alert]"), /not a release/);
    }));
});
