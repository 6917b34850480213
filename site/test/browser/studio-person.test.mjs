// A new person: from an empty profile to a published file, on the sample in no more than 3
// interactions, on a table of their own with a code book, and on Adult where it is present, in no
// more than 7; by the pointer, and by keys alone. At no point is there a complaint, or no way on.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after } from "node:test";
import { openClient } from "../harness/client.mjs";
import { adult, withoutAdult } from "../harness/shared-data.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";
import { csv, drawn, openStudio, smallTable } from "../harness/studio.mjs";

const { server, browser } = await setUp();
const client = await openClient();

/** Presses Tab until something has the focus whose words are those; that is no interaction yet. */
async function tabTo(page, words) {
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const { activeElement: e } = document;
      return `${e.localName === "button" ? "" : "not a button: "}${e.textContent.replace(/\s+/g, " ").trim()}`;
    });
    if (words.test(at)) return;
  }
  assert.fail(`Tab does not come to ${words}`);
}

const pointer = (page, words) => page.getByRole("button", { name: words }).first().click();
const keys = async (page, words) => {
  await tabTo(page, words);
  await page.keyboard.press("Enter");
};

/**
 * Somebody in a profile of their own, whose interactions are counted: each click, or each key that
 * acts, and each file chosen. They see the one step that is on the screen, and go on by it alone.
 */
async function newPerson(t, act, most, run) {
  const tab = await openStudio(browser, server.url, { goes: false });
  const { page } = tab;
  let count = 0;
  const interact = async (does) => {
    count++;
    await does();
    await drawn(page);
    assert.deepEqual(
      await page.locator("[role=alert]").allInnerTexts(),
      [],
      `a complaint after interaction ${count}`,
    );
  };
  const person = {
    page,
    press: async (words) => {
      // What comes next is there, and can be pressed: a click on something else or a longer wait
      // would be a dead end.
      await page.waitForFunction(
        ([source, flags]) =>
          [...document.querySelectorAll("button")].some(
            (b) =>
              !b.disabled &&
              b.checkVisibility() &&
              new RegExp(source, flags).test(b.textContent.replace(/\s+/g, " ").trim()),
          ),
        [words.source, words.flags],
        { timeout: 60_000 },
      );
      await interact(() => act(page, words));
    },
    choose: (files) => interact(() => page.setInputFiles("#file", files)),
    save: async (words) => {
      const [file] = await Promise.all([page.waitForEvent("download"), person.press(words)]);
      return readFileSync(await file.path(), "utf8");
    },
    /** No more than so many up to here; what comes after is not counted. */
    published: () => {
      t.diagnostic(`${count} interactions`);
      assert.ok(count <= most, `${count} interactions, and ${most} are enough`);
    },
  };
  await run(person);
  tab.quiet();
  await tab.close();
}

/** Publishes a table of their own: whole, paid for, and readable by others. */
async function publish({ page, choose, press, save, published }, files) {
  await choose(files);
  await press(/^From our code book/);
  await page.fill("#read-all-reason", "code book 2025, page 4");
  await press(/^Confirm$/);
  await press(/^Next: Budget$/);
  await press(/^Fix the total of ε = 3, and go on$/);
  await press(/^Fit the model$/);
  await page.waitForSelector(".verdict", { timeout: 60_000 });
  const release = JSON.parse(await save(/^Save the release$/));
  published();
  assert.equal(release.guarantee.covers, true);
  assert.ok((await client.reprice(release)).holds);
  assert.match(await save(/^Save a model card$/), /covers everything in the release/);
  await page.waitForFunction(() =>
    document.querySelector("#account").textContent.includes("1 purchase has used"),
  );
}

for (const [way, act] of [
  ["by the pointer", pointer],
  ["by keys", keys],
]) {
  test(`the sample, ${way}`, (t) =>
    newPerson(t, act, 3, async ({ page, press, save, published }) => {
      await press(/^Try it on made-up hospital stays$/);
      await page.waitForSelector(".verdict");
      assert.ok((await client.reprice(JSON.parse(await save(/^Save the release$/)))).holds);
      published();
      assert.match(await save(/^Save a model card$/), /Model card/);
    }));

  test(`a table of their own, ${way}`, (t) =>
    newPerson(t, act, 7, (person) => publish(person, csv(smallTable(), "ward-round.csv"))));
}

test("Adult", { skip: withoutAdult }, (t) =>
  newPerson(t, pointer, 7, async (person) => {
    await publish(person, adult[0]);
    await person.page.check("#pledge-all");
    await person.page.click("#pledge-look");
    await person.page.waitForSelector("#fence-pledge");
    const right = Number(
      /Right on your rows\s+([\d.]+)/.exec(
        await person.page.locator(".fence:has(#fence-title)").innerText(),
      )[1],
    );
    assert.ok(right > 83, `${right} % right on the rows it was fitted to, at ε = 1`);
  }),
);
