// Every state of the page, wide and narrow, light and dark: axe-core finds nothing, nothing is wider than the window, and
// nothing goes wrong in the console.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { serve } from "../../../scripts/serve.mjs";
import { launch, open } from "../harness/browser.mjs";
import { enter, states } from "../harness/states.mjs";
import { accessible, fitsWindow } from "../harness/studio.mjs";

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

for (const name of Object.keys(states)) {
  describe(name, () => {
    for (const [width, theme] of [
      [1280, "light"],
      [390, "dark"],
    ]) {
      test(`${width} pixels, ${theme}, then the other theme by hand`, async () => {
        const tab = await open(browser, { width, height: width === 390 ? 844 : 900, theme });
        await enter(tab.page, server.url, name);
        await fitsWindow(tab.page, name);
        await accessible(tab.page, `${name}, ${theme}`);
        await tab.page.getByRole("button", { name: /theme$/ }).click();
        await accessible(tab.page, `${name}, the other theme`);
        if (states[name].complains) assert.ok(tab.problems.every((p) => states[name].complains.test(p)), tab.problems.join("; "));
        else tab.quiet();
        await tab.close();
      });
    }
  });
}
