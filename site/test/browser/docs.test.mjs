// The documentation in a browser: every page in both themes, narrow, without scripts; every piece
// of HTML that it shows, as a page of its own.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, describe } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "cloister";
import { fences } from "../../docs/build/markdown.mjs";
import { accessible } from "../harness/axe.mjs";
import { open } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { pageOf, servePages, settled } from "../harness/pages.mjs";
import { setUp } from "../harness/set-up.mjs";
import { schemaOf } from "../harness/studio.mjs";

const docs = fileURLToPath(new URL("../../dist/docs/", import.meta.url));
const names = readdirSync(docs).filter((name) => name.endsWith(".html"));
const sources = fileURLToPath(new URL("../../docs/", import.meta.url));
const live =
  "privacy-curve, attack-view, noise-chooser, privacy-budget, private-fit-demo, private-scorecard-demo, worst-data";

const { server, browser } = await setUp();

/** A release, and the report that costs nothing, as somebody publishes them. */
async function published() {
  const client = await load();
  try {
    const dataset = await client.openDataset("age,ill\n20,no\n50,yes\n80,yes\n", schemaOf());
    const { release, text } = await client.fit(dataset, {
      adjacency: "add-remove",
      epsilon: 1,
      delta: 1e-5,
    });
    const report = await client.report(dataset, release, { kind: "data-independent" });
    return { "/release.json": text, "/report.json": report.text };
  } finally {
    client.terminate();
  }
}

// no rule is about MathML, and there is much of it
const within = { exclude: ["math"] };

/**
 * In a page: its formulas keep their words and lose their parts. axe-core looks at none of them,
 * but takes all of them in, and a page can have six thousand.
 */
function flatFormulas() {
  for (const formula of document.querySelectorAll("math"))
    formula.replaceChildren(formula.textContent);
}

describe("a page of the documentation", () => {
  // One tab for all: what the first page took in and compiled, the others find.
  let tab;
  before(async () => void (tab = await open(browser, { height: 1200 })));
  after(() => tab.close());

  for (const name of names) {
    test(`${name}: comes alive, is accessible in both themes, and fits 320 pixels`, async () => {
      const { page, problems, quiet } = tab;
      problems.length = 0;
      await page.setViewportSize({ width: 320, height: 800 });
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(`${server.url}docs/${name}`);
      await settled(page, live);
      const failures = await page
        .locator(live)
        .evaluateAll((all) => all.map((one) => one.failure).filter(Boolean));
      assert.deepEqual(failures, []);
      assert.ok(
        (await page.evaluate(() => document.documentElement.scrollWidth)) <= 320,
        `${name} scrolls sideways`,
      );
      await page.setViewportSize({ width: 1280, height: 1200 });
      await page.evaluate(flatFormulas);
      await settled(page, live);
      await accessible(page, name, { within });
      await page.emulateMedia({ colorScheme: "dark" });
      // what a theme can spoil
      await accessible(page, `${name}, dark`, {
        within,
        rules: ["color-contrast", "link-in-text-block"],
      });
      quiet();
    });
  }

  test("can be read without scripts, its formulas and pictures included", async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    });
    const page = await context.newPage();
    await page.goto(`${server.url}docs/bound.html`);
    const formula = await page.locator("#theorem-3 .formula math").first().boundingBox();
    assert.ok(formula.height > 20 && formula.width > 200, JSON.stringify(formula));
    const picture = await page.locator("privacy-curve > svg").first().boundingBox();
    assert.ok(
      picture.width > 250 && picture.width <= 390 && picture.height > 120,
      JSON.stringify(picture),
    );
    assert.equal(await page.locator("nav.contents").isVisible(), false);
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("link", { name: "What ε means" }).click();
    assert.match(page.url(), /docs\/epsilon\.html$/);
    await page.goto(`${server.url}docs/threat-model.html`);
    assert.ok(await page.locator("privacy-budget > p").isVisible());
    await context.close();
  });

  test("the contents of a narrow page make room for the part that was chosen", async () => {
    const { page, quiet, close } = await open(browser, { width: 390, height: 844 });
    await page.goto(`${server.url}docs/data.html`);
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("link", { name: "Categories", exact: true }).click();
    assert.equal(await page.locator("nav.contents").isVisible(), false);
    assert.match(page.url(), /#categories$/);
    await page.getByRole("heading", { name: "Categories" }).waitFor();
    quiet();
    await close();
  });

  test("remembers the theme that was chosen in the studio, and the other way round", async () => {
    const { page, quiet, close } = await open(browser);
    await page.goto(`${server.url}docs/go.html`);
    await page.getByRole("button", { name: "Dark theme" }).click();
    await page.goto(`${server.url}verify.html`);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.getByRole("link", { name: "Documentation" }).click();
    await page.getByRole("button", { name: "Light theme" }).waitFor();
    quiet();
    await close();
  });
});

describe("a piece of HTML in the documentation works as a page of its own", () => {
  const files = [
    "../src/elements/README.md",
    ...readdirSync(sources).filter((name) => name.endsWith(".md")),
  ];
  const pieces = files.flatMap((file) =>
    fences(readFileSync(sources + file, "utf8"))
      .filter(({ language, words }) => language === "html" && words.length === 0)
      .map((piece) => ({ file, ...piece })),
  );
  // One tab for all, as above.
  let tab;
  before(async () => void (tab = await open(browser)));
  after(() => tab.close());
  const module = (body) =>
    `<script type="module" src="${/<private-(?:fit|scorecard)-demo/.test(body) ? "fit-demo.js" : "elements.js"}"></script>`;

  for (const { file, line, content } of pieces) {
    test(`${file}:${line}`, async (t) => {
      // A hash in a sample stands for the build's; what shows elements alone is taken in by the
      // line that stands before it on the page.
      const body = content.replace("sha384-…", "sha384-FILE");
      const scripted = /<script [^>]*src="/.test(body) ? body : `${module(body)}${body}`;
      const shown = new RegExp(`<(?:${live.replaceAll(", ", "|")}|my-privacy)`).test(scripted)
        ? scripted
        : `${scripted}<privacy-curve mechanism="gaussian" adjacency="add-remove" sensitivity="1" sigma="2"></privacy-curve>`;
      const policy = /<meta [^>]*>/.exec(shown)?.[0] ?? "";
      const documents = shown.includes("<my-privacy") ? await published() : {};
      const pages = await servePages({
        "/piece.html": pageOf(shown.replace(policy, ""), policy),
        ...documents,
      });
      t.after(pages.close);
      const { page, problems, quiet } = tab;
      problems.length = 0;
      await page.goto(`${pages.url}/piece.html`);
      await page.waitForFunction(
        (name) => customElements.get(name),
        /<(my-privacy|private-fit-demo|private-scorecard-demo)/.exec(shown)?.[1] ?? "privacy-curve",
      );
      await settled(page, live);
      assert.deepEqual(
        await page
          .locator(live)
          .evaluateAll((all) => all.map((one) => one.failure).filter(Boolean)),
        [],
      );
      if (documents["/report.json"]) await page.locator("my-privacy form").waitFor();
      assert.equal(
        shown.includes('src="elements.classic.js"'),
        pages.asked.includes("/elements.classic.js"),
      );
      quiet();
    });
  }

  test("and so does what a page that takes files does first", async (t) => {
    const [{ content }] = fences(readFileSync(`${sources}api.md`, "utf8")).filter(
      ({ language, words }) => language === "js" && words[0] === "browser",
    );
    const pages = await servePages({
      "/page.html": pageOf(
        `<label>File <input type="file" disabled></label><script type="importmap">{"imports": {"cloister": "./client.js"}}</script><script type="module">${content}</script>`,
      ),
    });
    t.after(pages.close);
    const { page, close } = await open(browser);
    await page.goto(`${pages.url}/page.html`);
    await page.locator("input:enabled").waitFor();
    assert.equal(
      await page.evaluate(() =>
        fetch("/client.js").then(
          () => "open",
          () => "closed",
        ),
      ),
      "closed",
    );
    await close();
  });
});
