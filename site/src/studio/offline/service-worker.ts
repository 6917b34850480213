// The page without a network, and with the headers that a static host does not send.
//
// One version of the page is one set of files, named with their hashes when the site is built. A version is installed as a whole or not at all, is served
// from its cache alone, and is replaced as a whole: a new one waits until no tab of the old one is open, or until the person asks for it. Nothing else is
// kept here: budgets and releases live in IndexedDB, which no version touches by being installed. The documentation is no part of that: a page of it that was
// visited is kept as it was last seen, for when there is no network.
//
// It cannot be used to send anything: it makes requests of its own only for those files, passes others on without a query, and takes one message.

import { PAGE_HEADERS } from "./headers.ts";
import { USE_NOW } from "./message.ts";

/** path → integrity, and a hash of it all; put in by build.mjs. */
declare const CLOISTER_FILES: Readonly<Record<string, string>>;
declare const CLOISTER_VERSION: string;

// What of a service worker's global scope is used; TypeScript cannot hold a page's and a worker's at once.
interface Waits extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetches extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Scope {
  readonly registration: { readonly scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Waits) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetches) => void): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}
const scope = globalThis as unknown as Scope;

const prefix = "cloister-page-";
const cacheName = prefix + CLOISTER_VERSION;
const visited = "cloister-visited";

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
scope.addEventListener("message", ({ data }) => {
  if (data === USE_NOW) void scope.skipWaiting();
});
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !request.url.startsWith(scope.registration.scope)) return;
  const path = url.pathname.slice(new URL(scope.registration.scope).pathname.length) || "index.html";
  if (Object.hasOwn(CLOISTER_FILES, path)) event.respondWith(kept(path));
  else if (path.startsWith("docs/")) event.respondWith(lastSeen(url.origin + url.pathname));
  // Nothing here takes a query, so none is passed on.
  else if (url.search !== "") event.respondWith(fetch(url.origin + url.pathname));
});

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await Promise.all(
    Object.entries(CLOISTER_FILES).map(async ([path, integrity]) => {
      const response = await fetch(new URL(path, scope.registration.scope), { integrity, cache: "no-cache" });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      await cache.put(keyOf(path), dressed(path, response));
    }),
  );
}

async function forgetOthers(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
  }
}

/** A file of this version; from the network if the browser, short of space, has dropped what was kept. */
async function kept(path: string): Promise<Response> {
  const cache = await caches.open(cacheName);
  const found = await cache.match(keyOf(path));
  if (found) return found;
  return dressed(path, await fetch(new URL(path, scope.registration.scope)));
}

/** From the network, and kept; without one, as it was last seen. */
async function lastSeen(address: string): Promise<Response> {
  const cache = await caches.open(visited);
  try {
    const response = await fetch(address);
    // Short of space it is not kept, and is no less there.
    if (response.ok) await cache.put(address, response.clone()).catch(() => undefined);
    return response;
  } catch (error) {
    const found = await cache.match(address);
    if (found) return found;
    throw error;
  }
}

function dressed(path: string, response: Response): Response {
  const headers = new Headers(response.headers);
  // The body is kept as it is after decoding.
  headers.delete("content-encoding");
  headers.delete("content-length");
  if (path.endsWith(".html")) for (const [name, value] of Object.entries(PAGE_HEADERS)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

function keyOf(path: string): string {
  return new URL(path, scope.registration.scope).href;
}
