// The ledger in the page: a total chosen once, what is left, what is refused and what would fit,
// files that are known again, and a browser that keeps nothing.

import assert from "node:assert/strict";
import { describe } from "node:test";
import { load } from "../../dist/client.node.mjs";
import { stepping } from "../harness/steps.mjs";
import { open } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { setUpStudio } from "../harness/set-up.mjs";
import {
  account,
  lookUp,
  drawn,
  fit,
  left,
  openStudio,
  saved,
  savedRelease,
  smallTable,
  withoutStorage,
} from "../harness/studio.mjs";

const { server, browser, inStudio } = await setUpStudio();

const phase = (page, name) => page.waitForSelector(`#account[data-phase="${name}"]`);
const text = (page, selector) => page.locator(selector).innerText();

async function reopened(page) {
  page.once("dialog", (dialog) => dialog.accept());
  await page.reload();
  await page.waitForSelector("#fit-button:not([disabled])");
}

describe("a total", () => {
  test("is asked for before the first fit, said what is left of, refused beyond, and what would fit is offered", () =>
    inStudio(async (page) => {
      await lookUp(page);
      await phase(page, "unknown");
      // A fit that comes too early says what is missing, and leads there.
      await page.click("#fit-button");
      await page.waitForSelector("#fit-problem");
      assert.match(await text(page, "#fit-problem"), /Fix first, in step 3/);
      await page.getByRole("button", { name: "Show me where" }).click();
      await page.waitForFunction(() => document.activeElement?.id === "account-epsilon");
      await page.fill("#account-epsilon", "none");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#account-epsilon-error");
      await page.fill("#account-epsilon", "2");
      await page.keyboard.press("Enter");
      await left(page, "ε = 2 is left of 2");
      assert.equal(await page.locator("#fit-problem").count(), 0, "what was missing is there");
      const promised = page.locator("#fit").getByText("would be left");
      await promised.waitFor();
      const then = /([\d.]+) would be left/.exec(await promised.innerText())[1];
      assert.equal(await fit(page), "done");
      await left(page, `ε = ${then} is left of 2`);

      assert.equal(await fit(page), "done");
      await left(page, "2 purchases have used");
      await page.getByText("A model at").waitFor();
      assert.match(await fit(page), /The budget does not allow it[^]*Nothing was run/);
      await page.getByText("A model at").waitFor();
      await page.getByRole("button", { name: /^Use ε =/ }).click();
      await drawn(page);
      const smaller = Number(await page.inputValue("#epsilon"));
      assert.ok(smaller > 0 && smaller < 1, String(smaller));
      await page.locator("#fit").getByText("would be left").waitFor();
      assert.equal(await fit(page), "done");
      assert.equal((await savedRelease(page)).guarantee.epsilon, smaller);

      // What it was spent on, each by itself, added up, and together.
      await left(page, "3 purchases have used");
      await page.locator("#account summary", { hasText: "What it was spent on" }).click();
      await page.waitForFunction(() =>
        /Added up/.test(document.querySelector(".charges tfoot")?.textContent ?? ""),
      );
      const [sum, total, counted] = (
        await page.locator(".charges tfoot .number").allInnerTexts()
      ).map(Number);
      assert.ok(Math.abs(sum - 2 - smaller) < 0.02, `added up: ${sum}`);
      assert.ok(total < sum && total <= counted && counted <= 2, `${total}, ${counted}`);
    }));

  test("is used up in the end, and the page says that nothing more is possible", () =>
    inStudio(async (page) => {
      await lookUp(page);
      await account(page, { epsilon: 1 });
      await page.locator("#fit").getByText("nothing could follow").waitFor();
      // What is left is asked again, also if the result is still being drawn a second later.
      await page.evaluate(() => {
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (message, ...rest) {
          const late = JSON.stringify(message)?.includes('"differences"') ? 1000 : 0;
          setTimeout(() => postMessage.call(this, message, ...rest), late);
        };
      });
      assert.equal(await fit(page), "done");
      await left(page, "All is spent");
      await page.getByText("The total for these people is spent").waitFor();
      assert.match(await fit(page), /The budget does not allow it/);
      assert.equal(await page.locator(".verdict").count(), 1, "what was released stays");
    }));

  test("ten fits at ε = 0.1 cost what the accountant's certified composition says, and less than 1", () =>
    inStudio(async (page) => {
      await lookUp(page);
      await account(page, { epsilon: 1 });
      await page.fill("#epsilon", "0.1");
      for (let i = 0; i < 10; i++) assert.equal(await fit(page), "done");
      await left(page, "10 purchases have used");
      const used = Number(/have used ε = (\d\.\d+)/.exec(await text(page, "#account"))[1]);
      assert.ok(used < 1, `counted, whatever each was chosen by: ${used}`);

      await page.locator("#account summary", { hasText: "What it was spent on" }).click();
      const row = page.locator(".charges tfoot tr", { hasText: "Together" });
      await row.waitFor();
      const together = await row.locator(".number").innerText();
      // The accountant by itself, on the events of the ledger's file.
      await page.locator("#books summary").click();
      const file = JSON.parse(
        (await saved(page, page.getByRole("button", { name: /^Save the ledger/ }))).text,
      );
      const [{ charges, budget }] = file.datasets;
      assert.deepEqual(
        charges.map((c) => c.state),
        Array(10).fill("committed"),
      );
      const client = await load();
      const alone = await client.account({ event: charges[0].event, delta: 1e-5 });
      const { epsilon, epsilonLower } = await client.account({
        event: {
          mechanism: "composition",
          adjacency: "add-remove",
          parts: charges.map(({ event }) => ({ event, count: 1 })),
        },
        delta: budget.delta,
      });
      client.terminate();
      assert.ok(
        alone.epsilon <= 0.1 + 1e-9 && alone.epsilon > 0.0999,
        `each is ε = 0.1: ${alone.epsilon}`,
      );
      assert.equal(
        Number(together),
        Math.ceil(epsilon * 1000) / 1000, // what is spent is rounded up
        `${together} on the page, ${epsilonLower} to ${epsilon} from the accountant`,
      );
      assert.ok(epsilon < 1 && used >= Number(together), `${epsilon}, ${used}`);
    }));
});

describe("a file", () => {
  test("is known again after a reload, with Windows line ends, and under another name; one that changed is asked about", () =>
    inStudio(async (page) => {
      await lookUp(page);
      assert.equal(await fit(page), "done");
      await left(page, "1 purchase has used");
      await reopened(page);
      await lookUp(page, smallTable().replaceAll("\n", "\r\n"), "renamed.csv");
      await phase(page, "open");
      await left(page, "1 purchase has used");
      assert.match(await text(page, "#account"), /ward-round\.csv/);

      // A row more: another file, of a like name. It is the same people, says the person.
      await lookUp(page, `${smallTable()}\n44,A,yes`, "ward-round (2).csv");
      await phase(page, "unknown");
      await page.getByRole("heading", { name: "Is this ward-round.csv again?" }).waitFor();
      await page.getByRole("button", { name: "Same people as ward-round.csv" }).click();
      await phase(page, "open");
      await left(page, "1 purchase has used");
      assert.equal(await fit(page), "done");
      await left(page, "2 purchases have used");

      // And the first file shares what the second spent.
      await lookUp(page);
      await left(page, "2 purchases have used");
    }));

  test("of other people gets a total of its own", () =>
    inStudio(async (page) => {
      await lookUp(page);
      assert.equal(await fit(page), "done");
      await left(page, "1 purchase has used");
      await lookUp(page, smallTable(300), "ward-round-2024.csv");
      await page.getByRole("heading", { name: "Is this ward-round.csv again?" }).waitFor();
      await page.click("#account-fix");
      await left(page, "Nothing is spent yet");
      await lookUp(page, smallTable(250), "census.csv");
      await phase(page, "unknown");
      assert.equal(await page.locator("#account .notice-warn").count(), 0);
      await page.getByText("another version of a file that I used before").click();
      assert.equal(await page.locator("#account-same option").count(), 2);
    }));

  test("in another tab shares its account", async () => {
    const tab = await openStudio(browser, server.url);
    await lookUp(tab.page);
    await account(tab.page);
    const other = stepping(await tab.page.context().newPage());
    await other.goto(server.url);
    await other.waitForSelector("#fit-button:not([disabled])");
    await lookUp(other);
    assert.equal(await fit(other), "done");
    await left(other, "1 purchase has used");
    await tab.page.bringToFront();
    await tab.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await left(tab.page, "1 purchase has used");
    tab.quiet();
    await tab.close();
  });
});

describe("models of one visit", () => {
  test("stand side by side, and none is lost by fitting again", () =>
    inStudio(async (page) => {
      await lookUp(page);
      assert.equal(await fit(page), "done");
      await page.click("#choice > summary");
      await page.check("#choice-only-model");
      const first = await savedRelease(page);
      await page.fill("#epsilon", "0.5");
      assert.equal(await fit(page), "done");
      const rows = page.locator(".releases tbody tr");
      assert.equal(await rows.count(), 2);
      assert.match(await rows.nth(0).innerText(), /Model 2[^]*0\.5[^]*not saved/);
      assert.match(
        await rows.nth(1).innerText(),
        /Model 1[^]*1[^]*out of date: save it again/,
        "its file says that it is the only one",
      );
      await page.getByRole("radio", { name: "Model 1" }).check();
      await page.locator(".verdict", { hasText: "ε = 1," }).waitFor();
      const { choice, ...again } = await savedRelease(page);
      assert.deepEqual([first.choice, choice], ["only-model", undefined]);
      // Without a choice the file is of the first version, which leaves the clip to the event.
      assert.deepEqual(
        [{ clip: first.event.lipschitz, ...again.model }, again.event],
        [first.model, first.event],
      );
    }));
});

describe("the ledger as a file", () => {
  test("goes to another browser, says what was taken in, and is asked about a file that it knows by name", async () => {
    const here = await openStudio(browser, server.url);
    await lookUp(here.page);
    assert.equal(await fit(here.page), "done");
    await left(here.page, "1 purchase has used");
    await here.page.locator("#books summary").click();
    const file = await saved(
      here.page,
      here.page.getByRole("button", { name: /^Save the ledger/ }),
    );
    assert.equal(file.name, "ledger.json");
    assert.doesNotMatch(file.text, /\b400\b/);

    const there = await openStudio(browser, server.url);
    const take = (text) =>
      there.page.setInputFiles("#ledger-file", {
        name: "ledger.json",
        mimeType: "application/json",
        buffer: Buffer.from(text),
      });
    await there.page.locator("#books summary").click();
    await take(file.text.replace('"epsilon": 3', '"epsilon": 30'));
    await there.page.waitForSelector("#books-problem");
    assert.match(await text(there.page, "#books-problem"), /checksum/);
    await take(file.text);
    await there.page.getByText("1 new data set, 1 charge that was not here").first().waitFor();
    await take(file.text);
    await there.page.getByText("nothing that was not here already").first().waitFor();
    await lookUp(there.page);
    await phase(there.page, "unknown");
    await there.page.getByRole("button", { name: "Same people as ward-round.csv" }).click();
    await left(there.page, "1 purchase has used");
    here.quiet();
    there.quiet();
    await here.close();
    await there.close();
  });
});

describe("without a ledger", () => {
  test("a fit needs a knowing word, and the visit is added up", async () => {
    const tab = await open(browser);
    const { page } = tab;
    await withoutStorage(page);
    await page.goto(server.url);
    await page.waitForSelector("#fit-button:not([disabled])");
    await lookUp(page);
    await phase(page, "unavailable");
    assert.match(await text(page, "#account"), /cannot store it[^]*cannot know what was spent/);
    await page.click("#fit-button");
    await page.waitForSelector("#fit-problem");
    assert.match(await text(page, "#fit-problem"), /no ledger here/);
    await page.check("#account-accepted");
    await drawn(page);
    assert.equal(await page.locator("#fit-problem").count(), 0);
    assert.equal(await fit(page), "done");
    assert.match(await text(page, "#fit"), /One fit was made on this file in this visit/);
    assert.equal(await fit(page), "done");
    assert.match(await text(page, "#fit"), /2 fits[^]*ε = 2/);
    tab.quiet();
    await tab.close();
  });

  test("for want of room, that is said", async () => {
    const tab = await openStudio(browser, server.url);
    const session = await tab.page.context().newCDPSession(tab.page);
    await session.send("Storage.overrideQuotaForOrigin", {
      origin: new URL(server.url).origin,
      quotaSize: 1,
    });
    await lookUp(tab.page);
    await tab.page.click("#account-fix");
    await phase(tab.page, "unavailable");
    assert.match(await text(tab.page, "#account"), /There is no room for it/);
    await session.send("Storage.overrideQuotaForOrigin", { origin: new URL(server.url).origin });
    await tab.page.getByRole("button", { name: "Try again" }).click();
    await phase(tab.page, "unknown");
    await tab.close();
  });
});
