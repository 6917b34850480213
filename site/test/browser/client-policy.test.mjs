// A page whose content security policy has no worker-src is told which directive is missing.

import assert from "node:assert/strict";
import { mkdtempSync, copyFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { serve } from "../../../scripts/serve.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "cloister-policy-"));
after(() => rmSync(root, { recursive: true, force: true }));
for (const name of ["client.js", "curves.wasm"]) copyFileSync(join(dist, name), join(root, name));
writeFileSync(
  join(root, "main.js"),
  `import { loadAccountant } from "./client.js";
  loadAccountant().then((client) => client.start()).then(
    () => { window.answer = "started"; },
    (error) => { window.answer = error.code + ": " + error.message; },
  );`,
);
const script = "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const policies = {
  "with.html": `${script}; worker-src blob:`,
  "without.html": script,
};
for (const [name, policy] of Object.entries(policies))
  writeFileSync(
    join(root, name),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Policy</title>
    <meta http-equiv="Content-Security-Policy" content="${policy}"></head>
    <body><script type="module" src="main.js"></script></body></html>`,
  );

const { visit } = await setUp(serve({ root }));

const answer = async (path) => {
  const { page, close } = await visit(path);
  await page.waitForFunction(() => window.answer !== undefined);
  const said = await page.evaluate(() => window.answer);
  await close();
  return said;
};

test("a policy without worker-src is named in the error, with what to add", async () => {
  assert.match(
    await answer("without.html"),
    /^load: .*content security policy \(worker-src\).*Add "worker-src blob:" to the policy/,
  );
});

test("with it the worker starts", async () => {
  assert.equal(await answer("with.html"), "started");
});
