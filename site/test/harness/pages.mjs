// A server for pages of others: fixtures and made-up pages beside the built files, with hashes put
// in and headers of one's choice.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { accessible } from "./axe.mjs";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
export const fixtures = fileURLToPath(new URL("../fixtures/elements/", import.meta.url));
const types = {
  ".css": "text/css",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".html": "text/html; charset=utf-8",
};

/** Puts the real hash where a page says integrity="sha384-FILE". */
export function withHashes(html) {
  const { files } = JSON.parse(readFileSync(join(dist, "integrity.json"), "utf8"));
  return html.replace(
    /(src="(?:[^"]*\/)?([\w.-]+)"\s+integrity=")sha384-FILE/g,
    (_, before, name) => before + files[name],
  );
}

/** A page with this in its body. */
export const pageOf = (body, head = "") => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,"><meta name="viewport" content="width=device-width"><style>:root { color-scheme: light dark; background: Canvas; color: CanvasText } body { font: 16px/1.5 sans-serif; margin: 1rem }</style>${head}</head>
<body><main><h1>A page</h1>
${body}
</main></body>
</html>`;

/**
 * @param {Record<string, string | {html: string, headers: Record<string, string>}>} pages by path,
 * such as "/page.html"
 * @returns {Promise<{url: string, asked: string[], close: () => Promise<void>}>} asked: every path
 * that was asked for
 */
export async function servePages(pages) {
  const asked = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    asked.push(pathname);
    const page = pages[pathname];
    try {
      if (page !== undefined) {
        const { html, headers = {} } = typeof page === "string" ? { html: page } : page;
        response.writeHead(200, { "content-type": types[".html"], ...headers });
        // A page may come slowly: in two parts, parted by a comment.
        const [first, rest] = withHashes(html).split("<!--pause-->");
        if (rest === undefined) return response.end(first);
        response.write(first);
        return setTimeout(() => response.end(rest), 600);
      }
      // A site may put the files into any folder.
      const name = pathname.slice(pathname.lastIndexOf("/") + 1);
      const bytes = await readFile(join(dist, name));
      response.writeHead(200, {
        "content-type": types[extname(name)] ?? "application/octet-stream",
        "content-length": bytes.length,
      });
      response.end(bytes);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${server.address().port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** Waits until every element of a page shows what is certified, scrolling to each. */
export async function settled(page, selector = "privacy-curve") {
  for (const element of await page.locator(selector).all()) {
    await element.scrollIntoViewIfNeeded();
    await element.evaluate(async (one) => {
      const end = performance.now() + 20_000;
      while (!one.certified && !one.failure) {
        if (performance.now() > end) throw new Error(`${one.localName} did not settle`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  }
}

/** Asserts that axe-core finds nothing on a page of others, and that nothing sticks out of it. */
export async function inOrder(page, state) {
  // What its landmarks are is theirs to say.
  await accessible(page, state, { without: ["region"] });
  assert.ok(
    await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    `sticks out: ${state}`,
  );
}
