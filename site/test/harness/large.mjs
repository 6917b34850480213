// Files too large to be kept beside the tests: they are written when a test runs, from a fixed
// seed. And what reading them does to the page.

import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pick = (list, i) => list[i % list.length];
const works = ["Private", "Self-emp-not-inc", "Local-gov", "State-gov", "Federal-gov"];
const schools = [
  "Bachelors",
  "HS-grad",
  "11th",
  "Masters",
  "9th",
  "Some-college",
  "Assoc-acdm",
  "Doctorate",
];
const jobs = [
  "Adm-clerical",
  "Exec-managerial",
  "Handlers-cleaners",
  "Prof-specialty",
  "Other-service",
  "Sales",
  "Craft-repair",
  "Transport-moving",
];
const kin = ["Husband", "Not-in-family", "Wife", "Own-child", "Unmarried"];
const lands = [
  "United-States",
  "Cuba",
  "Jamaica",
  "India",
  "Mexico",
  "South",
  "Puerto-Rico",
  "Honduras",
  "England",
  "Canada",
];

/**
 * The entries of a row of the table's design matrix, the intercept among them, as the page proposes
 * its columns: 5 numbers and 5 categories.
 */
const entriesPerRow = 11;

/**
 * Writes a table of people that never were, of the kind of Adult: about 80 bytes a row, numbers and
 * categories. The names of countries can be made longer, for fewer rows in as many bytes.
 * @returns {{path: string, bytes: number, rows: number, matrix: number, remove: () => void}}
 * matrix: the bytes of its design matrix and labels
 */
export function largeTable(megabytes, { name = "large.csv", longer = 0 } = {}) {
  const countries = lands.map((land) => land + "-".repeat(longer));
  const folder = mkdtempSync(join(tmpdir(), "cloister-large-"));
  const path = join(folder, name);
  const file = openSync(path, "w");
  let [rows, bytes, state] = [0, 0, 12345];
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8;
  bytes += writeSync(
    file,
    "age,workclass,weight,education,years,occupation,relationship,hours,score,country,outcome\n",
  );
  while (bytes < megabytes * 1e6) {
    const lines = [];
    for (let i = 0; i < 5000; i++, rows++) {
      const [age, years] = [17 + (random() % 74), 1 + (random() % 16)];
      const high = random() % 100 < age / 2 + 2 * years;
      lines.push(
        `${age},${pick(works, random())},${20000 + (random() % 900000)},${pick(schools, random())},${years},${pick(jobs, random())},${pick(kin, random())},${1 + (random() % 99)},${(1 + (random() % 9999)) / 100},${pick(countries, random())},${high ? "high" : "low"}\n`,
      );
    }
    bytes += writeSync(file, lines.join(""));
  }
  closeSync(file);
  return {
    path,
    bytes,
    rows,
    matrix: rows * (entriesPerRow * 12 + 16),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Has workers say how much memory their WebAssembly has, whenever it grows, and watches the most
 * that all of them together had at a time. They are made from blobs, so it is put into their
 * source. Before the page is opened.
 */
export function watchMemory(page) {
  return page.addInitScript(() => {
    const watch = `{
      let number;
      addEventListener("message", ({ data }) => (number ??= data.number));
      const channel = new BroadcastChannel("memory");
      const { instantiate } = WebAssembly;
      WebAssembly.instantiate = async (module, imports) => {
        let instance;
        const say = () => channel.postMessage({ number, bytes: instance.exports.mem.buffer.byteLength });
        const { "runtime.resetMemoryDataView": grown } = imports.gojs;
        imports.gojs["runtime.resetMemoryDataView"] = (...given) => (grown(...given), say());
        instance = await instantiate(module, imports);
        say();
        return instance;
      };
    }\n`;
    globalThis.Blob = new Proxy(Blob, {
      construct: (target, [parts, options]) =>
        new target(options?.type === "text/javascript" ? [watch, ...parts] : parts, options),
    });
    const alive = new Map();
    const most = (globalThis.memoryMost = { bytes: 0, workers: [] });
    let started = 0;
    const { postMessage, terminate } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...more) {
      if (message.type === "start") {
        this.number = ++started;
        alive.set(this.number, 0);
        message = { ...message, number: this.number };
      }
      return postMessage.call(this, message, ...more);
    };
    Worker.prototype.terminate = function () {
      alive.delete(this.number);
      return terminate.call(this);
    };
    new BroadcastChannel("memory").onmessage = ({ data: { number, bytes } }) => {
      if (!alive.has(number)) return;
      alive.set(number, bytes);
      const all = [...alive.values()];
      const sum = all.reduce((a, b) => a + b, 0);
      if (sum > most.bytes) Object.assign(most, { bytes: sum, workers: all });
    };
  });
}

/**
 * The most bytes of WebAssembly memory that all workers together have had at a time, and what each
 * had then.
 */
export function mostMemory(page) {
  return page.evaluate(() => globalThis.memoryMost);
}

/**
 * An empty page of the site with a file chosen: `client`, `file` and `schema`, by which all is
 * publicly known, are there.
 */
export async function emptyPage(page, url, path) {
  await page.route(/\/empty$/, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: '<!doctype html><title>empty</title><input id="file" type="file">',
    }),
  );
  await page.goto(`${url}empty`);
  await page.setInputFiles("#file", path);
  await page.evaluate(async () => {
    const { load } = await import("/client.js");
    const client = await load();
    const file = document.querySelector("#file").files[0];
    const beginning = (await file.slice(0, 100_000).text()).replace(/[^\n]*$/, "");
    const { schema } = await client.suggestSchema(beginning);
    for (const described of [...schema.features, schema.label]) described.provenance = "public";
    Object.assign(globalThis, { client, file, schema });
  });
}

/** Begins to watch how well the page keeps up: a frame every 16.7 ms, and tasks. */
export function watchFrames(page) {
  return page.evaluate(() => {
    const seen = { gaps: [], tasks: [], last: performance.now(), running: true };
    globalThis.framesSeen = seen;
    new PerformanceObserver((list) =>
      seen.tasks.push(...list.getEntries().map((e) => e.duration)),
    ).observe({ entryTypes: ["longtask"] });
    const frame = (now) => {
      seen.gaps.push(now - seen.last);
      seen.last = now;
      if (seen.running) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/**
 * What was seen: frames a second, the longest gap between two frames and the longest task (0: none
 * over 50 ms), in ms.
 */
export function framesSeen(page) {
  return page.evaluate(() => {
    const { gaps, tasks } = globalThis.framesSeen;
    const total = gaps.reduce((sum, gap) => sum + gap, 0);
    const sorted = [...gaps].sort((a, b) => a - b);
    const seen = {
      perSecond: (1000 * gaps.length) / total,
      longestGap: sorted.at(-1),
      gap99: sorted[Math.floor(sorted.length * 0.99)],
      longestTask: Math.max(0, ...tasks),
      long: tasks.length,
    };
    gaps.length = tasks.length = 0;
    return seen;
  });
}
