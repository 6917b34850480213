// Work that stops at a known place, however quick the machine is, until a test goes on: so that
// what a person does in the middle of it is done in the middle.

/**
 * Has workers ask the page before they read a piece of a file, and hold where `holdAt` says. They
 * are made from blobs, so it is put into their source. Before the page is opened.
 */
export function holds(page) {
  return page.addInitScript(() => {
    const ask = `{
      const me = crypto.randomUUID();
      const channel = new BroadcastChannel("holds");
      const waiting = [];
      let commits = true;
      channel.onmessage = ({ data }) => {
        if (data.worker !== me) return;
        commits = data.at !== "commit";
        waiting.shift()?.();
      };
      const { arrayBuffer } = Blob.prototype;
      Blob.prototype.arrayBuffer = async function () {
        await new Promise((then) => {
          waiting.push(then);
          channel.postMessage({ asks: me });
        });
        return arrayBuffer.call(this);
      };
      const { add } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.add = function (value, key) {
        if (commits || !value.includes('"kind":"commit"')) return add.call(this, value, key);
        const never = this.count();
        for (const target of [never, this.transaction]) {
          for (const type of ["success", "error", "complete", "abort"])
            target.addEventListener(type, (event) => event.stopImmediatePropagation(), {
              capture: true,
            });
        }
        return never;
      };
    }\n`;
    globalThis.Blob = new Proxy(Blob, {
      construct: (target, [parts, options]) =>
        new target(options?.type === "text/javascript" ? [ask, ...parts] : parts, options),
    });
    let [at, waiting] = ["nothing", []];
    const channel = new BroadcastChannel("holds");
    globalThis.holdAt = (place) => {
      // A worker whose reading was cancelled ends that before it begins another.
      at = place;
      for (const worker of waiting.splice(0)) channel.postMessage({ worker, at });
    };
    const shows = () => document.querySelector("#data progress, #fit progress")?.value > 0;
    const frame = () => new Promise((then) => requestAnimationFrame(then));
    channel.onmessage = async ({ data }) => {
      // The page has time to draw the progress of one piece before the next is read: a reading that
      // shows none goes on to its end.
      if (at === "reading") await frame().then(frame);
      if (at === "reading" && shows()) waiting.push(data.asks);
      else channel.postMessage({ worker: data.asks, at });
    };
  });
}

/**
 * What is begun from now on stops at "reading", once the page shows how far it is, at "commit",
 * whose entry is never written nor answered, or at "nothing".
 */
export const holdAt = (page, place) => page.evaluate((place) => globalThis.holdAt(place), place);
