// What the kernel is worth, in Chromium: passes and fits of Adult by Go's loops and by the kernel,
// in turns.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { top } from "../check/process.mjs";
import { readSections, writeSections } from "../slim-wasm.mjs";
import { adult } from "./adult.mjs";
import { inPage } from "./page.mjs";
import { besideWorker, clockOf } from "./worker.mjs";

const turns = 9;

/** What is done in a turn, how often: some tenths of a second by Go. */
const actions = {
  "sparse-gradient": 60,
  "sparse-hessian": 25,
  "sparse-certificate": 40,
  "dense-gradient": 50,
  "dense-hessian": 6,
  "dense-certificate": 15,
  ...Object.fromEntries(
    ["shifted", "weighted", "hinge"].flatMap((loss) => [
      [`${loss}-gradient`, 60],
      [`${loss}-hessian`, 25],
      [`${loss}-certificate`, 40],
    ]),
  ),
  "fit-logistic": 5,
  "fit-shifted": 5,
  "fit-weighted": 5,
  "fit-hinge": 5,
  "fit-steps": 1,
  "client-fit": 4,
  "client-exact": 8,
};

/** What the client does in a turn. */
const byClient = ["client-fit", "client-exact"];

const texts = {
  gradient: "a gradient pass",
  hessian: "a gradient and a Hessian",
  certificate: "a certificate",
  "fit-logistic": "amp.Fit",
  "fit-shifted": "amp.Fit with the shifted logistic loss",
  "fit-weighted": "amp.Fit with the weighted logistic loss",
  "fit-hinge": "amp.Fit with the rounded hinge",
  "fit-steps": "a fit by 120 noisy steps",
  "client-fit": "a fit by the client",
  "client-exact": "its exact figures of the rows, when they are asked for",
};
const goals = {
  "sparse-gradient": 3.3,
  "sparse-hessian": 2.2,
  "sparse-certificate": 2.8,
  "dense-gradient": 3,
  "dense-hessian": 2.2,
  "dense-certificate": 2,
  "fit-logistic": 3,
  "fit-shifted": 3,
  "fit-weighted": 3,
  "fit-hinge": 3,
  "fit-steps": 3,
};

/** Of rows with another loss than the logistic one. */
const lossOf = {
  shifted: "the shifted logistic loss",
  weighted: "the weighted logistic loss",
  hinge: "the rounded hinge",
};

/** What `make bench` prints: each action by Go, by the kernel, and the quotient. */
export const kernelRows = [
  ...Object.keys(actions).flatMap((name) => {
    const [form, pass] = name.split("-");
    const of = form === "dense" ? "20,000 dense rows × 100" : "Adult";
    const loss = lossOf[form] ? ` with ${lossOf[form]}` : "";
    const text = texts[name] ?? texts[pass] + loss;
    return [
      [`${name}-go`, `${text}, ${of}, of the processor's time, by Go's loops`, "ms", {}],
      [`${name}-kernel`, "by the kernel", "ms", {}],
      [`${name}-ratio`, "the first over the second", "×", { chromium: goals[name], more: true }],
    ];
  }),
  ["steps-over-fit", "a fit by noisy steps over amp.Fit, by the kernel", "×", { chromium: 2 }],
  ["client-over-fit", "a fit by the client over amp.Fit, by the kernel", "×", { chromium: 1.4 }],
];

/**
 * @returns {Promise<Record<string, number>>} of passes, of amp.Fit ("fit"), of the client's fit and
 * its exact figures: milliseconds of the processor, all threads of the page, as "fit-go" and
 * "fit-kernel", and the first over the second as "fit-ratio": medians of turns
 */
export async function kernelInChromium() {
  const data = adult();
  if (!data) return {};
  const { train: table, schema } = data;
  return besideWorker("./wasm/passes", { table, schema }, async (worker) => ({
    ...(await inTurns(
      Object.keys(actions).filter((name) => !byClient.includes(name)),
      (name, byKernel, times) => worker.ask("pass", name, byKernel, times),
      worker.spent,
    )),
    "steps-over-fit": await quotient(fits("fit-steps", worker), fits("fit-logistic", worker)),
    ...(await clientFits(data, worker)),
  }));
}

async function inTurns(names, act, spent) {
  const figures = {};
  for (const name of names) {
    const taken = { go: [], kernel: [] };
    for (let turn = -1; turn < turns; turn++) {
      for (const by of ["go", "kernel"]) {
        const before = await spent();
        await act(name, by === "kernel", actions[name]);
        // The first turn is for the engine, which makes code faster that is in use.
        if (turn >= 0) taken[by].push(((await spent()) - before) / actions[name]);
      }
    }
    for (const by of ["go", "kernel"]) figures[`${name}-${by}`] = median(taken[by]);
    figures[`${name}-ratio`] = figures[`${name}-go`] / figures[`${name}-kernel`];
  }
  return figures;
}

/** How often a fit is done for a quotient's turn. */
const many = 10;

/** Such a turn by the worker's kernel. */
const fits = (name, { ask, spent }) => ({ act: () => ask("pass", name, true, many), spent });

/** The processor's time of the first over that of the second, each the median of turns. */
async function quotient(first, second) {
  const taken = [[], []];
  for (let turn = 0; turn < turns; turn++)
    for (const [i, { act, spent }] of [first, second].entries()) {
      const before = await spent();
      await act();
      taken[i].push((await spent()) - before);
    }
  return median(taken[0]) / median(taken[1]);
}

const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];

/** The program without its custom sections, of which the kernel is one. */
function withoutKernel(program) {
  const sections = readSections(program).filter(({ id }) => id !== 0);
  return writeSections(program.subarray(0, 8), sections);
}

async function clientFits(data, worker) {
  const program = readFileSync(join(top, "site/dist/cloister.wasm"));
  const files = {
    "adult.csv": ["text/csv", data.train],
    "plain.wasm": ["application/wasm", withoutKernel(program)],
  };
  return inPage(files, async (page) => {
    await page.evaluate(open, data.schema);
    const spent = await clockOf(page);
    const act = (name, byKernel, times) => page.evaluate(acts, { name, byKernel, times });
    const figures = await inTurns(byClient, act, spent);
    const client = { act: () => act("client-fit", true, many), spent };
    return { ...figures, "client-over-fit": await quotient(client, fits("fit-logistic", worker)) };
  });
}

/** Runs in the page. */
async function open(schema) {
  const { load } = await import("/client.js");
  const bytes = await (await fetch("/adult.csv")).blob();
  globalThis.clients = {};
  for (const [name, wasmURL] of [
    ["kernel", "/cloister.wasm"],
    ["go", "/plain.wasm"],
  ]) {
    const client = await load({ wasmURL });
    globalThis.clients[name] = { client, dataset: await client.openDataset(bytes, schema) };
  }
}

/** Runs in the page, likewise. */
async function acts({ name, byKernel, times }) {
  const { client, dataset } = globalThis.clients[byKernel ? "kernel" : "go"];
  for (let i = 0; i < times; i++) {
    if (name === "client-fit")
      globalThis.fitted = await client.fit(dataset, {
        adjacency: "add-remove",
        epsilon: 1,
        delta: 1e-5,
      });
    else await client.exactFigures(globalThis.fitted.release, dataset);
  }
}
