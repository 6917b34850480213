// Pictures of the page in its states: `node site/test/shots.mjs [STATE…]` writes
// site/test/shots/STATE-WIDTH-THEME.png, at 1280 and 390 pixels, light and dark. Build first.
// `node site/test/shots.mjs --readme` writes site/docs/result-THEME.png instead, the result of a
// fit of the sample, which the README begins with.

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serve } from "../../scripts/serve.mjs";
import { launch, open } from "./harness/browser.mjs";
import { enter, states } from "./harness/states.mjs";

const folder = fileURLToPath(new URL("shots/", import.meta.url));
const forReadme = process.argv.includes("--readme");
const asked = process.argv.slice(2).filter((name) => name !== "--readme");
const unknown = asked.filter((name) => !(name in states));
if (unknown.length > 0) {
  console.error(
    `There is no state ${unknown.join(", ")}: choose from ${Object.keys(states).join(", ")}.`,
  );
  process.exit(2);
}

/** The beginning of a fitted model, as a visitor sees it. */
async function readmePictures() {
  const docs = fileURLToPath(new URL("../docs/", import.meta.url));
  for (const theme of ["light", "dark"]) {
    const { page, close } = await open(browser, {
      width: 1120,
      height: 720,
      theme,
      rests: Infinity,
    });
    await enter(page, server.url, "fitted");
    await page.evaluate(() => {
      const result = document.querySelector("#step-model, #model, #result, [id*=result]");
      const top = (result ?? document.body).getBoundingClientRect().top + scrollY;
      scrollTo(0, Math.max(0, top - 24));
    });
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${docs}result-${theme}.png` });
    await close();
  }
}

mkdirSync(folder, { recursive: true });
const server = await serve();
const browser = await launch();
try {
  if (forReadme) await readmePictures();
  else
    for (const name of asked.length > 0 ? asked : Object.keys(states)) {
      for (const width of [1280, 390]) {
        for (const theme of ["light", "dark"]) {
          const { page, problems, close } = await open(browser, {
            width,
            height: width === 390 ? 844 : 900,
            theme,
            rests: Infinity,
          });
          await enter(page, server.url, name);
          await page.screenshot({ path: `${folder}${name}-${width}-${theme}.png`, fullPage: true });
          for (const problem of problems) console.error(`${name}-${width}-${theme}: ${problem}`);
          await close();
        }
      }
      console.log(name);
    }
} finally {
  await browser.close();
  await server.close();
}
