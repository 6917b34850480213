// An endpoint that wants the data: it answers everything, lets every origin in, and counts who
// came.

import { createHash } from "node:crypto";
import { createServer } from "node:http";

const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

const bodies = {
  ".js": ["text/javascript", "globalThis.reached = true;"],
  ".css": ["text/css", "body {}"],
  ".gif": ["image/gif", pixel],
  ".html": ["text/html", "<p>reached"],
};

/**
 * Starts the endpoint on a free port of localhost.
 * @returns {Promise<{url: string, reached: () => Record<string, number>, bytes: () => number,
 * close: () => Promise<void>}>} reached counts requests by the first part of their path: a probe
 * asks for `${url}${its name}/…`; bytes counts whatever came in on any connection.
 */
export async function hostile() {
  const counts = {};
  const count = (url) => {
    const name = url.split(/[/?]/)[1] || "/";
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const server = createServer((request, response) => {
    count(request.url);
    request.resume();
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    response.setHeader("access-control-allow-methods", "*");
    if (request.headers.accept === "text/event-stream") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: reached\n\n");
      return;
    }
    const extension = /\.\w+$/.exec(request.url.split("?")[0])?.[0];
    const [type, body] = bodies[extension] ?? ["text/plain", "reached"];
    response.writeHead(200, { "content-type": type });
    response.end(body);
  });
  server.on("upgrade", (request, socket) => {
    count(request.url);
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.on("error", () => {});
  });
  const sockets = new Set();
  server.on("connection", (socket) => {
    sockets.add(socket);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    reached: () => ({ ...counts }),
    bytes: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets) socket.destroy(); // WebSockets too
      }),
  };
}
