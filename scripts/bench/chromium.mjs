// Times the built client in a page, in Chromium, as a user's page would run it.

import { objective, published, someone } from "../../site/test/client/sample.mjs";
import { adult } from "./adult.mjs";
import { inPage } from "./page.mjs";

/**
 * @returns {Promise<Record<string, number>>} figures by name: milliseconds, but for "csv" in MB/s
 */
export function inChromium() {
  const data = adult();
  return inPage(data ? { "adult.csv": ["text/csv", data.train] } : {}, async (page) => ({
    ...(await page.evaluate(measure, {
      schema: data?.schema,
      objective: { ...objective, sigma: 4 },
    })),
    ...(await page.evaluate(measureBound, { ...published, row: someone })),
  }));
}

/** Runs in the page. */
async function measure({ schema, objective }) {
  const middle = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
  const time = async (times, action) => {
    const taken = [];
    for (let i = 0; i < times; i++) {
      const start = performance.now();
      await action(i);
      taken.push(performance.now() - start);
    }
    return middle(taken);
  };
  const figures = {};

  const opened = performance.now();
  const { load } = await import("/client.js");
  const client = await load({ wasmURL: "/cloister.wasm" });
  await client.start();
  figures["start"] = performance.now() - opened;
  figures["restart"] = await time(5, async () => {
    client.terminate();
    await client.start();
  });

  const request = { adjacency: "add-remove", epsilon: 1, delta: 1e-5 };
  if (schema !== undefined) {
    const bytes = await (await fetch("/adult.csv")).blob();
    const taken = await time(7, async () => (await client.openDataset(bytes, schema)).close());
    figures["csv"] = bytes.size / 1e6 / (taken / 1000);
    const dataset = await client.openDataset(bytes, schema);
    const inside = [];
    await client.fit(dataset, request);
    figures["fit"] = await time(25, async () =>
      inside.push((await client.fit(dataset, request)).diagnostics.milliseconds),
    );
    figures["fit-inside"] = middle(inside);
    const steps = { ...request, method: "steps", records: 40_000 };
    figures["steps"] = await time(9, () => client.fit(dataset, steps));
    const { release } = await client.fit(dataset, request);
    const { report } = await client.report(dataset, release, {
      kind: "data-dependent",
      epsilon: 1,
      delta: 1e-5,
    });
    figures["losses"] = await time(5, () => client.trueLosses(dataset, release));
    figures["row-bound"] =
      ((await time(3, () => client.trueLosses(dataset, release, { report }))) - figures["losses"]) /
      dataset.rows;
  }

  const event = { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1, sigma: 3 };
  const curve = { from: 0, to: 4, points: 200 };
  figures["gaussian-epsilon"] = await time(51, (i) =>
    client.account({ event, delta: 1e-5 / (1 + i) }),
  );
  figures["objective-epsilon"] = await time(51, (i) =>
    client.account({ event: objective, delta: 1e-5 / (1 + i) }),
  );
  figures["objective-curve"] = await time(21, () => client.account({ event: objective, curve }));
  const half = (i) => ({ ...objective, lambda: 0.5 + 1e-9 * i });
  figures["control-curve"] = await time(11, (i) =>
    client.account({ event: half(i), curve, bound: "control" }),
  );
  // A fit: with an output step as the defaults have it.
  const output = (i) => ({
    ...half(i),
    mechanism: "approximate-minima-perturbation",
    tau: 2 ** -18,
    sigma_out: 2 ** -6,
  });
  figures["control-fit-curve"] = await time(11, (i) =>
    client.account({ event: output(200 + i), curve, bound: "control" }),
  );
  figures["control-fit-cold"] = await time(11, (i) =>
    client.account({ event: output(300 + i), delta: 1e-5, bound: "control" }),
  );
  figures["control-fit-epsilon"] = await time(11, (i) =>
    client.account({ event: output(200), delta: 1e-5 / (1 + i), bound: "control" }),
  );
  figures["control-cold"] = await time(11, (i) =>
    client.account({ event: half(100 + i), delta: 1e-5, bound: "control" }),
  );
  figures["control-epsilon"] = await time(11, (i) =>
    client.account({ event: half(0), delta: 1e-5 / (1 + i), bound: "control" }),
  );

  // A noise that differs in its last digits is another event: nothing that was kept answers for it.
  const descent = (i) => ({
    mechanism: "subsampled-gaussian",
    adjacency: "add-remove",
    rate: 0.01,
    noise_multiplier: 1 + 1e-9 * i,
    steps: 10000,
  });
  const delta = 1e-5;
  figures["descent-epsilon"] = await time(21, (i) => client.account({ event: descent(i), delta }));
  figures["descent-another"] = await time(21, (i) =>
    client.account({ event: descent(0), delta: delta / (2 + i) }),
  );
  figures["descent-estimate"] = await time(21, (i) =>
    client.estimate({ event: descent(100 + i), delta }),
  );
  figures["descent-curve"] = await time(11, (i) =>
    client.account({ event: descent(200 + i), curve: { from: 0, to: 10, points: 200 } }),
  );
  figures["descent-noise"] = await time(11, (i) =>
    client.solve({ event: descent(0), parameter: "noise_multiplier", epsilon: 2 + i / 10, delta }),
  );
  const orders = Array.from({ length: 100 }, (_, i) => 1.25 + i / 2);
  figures["descent-orders"] = await time(11, (i) =>
    client.account({ method: "rdp", event: descent(300 + i), orders }),
  );
  return figures;
}

/**
 * Runs in the page, likewise: what a reader of a privacy report asks, the way to the worker and
 * back with it.
 */
async function measureBound({ release, report, row }) {
  const { loadReader } = await import("/client.js");
  const reader = await loadReader({ wasmURL: "/reader.wasm" });
  const opened = await reader.open(release, report);
  const median = async (ask) => {
    const taken = [];
    for (let i = 0; i < 201; i++) {
      const start = performance.now();
      await ask();
      taken.push(performance.now() - start);
    }
    return taken.sort((a, b) => a - b)[100];
  };
  const figures = {
    bound: await median(() => opened.bound(row)),
    "bound-moves": await median(() => opened.moves(row)),
  };
  reader.terminate();
  return figures;
}
