// The ranking of the documentation's search, on a small index and on the built one.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type IndexedPage, Search, words } from "../../src/pages/docs/ranking.ts";

const small: IndexedPage[] = [
  {
    file: "epsilon.html",
    title: "What ε means",
    places: [
      ["", "What ε means", "A promise about you.", ""],
      ["odds", "Odds", "The café's odds change by a factor of at most three.", ""],
    ],
  },
  {
    file: "data.html",
    title: "Preparing data",
    places: [
      ["", "Preparing data", "What ε means for columns, and what odds do.", ""],
      ["bounds", "Bounds of numbers", "Every column needs them.", ""],
    ],
  },
  {
    file: "api-data.html",
    title: "Data",
    places: [
      ["", "Data", "Sources.", ""],
      ["api-openDataset", "openDataset", "Opens a file; its odds are unknown.", "Source wasmURL"],
    ],
  },
];
const search = new Search(small);
const hrefs = (question: string) => search.find(question).map(({ href }) => href);

test("a title comes before a heading, and a heading before a text", () => {
  assert.deepEqual(hrefs("odds"), [
    "epsilon.html#odds",
    "data.html",
    "api-data.html#api-openDataset",
  ]);
  assert.equal(hrefs("epsilon")[0], "epsilon.html");
});

test("Greek letters, accents, capitals and endings make no difference", () => {
  assert.deepEqual(hrefs("ε"), hrefs("Epsilon"));
  assert.deepEqual(hrefs("CAFE"), ["epsilon.html#odds"]);
  assert.deepEqual(hrefs("prepare"), hrefs("preparing"));
  assert.equal(hrefs("bound")[0], "data.html#bounds");
});

test("a word that is still being typed is found at each letter", () => {
  for (const typed of ["pr", "prepa", "prepari", "preparin", "preparing"])
    assert.equal(hrefs(typed)[0], "data.html", typed);
});

test("all words have to be there, and one of them in the place itself", () => {
  assert.deepEqual(hrefs("bounds preparing"), ["data.html#bounds"]);
  assert.deepEqual(hrefs("odds nowhere"), []);
  assert.deepEqual(search.alone("odds nowhere"), ["odds"]);
  assert.deepEqual(hrefs(" "), []);
});

test("names are found whole, in parts, and by the fields of their declaration", () => {
  for (const question of ["openDataset", "dataset", "wasmurl"])
    assert.ok(hrefs(question).includes("api-data.html#api-openDataset"), question);
  assert.ok(words("constructor toString __proto__").every((word) => typeof word === "string"));
});

test("an excerpt has the words that were asked for at its odd places", () => {
  const excerpt = search.find("factor")[0]!.excerpt;
  assert.deepEqual(
    excerpt.filter((_, i) => i % 2 === 1),
    ["factor"],
  );
  assert.match(excerpt.join(""), /odds change by a factor of at most/);
});

test("the built index leads each of these questions to its page", () => {
  const file = new URL("../../../site/dist/docs/search.json", import.meta.url);
  const built = new Search(JSON.parse(readFileSync(file, "utf8")));
  for (const [question, href] of [
    ["epsilon", "epsilon.html"],
    ["what is delta", "epsilon.html#delta"],
    ["choose epsilon", "choosing.html"],
    ["bounds", "data.html#bounds-of-numbers"],
    ["glossary", "glossary.html"],
    ["clipping norm", "glossary.html#clipping-norm"],
    ["openDataset", "api-clients.html#api-FileReading-openDataset"],
  ] as const) {
    const first = built.find(question).slice(0, 3);
    assert.ok(
      first.some((one) => one.href === href),
      `${question}: ${JSON.stringify(first)}`,
    );
  }
});
