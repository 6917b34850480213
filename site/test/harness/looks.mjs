// Looks at the states of a group: axe-core finds nothing in them, wide and narrow, light and dark,
// nothing is wider than the window, and nothing goes wrong in the console. States that come one
// from the other are gone through on one page.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { accessible, fitsWindow } from "./axe.mjs";
import { test } from "./limited.mjs";
import { serve } from "../../../scripts/serve.mjs";
import { launch, open, shortLived } from "./browser.mjs";
import { chains, enter, goOn, states } from "./states.mjs";
import { drawn, oneTrial } from "./studio.mjs";

const wide = { width: 1280, height: 900 };
const narrow = { width: 390, height: 844 };

/**
 * Everything is looked at wide and light, and narrow and dark; of the other two, what the theme
 * changes.
 */
async function look(page, name) {
  await fitsWindow(page, `${name}, wide`);
  await accessible(page, `${name}, wide and light`);
  await page.emulateMedia({ colorScheme: "dark" });
  await drawn(page);
  await accessible(page, `${name}, wide and dark`, { contrast: true });
  await page.setViewportSize(narrow);
  await drawn(page);
  await fitsWindow(page, `${name}, narrow`);
  await accessible(page, `${name}, narrow and dark`);
  await page.emulateMedia({ colorScheme: "light" });
  await drawn(page);
  await accessible(page, `${name}, narrow and light`, { contrast: true });
  await page.setViewportSize(wide);
  await drawn(page);
}

/** Defines the tests of a group of states. */
export function looks(group) {
  let server, browser;
  before(async () => {
    server = await serve();
    browser = await launch(shortLived);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const all = chains(group);
  assert.ok(all.length > 0, `there is no state in ${group}`);
  for (const chain of all) {
    test(chain.join(", then "), async () => {
      const tab = await open(browser, { ...wide, theme: "light", rests: oneTrial });
      const complaints = [];
      for (const [i, name] of chain.entries()) {
        if (i === 0) await enter(tab.page, server.url, name);
        else await goOn(tab.page, name);
        if (states[name].complains) complaints.push(states[name].complains);
        await look(tab.page, name);
      }
      assert.deepEqual(
        tab.problems.filter((p) => !complaints.some((expected) => expected.test(p))),
        [],
      );
      await tab.close();
    });
  }
}
