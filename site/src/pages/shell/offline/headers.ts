// The headers that a service worker adds to the page, for static hosts that send none.

/**
 * What the page may do from its first byte on. The seal (../../client/seal.ts)
 * closes the rest once the page's own parts are there.
 *
 * `Connection-Allowlist: (response-origin)` (Chromium 152 and later) closes
 * what no content security policy does: leaving for another address, WebRTC
 * and looking up other hosts' names. Browsers that do not know it ignore it.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Connection-Allowlist": "(response-origin)",
  "Content-Security-Policy": [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self' blob:",
    "img-src 'self' data: blob:",
    "style-src 'self' 'unsafe-inline'",
    "manifest-src data:",
    "object-src 'none'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
