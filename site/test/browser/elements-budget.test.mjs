// <privacy-budget> in a browser.

import assert from "node:assert/strict";
import { load } from "../../dist/client.node.mjs";
import { open } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { shapesOf, sameLook } from "../harness/look.mjs";
import { samePicture } from "../harness/picture.mjs";
import { inOrder, pageOf, servePages, settled } from "../harness/pages.mjs";
import { setUp } from "../harness/set-up.mjs";

const script = '<script type="module" src="elements.js" integrity="sha384-FILE"></script>';
const adjacency = "add-remove";
const items = [
  {
    label: "A count",
    event: { mechanism: "laplace", adjacency, sensitivity: 1, scale: 10 },
    count: 5,
  },
  {
    label: "A mean",
    event: { mechanism: "gaussian", adjacency, sensitivity: 1, sigma: 8 },
    count: 4,
  },
];
const element = (inside, more = "") =>
  `<privacy-budget adjacency="add-remove" epsilon="2" ${more}><script type="application/json">${JSON.stringify(inside)}</script></privacy-budget>`;

const { server, browser } = await setUp(
  servePages({
    "/one.html": pageOf(element(items, 'state="b"'), script),
    "/mixed.html": pageOf(
      element([{ ...items[0], event: { ...items[0].event, adjacency: "replace-one" } }]),
      script,
    ),
  }),
);

async function visit(path, options) {
  const opened = await open(browser, options);
  await opened.page.goto(server.url + path);
  await settled(opened.page, "privacy-budget");
  return opened;
}

const table = (page) =>
  page
    .locator("privacy-budget")
    .evaluate((one) =>
      [...one.shadowRoot.querySelectorAll("tbody tr")].map((row) =>
        [...row.querySelectorAll("data")].map((cell) => Number(cell.value)),
      ),
    );

test("its numbers are the filter's: what was spent, and how many more fit", async () => {
  const client = await load({ wasmURL: new URL("../../dist/curves.wasm", import.meta.url) });
  const budget = { adjacency, epsilon: 2, delta: 1e-5 };
  const { page, quiet, close } = await visit("/one.html");
  const charged = items.map(({ event, count }) => ({ event, count }));
  const rows = await table(page);
  for (const [i, [spent, room]] of rows.entries()) {
    assert.equal(
      spent,
      (await client.afford({ budget, charged: charged.slice(0, i + 1) })).epsilon,
    );
    const fits = async (count) =>
      (await client.afford({ budget, charged, candidate: { event: items[i].event, count } }))
        .affords;
    assert.ok((await fits(room)) && !(await fits(room + 1)), `${room} more of ${items[i].label}`);
  }
  quiet();
  client.terminate();
  await close();
});

test("a count is changed and shared, and too much is said", async () => {
  const { page, close } = await visit("/one.html");
  const [[, room]] = await table(page);
  await page.getByRole("spinbutton", { name: "How often: A count" }).fill(String(5 + room));
  await settled(page, "privacy-budget");
  assert.equal((await table(page))[0][1], 0);
  await page.getByRole("spinbutton", { name: "How often: A count" }).fill(String(6 + room));
  await page.getByText("That is more than the budget affords").waitFor();
  assert.match(page.url(), new RegExp(`b\\.counts=${6 + room}-4$`));
  await page.reload();
  await page.getByText("That is more than the budget affords").waitFor();
  await close();
});

test("what was found for other counts, or another budget, is not shown beside these", async () => {
  const { page, close } = await visit("/one.html");
  for (const change of [
    (one) => {
      const field = one.shadowRoot.querySelector("input");
      field.value = "7";
      field.dispatchEvent(new Event("input"));
    },
    (one) => one.setAttribute("epsilon", "3"),
  ]) {
    const [cells, says] = await page.locator("privacy-budget").evaluate(async (one, source) => {
      new Function("one", `(${source})(one)`)(one);
      await Promise.resolve();
      await one.updateComplete;
      const root = one.shadowRoot;
      return [
        [...root.querySelectorAll("tbody .number:not(:has(input))")].map((td) => td.innerText),
        root.querySelector("#says").innerText,
      ];
    }, change.toString());
    assert.deepEqual([...new Set(cells), says], ["…", "…"]);
    await settled(page, "privacy-budget");
    assert.match(await page.locator("#says").innerText(), /is spent at δ/);
  }
  await close();
});

test("events of another adjacency are refused by name", async () => {
  const { page, close } = await visit("/mixed.html");
  assert.match(
    await page.getByRole("alert").textContent(),
    /\[0\]\.event\.adjacency is replace-one, and the budget’s is add-remove/,
  );
  await close();
});

for (const theme of ["light", "dark"]) {
  test(`it looks as it did, in ${theme}`, async (t) => {
    const { page, close } = await visit("/one.html", { width: 720, theme });
    sameLook(`privacy-budget-${theme}`, { bar: await shapesOf(page.locator("privacy-budget")) });
    await samePicture(t, `privacy-budget-${theme}`, page, page.locator("privacy-budget"));
    await close();
  });

  test(`axe has nothing to complain of in ${theme}, and nothing sticks out at 320 pixels`, async () => {
    const { page, close } = await visit("/one.html", { width: 320, height: 700, theme });
    await inOrder(page, theme);
    await close();
  });
}
