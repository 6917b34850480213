// Times fits of large dense data sets: the same Go program natively and, compiled as the site's
// core is, in a worker of a page in Chromium.

import { run } from "../check/process.mjs";
import { inWorker } from "./worker.mjs";

const program = "./scripts/bench/large";

/**
 * @returns {Promise<Record<string, number>>} milliseconds by "large-fit-" and the rows;
 * "large-exponent"
 */
export async function largeNatively() {
  const { code, output } = await run("go", ["run", program]);
  if (code !== 0) throw new Error(output);
  return JSON.parse(output);
}

/**
 * @returns {Promise<Record<string, number>>} the same, and "large-memory": megabytes that the
 * worker's WebAssembly memory has grown to
 */
export async function largeInChromium() {
  const { printed, memory } = await inWorker(program);
  return { ...JSON.parse(printed), "large-memory": memory };
}
