// How many bytes a visitor downloads: every budget of the project, in one table.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);

/**
 * Kilobytes (1000 bytes) after brotli at its best level. A script counts with what it imports
 * before it runs. A page counts as all scripts that it names: what it imports later is among them.
 *
 * A budget stands at what a file has, and a little: line numbers alone move a binary by 1.6 kB, and
 * the laboratory by 6.5. Who adds something worth its bytes raises it, and says in the commit what
 * they are for. The comments name what is largest, in kB.
 */
export const budgets = [
  // 520 was aimed at. Above it are the bound "control" (its value in closed form, chords of it for
  // compositions, its table under replace-one), the price of a softmax, and the events noisy-min,
  // proximal-centre, propose-test-release, renyi-dp and one-of: a ledger's history may hold them,
  // so every accountant knows them.
  { file: "curves.wasm", kilobytes: 602 },
  // 1,200 was aimed at. When they were added, scorecards took 45 (their search, exact maxima of
  // noise), fits whose noise a test chooses 33 (posterior samples, tested output perturbation),
  // several classes by a softmax 20, rows that stay with the workers that read them 20,
  // questions that released moments answer 12, settings that the rows choose 10, noisy cells 9, and
  // the SIMD kernel with what calls it 8.4.
  { file: "cloister.wasm", kilobytes: 1519 },
  // Every method that the papers compare, and of the above what reads files.
  { file: "laboratory.wasm", kilobytes: 1157.5 },
  // 720 was aimed at. Checks of releases whose noise a test chose took 16.
  { file: "reader.wasm", kilobytes: 824 },
  // One step a screen, the receipt, the table edited by keys, and undo.
  { file: "studio.js", kilobytes: 83.8 },
  // All scripts of the studio. When they were added, scorecards took 10, the questions about
  // layout, missing numbers and copies of the label 5, the notebook 4, the four made-up tables 3.
  { file: "index.html", kilobytes: 156.9 },
  // Each script that starts workers has 2 for the digest of a file and for reading its ranges.
  { file: "verify.js", kilobytes: 46.3 },
  { file: "explorer.js", kilobytes: 50 },
  { file: "elements.js", kilobytes: 45 },
  // Private scorecards for made-up patients are 1.7 of the script, and 67 of the binary.
  { file: "fit-demo.js", kilobytes: 31.9 },
  { file: "fit-demo.wasm", kilobytes: 750.5 },
  // The names of other files in these two change with each build, and move them by a hundredth.
  { file: "my-privacy.js", kilobytes: 27.6 },
  { file: "reader.js", kilobytes: 34.9 },
  { file: "docs/docs.js", kilobytes: 4 },
  // The text of every page and theorem.
  { file: "docs/search.json", kilobytes: 77.9 },
];

/** Bytes after brotli, with the largest window that every browser takes. */
export async function brotliSize(bytes, level = constants.BROTLI_MAX_QUALITY) {
  const packed = await compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: level,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  return packed.length;
}

/**
 * How much larger the binaries are at level 9 than at the best level, which takes twenty times as
 * long: from 1.149 times (curves.wasm) to 1.164 times (cloister.wasm).
 */
const LEVEL_9 = 1.157;

/** About the same of a binary, to a hundredth, from what level 9 makes of it. */
const aboutBrotliSize = async (bytes) => (await brotliSize(bytes, 9)) / LEVEL_9;

/** What is downloaded for a file: of a page its scripts, of a script what it imports as well. */
function filesOf(folder, file) {
  const found = new Set();
  const follow = (name) => {
    const path = join(folder, name);
    if (found.has(path)) return;
    found.add(path);
    if (!name.endsWith(".js") || !existsSync(path)) return;
    const imported = /\b(?:from|import)\s?"\.\/([\w-]+\.js)"/g;
    for (const [, part] of readFileSync(path, "utf8").matchAll(imported)) follow(part);
  };
  if (!file.endsWith(".html") || !existsSync(join(folder, file))) follow(file);
  else {
    const scripts = /<(?:link rel="modulepreload" href|script type="module" src)="([^"]+)"/g;
    for (const [, name] of readFileSync(join(folder, file), "utf8").matchAll(scripts))
      follow(name.replace(/\?.*/, ""));
  }
  return [...found];
}

/**
 * Measures every budgeted file in a folder.
 * @param {{about?: boolean}} options about: binaries to a hundredth, and held to two hundredths
 * more than their budgets; 7 s of processor time in place of 78
 * @returns {Promise<{file: string, kilobytes: number, about: boolean, budget: number, fits:
 * boolean}[]>} a missing file has kilobytes NaN and does not fit
 */
export async function sizes(folder, list = budgets, { about: asked = false } = {}) {
  const known = new Map();
  const isAbout = (file) => asked && file.endsWith(".wasm");
  const measure = (path) => {
    if (!known.has(path)) {
      const size = isAbout(path) ? aboutBrotliSize : brotliSize;
      known.set(path, existsSync(path) ? size(readFileSync(path)) : NaN);
    }
    return known.get(path);
  };
  return Promise.all(
    list.map(async ({ file, kilobytes: budget }) => {
      const parts = await Promise.all(filesOf(folder, file).map(measure));
      const kilobytes = parts.reduce((sum, bytes) => sum + bytes, 0) / 1000;
      const about = isAbout(file);
      return { file, kilobytes, about, budget, fits: kilobytes <= (about ? 1.02 : 1) * budget };
    }),
  );
}

/** One line a file, for people. */
export function describe({ file, kilobytes, about, budget, fits }) {
  if (Number.isNaN(kilobytes)) return `${file} is not built`;
  const size = about ? `about ${kilobytes.toFixed(0)}` : kilobytes.toFixed(1);
  const near = about && kilobytes > budget ? "within two hundredths of" : "within";
  return `${file}: ${size} kB brotli, ${fits ? near : "MORE THAN"} its budget of ${budget} kB`;
}
