/**
 * What a sealed page may still do: run the WebAssembly it has compiled, start
 * workers from blobs (which then live under the same policy), and use styles,
 * images and downloads that it makes itself.
 *
 * Scripts that ran before the seal keep running; no new one can be loaded.
 */
export const SEAL = [
  "default-src 'none'",
  "script-src 'wasm-unsafe-eval'",
  "worker-src blob:",
  "connect-src 'none'",
  "img-src data: blob:",
  "style-src 'unsafe-inline'",
  "font-src 'none'",
  "media-src 'none'",
  "object-src 'none'",
  "frame-src 'none'",
  "manifest-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const mark = "data-cloister-seal";

/**
 * Closes the network for this document and for every worker it makes from now
 * on, until the page is left: appends a content security policy, which can be
 * added to but never be taken back. Call it when everything that must be
 * fetched has been fetched, and before a file can be chosen:
 *
 * 1. `load()`: fetches and compiles the binary;
 * 2. `seal()`;
 * 3. `client.start()`: makes the worker, from a blob, under the policy;
 * 4. enable the file picker.
 *
 * Afterwards the browser blocks fetch, XMLHttpRequest, WebSocket, EventSource,
 * beacons, remote images, styles, fonts and frames, form submission and
 * `import()`, and in the workers `importScripts` and workers from the network
 * as well. It does not close navigation of the page itself, WebRTC from the page
 * (workers have none), and hints that look up a host's name
 * (`<link rel="preconnect">`).
 *
 * A worker that was made before the seal is not governed by it: the client
 * makes none before `start()` or its first call. Idempotent.
 */
export function seal(document: Document = globalThis.document): void {
  if (document.querySelector(`meta[${mark}]`)) return;
  const meta = document.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = SEAL;
  meta.setAttribute(mark, "");
  document.head.append(meta);
}
