// Every state of the page, wide and narrow, light and dark: axe-core finds nothing, nothing is wider than the window, and
// nothing goes wrong in the console.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { serve } from "../../../scripts/serve.mjs";
import { launch, open } from "../harness/browser.mjs";
import { enter, states } from "../harness/states.mjs";
import { accessible, drawn, fitsWindow } from "../harness/studio.mjs";

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
  test(name, async () => {
    const tab = await open(browser, { width: 1280, height: 900, theme: "light" });
    const { page } = tab;
    await enter(page, server.url, name);
    await fitsWindow(page, `${name}, wide`);
    await accessible(page, `${name}, wide and light`);
    await page.setViewportSize({ width: 390, height: 844 });
    await drawn(page);
    await fitsWindow(page, `${name}, narrow`);
    await accessible(page, `${name}, narrow and light`);
    await page.emulateMedia({ colorScheme: "dark" });
    await drawn(page);
    await accessible(page, `${name}, narrow and dark`);
    await page.setViewportSize({ width: 1280, height: 900 });
    await drawn(page);
    await accessible(page, `${name}, wide and dark`);
    const unexpected = tab.problems.filter((p) => !states[name].complains?.test(p));
    assert.deepEqual(unexpected, []);
    await tab.close();
  });
}
