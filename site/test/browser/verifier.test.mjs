// The page that checks a release: a table of edited releases, each with the claim that the page
// must name; files that are no release, or not whole; and how the page is used and looked at.

import assert from "node:assert/strict";
import { after, describe } from "node:test";
import { load } from "../../dist/client.node.mjs";
import { csv, schema } from "../client/sample.mjs";
import { accessible, fitsWindow } from "../harness/axe.mjs";
import { open } from "../harness/browser.mjs";
import { test } from "../harness/limited.mjs";
import { setUp } from "../harness/set-up.mjs";
import { drawn, fit, json, openStudio } from "../harness/studio.mjs";
import { slowCore } from "../harness/slow-core.mjs";
import { check, openVerifier } from "../harness/verifier.mjs";

const budget = { adjacency: "add-remove", epsilon: 1, delta: 1e-5 };
const doseRead = {
  ...schema,
  features: schema.features.map((f) => (f.name === "dose" ? { ...f, provenance: "suggested" } : f)),
};
/** The sample with another label, which follows from the age. */
const labelled = (name, of) =>
  csv(900).replace(
    /^(\w+)(,.*),(\w+)$/gm,
    (_, age, rest, label) => `${age}${rest},${label === "sick" ? name : of(Number(age))}`,
  );
const thirds = labelled(
  "state",
  (age) => ["well", "ill", "dead"][Math.min(2, Math.floor(age / 34))],
);
const severalClasses = {
  ...schema,
  version: 2,
  label: {
    name: "state",
    type: "classes",
    classes: [["well"], ["ill"], ["dead"]],
    provenance: "public",
  },
};
const numbers = labelled("days", (age) => 40 - age / 4);

/** A release of each kind, as it was made. */
async function made() {
  const client = await load();
  const fitted = async (text, description, more = {}) =>
    (await client.fit(await client.openDataset(text, description), { ...budget, ...more })).release;
  const two = await fitted(csv(900), schema);
  const out = {
    two,
    evaluated: (
      await client.evaluate(two, await client.openDataset(csv(700), schema), {
        adjacency: "add-remove",
        epsilon: 1,
      })
    ).release,
    read: await fitted(csv(900), doseRead),
    huber: await fitted(csv(900), schema, { loss: "huber", huberWidth: 0.5, epsilon: 4 }),
    classes: await fitted(thirds, severalClasses, { epsilon: 4, loss: "logistic" }),
    softmax: await fitted(thirds, severalClasses, { epsilon: 4 }),
    numbers: await fitted(
      numbers,
      {
        ...schema,
        version: 2,
        label: { name: "days", type: "numeric", min: 0, max: 40, provenance: "public" },
      },
      { epsilon: 4 },
    ),
  };
  client.terminate();
  return { ...out, descent: descent(out.two) };
}

/**
 * A release by another mechanism, as a program of the Go packages makes it: gradient descent of 20
 * steps, each with noise 40 times what one clipped gradient changes, so of √20/40 = 0.112 such
 * changes in one; ε = 0.5 is more than enough for δ = 10⁻⁵ (μ-Gaussian with μ = 0.112; Balle & Wang
 * 2018, Theorem 8).
 */
function descent(release) {
  const clip = 0.5;
  return {
    ...release,
    version: 2,
    event: {
      mechanism: "gradient-descent",
      adjacency: "add-remove",
      sensitivity: clip,
      sigmas: Array(20).fill(40 * clip),
    },
    guarantee: {
      epsilon: 0.5,
      delta: 1e-5,
      adjacency: "add-remove",
      method: "closed",
      theorem: "Cloister's source, core/account: privacy profile of the mechanism in closed form",
      covers: true,
      caveats: [],
    },
    model: { ...release.model, clip },
  };
}

const { server, browser } = await setUp();
const releases = await made();
const tab = await openVerifier(browser, server.url);
const { page } = tab;
after(() => tab.quiet());

const edited = (kind, change) => {
  const release = structuredClone(releases[kind]);
  return JSON.stringify(change(release) ?? release);
};

describe("a release as it was made", () => {
  for (const [kind, said] of [
    ["two", /“yes” against “no”, from 3 columns/],
    ["evaluated", /How well it does[^]*Predicted right[^]*Records/],
    ["huber", /What the model found/],
    ["classes", /one of 3 classes[^]*Which state to show/],
    ["softmax", /one of 3 classes[^]*Which state to show[^]*more than noise/],
    ["numbers", /a number between 0 and 40/],
    ["descent", /The mechanism took steps[^]*Not checked: the event names no lattice/],
  ]) {
    test(kind, async () => {
      const { title, verdict, whole } = await check(page, JSON.stringify(releases[kind]));
      assert.equal(title, "It tells the truth: the guarantee holds");
      assert.match(verdict, /All \d+ claims[^]*covers everything/);
      assert.match(whole, said);
      for (const part of [
        /differential privacy under adding or removing one row/,
        /Odds grow by at most a factor of/,
        /finds at most\s+[\d.]+\s%\s+of the people/,
        /The theorem it names/,
        /What no file can show/,
      ])
        assert.match(whole, part);
      assert.equal(await page.locator(".claim-false").count(), 0);
      assert.match(
        await page.locator("curve-chart .legend tbody tr").first().innerText(),
        /What this model spent/,
      );
    });
  }

  test("what it does not cover is said", async () => {
    const { title, verdict } = await check(page, JSON.stringify(releases.read));
    assert.equal(title, "It tells the truth, and the guarantee leaves something out");
    assert.match(verdict, /"dose"/);
    assert.doesNotMatch(verdict, /as those of earlier versions did not/);
  });

  test("what a file like those of before does not say is said", async () => {
    const release = structuredClone(releases.read);
    const names = release.guarantee.caveats.pop();
    assert.match(names, /The names of the columns/);
    const { verdict } = await check(page, JSON.stringify(release));
    assert.ok(verdict.includes(names));
    assert.match(verdict, /as those of earlier versions did not/);
  });

  test("the numbers are the release's, the accountant's and the definition's", async () => {
    const { whole } = await check(page, JSON.stringify(releases.two));
    assert.match(whole, /\(ε = 1, δ = 10⁻⁵\)-differential privacy/);
    assert.match(whole, /factor of 2\.72/);
    assert.match(whole, /at most\s+73\.2\s%/);
    // By the two inequalities of the definition (ε, δ) alone a test finds at most δ + e·1 %: the
    // whole curve says less, and guessing 1 %.
    const caught = Number(/finds at most\s+([\d.]+)\s%/.exec(whole)[1]);
    assert.ok(caught > 1 && caught < 100 * (1e-5 + Math.E * 0.01) + 0.05, String(caught));
    const rows = await page.locator("#promise tbody tr").allInnerTexts();
    assert.match(rows[0], /The file claims\s+1\s+10⁻⁵/);
    assert.match(rows[1], /by the proof it names\s+1\s+10⁻⁵/);
    const shown = await page.locator(".coefficients tbody tr").allInnerTexts();
    assert.equal(shown.length, releases.two.model.original.length);
  });
});

/**
 * what was edited, of which release, how, and the claim that the page must name: group and title,
 * and a piece of what it says.
 */
const edits = [
  [
    "ε halved",
    "two",
    (r) => void (r.guarantee.epsilon /= 2),
    "What is promised: ε and δ",
    /At ε = 0\.5 the bound gives δ = .*more than the stated 10⁻⁵/,
  ],
  [
    "ε a little smaller",
    "two",
    (r) => void (r.guarantee.epsilon *= 0.999),
    "What is promised: ε and δ",
    /At ε = 0\.999/,
  ],
  [
    "δ a tenth",
    "two",
    (r) => void (r.guarantee.delta = 1e-6),
    "What is promised: ε and δ",
    /more than the stated 10⁻⁶/,
  ],
  [
    "adjacency",
    "two",
    (r) => void (r.guarantee.adjacency = "replace-one"),
    "What is promised: What one record is",
    /for replace-one, the mechanism for add-remove/,
  ],
  [
    "less noise",
    "two",
    (r) => void (r.event.sigma *= 0.9),
    "What is promised: ε and δ",
    /the bound gives/,
  ],
  ["noise below zero", "two", (r) => void (r.event.sigma *= -1), "The mechanism", /sigma/],
  [
    "a smaller λ",
    "two",
    (r) => void (r.event.lambda /= 2),
    "What is promised: ε and δ",
    /the bound gives/,
  ],
  [
    "λ, where the file says it twice",
    "two",
    (r) =>
      Object.assign(r, {
        version: 2,
        guarantee: { ...r.guarantee, method: "closed" },
        model: { ...r.model, clip: r.event.lipschitz, lambda: r.event.lambda * 2 },
      }),
    "The mechanism: The regulariser, λ",
    /strength/,
  ],
  [
    "a coarser solution",
    "two",
    (r) => void (r.event.tau *= 1e6),
    "What is promised: ε and δ",
    /the bound gives/,
  ],
  [
    "the lattice's spacing",
    "two",
    (r) => void (r.event.grid *= 4),
    "The model: Its coefficients",
    /not a multiple/,
  ],
  [
    "no lattice",
    "two",
    (r) => void delete r.event.grid,
    "The mechanism: Its kind",
    /lies on a lattice/,
  ],
  [
    "another mechanism",
    "two",
    (r) =>
      void (r.event = {
        mechanism: "gaussian",
        adjacency: "add-remove",
        sensitivity: 1e-9,
        sigma: 1,
      }),
    "The mechanism",
    /approximate-minima-perturbation/,
  ],
  [
    "longer rows than assumed",
    "two",
    (r) => void (r.event.row_norm = 1),
    "The mechanism: The length of a record",
    /can have norm 1\.41421/,
  ],
  [
    "a dimension less",
    "two",
    (r) => void (r.event.dimension -= 1),
    "The mechanism: The number of columns",
    /dimension 5, the model 6/,
  ],
  ["another loss", "two", (r) => void (r.model.loss = "squared"), "The model", /loss/],
  [
    "the loss that it is priced for",
    "numbers",
    (r) => void (r.event.loss = "signed"),
    "The mechanism: The loss",
    /priced for "signed"/,
  ],
  [
    "a tighter clip than the model's",
    "huber",
    (r) => void (r.event.lipschitz /= 2),
    "The mechanism: The clipping",
    /more than the/,
  ],
  [
    "a smoother loss than it is",
    "huber",
    (r) => void (r.event.smoothness /= 10),
    "The mechanism: The loss’s curvature",
    /more than the/,
  ],
  [
    "the theorem",
    "two",
    (r) => void (r.guarantee.theorem = "Trust me."),
    "What is promised: The theorem",
    /The price rests on/,
  ],
  [
    "another bound",
    "two",
    (r) => void (r.guarantee.bound = "kifer"),
    "What is promised: ε and δ",
    /bound/,
  ],
  [
    "a coefficient, and what follows from it",
    "two",
    (r) => void ((r.model.coefficients[5] += 1e-12), (r.model.intercept = r.model.coefficients[5])),
    "The model: Its coefficients",
    /not a multiple of the lattice/,
  ],
  [
    "a coefficient",
    "two",
    (r) => void (r.model.coefficients[0] += 1),
    "The model",
    /model\.original/,
  ],
  [
    "a coefficient in the units of the file",
    "two",
    (r) => void (r.model.original[1].coefficient *= 2),
    "The model",
    /model\.original/,
  ],
  [
    "a coefficient left out",
    "two",
    (r) => void r.model.coefficients.pop(),
    "The model",
    /5 numbers for 6 columns/,
  ],
  [
    "a coefficient of a class",
    "classes",
    (r) => void (r.model.classes[1].coefficients[0] += 1),
    "The model",
    /model\.classes\[1\]\.original/,
  ],
  [
    "a class of another name",
    "classes",
    (r) => void (r.model.classes[2].class = "gone"),
    "The model",
    /"dead"/,
  ],
  [
    "one mechanism for three classes",
    "classes",
    (r) => void (r.event.parts[0].count = 1),
    "The mechanism: Its kind",
    /not of 3 mechanisms/,
  ],
  [
    "a softmax of two classes for three",
    "softmax",
    (r) => void (r.event.classes = 2),
    "The mechanism: The number of classes",
    /classes/,
  ],
  ["the schema's intercept", "two", (r) => void (r.schema.intercept = 2), "The model", /model/],
  [
    "the schema's bounds",
    "two",
    (r) => void (r.schema.features[0].max = 200),
    "The model",
    /model\.original/,
  ],
  [
    "where a column's bounds are from",
    "read",
    (r) => void (r.schema.features[1].provenance = "public"),
    "What is promised: What is covered",
    /does not follow/,
  ],
  [
    "what is covered",
    "read",
    (r) => void (r.guarantee.covers = true),
    "What is promised: What is covered",
    /does not follow/,
  ],
  [
    "a caveat left out",
    "read",
    (r) => void (r.guarantee.caveats = []),
    "What is promised: What is covered",
    /does not follow/,
  ],
  [
    "the evaluation's ε",
    "evaluated",
    (r) => void (r.evaluation.epsilon /= 2),
    "The evaluation: Its ε",
    /gives ε = .*more than the 0\.5/,
  ],
  [
    "the evaluation's noise",
    "evaluated",
    (r) => void (r.evaluation.event.parts[0].event.scale /= 2),
    "The evaluation: Its ε",
    /gives ε =/,
  ],
  [
    "the evaluation's counts",
    "evaluated",
    (r) => void (r.evaluation.event.parts[0].count = 1),
    "The evaluation: Its noise",
    /all that one record changes/,
  ],
  [
    "a figure of the evaluation",
    "evaluated",
    (r) => void (r.evaluation.cells[0][0] += 1e-9),
    "The evaluation",
    /whole multiple of 2\^-16/,
  ],
  [
    "a selection whose scores nobody paid for",
    "huber",
    (r) =>
      void (r.event = {
        mechanism: "poisson-selection",
        adjacency: "add-remove",
        mean: 4,
        base: r.event,
      }),
    "The mechanism: Its kind",
    /not of a mechanism that fits/,
  ],
  [
    "a sensitivity below what a record changes",
    "descent",
    (r) => void (r.event.sensitivity /= 2),
    "The mechanism: The sensitivity",
    /more than the sensitivity of 0\.25/,
  ],
  [
    "no clipping",
    "descent",
    (r) => void delete r.model.clip,
    "The mechanism: The sensitivity",
    /more than the sensitivity/,
  ],
  [
    "no steps",
    "descent",
    (r) => void (r.event.sigmas = []),
    "The mechanism: Its steps",
    /gives out nothing that was learnt/,
  ],
  [
    "more steps than the ε pays for",
    "descent",
    (r) => void (r.event.sigmas = Array(2000).fill(20)),
    "What is promised: ε and δ",
    /the bound gives/,
  ],
  [
    "a field that a release has not",
    "two",
    (r) => void (r.rows = 900),
    "The file as a whole",
    /rows is not known here/,
  ],
];

describe("a release that was edited", () => {
  for (const [name, kind, change, claim, said] of edits) {
    test(name, async () => {
      const { title, named, verdict } = await check(page, edited(kind, change));
      assert.equal(title, "This file does not tell the truth", verdict);
      assert.ok(named.includes(claim), `${claim} is not among: ${named.join(" | ")}`);
      assert.match(verdict, said);
    });
  }

  test("the page shows what the noise really gives beside what is claimed", async () => {
    await check(
      page,
      edited("two", (r) => void (r.guarantee.epsilon = 0.25)),
    );
    const rows = await page.locator("#promise tbody tr").allInnerTexts();
    assert.match(rows[0], /claims\s+0\.25\s+10⁻⁵/);
    assert.match(rows[1], /by the proof it names\s+1\s+0\.\d+/);
    assert.equal(
      await page.getByText("Odds grow").count(),
      0,
      "what does not hold is not explained as if it did",
    );
    assert.match(await page.locator("#claims .claim-false").innerText(), /ε and δ\s+not so/);
  });
});

describe("a file that is no whole release", () => {
  const cut = (text) => text.slice(0, Math.floor(text.length / 2));
  for (const [name, file, title, said] of [
    [
      "cut short",
      () => cut(JSON.stringify(releases.two)),
      "This file is not whole",
      /ends in the middle/,
    ],
    [
      "cut within a name",
      () => '{"format": "cloister-rel',
      "This file is not whole",
      /ends in the middle/,
    ],
    [
      "from a newer version",
      () => edited("two", (r) => void (r.version = 1000)),
      "This release is newer than this page",
      /version is 1000[^]*Load the page again/,
    ],
    ["another file of ours", () => JSON.stringify(schema), "This is not a release", /format/],
    [
      "another file",
      () => JSON.stringify({ hello: 1 }),
      "This is not a release",
      /release\.json, or a model card/,
    ],
    ["a list", () => "[1, 2]", "This is not a release", /release/],
    ["a text", () => "dear reader", "This is not a release", /not JSON/],
    ["nothing", () => "", "This is not a release", /empty/],
    [
      "in no encoding that other programs read",
      () => Buffer.from(JSON.stringify(releases.two).replace("sick", "s\u00efck"), "latin1"),
      "This is not a release",
      /not UTF-8 text: two readers could take it for two things/,
    ],
    [
      "nested without an end in sight",
      () => `{"format": ${"[".repeat(1e5)}${"]".repeat(1e5)}}`,
      "This is not a release",
      /nested more deeply than any release/,
    ],
    ["null", () => "null", "This is not a release", /null/],
    [
      "a web page",
      () => "<!doctype html><title>x</title></html>",
      "This page holds no release",
      /no release/,
    ],
    [
      "a claim made twice",
      () => JSON.stringify(releases.two).replace('"epsilon":', '"epsilon":0.01,"epsilon":'),
      "This file says two things at once",
      /What is promised[^]*guarantee\.epsilon is given twice/,
    ],
  ]) {
    test(name, async () => {
      const { title: shown, verdict } = await check(page, file());
      assert.equal(shown, title, verdict);
      assert.match(verdict, said);
      assert.equal(await page.locator("#claims").count(), 0);
    });
  }
});

describe("a model card", () => {
  test("is checked by the release in it, and one whose release was edited is found out", async () => {
    const studio = await openStudio(browser, server.url);
    assert.equal(await fit(studio.page), "done");
    const [saved] = await Promise.all([
      studio.page.waitForEvent("download"),
      studio.page.getByRole("button", { name: "Save a model card" }).click(),
    ]);
    const chunks = [];
    for await (const chunk of await saved.createReadStream()) chunks.push(chunk);
    const card = Buffer.concat(chunks).toString();
    studio.quiet();
    await studio.close();
    const whole = await check(page, card, "model-card.html");
    assert.equal(whole.title, "It tells the truth: the guarantee holds");
    assert.match(whole.verdict, /Only the release inside the card was checked/);
    const spoilt = await check(
      page,
      card.replace(
        /("id="release">|id="release">)([^<]*)</,
        (_, head, text) => `${head}${text.replace(/"epsilon": 1,/, '"epsilon": 0.1,')}<`,
      ),
      "model-card.html",
    );
    assert.ok(spoilt.named.includes("What is promised: ε and δ"), spoilt.verdict);
    assert.equal(
      (await check(page, card.slice(0, 4000), "model-card.html")).title,
      "This file is not whole",
    );
  });
});

describe("the page", () => {
  test("takes no file before it is sealed", async () => {
    const own = await open(browser);
    let go;
    const held = new Promise((resolve) => (go = resolve));
    await own.page.route(/\.wasm\b/, async (route) => (await held, route.continue()));
    await own.page.goto(`${server.url}verify.html`);
    await own.page.waitForSelector("#release-file");
    const state = () =>
      own.page.evaluate(() => [
        document.querySelector('meta[http-equiv="Content-Security-Policy"]') !== null,
        document.querySelector("#release-file").disabled,
      ]);
    assert.deepEqual(await state(), [false, true]);
    go();
    await own.page.waitForSelector("#release-file:not([disabled])");
    assert.deepEqual(await state(), [true, false]);
    own.quiet();
    await own.close();
  });

  test("says so when its core does not come", async () => {
    const own = await open(browser);
    await own.page.route(/\.wasm\b/, (route) => route.fulfill({ status: 404 }));
    await own.page.goto(`${server.url}verify.html`);
    await own.page.locator("[role=alert]").waitFor();
    assert.match(
      await own.page.locator("[role=alert]").innerText(),
      /part of the page could not be loaded/,
    );
    await accessible(own.page, "the verifier without a core");
    await own.close();
  });

  test("while the core is on its way the page is sealed, a file can be chosen, exchanged and given up; what was chosen last is checked", async (t) => {
    const held = await slowCore();
    const own = await open(browser);
    t.after(() => Promise.all([own.close(), held.close()]));
    await own.page.goto(`${held.url}verify.html`);
    await held.asked;
    await own.page.waitForSelector("#release-file:not([disabled])");
    assert.equal(await own.page.locator('meta[http-equiv="Content-Security-Policy"]').count(), 1);
    const choose = (name, change) =>
      own.page.setInputFiles("#release-file", json(edited("two", change), name));
    await choose("first.json", () => {});
    await own.page.getByText(/Working out first\.json/).waitFor();
    await accessible(own.page, "the verifier at work");
    await own.page.getByRole("button", { name: "Cancel" }).press("Enter");
    await own.page.waitForFunction(() => document.activeElement?.id === "release-file");
    // The page is drawn in the next frame, after the focus has moved.
    await own.page.locator(".working").waitFor({ state: "detached" });
    await choose("second.json", () => {});
    await choose("third.json", (r) => void (r.guarantee.epsilon /= 2));
    held.release();
    await own.page.locator(".judged-name", { hasText: "third.json" }).waitFor();
    assert.match(await own.page.locator("#verdict-title").innerText(), /does not/);
  });

  test("a file that takes long can be given up at work, and another one is checked", async (t) => {
    const own = await openVerifier(browser, server.url);
    t.after(() => own.close());
    // Given up in the frame in which it is first offered.
    await own.page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const button = document.querySelector(".working button");
        if (!button) return;
        observer.disconnect();
        button.click();
        document.body.dataset.gaveUp = "";
      }).observe(document.body, { childList: true, subtree: true });
    });
    const step = (i) => ({
      mechanism: "subsampled-gaussian",
      adjacency: "add-remove",
      rate: 1e-5 * (1 + i),
      noise_multiplier: 0.3,
      steps: 1e5,
    });
    const slow = {
      mechanism: "composition",
      adjacency: "add-remove",
      parts: Array.from({ length: 60 }, (_, i) => ({ event: step(i), count: 1 })),
    };
    await own.page.setInputFiles(
      "#release-file",
      json(
        edited("two", (r) => void (r.event = slow)),
        "slow.json",
      ),
    );
    await own.page.waitForFunction(
      () =>
        "gaveUp" in document.body.dataset &&
        document.querySelector(".asked") &&
        !document.querySelector(".working"),
    );
    assert.equal(await own.page.locator(".judged-name").count(), 0);
    const { title } = await check(own.page, JSON.stringify(releases.two));
    assert.equal(title, "It tells the truth: the guarantee holds");
  });

  test("takes a file that is dropped anywhere on it", async () => {
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "dropped.json", { type: "application/json" }));
      document
        .querySelector("h1")
        .dispatchEvent(
          new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }),
        );
    }, JSON.stringify(releases.two));
    await page.locator(".judged-name", { hasText: "dropped.json" }).waitFor();
  });

  test("of files that are dropped together or in quick succession the last one is shown, and no mix of them", async (t) => {
    const own = await openVerifier(browser, server.url);
    t.after(() => own.close());
    const lie = edited("two", (r) => void (r.guarantee.epsilon /= 2));
    const truth = JSON.stringify(releases.two);
    const report = '{"format":"cloister-report"}';
    /** Drops lists of files, one after another; those named "slow" take their time to be read. */
    const drop = (...drops) =>
      own.page.evaluate(async (drops) => {
        const { text } = Blob.prototype;
        Blob.prototype.text = async function () {
          if (this.name?.startsWith("slow")) await new Promise((then) => setTimeout(then, 700));
          return text.call(this);
        };
        globalThis.shown = [];
        globalThis.watching ??= new MutationObserver(() => {
          const [name, title] = [".judged-name", "#verdict-title"].map(
            (at) => document.querySelector(at)?.innerText,
          );
          if (name || title) shown.push([name, title]);
        }).observe(document.body, { childList: true, subtree: true, characterData: true });
        for (const files of drops) {
          const data = new DataTransfer();
          for (const [name, text] of files) data.items.add(new File([text], name));
          document
            .querySelector("h1")
            .dispatchEvent(
              new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }),
            );
        }
        await new Promise((then) => setTimeout(then, 1500));
        Blob.prototype.text = text;
      }, drops);
    const said = async (name, title) => {
      await own.page.locator(".judged-name", { hasText: name }).waitFor();
      await own.page.locator(".working").waitFor({ state: "detached" });
      assert.match(await own.page.locator("#verdict-title").innerText(), title);
      return own.page.evaluate(() => shown.map(String));
    };
    const [holds, not] = [/It tells the truth/, /does not tell the truth/];

    await drop([
      ["slow-1.json", truth],
      ["last-1.json", lie],
    ]);
    await said("last-1.json", not);
    await drop([["slow-2.json", lie]], [["last-2.json", truth]]);
    await said("last-2.json", holds);
    await drop([["slow-3.json", truth]], [["quick-3.json", truth]], [["last-3.json", lie]]);
    await said("last-3.json", not);

    const with1 = [
      ["first-4.json", lie],
      ["report-4.json", report],
    ];
    await drop(with1, [["last-4.json", truth]]);
    const shown = await said("last-4.json", holds);
    assert.doesNotMatch(shown.join("\n"), /This is a privacy report/);
    assert.doesNotMatch(await own.page.locator("main").innerText(), /report-4/);

    await drop([["last-5.json", truth]], [["slow-5.json", report]], [["report-5.json", report]]);
    await said("last-5.json", holds);
    const whole = await own.page.locator("main").innerText();
    assert.match(whole, /report-5/);
    assert.doesNotMatch(whole, /slow-5/);
    own.quiet();
  });

  test("by keyboard alone: a file is chosen, the verdict has the focus and is announced", async () => {
    const own = await openVerifier(browser, server.url);
    const { keyboard } = own.page;
    own.page.on("filechooser", () => {});
    const at = () =>
      own.page.evaluate(
        () => document.activeElement.id || document.activeElement.textContent.trim(),
      );
    await keyboard.press("Tab");
    assert.match(await at(), /Skip to the file/);
    await keyboard.press("Enter");
    for (let i = 0; i < 8 && (await at()) !== "release-file"; i++) await keyboard.press("Tab");
    assert.equal(await at(), "release-file");
    const [chooser] = await Promise.all([
      own.page.waitForEvent("filechooser"),
      keyboard.press("Enter"),
    ]);
    await chooser.setFiles(
      json(
        edited("two", (r) => void (r.guarantee.delta /= 100)),
        "release.json",
      ),
    );
    await own.page.waitForFunction(() => document.activeElement?.id === "verdict-title");
    assert.equal(
      await own.page.locator("[aria-live=polite]").innerText(),
      "release.json does not tell the truth. What is promised: ε and δ.",
    );
    own.quiet();
    await own.close();
  });

  test("is linked from the studio, and leads back", async () => {
    const studio = await openStudio(browser, server.url);
    const [opened] = await Promise.all([
      studio.page.waitForEvent("popup"),
      studio.page
        .getByRole("link", { name: /verifier/ })
        .first()
        .click(),
    ]);
    await opened.waitForSelector("#release-file:not([disabled])");
    await opened.getByRole("link", { name: "The studio" }).click();
    await opened.getByRole("button", { name: "Try it on made-up hospital stays" }).waitFor();
    await studio.close();
  });

  for (const [state, kind, change] of [
    ["empty"],
    ["the truth", "evaluated", () => {}],
    ["the truth of several classes", "classes", () => {}],
    ["in part", "read", () => {}],
    ["a lie", "two", (r) => void ((r.guarantee.epsilon /= 4), (r.guarantee.theorem = "Trust me."))],
    ["refused", "two", (r) => void (r.version = 9)],
  ]) {
    test(`can be read by everybody: ${state}`, async () => {
      const own = await openVerifier(browser, server.url);
      if (kind) await check(own.page, edited(kind, change));
      for (const [width, colorScheme] of [
        [1280, "light"],
        [390, "light"],
        [390, "dark"],
        [1280, "dark"],
      ]) {
        await own.page.setViewportSize({ width, height: 900 });
        await own.page.emulateMedia({ colorScheme });
        await drawn(own.page);
        await fitsWindow(own.page, `the verifier, ${state}, ${width}`);
        // What no theme changes is looked at once wide and once narrow.
        await accessible(own.page, `the verifier, ${state}, ${width}, ${colorScheme}`, {
          contrast: (width === 390) === (colorScheme === "light"),
        });
      }
      own.quiet();
      await own.close();
    });
  }
});
