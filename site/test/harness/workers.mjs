// What tests put into workers before their script: they are made from blobs, so it is put into
// their source.

/**
 * Runs `before` in each worker of a page first; before the page is opened. What it says on the
 * channel "told" is collected in globalThis.told, and handed to globalThis.onTold.
 */
export function inWorkers(page, before) {
  return page.addInitScript((before) => {
    globalThis.Blob = new Proxy(Blob, {
      construct: (target, [parts, options]) =>
        new target(options?.type === "text/javascript" ? [before, ...parts] : parts, options),
    });
    globalThis.told = [];
    globalThis.onTold = () => {};
    new BroadcastChannel("told").onmessage = ({ data }) => {
      globalThis.told.push(data);
      globalThis.onTold(data);
    };
  }, `{const tell = (what) => new BroadcastChannel("told").postMessage(what);(${before})(tell);}\n`);
}
