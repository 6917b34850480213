// The pages by keyboard alone, as ../walkthrough.md goes through them: no pointer at all, and every
// control by the role and name that a screen reader has of it.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { load } from "../../dist/client.node.mjs";
import { csv, schema } from "../client/sample.mjs";
import { adult, withoutAdult } from "../harness/shared-data.mjs";
import { open } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { assistive, hear, listen } from "../harness/listener.mjs";
import { setUp } from "../harness/set-up.mjs";
import { broken, table } from "../harness/states.mjs";
import { drawn } from "../harness/studio.mjs";
import { chapters, is } from "../harness/walkthrough.mjs";

const { server, browser } = await setUp();
const folder = mkdtempSync(join(tmpdir(), "cloister-walk-"));
after(() => rmSync(folder, { recursive: true }));
const client = await load();
const { release, text } = await client.fit(await client.openDataset(csv(900), schema), {
  adjacency: "add-remove",
  epsilon: 1,
  delta: 1e-5,
});
client.terminate();
release.guarantee.epsilon = 0.5;
for (const [name, content] of [
  ["stays.csv", table.buffer],
  ["others.csv", csv(700)],
  ["broken.csv", broken.buffer],
  ["release.json", text],
  ["edited-release.json", JSON.stringify(release)],
])
  writeFileSync(join(folder, name), content);

/**
 * Presses a key until the control has the focus; every stop on the way must be named and visible.
 */
async function go(page, focused, { way, control, line }, most = 250) {
  const stops = [];
  for (let i = 0; i < most; i++) {
    await page.keyboard.press(way);
    const at = await focused();
    if (at.body) continue;
    assert.notEqual(
      at.name,
      "",
      `something without a name has the focus (${at.role}), on the way: ${line}`,
    );
    assert.ok(
      at.visible,
      `the focus cannot be seen on ${at.role} “${at.name}”, on the way: ${line}`,
    );
    if (is(control, at)) return;
    stops.push(`${at.role} “${at.name.slice(0, 40)}”`);
  }
  assert.fail(`${line} There is no such stop, but: ${[...new Set(stops)].join(", ")}`);
}

const acts = {
  key: (page, key) => page.keyboard.press(key),
  typed: (page, text) => page.keyboard.type(text),
  replaced: async (page, text) => {
    await page.keyboard.press("Control+A");
    await page.keyboard.type(text);
  },
  chosen: async (page, name) => {
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.keyboard.press("Enter"),
    ]);
    await chooser.setFiles(name === "adult.train.csv" ? adult[0] : join(folder, name));
  },
  saved: async (page, name) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.keyboard.press("Enter"),
    ]);
    assert.equal(download.suggestedFilename(), name);
    const text = readFileSync(await download.path(), "utf8");
    assert.ok(text.length > 100, `${name} holds next to nothing`);
    // What is saved can be chosen later; what is there already stays.
    if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), text);
    if (name === "release.json") assert.equal(JSON.parse(text).guarantee.covers, true);
    if (name === "privacy-report.json") assert.equal(JSON.parse(text).format, "cloister-report");
  },
};

/** What must be so after a step, without a key being pressed. */
async function then(page, focused, { what, text, control }) {
  if (what === "Hear") return hear(page, text);
  const seen = () =>
    page.waitForFunction(
      (wanted) => document.body.innerText.replace(/\s+/g, " ").includes(wanted),
      text,
    );
  // A link leaves the page, maybe while it is being looked at.
  if (what === "See")
    return seen()
      .catch(() => page.waitForLoadState().then(seen))
      .catch(() => assert.fail(`“${text}” is not to be seen`));
  let at;
  for (let i = 0; i < 100; i++) {
    at = await focused();
    if (is(control, at)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`The focus is on ${at.role} “${at.name}”, not on ${control.role} “${control.name}”.`);
}

for (const { title, page: path, needs, steps } of chapters(
  readFileSync(new URL("../walkthrough.md", import.meta.url), "utf8"),
)) {
  const skip =
    needs === undefined
      ? false
      : needs === "adult.train.csv"
        ? withoutAdult
        : `${needs} is not known`;
  test(title, { timeout: 180_000, skip }, async () => {
    const { page, quiet, close } = await open(browser);
    // A chooser is caught only if somebody listened well before it was opened.
    page.on("filechooser", () => {});
    page.on("dialog", (dialog) => dialog.accept());
    await listen(page);
    await page.goto(server.url + path);
    const focused = await assistive(page);
    for (const step of steps) {
      try {
        if (step.way) await go(page, focused, step);
        if (step.act) await acts[step.act.kind](page, step.act.what);
        await drawn(page).catch(() => page.waitForLoadState()); // a link leaves the page
        for (const outcome of step.then) await then(page, focused, outcome);
      } catch (error) {
        error.message = `${step.line}\n${error.message}`;
        throw error;
      }
    }
    quiet();
    await close();
  });
}

test("a line that is no step, or a control without a name, is not read over", () => {
  const chapter = (line) =>
    `# Any\n\nProse.\n\n## One\n\nOpen \`index.html\`.\n\n1. Tab to the button **Fit**: press Enter.\n${line}\n`;
  assert.equal(chapters(chapter("   - Hear: Done."))[0].steps[1].then[0].text, "Done.");
  for (const line of [
    "2. Click on the button **Fit**.",
    "   - Feel: warm",
    "2. Tab to the button **Fit**: press Escape hatch.",
    "Prose.",
    "   - Focus: somewhere",
  ])
    assert.throws(() => chapters(chapter(line)), /no step|no control/, line);
  assert.throws(
    () => chapters("## One\n\n1. Tab to the button **Fit**: press Enter.\n"),
    /opens no page/,
  );
});
