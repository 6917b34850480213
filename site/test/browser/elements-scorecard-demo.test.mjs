// <private-scorecard-demo> in a browser. What it shares with <private-fit-demo> is tested there.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { open } from "../harness/browser.mjs";
import { savesFiles } from "../harness/elements.mjs";
import { test } from "../harness/limited.mjs";
import { sameLook, shapesOf } from "../harness/look.mjs";
import { samePicture } from "../harness/picture.mjs";
import { inOrder, pageOf, servePages, settled } from "../harness/pages.mjs";
import { setUp } from "../harness/set-up.mjs";

const name = "private-scorecard-demo";
const script = '<script type="module" src="fit-demo.js" integrity="sha384-FILE"></script>';
const element = (more = "") => `<${name} adjacency="add-remove" ${more}></${name}>`;

const { server, browser } = await setUp(
  servePages({
    "/one.html": pageOf(
      element('n="500" epsilon="0.1" sliders="epsilon 0.01..3, n 100..5000" state="c"'),
      script,
    ),
    "/both.html": pageOf(
      `${element('n="200" draws="5"')}<private-fit-demo adjacency="add-remove" n="200" draws="5"></private-fit-demo>`,
      script,
    ),
    "/wrong.html": pageOf(
      `${element('n="3"')}${element('epsilon="-1"')}${element('sliders="delta 0.1..1"')}${element('draws="101"')}<${name}></${name}>`,
      `<script>window.told = []; addEventListener("error", (event) => { if (event.target.localName === "${name}") told.push(event.error.field); }, true);</script>${script}`,
    ),
  }),
);

async function visit(path, options) {
  const opened = await open(browser, options);
  opened.page.setDefaultTimeout(15_000);
  await opened.page.goto(server.url + path);
  await opened.page.waitForFunction((name) => customElements.get(name), name);
  return opened;
}

const shown = (page) => page.locator(name).evaluate((one) => one.cards);
const mean = ({ cards }) => cards.reduce((sum, { right }) => sum + right, 0) / cards.length;

/** The share of new patients that a card is right for, from what the page says of them. */
function right(points) {
  const truth = [
    [-1, 0, 1],
    [0, 1],
    [-1, 0, 1],
    [-1, 1],
  ];
  const starts = [0, 3, 5, 8];
  let cells = [[0, 0]];
  truth.forEach((of, g) => {
    cells = cells.flatMap(([t, p]) => of.map((one, l) => [t + one, p + points[starts[g] + l]]));
  });
  return (
    cells.reduce((sum, [t, p]) => {
      const back = 1 / (1 + Math.exp(1.4 * (0.5 - t)));
      return sum + (p >= 1 ? back : 1 - back);
    }, 0) / cells.length
  );
}

test("cards are right as often as they say, and bars are the shares of the draws", async () => {
  const { page, quiet, close } = await visit("/one.html");
  await settled(page, name);
  const { cards, plain, attributes } = await shown(page);
  assert.deepEqual(
    attributes.map(({ levels }) => levels.length),
    [3, 2, 3, 2],
  );
  assert.equal(cards.length, 50);
  for (const card of [plain, ...cards]) {
    assert.ok(card.points.every((points) => [-1, 0, 1].includes(points)));
    assert.ok(Math.abs(card.right - right(card.points)) < 1e-12);
  }
  const shapes = await shapesOf(page.locator(name));
  const of = (what) => shapes.filter((shape) => shape.what === `rect ${what}`);
  const [boxes, bars, best] = [of("whole"), of("piece tone-1"), of("without")];
  assert.equal(boxes.length, 30);
  assert.equal(best.length, 10);
  for (let level = 0; level < 10; level++)
    for (const points of [-1, 0, 1]) {
      const i = 3 * level + points + 1;
      const [, , whole] = boxes[i].places;
      const [x, y, width] = bars[i].places;
      const share = cards.filter((card) => card.points[level] === points).length / 50;
      assert.ok(Math.abs(width / whole - share) < 0.001, `level ${level}, ${points} points`);
      if (plain.points[level] === points) assert.deepEqual(best[level].places.slice(0, 2), [x, y]);
    }
  quiet();
  await close();
});

test("sliders move it, the address keeps it, and ε and patients both make it better", async () => {
  const { page, close, quiet } = await visit("/one.html");
  await settled(page, name);
  const first = await shown(page);
  for (const [label, key, most] of [
    ["ε", "epsilon", 3],
    ["Patients", "n", 5000],
  ]) {
    await page.getByRole("slider", { name: label, exact: true }).focus();
    await page.keyboard.press("End");
    await settled(page, name);
    assert.match(page.url(), new RegExp(`c\\.${key}=${most}`));
    const now = await shown(page);
    assert.ok(mean(now) > mean(first) + 0.03, `${mean(now)} after ${mean(first)}`);
    await page.keyboard.press("Home");
    await settled(page, name);
    assert.ok(mean(await shown(page)) < mean(first), label);
    await page.goto("about:blank");
    await page.goto(`${server.url}/one.html`);
    await settled(page, name);
    assert.deepEqual((await shown(page)).cards, first.cards, "the same is drawn again");
  }
  await page.goto("about:blank");
  await page.goto(`${server.url}/one.html#c.epsilon=3`);
  await settled(page, name);
  assert.equal((await shown(page)).question.epsilon, 3);
  quiet();
  await close();
});

test("the cards are read one by one, by keys and by pointing", async () => {
  const { page, close } = await visit("/one.html");
  await settled(page, name);
  const plot = page.getByRole("slider", { name: "Read the private cards one by one" });
  const says = () => plot.getAttribute("aria-valuetext");
  const dots = page.locator("circle.dot");
  assert.equal(await says(), "all 50 draws");
  await plot.focus();
  await page.keyboard.press("End");
  const { cards } = await shown(page);
  const points = cards[49].points.map((n) => (n > 0 ? `+${n}` : String(n).replace("-", "−")));
  assert.match(await says(), /^draw 50 of 50: [\d.]+\s% of new patients right/);
  assert.ok((await says()).endsWith(`points ${points.join(", ")}`), await says());
  assert.equal(await dots.count(), 10);
  await page.keyboard.press("Escape");
  assert.equal(await dots.count(), 0);
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + box.width - 6, box.y + 60);
  assert.match(await says(), /^draw 50 of 50/);
  await page.mouse.move(box.x + 20, box.y + 60);
  assert.equal(await says(), "all 50 draws");
  await close();
});

test("both elements of the script share one worker", async () => {
  server.asked.length = 0;
  const { page, quiet, close } = await visit("/both.html");
  await settled(page, `${name}, private-fit-demo`);
  assert.deepEqual(
    server.asked.filter((path) => path.endsWith(".wasm")),
    ["/fit-demo.wasm"],
  );
  assert.equal(page.workers().length, 1);
  quiet();
  await close();
});

savesFiles(
  async () => {
    const tab = await visit("/one.html");
    await settled(tab.page, name);
    return tab;
  },
  {
    SVG: /^<svg[^>]*xmlns[\s\S]*<title>Bars show how many of 50 draws/,
    CSV: /^card,share of new patients right,age: below 40,[\s\S]*\r\nwithout privacy,0\.\d+,[-01,]+\r\n[\s\S]*\r\ndraw 50,/,
  },
);

test("mistakes are said", async () => {
  const { page, close } = await visit("/wrong.html");
  await page.waitForFunction(() => told.length === 5);
  assert.deepEqual(await page.evaluate(() => told.sort()), [
    "adjacency",
    "draws",
    "epsilon",
    "n",
    "sliders",
  ]);
  await close();
});

test("without scripts the documentation has the picture", () => {
  const page = readFileSync(new URL("../../dist/docs/scorecards.html", import.meta.url), "utf8");
  const inside = /<private-scorecard-demo[\s\S]*?<\/private-scorecard-demo>/.exec(page)[0];
  assert.match(inside, /<svg[\s\S]*Bars show how many of 50 draws/);
});

for (const theme of ["light", "dark"]) {
  test(`it looks as it did, and axe has nothing to complain of, in ${theme}`, async (t) => {
    const { page, close } = await visit("/one.html", { width: 720, theme });
    await settled(page, name);
    sameLook(`${name}-${theme}`, { cards: await shapesOf(page.locator(name)) });
    await samePicture(t, `${name}-${theme}`, page, page.locator(name));
    await page.setViewportSize({ width: 320, height: 800 });
    await page.locator("summary").click();
    await inOrder(page, theme);
    await close();
  });
}
