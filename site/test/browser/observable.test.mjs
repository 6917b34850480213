// The Observable page of the documentation, beside a release and its JavaScript program. Its cells
// run in their order in one module, with the few names that Framework gives to cells; Framework
// itself is not run.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { load } from "cloister";
import { test } from "../harness/limited.mjs";
import { pageOf, servePages, settled } from "../harness/pages.mjs";
import { setUp } from "../harness/set-up.mjs";

const here = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const client = await load();
after(() => client.terminate());

/** A module of the sources. */
async function sourced(path) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [here(path)],
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "silent",
  });
  const text = Buffer.from(outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${text}`);
}

const { readmitted } = await sourced("test/client/readmitted.ts");
const { code } = await sourced("src/pages/studio/result/publish/code.ts");
const release = await readmitted(client);

/** What Framework's cells use here: display, view, FileAttachment, and three inputs. */
const names = `
const display = (node) => document.querySelector("main").append(node);
const said = (text) => {
  const p = document.createElement("p");
  p.textContent = text;
  display(p);
};
const view = (input) => (display(input), input.type === "range" ? input.valueAsNumber : input.value);
const FileAttachment = (name) => ({ json: async () => (await fetch(name)).json() });
const Inputs = {
  range([min, max], { step, value }) {
    return Object.assign(document.createElement("input"), { type: "range", min, max, step, value });
  },
  select(options, { value }) {
    const select = document.createElement("select");
    select.append(...options.map((text) => new Option(text)));
    return Object.assign(select, { value });
  },
  table(rows) {
    const table = document.createElement("table");
    for (const row of rows) {
      const line = table.insertRow();
      for (const value of Object.values(row)) line.insertCell().textContent = value;
    }
    return table;
  },
};
`;

const page = readFileSync(here("docs/examples/index.md"), "utf8").replace(/^---\n[^]*?\n---\n/, "");
const [script] = /^<script src="\.\/elements\.classic\.js"><\/script>$/m.exec(page);
const parts = page.split(/^```js\n([^]*?)^```$/gm);
const module = parts
  .map((text, i) => {
    if (i % 2 === 1) return text;
    const written = text.split(/\n\s*\n/).filter((paragraph) => paragraph.includes("${"));
    return written.map((paragraph) => `said(\`${paragraph.trim()}\`);\n`).join("");
  })
  .join("");

const as = (type, html) => ({ html, headers: { "content-type": type } });
const { visit } = await setUp(
  servePages({
    "/index.html": pageOf(script, `<script type="module">${names}${module}</script>`),
    "/model.js": as("text/javascript", code(release, "javascript")),
    "/release.json": as("application/json", JSON.stringify(release)),
  }),
);

test("the page draws the release's curve, and predicts what the client does", async () => {
  assert.equal(parts.length, 2 * 5 + 1);
  const { page, quiet, close } = await visit("/index.html");
  await page.locator("table").first().waitFor();
  await settled(page);
  const epsilon = await page.locator("privacy-curve").evaluate((one) => one.epsilons[0]);
  assert.ok(epsilon > 0.99 && epsilon <= 1 + 1e-9, `${epsilon}`);

  const said = (await page.locator("main > p").allInnerTexts()).map((p) => p.replace(/\s+/g, " "));
  const { label, probability } = await client.predict(release, { age: 72, ward: "surgery" });
  assert.match(said[0], /\(ε = 1, δ = 0\.00001\)-differential privacy, adjacency add-remove\./);
  assert.equal(
    said[1],
    `The model says “${label}”, with probability ${probability.toFixed(2)} of “yes”.`,
  );

  const rows = await page
    .locator("main > table tr")
    .evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => Number(cell.textContent))));
  assert.equal(rows.length, 8);
  for (const [age, ...chances] of rows)
    for (const [i, ward] of ["medicine", "surgery"].entries()) {
      const { probability } = await client.predict(release, { age, ward });
      assert.ok(Math.abs(chances[i] - probability) < 1e-12, `${age}, ${ward}`);
    }
  quiet();
  await close();
});
