// Serves site/dist on localhost as a plain static host would, with no headers that such a host
// could not send. `node scripts/serve.mjs [FOLDER]`; PORT=… chooses the port, else the first free
// one from 8080 on.

import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const types = {
  ".css": "text/css; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

export const site = fileURLToPath(new URL("../site/dist/", import.meta.url));

/**
 * Starts a static server on 127.0.0.1.
 * @param {{root?: string, port?: number}} options port 0 (the default) takes any free one
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export async function serve({ root = site, port = 0 } = {}) {
  const top = await realpath(root);
  const server = createServer((request, response) => {
    answer(top, request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://localhost:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function answer(top, request, response) {
  const refuse = (status, text) => {
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
    response.end(request.method === "HEAD" ? undefined : `${text}\n`);
  };
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return refuse(405, "Only GET and HEAD are answered here.");
  }
  const file = await find(top, request.url);
  if (!file) return refuse(404, "There is no such file.");

  const etag = `"${file.size.toString(36)}-${Math.round(file.mtimeMs).toString(36)}"`;
  // Names carry no content hash, so a browser must ask each time; an unchanged file costs it a 304.
  const headers = { etag, "cache-control": "no-cache", "x-content-type-options": "nosniff" };
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304, headers);
    return response.end();
  }
  response.writeHead(200, {
    ...headers,
    "content-type": types[extname(file.path)] ?? "application/octet-stream",
    "content-length": file.size,
  });
  if (request.method === "HEAD") return response.end();
  // In pieces of a megabyte: a binary of twelve would be read in 180 of the usual size.
  createReadStream(file.path, { highWaterMark: 2 ** 20 })
    .on("error", () => response.destroy())
    .pipe(response);
}

/**
 * The file a URL names, or undefined: nothing outside top is ever named, through dots, encodings or
 * links.
 */
async function find(top, url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  } catch {
    return undefined;
  }
  if (path.includes("\0") || path.includes("\\")) return undefined;
  for (const candidate of path.endsWith("/")
    ? [`${path}index.html`]
    : [path, `${path}/index.html`]) {
    try {
      const real = await realpath(join(top, candidate));
      if (!real.startsWith(top + sep)) continue;
      const info = await stat(real);
      if (info.isFile()) return { path: real, size: info.size, mtimeMs: info.mtimeMs };
    } catch {
      // Not there: try the next.
    }
  }
  return undefined;
}

async function main() {
  const root = process.argv[2] ?? site;
  const asked = process.env.PORT;
  if (asked !== undefined && !/^\d{1,5}$/.test(asked))
    throw new Error(`PORT is ${JSON.stringify(asked)}: it must be a number from 1 to 65535.`);
  const first = asked === undefined ? 8080 : Number(asked);
  const last = asked === undefined ? first + 50 : first;
  for (let port = first; port <= last; port++) {
    try {
      const { url } = await serve({ root, port });
      console.log(`Cloister is at ${url}\nPress Ctrl+C to stop.`);
      return;
    } catch (error) {
      if (error.code === "ENOENT")
        throw new Error(`There is no folder ${root}: run "make build" first.`);
      if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error;
    }
  }
  throw new Error(
    asked === undefined
      ? `Ports ${first} to ${last} are all taken: choose another with PORT=…`
      : `Port ${first} is taken or not allowed: choose another with PORT=…, or leave PORT out.`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
