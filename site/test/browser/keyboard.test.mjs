// The whole fit by keyboard alone: from opening the page to a prediction and a saved release, with no pointer at all. At every stop of the way the focus
// can be seen and what has it has a name.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { serve } from "../../../scripts/serve.mjs";
import { launch } from "../harness/browser.mjs";
import { table } from "../harness/states.mjs";
import { drawn, openStudio } from "../harness/studio.mjs";

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** What has the focus: its id, name and role, and whether it can be seen to have it. */
function focused(page) {
  return page.evaluate(() => {
    let e = document.activeElement;
    while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
    if (!e || e === document.body) return { id: "", tag: "body", name: "", visible: true };
    const label = (x) => x?.textContent?.replace(/\s+/g, " ").trim() ?? "";
    const name =
      e.getAttribute("aria-label") ||
      label(e.getAttribute("aria-labelledby") && document.getElementById(e.getAttribute("aria-labelledby"))) ||
      [...(e.labels ?? [])].map(label).join(" ") ||
      label(e);
    // An element that is hidden itself shows its focus on its label.
    const shows = (x) => {
      const style = x && getComputedStyle(x);
      return Boolean(style) && ((style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none");
    };
    return { id: e.id, tag: e.tagName.toLowerCase(), name, visible: [e, ...(e.labels ?? []), e.closest("label"), e.parentElement].some(shows) };
  });
}

/** Presses Tab until what has the focus is wanted; every stop on the way must be named and visible. */
async function tabTo(page, what, wanted, { key = "Tab", most = 250 } = {}) {
  const way = [];
  for (let i = 0; i < most; i++) {
    await page.keyboard.press(key);
    const at = await focused(page);
    if (at.tag !== "body") {
      assert.notEqual(at.name, "", `something without a name has the focus on the way to ${what}: ${JSON.stringify(at)}`);
      assert.ok(at.visible, `the focus cannot be seen on ${JSON.stringify(at)}, on the way to ${what}`);
    }
    way.push(at.id || at.name.slice(0, 30));
    if (wanted(at)) return at;
  }
  assert.fail(`${what} cannot be reached by ${key}; the way went through ${way.join(" → ")}`);
}

test("a fit on one's own file, from opening to release, by keyboard alone", { timeout: 180_000 }, async () => {
  const { page, quiet, close } = await openStudio(browser, server.url);
  // A chooser is caught only if somebody listened well before it was opened.
  page.on("filechooser", () => {});
  const named = (text) => (at) => at.name.includes(text);

  // The first stop skips the header.
  const first = await tabTo(page, "the skip link", () => true);
  assert.match(first.name, /skip/i);
  await page.keyboard.press("Enter");

  await tabTo(page, "the file", (at) => at.id === "file");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Enter")]);
  await chooser.setFiles(table);
  await page.waitForFunction(() => document.querySelectorAll(".column").length === 3);

  await tabTo(page, "a column's form", named("Review age"));
  await page.keyboard.press("Enter");
  await tabTo(page, "its lowest value", (at) => at.id.endsWith("-min"));
  await page.keyboard.press("Control+A");
  await page.keyboard.type("0");
  await tabTo(page, "its highest value", (at) => at.id.endsWith("-max"));
  await page.keyboard.press("Control+A");
  await page.keyboard.type("120");
  await tabTo(page, "public knowledge", (at) => at.id.endsWith("-known"));
  await page.keyboard.press("Space");
  await tabTo(page, "the confirmation of all others", named("each is public knowledge"));
  await page.keyboard.press("Enter");

  await tabTo(page, "the total for these people", (at) => at.id === "account-epsilon");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await page.getByText("ε = 5 is left of 5").waitFor();

  await tabTo(page, "ε", (at) => at.id === "epsilon");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("2");
  await drawn(page);
  await tabTo(page, "the slider", (at) => at.name.includes("ε on a scale"));
  await page.keyboard.press("ArrowRight");
  await drawn(page);
  const epsilon = Number(await page.inputValue("#epsilon"));
  assert.ok(epsilon > 2, `the slider moved ε to ${epsilon}`);

  await tabTo(page, "the fit", (at) => at.id === "fit-button");
  await page.keyboard.press("Enter");
  // The result takes the focus, so that its beginning is read out.
  await page.waitForFunction(() => document.activeElement?.id === "result-title", undefined, { timeout: 60_000 });

  await tabTo(page, "saving", named("Save the release"));
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const release = JSON.parse(Buffer.concat(chunks).toString());
  assert.equal(release.guarantee.epsilon, epsilon);
  assert.equal(release.guarantee.covers, true);
  const age = release.schema.features.find((f) => f.name === "age");
  assert.deepEqual([age.min, age.max], [0, 120]);

  await tabTo(page, "a value to predict from", (at) => at.id === "predict-0");
  await page.keyboard.type("80");
  await tabTo(page, "the next value", (at) => at.id === "predict-1");
  await page.keyboard.type("2.5");
  await tabTo(page, "a category", (at) => at.id === "predict-2");
  await page.keyboard.type("B");
  await tabTo(page, "the prediction", named("Predict"));
  await page.keyboard.press("Enter");
  await page.waitForSelector(".answer-number");

  // And back out: nothing holds the focus.
  await tabTo(page, "the way back to the fit", (at) => at.id === "fit-button", { key: "Shift+Tab" });
  quiet();
  await close();
});
