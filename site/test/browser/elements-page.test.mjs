// What every element must bear on pages of others: a policy that blocks WebAssembly, no scripts,
// paper, a narrow window, and another version of the script.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe } from "node:test";
import { fileURLToPath } from "node:url";
import { pictures, sourcesIn } from "../../dist/prerender.node.mjs";
import { prerender } from "../../../scripts/prerender.mjs";
import { open } from "../harness/browser.mjs";
import { elements, gaussian } from "../harness/elements.mjs";
import { test } from "../harness/limited.mjs";
import { pageOf, servePages, settled } from "../harness/pages.mjs";
import { setUp } from "../harness/set-up.mjs";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const names = Object.keys(elements);
/** What is read in each picture. */
const says = {
  "privacy-curve": /ε\s=\s2\b/,
  "attack-view": /right at most 59\.9\s% of the time/,
  "noise-chooser": /b\s=\s2(\.\d+)? or more gives ε\s=\s0\.5/,
  "privacy-budget": /of 2 is spent/,
  "private-fit-demo": /200 made-up records/,
  "private-scorecard-demo": /200 made-up patients/,
};
const modules =
  '<script type="module" src="elements.js" integrity="sha384-FILE"></script><script type="module" src="fit-demo.js" integrity="sha384-FILE"></script>';
const all = Object.values(elements).join("\n");

/** A script as a build of another version makes it. */
function ofVersion(version, name) {
  const { version: own } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const text = readFileSync(dist + name, "utf8");
  const other = text.replaceAll(`"${own}"`, `"${version}"`);
  assert.notEqual(other, text, `${name} says its version`);
  return { html: other, headers: { "content-type": "text/javascript" } };
}

const script = (folder, name) => `<script type="module" src="${folder}${name}"></script>`;

const sources = sourcesIn(dist);
after(() => sources.end());
const drawn = await prerender(pageOf(all, modules), (name, get, json) =>
  pictures[name](get, json, sources),
);
const { server, browser } = await setUp(
  servePages({
    "/all.html": pageOf(all, modules),
    "/drawn.html": drawn,
    "/blocked.html": { html: drawn, headers: { "content-security-policy": "script-src 'self'" } },
    "/old/elements.js": ofVersion("0.0.1", "elements.js"),
    "/old/fit-demo.js": ofVersion("0.0.1", "fit-demo.js"),
    "/versions.html": pageOf(
      all,
      `${script("old/", "elements.js")}${script("", "elements.js")}${script("", "fit-demo.js")}${script("old/", "fit-demo.js")}`,
    ),
    "/own-name.html": pageOf(
      `<privacy-curve ${gaussian}></privacy-curve><curve-of-old ${gaussian}></curve-of-old>`,
      `${script("", "elements.js")}<script type="module">import { PrivacyCurve } from "./old/elements.js"; customElements.define("curve-of-old", class extends PrivacyCurve {});</script>`,
    ),
  }),
);

async function visit(path, options) {
  const opened = await open(browser, options);
  opened.page.setDefaultTimeout(15_000);
  await opened.page.goto(server.url + path);
  return opened;
}

async function shown(path, options) {
  const opened = await visit(path, options);
  for (const name of names) {
    await opened.page.waitForFunction((name) => customElements.get(name), name);
    await settled(opened.page, name);
  }
  return opened;
}

describe("the picture inside", () => {
  test("is drawn anew the same, and says what the element says", async () => {
    const { page, close } = await shown("/all.html");
    for (const name of names) {
      const [, attributes, inside] = /^<[\w-]+ ([^>]*)>([\s\S]*)<\//.exec(elements[name]);
      const element = `<${name} ${attributes}>${inside}</${name}>`;
      const once = await prerender(element, (...given) =>
        pictures[given[0]](given[1], given[2], sources),
      );
      assert.equal(
        await prerender(once, (...given) => pictures[given[0]](given[1], given[2], sources)),
        once,
      );
      const [, label] = /aria-label="([^"]*)"/.exec(once);
      assert.match(label, says[name]);
      // A curve's neighbours stand in the element beside its theorem.
      const sentence = await page.locator(name).evaluate(({ shadowRoot }) => {
        const beside = shadowRoot.querySelector(".theorem")?.textContent ?? "";
        const says = shadowRoot.querySelector(".says").textContent;
        return `${says} ${/This compares.*/.exec(beside)?.[0] ?? ""}`;
      });
      assert.equal(sentence.replace(/\s+/g, " ").trim(), label.replace(/\s+/g, " ").trim(), name);
    }
    await close();
  });

  test("is what readers see who run no scripts", async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 320, height: 800 },
    });
    const page = await context.newPage();
    await page.goto(`${server.url}/drawn.html`);
    for (const name of names) {
      const box = await page.locator(`${name} > svg`).boundingBox();
      assert.ok(
        box.width > 250 && box.width <= 320 && box.height > 30,
        `${name}: ${JSON.stringify(box)}`,
      );
    }
    await context.close();
  });

  test("stays where WebAssembly is blocked, and each element says why", async () => {
    const { page, close } = await visit("/blocked.html");
    for (const name of names) {
      await page.locator(name).scrollIntoViewIfNeeded();
      const note = page.locator(name).getByRole("alert");
      await note.waitFor();
      assert.match(
        await note.textContent(),
        /content security policy does not let WebAssembly run.*'wasm-unsafe-eval'/,
        name,
      );
      assert.ok((await page.locator(`${name} > svg`).boundingBox()).height > 30, name);
    }
    await close();
  });
});

test("on paper there are no controls, and nothing is cut off", async () => {
  const { page, close } = await shown("/all.html", { width: 700 });
  await page.emulateMedia({ media: "print" });
  for (const name of names) {
    const { controls, drawn, outside } = await page.locator(name).evaluate((one) => {
      const rendered = (selector) =>
        [...one.shadowRoot.querySelectorAll(selector)].filter(
          (part) => part.getClientRects().length > 0,
        );
      return {
        controls: rendered("button, summary, input[type=range]").length,
        drawn: rendered("svg.drawing, .row").length,
        outside: rendered("*").filter(
          (part) => part.getBoundingClientRect().right > innerWidth + 1 && !part.closest("svg"),
        ).length,
      };
    });
    assert.equal(controls, 0, name);
    assert.ok(drawn > 0, name);
    assert.equal(outside, 0, name);
  }
  await close();
});

test("at 320 pixels nothing sticks out of any of them", async () => {
  const { page, quiet, close } = await shown("/all.html", { width: 320, height: 800 });
  for (const summary of await page.locator("summary").all()) await summary.click();
  for (const name of names) {
    assert.equal(
      await page
        .locator(name)
        .evaluate(
          (one) =>
            [...one.shadowRoot.querySelectorAll("*")].filter(
              (part) =>
                !part.closest("svg, .scroll") &&
                part.getClientRects().length > 0 &&
                part.getBoundingClientRect().right > innerWidth + 1,
            ).length,
        ),
      0,
      name,
    );
  }
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  quiet();
  await close();
});

describe("two versions on a page", () => {
  test("do not collide: the first to come defines the elements, and each binary runs once", async () => {
    const { page, quiet, close } = await shown("/versions.html");
    const version = (name) => page.evaluate((name) => customElements.get(name).version, name);
    const own =
      (await page.evaluate(() => import("./fit-demo.js"))) && (await version("private-fit-demo"));
    assert.equal(await version("privacy-curve"), "0.0.1");
    assert.equal(await version("privacy-budget"), "0.0.1");
    assert.notEqual(own, "0.0.1");
    assert.equal(page.workers().length, 2);
    quiet();
    await close();
  });

  test("run beside each other under different names, each with an accountant of its own", async () => {
    const { page, quiet, close } = await visit("/own-name.html");
    await page.waitForFunction(
      () => customElements.get("curve-of-old") && customElements.get("privacy-curve"),
    );
    await settled(page, "privacy-curve");
    await settled(page, "curve-of-old");
    const epsilons = await page.evaluate(() =>
      ["privacy-curve", "curve-of-old"].map((name) => document.querySelector(name).epsilons[0]),
    );
    for (const epsilon of epsilons) assert.ok(Math.abs(epsilon - 1.9930914044) < 1e-6);
    assert.equal(await page.evaluate(() => customElements.get("curve-of-old").version), "0.0.1");
    assert.equal(page.workers().length, 2);
    quiet();
    await close();
  });
});
