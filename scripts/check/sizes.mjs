// How many bytes a visitor downloads: every budget of the project, in one table.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);

/**
 * Kilobytes (1000 bytes) after brotli at its best level. A script counts with what it imports
 * before it runs. A page counts as all scripts that it names: what it imports later is among them.
 */
export const budgets = [
  // Above the 520 once aimed at: the events noisy-min, proximal-centre, propose-test-release and
  // renyi-dp, which every accountant must know to read a ledger's history; and the bound "control".
  // Each of these four has 2 to 3 kB more since the control problem's value is in closed form, and
  // 5 to 9 by the prices of softmax objective perturbation.
  // What the control problem rounds at ends, bends and next to a = 1/2 is 0.9, and 1 of
  // cloister.wasm. The event one-of, the candidates of a private selection, is 1.3. Fits by the
  // bound "control" compose in milliseconds by chords of it, which are 5, and 6 of the
  // binaries below. As the default price it has a table under replace-one and a quick way beside
  // it, 2 to 3 here and of each of the binaries below.
  // The rounded hinge's bound, and the two losses with a shift, are 2 here, 4 and 3 below, 1 in the
  // demonstration of fits.
  // Curves of selections by chords are 1 here and in each of the binaries below, of which those
  // with fits have 1 more: how garbage is paced beside a large table.
  // Where a search for an ε of the control problem begins is 1.2 here, 0.3 to 1 below.
  // Searches for an ε that begin where the profile guesses, and for an end of a profile that ask
  // less often, took 2 to 3: files with next to no regulariser held a reader for a minute.
  // The slope that bounds what the control problem charges in a gap halves the time of a curve.
  // Losses of huge noise by their own series are 0.7.
  { file: "curves.wasm", kilobytes: 600.5 },
  // Scorecards are 45 of it: their levels, the search, exact maxima of noise, and the release. The
  // questions that released moments answer, and the check of a model derived from them, are 12. The
  // laboratory reads files for all that files are read for, which makes 10 of its own.
  // Fits whose noise a test chooses (posterior samples, tested output perturbation) are 33: the
  // exact price of a sample, the tests, the learners and their attacks; what a release says of
  // them is checked by the reader too, which is 16. The softmax fit of several classes is some 20
  // more here, in the laboratory and in the demonstration of fits: its solver with the certificate,
  // and its audit.
  // These two carry the SIMD kernel, which with what calls it in Go is 8.4. The worst data of
  // objective perturbation, as a path to draw, are 1.6 here and 0.3 in curves.wasm. Noisy cells, on
  // which any number of cards is free, are 9: their purchase, their document, and what is asked
  // of them. Settings that the records choose, and pay for, are 10: the event, the search for noise
  // that prices whole selections, the scores, and what a release says of them (1 in the reader).
  // Indicators of missing values are 2.5: rows, units, differences, and what a suggestion counts.
  // Plain records of a file, read by the kernel, are 3. Evaluations of cards are 2. Steps of
  // a softmax are 1: the sum of all classes' gradients, and the attack on it.
  // To try a choice by the records out beforehand is 1. That a selection pays for all of its
  // candidates and for its score is 1, here and in the reader.
  // What tells nothing, whole counts and a softmax's sum are 1 to 2 of both, and 1 of the next.
  // Choices among fits of several classes, and their trials and those of noisy moments, are 2.
  // What a report's matrices cannot be is 1 of both, and that a charge is for its release here.
  // What made-up columns have in common, and the share of a rarer class, are 1.
  // That rows may be elsewhere, and are handed over in pieces, is 1.
  // What evaluations, moments, scores and counts of no records are found out by is 3 of the reader
  // and of the demonstration of fits, and 5 here, with what a charge does not pay for. That sums of
  // products are those of such columns is 2 of the reader and 1 of the others.
  // Pieces of rows in one memory, ends of fields by words, texts found without a hash, and counts
  // that processors can share are 2 to 3, and 1 of the laboratory.
  // The weighted logistic loss, for a rare class that is to be found, is 2 here, and 1 of the
  // reader and of the demonstration of fits.
  // Rows that are all divided by the same length are 0.5, and 0.1 of the verifier.
  // Several workers for fits of several classes and for moments are 7, of which the laboratory
  // has 2 and the demonstration of fits 2: blocks of a softmax, and what is sent for them. The
  // client's part of it is 0.1 of the page. The searches for an ε and for ends of a profile are 2.
  // What moments, a report's matrices and evaluations of several classes are held to is 2, and 3
  // of the reader, which checks the release of a report. The data's path at any λ is 0.2.
  // What two numbers come to together, and where a model puts rows, is 5 here and in the reader.
  // Rows that stay with the workers that take sums over them, and are read again where one dies,
  // are 20 here and in the laboratory.
  // Ranges of a file that several workers read at once, and joining them, are 6.5, 2 of the
  // laboratory and 0.5 of the reader.
  // A comment that moves line numbers changed it by 1.6, and the laboratory by 6.5, at the same
  // size before brotli: there is room for that.
  // Evaluations that ask those who keep a part of the rows are 3.4, and questions that are answered
  // without their whole work 3. Reports, losses and fits of several classes by those who keep rows
  // are 7.5, and a purchase that a schema states for less than its charge 2.
  { file: "cloister.wasm", kilobytes: 1513 },
  // Indicators are 1 here.
  { file: "laboratory.wasm", kilobytes: 1157 },
  // The caveat about logarithmic scales, which older releases lack, is 1 of this one. Line numbers
  // alone change it by as much, as they do the others.
  { file: "reader.wasm", kilobytes: 822 },
  // One step a screen takes some kB more than all below each other: the steps and their addresses,
  // the receipt, the table edited by keys, undo. The check of a scorecard's levels, its plan and
  // its search are 3. What of the client buys noisy cells and asks for cards of them is 0.2.
  // So is what buys an evaluation of a card. What leaves rows out, and how many, is 0.4.
  // A setting that the rows choose is 0.3.
  // Workers that keep rows of a large file are 0.4 here and of the page.
  // What other tabs have promised, and what is paid for without a ledger, are 0.3 here and of the
  // page.
  // A promise that binds joined accounts, what is said where it cannot be read, and that a purchase
  // counts which died after the draw, made it 81.2 and the page 153.5.
  { file: "studio.js", kilobytes: 83.8 },
  // The four made-up tables that the page makes itself, with their code books, are 3 of it; the
  // notebook 4; the questions about layout, missing numbers, copies of the label and reasons 5;
  // other models of the same moments 1; three more ways to fit 0.3; the rule by which the usual
  // way follows from the number of rows 0.2. Scorecards are 10: their
  // levels, the card as a result, its printed page and its programs. Cards on noisy counts, by hand
  // or by a search, are 1.6. Figures of a card, bought and printed with it, are 0.6. Missing values
  // with a column of their own, in four languages, are 0.5. A setting that the rows choose is 0.8.
  // Two losses more to choose from, with their programs, are 0.3.
  // That a budget buys nothing, and the share of the rarer class, are 0.8.
  // A range beside each expected loss is 0.1; columns turned back are 0.1, and of studio.js too.
  // Sources of values, purchases that an account does not have, and evaluations without a ledger
  // are 1, and 0.8 of studio.js.
  { file: "index.html", kilobytes: 156.9 },
  // The digest of a file by the browser takes 0.7 of each script that starts workers, and reading
  // ranges of one beside others 0.9: all have the same one, whether they read a file or not.
  { file: "verify.js", kilobytes: 46.3 },
  // What scorecards cost, searched for one by one and on noisy cells, is 1. Figures rounded to the
  // side that holds are 0.1, and what is not of the state that is shown 0.4. Which data sets are
  // compared, in files too, is 0.2 here and 0.1 of the demonstration of fits.
  { file: "explorer.js", kilobytes: 49.9 },
  { file: "elements.js", kilobytes: 45 },
  // Private scorecards for made-up patients are 1.7 of the script; in the binary the search and its
  // exact maxima of noise are 67. Steps of a softmax are 1.
  { file: "fit-demo.js", kilobytes: 31.9 },
  // The rounded hinge's own exponential and its table are 1 here, and with the kernel's loops for
  // it 1 of the two binaries that carry the kernel.
  { file: "fit-demo.wasm", kilobytes: 750.5 },
  // The names of other files in these two change with each build, and move them by a hundredth.
  { file: "my-privacy.js", kilobytes: 27.6 },
  // What a promise leaves out, beside the bound, is 0.1.
  { file: "reader.js", kilobytes: 34.9 },
  { file: "docs/docs.js", kilobytes: 4 },
  // Every page and theorem is found: that on the exact cost of objective perturbation is 1, the
  // way of a scorecard through the studio 0.3, cards on noisy cells 0.5, how good a card is 0.4.
  // 2 kB are which test holds what of tested releases and votes, and what a choice by the rows
  // predicts; 1 is two losses and their proofs, 1 weights and theirs, 1 files larger than
  // memory, and 1 what the benchmark has at every ε. A ledger for large files is 0.2.
  // The papers' comparisons, their verdicts and figures beside ours, are 2.4; rows kept
  // for later passes over a large file are 0.5.
  { file: "docs/search.json", kilobytes: 77.7 },
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
