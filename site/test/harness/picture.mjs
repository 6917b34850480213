// What an element looks like as pixels: a screenshot, averaged over a coarse grid, as text. What
// the shapes of a drawing cannot tell: that something lies over them, hides them or cuts them off.
// With other fonts lines break elsewhere: there a picture is held against itself alone.
// CLOISTER_UPDATE=1 keeps it anew.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixtures } from "./pages.mjs";

const COLUMNS = 48;
const ROWS = 24;
/** How far a cell may be off, of 15, and all of them together on average. */
const CELL = 5;
const MEAN = 0.35;

/**
 * How far each cell's brightness is from the paper's, which most cells have: a hexadecimal digit,
 * row by row. Lines are thin, so f is a third of the way from black to white.
 */
export async function pictureOf(page, target) {
  const png = (await target.screenshot({ animations: "disabled" })).toString("base64");
  return page.evaluate(
    async ([data, columns, rows]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const { width, height } = image;
      const canvas = new OffscreenCanvas(width, height).getContext("2d");
      canvas.drawImage(image, 0, 0);
      const { data: pixels } = canvas.getImageData(0, 0, width, height);
      const sums = Array.from({ length: rows }, () => new Float64Array(columns));
      const counts = Array.from({ length: rows }, () => new Float64Array(columns));
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const at = 4 * (y * width + x);
          const [row, column] = [
            Math.floor((y * rows) / height),
            Math.floor((x * columns) / width),
          ];
          sums[row][column] +=
            0.2126 * pixels[at] + 0.7152 * pixels[at + 1] + 0.0722 * pixels[at + 2];
          counts[row][column]++;
        }
      }
      const means = sums.map((line, row) =>
        Array.from(line, (sum, column) => sum / counts[row][column]),
      );
      const all = means.flat().sort((a, b) => a - b);
      const paper = all[all.length >> 1];
      return means.map((line) =>
        line
          .map((mean) => Math.min(15, Math.round((Math.abs(mean - paper) / 255) * 45)).toString(16))
          .join(""),
      );
    },
    [png, COLUMNS, ROWS],
  );
}

/** How far two pictures are apart: at the worst cell, and on average. */
export function apart(a, b) {
  const off = a.flatMap((line, row) =>
    [...line].map((digit, column) =>
      Math.abs(Number.parseInt(digit, 16) - Number.parseInt(b[row][column], 16)),
    ),
  );
  return { worst: Math.max(...off), mean: off.reduce((sum, one) => sum + one, 0) / off.length };
}

/** How wide a line is in the element's font, which tells fonts apart. */
const lineIn = (target) =>
  target.evaluate((one) => {
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context.font = `100px ${getComputedStyle(one).fontFamily}`;
    return context.measureText("0123456789 δ(ε) of a Gaussian mechanism").width.toFixed(0);
  });

/**
 * Asserts that an element looks as it did; and that it would be noticed if it were half hidden, or
 * cut off. What is kept begins with the width of a line: where that differs, the fonts do.
 */
export async function samePicture(t, name, page, target) {
  const seen = await pictureOf(page, target);
  const line = await lineIn(target);
  const file = join(fixtures, `picture-${name}.txt`);
  if (process.env.CLOISTER_UPDATE) writeFileSync(file, `${[line, ...seen].join("\n")}\n`);
  const [keptLine, ...keptPicture] = readFileSync(file, "utf8").trim().split("\n");
  const sameFonts = line === keptLine;
  if (!sameFonts)
    t.diagnostic(`other fonts than those of picture-${name}.txt: not compared with it`);
  const kept = sameFonts ? keptPicture : seen;
  const same = (other) => {
    const { worst, mean } = apart(other, kept);
    return worst <= CELL && mean <= MEAN;
  };
  assert.ok(
    same(await pictureOf(page, target)),
    `${name} looks otherwise: ${JSON.stringify(apart(seen, kept))}\n${seen.join("\n")}`,
  );
  for (const style of ["opacity: 0.4", "clip-path: inset(0 50% 0 0)"]) {
    const before = (await target.getAttribute("style")) ?? "";
    await target.evaluate((one, text) => one.setAttribute("style", text), `${before};${style}`);
    assert.ok(!same(await pictureOf(page, target)), `${name} with ${style} is not noticed`);
    await target.evaluate((one, text) => one.setAttribute("style", text), before);
  }
}
