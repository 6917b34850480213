// The site from a server that sends half of the core and holds the rest back.

import { createServer } from "node:http";
import { serve } from "../../../scripts/serve.mjs";

/**
 * @returns {Promise<{url: string, asked: Promise<void>, release: () => void, cut: () => void,
 * close: () => Promise<void>}>} asked: half of the core is sent; release sends the rest of it, cut
 * ends the connection instead
 */
export async function slowCore() {
  const site = await serve();
  let held;
  let reached;
  const asked = new Promise((resolve) => (reached = resolve));
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  async function answer(request, response) {
    const { status, headers, body } = await fetch(new URL(request.url, site.url));
    // A service worker that does nothing: the site's own would fetch the core a second time.
    const bytes =
      request.url === "/sw.js"
        ? Buffer.alloc(0)
        : Buffer.from(await new Response(body).arrayBuffer());
    response.writeHead(status, {
      "content-type": headers.get("content-type"),
      "content-length": bytes.length,
    });
    if (new URL(request.url, site.url).pathname !== "/cloister.wasm") return response.end(bytes);
    const half = bytes.length >> 1;
    held = { response, rest: bytes.subarray(half) };
    response.write(bytes.subarray(0, half), () => reached());
  }
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${server.address().port}/`,
    asked,
    release: () => held.response.end(held.rest),
    cut: () => held.response.destroy(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await site.close();
    },
  };
}
