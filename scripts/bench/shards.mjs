// Times fits to a large file in Chromium: by one worker, and by two that each keep half of the rows
// and take the sums over them.

import { serve } from "../serve.mjs";
import { launch } from "../../site/test/harness/browser.mjs";
import { largeTable, mostMemory, watchMemory } from "../../site/test/harness/large.mjs";

const megabytes = 100;
const turns = 3;

/**
 * @returns {Promise<Record<string, number>>} "file-fit-1" and "file-fit-2": milliseconds by so many
 * workers; "file-ratio": the first over the second, the median of turns; "file-memory": the most
 * memory that both workers had, over the matrix
 */
export async function shardsInChromium() {
  const table = largeTable(megabytes);
  const server = await serve();
  const browser = await launch();
  try {
    const page = await (await browser.newContext()).newPage();
    await watchMemory(page);
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, "hardwareConcurrency", {
        get: () => globalThis.processors ?? 2,
      }),
    );
    await page.route(/\/empty$/, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: '<!doctype html><title>empty</title><input id="file" type="file">',
      }),
    );
    await page.goto(new URL("empty", server.url).href);
    await page.setInputFiles("#file", table.path);
    const times = await page.evaluate(async (turns) => {
      const { load } = await import("/client.js");
      const client = await load();
      const file = document.querySelector("#file").files[0];
      const { schema } = await client.suggestSchema(
        (await file.slice(0, 100_000).text()).replace(/[^\n]*$/, ""),
      );
      for (const described of [...schema.features, schema.label]) described.provenance = "public";
      const times = { 1: [], 2: [] };
      for (let turn = 0; turn < turns; turn++) {
        for (const workers of [1, 2]) {
          globalThis.processors = workers;
          const own = client.beside(); // the memory of a worker never shrinks
          const dataset = await own.openDataset(file, schema);
          const start = performance.now();
          await own.fit(dataset, { adjacency: "add-remove", epsilon: 1, delta: 1e-6 });
          times[workers].push(performance.now() - start);
          await dataset.close();
          own.terminate();
        }
      }
      const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
      const ratio = median(times[1].map((time, i) => time / times[2][i]));
      return {
        "file-fit-1": median(times[1]),
        "file-fit-2": median(times[2]),
        "file-ratio": ratio,
      };
    }, turns);
    return { ...times, "file-memory": (await mostMemory(page)).bytes / table.matrix };
  } finally {
    await browser.close();
    await server.close();
    table.remove();
  }
}
