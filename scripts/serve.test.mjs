import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { serve } from "./serve.mjs";

/** A request whose path is sent as it is (fetch would tidy the dots away). */
function get(url, path, { method = "GET", headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path, method, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text) => (body += text));
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body }),
      );
    })
      .on("error", reject)
      .end();
  });
}

test("the server", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "serve-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const root = join(folder, "root");
  mkdirSync(join(root, "docs"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(root, "index.html"), "<p>home");
  writeFileSync(join(root, "docs/index.html"), "<p>docs");
  writeFileSync(join(root, "a.wasm"), "\0asm");
  writeFileSync(join(root, "a b.js"), "1");
  symlinkSync(join(folder, "secret.txt"), join(root, "link.txt"));
  const { url, close } = await serve({ root });
  t.after(close);

  await t.test("answers with the right types", async () => {
    assert.equal((await get(url, "/")).body, "<p>home");
    assert.equal((await get(url, "/docs/")).body, "<p>docs");
    assert.equal(
      (await get(url, "/a%20b.js?v=1")).headers["content-type"],
      "text/javascript; charset=utf-8",
    );
    assert.equal((await get(url, "/a.wasm")).headers["content-type"], "application/wasm");
    assert.equal((await get(url, "/", { method: "HEAD" })).body, "");
  });

  await t.test("spares an unchanged file a second journey", async () => {
    const { headers } = await get(url, "/a.wasm");
    assert.equal(
      (await get(url, "/a.wasm", { headers: { "if-none-match": headers.etag } })).status,
      304,
    );
  });

  await t.test("never leaves its folder", async () => {
    for (const path of [
      "/../secret.txt",
      "/%2e%2e/secret.txt",
      "/..%2fsecret.txt",
      "/..%5csecret.txt",
      "/docs/../../secret.txt",
      "/link.txt",
      "//etc/passwd",
      "/%00",
      "/%zz",
    ]) {
      const { status, body } = await get(url, path);
      assert.equal(status, 404, path);
      assert.ok(!body.includes("secret"), path);
    }
  });

  await t.test("refuses other methods", async () => {
    assert.equal((await get(url, "/", { method: "POST" })).status, 405);
  });
});
