// How many bytes a visitor downloads: every budget of the project, in one table.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);

/** Kilobytes (1000 bytes) after brotli at its best level. */
export const budgets = [
  { file: "curves.wasm", kilobytes: 460 },
  { file: "cloister.wasm", kilobytes: 900 },
  { file: "laboratory.wasm", kilobytes: 900 },
  { file: "reader.wasm", kilobytes: 605 },
  { file: "studio.js", kilobytes: 60 },
  { file: "publish.js", kilobytes: 21 },
  { file: "buying.js", kilobytes: 9 },
  { file: "afterwards.js", kilobytes: 9 },
  { file: "expectation.js", kilobytes: 8 },
  { file: "verify.js", kilobytes: 35 },
  { file: "explorer.js", kilobytes: 44 },
  { file: "elements.js", kilobytes: 45 },
  { file: "fit-demo.js", kilobytes: 27 },
  { file: "fit-demo.wasm", kilobytes: 505 },
  { file: "my-privacy.js", kilobytes: 23 },
  { file: "reader.js", kilobytes: 30 },
];

/** Bytes after brotli -11, with the largest window that every browser takes. */
export async function brotliSize(bytes) {
  const packed = await compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  return packed.length;
}

/**
 * Measures every budgeted file in a folder.
 * @returns {Promise<{file: string, kilobytes: number, budget: number, fits: boolean}[]>} a missing file has kilobytes NaN and does not fit
 */
export async function sizes(folder, list = budgets) {
  return Promise.all(
    list.map(async ({ file, kilobytes: budget }) => {
      const path = join(folder, file);
      const kilobytes = existsSync(path) ? (await brotliSize(readFileSync(path))) / 1000 : NaN;
      return { file, kilobytes, budget, fits: kilobytes <= budget };
    }),
  );
}

/** One line a file, for people. */
export function describe({ file, kilobytes, budget, fits }) {
  if (Number.isNaN(kilobytes)) return `${file} is not built`;
  return `${file}: ${kilobytes.toFixed(1)} kB brotli, ${fits ? "within" : "MORE THAN"} its budget of ${budget} kB`;
}
