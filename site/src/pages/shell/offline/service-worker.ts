// The page without a network, and with the headers that a static host does not send.
//
// One version of the page is one set of files, named with their hashes when the site is built. A
// version is installed as a whole or not at all, is served from its cache alone, and is replaced
// as a whole: a new one waits until no tab of the old one is open, or until the person asks for
// it. The service worker keeps nothing else: budgets and releases live in IndexedDB, which
// installing a version never touches. The documentation and its search are part of a version; its
// pages hold no data of anybody's, have a policy of their own, and may lead to other hosts.
//
// It cannot be used to send anything. It makes its own requests only for those files, passes
// others on without a query, and accepts one message.

import { PAGE_HEADERS } from "./headers.ts";
import { USE_NOW } from "./message.ts";

/** path → integrity, and a hash of it all; put in by build.mjs. */
declare const CLOISTER_FILES: Readonly<Record<string, string>>;
declare const CLOISTER_VERSION: string;

// What of a service worker's global scope is used; TypeScript cannot hold a page's and a worker's
// at once.
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

const docs = "docs/";
/** Of the copies that one origin may have, in several folders, each keeps its own. */
const prefix = `cloister-page ${scope.registration.scope} `;
const cacheName = prefix + CLOISTER_VERSION;
/** What earlier versions kept of the documentation, and of the page without its folder's name. */
const former = "cloister-visited";
const formerPrefix = "cloister-page-";

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
scope.addEventListener("message", ({ data }) => {
  if (data === USE_NOW) void scope.skipWaiting();
});
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !request.url.startsWith(scope.registration.scope)) return;
  const place = url.pathname.slice(new URL(scope.registration.scope).pathname.length);
  const path = /(?:^|\/)$/.test(place) ? `${place}index.html` : place;
  // A file's build is all that a host is told in a query (own-core.ts).
  const build = /^\?v=[0-9a-f]+$/.test(url.search) ? url.search : "";
  if (Object.hasOwn(CLOISTER_FILES, path)) event.respondWith(kept(path, build));
  else if (url.search !== "") event.respondWith(current(new URL(url.pathname, url)));
});

/** The documentation comes last: the pages that compute wait for nothing of it. */
async function install(): Promise<void> {
  const files = Object.entries(CLOISTER_FILES);
  const forReading = ([path]: readonly [string, string]): boolean =>
    /^(?:docs\/|fit-demo\.)/.test(path);
  await keep(files.filter((file) => !forReading(file)));
  await keep(files.filter(forReading));
}

async function keep(files: readonly (readonly [string, string])[]): Promise<void> {
  const cache = await caches.open(cacheName);
  await Promise.all(
    files.map(async ([path, integrity]) => {
      const response = await fetch(new URL(path, scope.registration.scope), {
        integrity,
        cache: "no-cache",
      });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      await cache.put(keyOf(path), dressed(path, response));
    }),
  );
}

async function forgetOthers(): Promise<void> {
  for (const name of await caches.keys()) {
    const old =
      name === former ||
      (name.startsWith(prefix) && name !== cacheName) ||
      (name.startsWith(formerPrefix) &&
        (await (await caches.open(name)).match(keyOf("index.html"))) !== undefined);
    if (old) await caches.delete(name);
  }
}

/**
 * A file of this version. One that is missing among what was kept is fetched if the host has the
 * same still: no page is put together from two versions. If the browser, short of space, has
 * dropped all of them, they come from the network as if there were no service worker.
 */
async function kept(path: string, build: string): Promise<Response> {
  const url = new URL(path + build, scope.registration.scope);
  if (!(await caches.has(cacheName))) return dressed(path, await current(url));
  const found = await (await caches.open(cacheName)).match(keyOf(path));
  return found ?? dressed(path, await current(url, { integrity: CLOISTER_FILES[path]! }));
}

/**
 * What the host has, even if the browser's own cache has something older. What that has is the
 * answer where the host cannot be reached.
 */
async function current(url: URL, asked: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...asked, cache: "no-cache" }).catch(() => fetch(url, asked));
}

function dressed(path: string, response: Response): Response {
  const headers = new Headers(response.headers);
  // The body is kept as it is after decoding.
  headers.delete("content-encoding");
  headers.delete("content-length");
  if (path.endsWith(".html") && !path.startsWith(docs))
    for (const [name, value] of Object.entries(PAGE_HEADERS)) headers.set(name, value);
  return new Response(response.body, {
    status: response.status,
    statusText: response.statusText,
    headers,
  });
}

function keyOf(path: string): string {
  return new URL(path, scope.registration.scope).href;
}
