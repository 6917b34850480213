// What the elements do to pages of others: a page keeps its place when they come alive, and they
// can be read on light and on dark pages, however these say which they are.

import assert from "node:assert/strict";
import { describe } from "node:test";
import { open } from "../harness/browser.mjs";
import { elements } from "../harness/elements.mjs";
import { test } from "../harness/limited.mjs";
import { pageOf, servePages, settled } from "../harness/pages.mjs";
import { setUp } from "../harness/set-up.mjs";

const names = Object.keys(elements);
const all = names.join(", ");
const scripts =
  '<script type="module" src="elements.js"></script><script type="module" src="fit-demo.js"></script>';
const room = '<link rel="stylesheet" href="elements.css">';
const words = "Some text before a figure, a line or two of it, so that something can move.";
const column = (inside) => `<div style="max-width: 760px; margin: auto">${inside}</div>`;
const body = column(names.map((name) => `<p>${words}</p>\n${elements[name]}`).join("\n"));

const host = (style) => pageOf(column(Object.values(elements).join("\n")), `${scripts}${style}`);
const styled = (rules) => host(`<style>${rules}</style>`);
const hosts = {
  light: styled(":root { color-scheme: normal; background: #fff; color: #222 }"),
  "light, in a dark system": styled(":root { background: #fff; color: #222 }"),
  "dark by color-scheme": styled(
    ":root { color-scheme: dark; background: #121212; color: #e6e6e6 }",
  ),
  "dark by its colours alone": styled(
    ":root { color-scheme: normal; background: #1e1e1e; color: #d4d4d4 }",
  ),
  "light, with a dark part": pageOf(
    `<section style="background: #0b1f33; color: #eef">${column(Object.values(elements).join("\n"))}</section>`,
    `${scripts}<style>:root { color-scheme: normal; background: #fff; color: #222 }</style>`,
  ),
  "dark by a picture": styled(
    ":root { color-scheme: normal; background: linear-gradient(#101418, #101418) fixed; color: #e4e8e4 }",
  ),
};
/** The ground of a host that is dark by a picture cannot be read from its styles. */
const grounds = { "dark by a picture": [16, 20, 24] };

const path = (name) => `/host-${Object.keys(hosts).indexOf(name)}.html`;
const { server, browser } = await setUp(
  servePages({
    "/room.html": pageOf(body, `${room}${scripts}`),
    "/without.html": pageOf(body, scripts.replaceAll("<script ", "<script async ")),
    ...Object.fromEntries(Object.entries(hosts).map(([name, html]) => [path(name), html])),
  }),
);

/** Opens a page that adds up its layout shifts, and waits until every element is alive. */
async function shifted(address, options, slow = false) {
  const { page, close } = await open(browser, options);
  await page.addInitScript(() => {
    globalThis.shifts = [];
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries())
        globalThis.shifts.push({
          value,
          at: Math.round(startTime),
          what: sources.map(({ node }) => node?.localName ?? "?").join(" "),
        });
    }).observe({ type: "layout-shift", buffered: true });
  });
  // A script that comes after the page was painted, as over a slow line.
  if (slow)
    await page.route(/\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
  await page.goto(server.url + address);
  await settled(page, all);
  await page.waitForTimeout(300);
  return { page, close, shifts: await page.evaluate(() => globalThis.shifts) };
}

const sum = (shifts) => shifts.reduce((total, { value }) => total + value, 0);

describe("a page with all elements keeps its place", () => {
  for (const width of [1280, 800, 390]) {
    test(`at ${width} pixels, with a slow script`, async () => {
      const { page, close, shifts } = await shifted("/room.html", { width, height: 900 }, true);
      assert.ok(sum(shifts) <= 0.01, JSON.stringify(shifts));
      // The room is no larger than it has to be.
      const spare = await page.locator(all).evaluateAll((every) =>
        every.map((one) => {
          const room = one.shadowRoot.querySelector(".room");
          const needed = Math.max(
            ...[...room.children].map((part) => part.getBoundingClientRect().bottom),
          );
          return [one.localName, room.getBoundingClientRect().bottom - needed];
        }),
      );
      for (const [name, pixels] of spare) assert.ok(pixels <= 48, `${name}: ${pixels} to spare`);
      await close();
    });
  }

  test("and would not without its room: the test above can fail", async () => {
    const { close, shifts } = await shifted("/without.html", { height: 900 }, true);
    assert.ok(sum(shifts) > 0.05, JSON.stringify(shifts));
    await close();
  });
});

/** Texts that stand out too little from what lies behind them. */
function faint([selector, behind]) {
  const channels = (colour) => {
    const numbers = (/\(([^)]*)\)/.exec(colour)?.[1] ?? "").match(/-?[\d.]+(?:e-?\d+)?/g) ?? [];
    const [r, g, b, alpha = 1] = numbers.map(Number);
    const unit = colour.startsWith("color(") ? 255 : 1;
    return [r * unit, g * unit, b * unit, alpha];
  };
  const over = ([r, g, b, alpha], [x, y, z]) => [
    alpha * r + (1 - alpha) * x,
    alpha * g + (1 - alpha) * y,
    alpha * b + (1 - alpha) * z,
  ];
  const luminance = (colour) => {
    const [r, g, b] = colour.map((c) =>
      c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const around = (one) => one.assignedSlot ?? one.parentElement ?? one.getRootNode().host ?? null;
  const ground = (element) => {
    const layers = [];
    for (let one = element; one; one = around(one)) {
      const layer = channels(getComputedStyle(one).backgroundColor);
      if (layer[3] > 0) layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reduceRight((under, layer) => over(layer, under), behind ?? [255, 255, 255]);
  };
  const found = [];
  let read = 0;
  for (const element of document.querySelectorAll(selector))
    for (const one of element.shadowRoot.querySelectorAll("*")) {
      const text = [...one.childNodes]
        .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
        .map(({ data }) => data.trim())
        .join(" ")
        .trim();
      const written = text || (one instanceof HTMLInputElement && one.value);
      if (!written || one.localName === "style" || !one.checkVisibility?.()) continue;
      if (one.closest(".hidden") || one.getClientRects().length === 0) continue;
      const { color, fill } = getComputedStyle(one);
      const ink = channels(one instanceof SVGElement ? fill : color);
      const under = ground(one);
      const [light, dark] = [luminance(over(ink, under)), luminance(under)].sort((a, b) => b - a);
      const contrast = (light + 0.05) / (dark + 0.05);
      read++;
      if (!(contrast >= 4.5))
        found.push(`${element.localName} ${one.localName} “${written}”: ${contrast.toFixed(2)}`);
    }
  return { found, read };
}

describe("the elements can be read on a host that is", () => {
  for (const name of Object.keys(hosts)) {
    test(name, async () => {
      for (const theme of ["light", "dark"]) {
        const { page, quiet, close } = await open(browser, { theme, height: 2600 });
        await page.goto(server.url + path(name));
        await settled(page, all);
        const { found, read } = await page.evaluate(faint, [all, grounds[name]]);
        assert.ok(read > 60, `${read} texts`);
        assert.deepEqual(found, [], `system ${theme}`);
        quiet();
        await close();
      }
    });
  }

  test("switched from light to dark while it is shown, by a class and slowly", async () => {
    const { page, close } = await open(browser, { height: 2600 });
    await page.goto(server.url + path("light"));
    await settled(page, all);
    const schemes = () =>
      page
        .locator(all)
        .evaluateAll((every) =>
          every.map((one) => one.shadowRoot.querySelector(".room").dataset.scheme),
        );
    assert.deepEqual(new Set(await schemes()), new Set([undefined]));
    await page.addStyleTag({
      content:
        ":root { transition: background-color 0.2s, color 0.2s } .night { background: #1e1e1e; color: #d4d4d4 }",
    });
    await page.evaluate(() => document.documentElement.classList.add("night"));
    await page.waitForFunction(
      (all) =>
        [...document.querySelectorAll(all)].every(
          (one) => one.shadowRoot.querySelector(".room").dataset.scheme === "dark",
        ),
      all,
    );
    const { found } = await page.evaluate(faint, [all]);
    assert.deepEqual(found, []);
    await close();
  });

  test("dark, and would not be read if they did not see that: the tests above can fail", async () => {
    const { page, close } = await open(browser, { height: 2600 });
    await page.goto(server.url + path("dark by its colours alone"));
    await settled(page, all);
    await page.locator(all).evaluateAll((every) => {
      for (const one of every) delete one.shadowRoot.querySelector(".room").dataset.scheme;
    });
    const { found } = await page.evaluate(faint, [all]);
    assert.ok(found.length > 0);
    await close();
  });

  test("the author's word about an element counts for more than the page's colours", async () => {
    const { page, close } = await open(browser, { height: 2600 });
    await page.goto(server.url + path("dark by its colours alone"));
    await settled(page, all);
    const curve = page.locator("privacy-curve");
    await curve.evaluate((one) => {
      one.setAttribute("theme", "light");
      document.documentElement.classList.add("anything");
    });
    await page.waitForFunction(
      () =>
        document.querySelector("privacy-curve").shadowRoot.querySelector(".room").dataset.scheme ===
        undefined,
    );
    await close();
  });
});
