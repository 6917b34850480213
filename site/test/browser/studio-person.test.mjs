// A new person: from an empty profile to a published file in no more than 12 interactions, on the sample, on a table of their own, and on Adult where it is
// present; at no point is there a complaint, or no way on.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { load } from "../../dist/client.node.mjs";
import { adult, withoutAdult } from "../harness/adult.mjs";
import { setUp } from "../harness/set-up.mjs";
import { csv, drawn, openStudio, smallTable } from "../harness/studio.mjs";

const most = 12;

const { server, browser } = await setUp();
const client = await load();
after(() => client.terminate());

/** Somebody in a profile of their own, whose interactions are counted: each click, each file chosen. */
async function newPerson(t, run) {
  const tab = await openStudio(browser, server.url);
  const { page } = tab;
  let steps = 0;
  const step = async (act) => {
    steps++;
    await act();
    await drawn(page);
    assert.deepEqual(await page.locator("[role=alert]").allInnerTexts(), [], `a complaint after interaction ${steps}`);
  };
  const button = (name) => page.getByRole("button", { name }).first();
  const person = {
    page,
    press: async (name) => {
      // What comes next is there, and can be pressed: a click on something else or a longer wait would be a dead end.
      await page.waitForFunction(
        ([source, flags]) => [...document.querySelectorAll("button")].some((b) => !b.disabled && new RegExp(source, flags).test(b.textContent.replace(/\s+/g, " ").trim())),
        [name.source, name.flags],
        { timeout: 60_000 },
      );
      await step(() => button(name).click());
    },
    choose: (files) => step(() => page.setInputFiles("#file", files)),
    save: async (name) => {
      const [file] = await Promise.all([page.waitForEvent("download"), person.press(name)]);
      return readFileSync(await file.path(), "utf8");
    },
  };
  await run(person);
  t.diagnostic(`${steps} interactions`);
  assert.ok(steps <= most, `${steps} interactions`);
  tab.quiet();
  await tab.close();
}

/** Publishes a table of their own: whole, paid for, and readable by others. */
async function publish({ page, choose, press, save }, files, entries) {
  await choose(files);
  await press(new RegExp(`I have read all ${entries}`));
  await press(/^Confirm$/);
  await press(/^Fix this total$/);
  await page.waitForSelector("#account .spending");
  await press(/^Fit the model$/);
  await page.waitForSelector(".verdict", { timeout: 60_000 });
  const release = JSON.parse(await save(/^Save the release$/));
  assert.equal(release.guarantee.covers, true);
  assert.ok((await client.reprice(release)).holds);
  assert.match(await save(/^Save a model card$/), /covers everything in the release/);
  await page.getByText("1 purchase has used").waitFor();
}

test("the sample", (t) =>
  newPerson(t, async ({ page, press, save }) => {
    await press(/^Try it on a synthetic sample$/);
    await page.waitForSelector(".verdict");
    assert.ok((await client.reprice(JSON.parse(await save(/^Save the release$/)))).holds);
    assert.match(await save(/^Save a model card$/), /Model card/);
  }));

test("a table of their own", (t) => newPerson(t, (person) => publish(person, csv(smallTable(), "ward-round.csv"), 3)));

test("Adult", { skip: withoutAdult }, (t) =>
  newPerson(t, async (person) => {
    await publish(person, adult[0], 15);
    const right = Number(/Right on your rows\s+([\d.]+)/.exec(await person.page.locator(".fence:has(#fence-title)").innerText())[1]);
    assert.ok(right > 83, `${right} % right on the rows it was fitted to, at ε = 1`);
  }));
