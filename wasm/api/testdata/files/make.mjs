// How the files beside this one were made, with the programs of the day: `make build`, then
//
//     node wasm/api/testdata/files/make.mjs
//
// A file that is there is never written again: it stands for all that people have. So a new method,
// version or kind is a new line here, and what it made is checked in with what it says
// (go test ./wasm/api -run Files -write-missing). The exports of ledgers/ were written by package
// ledger; those that older programs wrote are in core/ledger/testdata.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { load } from "../../../../site/dist/client.node.mjs";

const client = await load();

/** Writes a file unless it is there; returns what is there then. */
async function once(path, made) {
  const place = new URL(path, import.meta.url);
  if (!existsSync(place)) {
    mkdirSync(new URL(".", place), { recursive: true });
    writeFileSync(place, await made());
    console.log(`made ${path}`);
  }
  return JSON.parse(readFileSync(place, "utf8"));
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

// A table of 120 people who never were.
const header = "age,dose,ward,sick,state,days";
let state = 7;
const next = (n) => (state = (state * 48271) % 2147483647) % n;
const lines = Array.from({ length: 120 }, () => {
  const [age, dose, ward] = [next(101), next(101) / 10, "AB"[next(2)]];
  const burden = age + 4 * dose + next(40);
  const outcome = ["well", "ill", "dead"][Math.min(2, Math.floor(burden / 61))];
  return [age, dose, ward, burden > 90 ? "yes" : "no", outcome, Math.round(burden / 5)].join(",");
});
const table = `${header}\n${lines.join("\n")}\n`;

// The same with values that are missing.
const holes = table
  .split("\n")
  .map((line, i) => (i > 0 && i % 7 === 0 ? line.replace(/^\d+,/, ",") : line))
  .map((line, i) => (i > 0 && i % 5 === 0 ? line.replace(/,[AB],/, ",,") : line))
  .join("\n");

const features = [
  { name: "age", type: "numeric", min: 0, max: 100, provenance: "public" },
  { name: "dose", type: "numeric", min: 0, max: 10, log: true, missing: 5, provenance: "public" },
  {
    name: "ward",
    type: "categorical",
    categories: ["A", "B"],
    unknown: "zero",
    missing: "drop",
    provenance: "public",
  },
];
const sick = { name: "sick", negative: ["no"], positive: ["yes"], provenance: "public" };
const outcome = {
  name: "state",
  type: "classes",
  classes: [["well"], ["ill"], ["dead"]],
  provenance: "public",
};
const days = { name: "days", type: "numeric", min: 0, max: 40, provenance: "public" };
const purchase = { charge: "7f3a", epsilon: 0.25 };

const schemas = {
  "v1-two-classes": { version: 1, features, label: sick, rows: { norm: "unit" }, intercept: 1 },
  "v1-clipped-rows": { version: 1, features, label: sick, rows: { norm: "clip" }, intercept: 0.5 },
  "v1-no-intercept": { version: 1, features, label: sick, rows: { norm: "unit" }, intercept: 0 },
  "v1-suggested": () =>
    client
      .suggestSchema(table.replaceAll(/,[^,\n]*,[^,\n]*$/gm, ""), { label: "sick" })
      .then(({ schema }) => schema),
  "v2-several-classes": {
    version: 2,
    features,
    label: outcome,
    rows: { norm: "unit" },
    intercept: 1,
  },
  "v2-numbers": { version: 2, features, label: days, rows: { norm: "unit" }, intercept: 1 },
  "v3-bought-bounds": {
    version: 3,
    features: [{ ...features[0], provenance: "bought", purchase }, ...features.slice(1)],
    label: sick,
    rows: { norm: "unit" },
    intercept: 1,
  },
  "v4-bought-categories": {
    version: 4,
    features: [
      ...features.slice(0, 2),
      { ...features[2], provenance: "bought", purchase: { ...purchase, delta: 1e-7 } },
    ],
    label: sick,
    rows: { norm: "unit" },
    intercept: 1,
  },
};
const indicated = features.map((f) => ({ ...f, missing: "indicator" }));
schemas["v6-indicators"] = {
  version: 6,
  features: indicated,
  label: sick,
  rows: { norm: "clip" },
  intercept: 0.5,
};
schemas["v6-indicators-numbers"] = { ...schemas["v6-indicators"], label: days };
schemas["v7-scaled-numbers"] = {
  ...schemas["v6-indicators-numbers"],
  version: 7,
  rows: { norm: "scale" },
};
for (const [name, schema] of Object.entries(schemas)) {
  schemas[name] = await once(`schemas/${name}.json`, async () =>
    json(typeof schema === "function" ? await schema() : schema),
  );
}

const two = "v1-two-classes";
const several = "v2-several-classes";
const numbers = "v2-numbers";
const records = 120;

/** A release a line: its schema, how it is fitted, and what is done with it afterwards. */
const releases = {
  "v1-amp": [two],
  "v1-amp-replace-one": [two, { adjacency: "replace-one" }],
  "v1-amp-clipped": [two, { clip: 0.4 }],
  "v1-amp-clipped-rows": ["v1-clipped-rows"],
  "v1-amp-no-intercept": ["v1-no-intercept"],
  "v1-amp-suggested": ["v1-suggested"],
  "v1-amp-bought-bounds": ["v3-bought-bounds"],
  "v1-amp-bought-categories": ["v4-bought-categories"],
  ...Object.fromEntries(
    ["logistic", "profile", "rdp", "kifer", "glm", "signed"].map((bound) => [
      `v1-amp-bound-${bound}`,
      [two, { bound }],
    ]),
  ),
  // The default since fits are priced by the control problem.
  "v1-amp-bound-control": [two],
  "v1-amp-bound-control-replace-one": [two, { adjacency: "replace-one" }],
  "v1-amp-paper": [two, { method: "amp-paper" }],
  "v2-amp-huber": [two, { loss: "huber" }],
  "v2-amp-weighted": [two, { loss: "weighted-logistic", positiveWeight: 0.25 }],
  "v2-amp-weighted-evaluated": [
    two,
    { loss: "weighted-logistic", positiveWeight: 4 },
    { evaluated: true },
  ],
  "v2-amp-numbers": [numbers],
  "v2-amp-several-classes": [several],
  "v2-amp-shifted-logistic": [two, { loss: "shifted-logistic" }],
  "v2-amp-rounded-hinge": [two, { loss: "rounded-hinge", shift: 1.5 }],
  "v2-amp-evaluated": [two, {}, { evaluated: true }],
  "v2-amp-numbers-evaluated": [numbers, {}, { evaluated: true }],
  "v2-amp-several-classes-evaluated": [several, {}, { evaluated: true }],
  "v2-amp-paper-huber": [two, { method: "amp-paper", loss: "huber", huberWidth: 0.5 }],
  "v2-amp-paper-numbers": [numbers, { method: "amp-paper" }],
  "v2-outpert": [two, { method: "outpert", records }],
  "v2-outpert-huber": [two, { method: "outpert", loss: "huber", records }],
  "v2-outpert-numbers": [numbers, { method: "outpert", records }],
  "v2-outpert-replace-one": [two, { method: "outpert", adjacency: "replace-one", records }],
  "v2-dpgd": [two, { method: "dpgd", records }],
  "v2-dpgd-huber": [two, { method: "dpgd", loss: "huber", records }],
  "v2-dpgd-numbers": [numbers, { method: "dpgd", records }],
  "v2-dpgd-replace-one": [two, { method: "dpgd", adjacency: "replace-one", records }],
  "v2-dpsgd": [two, { method: "dpsgd", records }],
  "v2-dpsgd-huber": [two, { method: "dpsgd", loss: "huber", records }],
  "v2-dpsgd-numbers": [numbers, { method: "dpsgd", records }],
  "v3-amp-only-model": [two, {}, { choice: "only-model" }],
  "v3-amp-all-published": [two, {}, { choice: "all-published" }],
  "v3-amp-paid-figures": [two, {}, { choice: "paid-figures", evaluated: true }],
  "v3-amp-several-classes": [several, {}, { choice: "only-model" }],
  "v3-amp-softmax": [several, { method: "amp", loss: "softmax" }, { choice: "only-model" }],
  "v3-amp-softmax-replace-one": [
    several,
    { method: "amp", loss: "softmax", adjacency: "replace-one" },
    { choice: "all-published", evaluated: true },
  ],
  "v3-amp-numbers": [numbers, {}, { choice: "only-model" }],
  "v3-amp-paper": [two, { method: "amp-paper" }, { choice: "only-model" }],
  "v3-outpert": [two, { method: "outpert", records }, { choice: "all-published" }],
  "v3-dpgd": [two, { method: "dpgd", records }, { choice: "paid-figures" }],
  "v3-dpsgd": [two, { method: "dpsgd", records }, { choice: "all-published" }],
  "v4-suffstats": [numbers, { method: "suffstats" }],
  "v6-chosen-lambda": [two, { chooseLambda: [] }],
  "v6-chosen-method": [numbers, { chooseMethod: [], records }],
  "v1-amp-indicators": ["v6-indicators"],
  "v2-dpgd-indicators": ["v6-indicators", { method: "dpgd", records }],
  "v4-suffstats-indicators": ["v6-indicators-numbers", { method: "suffstats" }],
  "v2-steps-scaled": ["v7-scaled-numbers", { method: "steps", records }],
  "v4-suffstats-scaled": ["v7-scaled-numbers", { method: "suffstats" }],
  "v5-ops-ptr": [numbers, { method: "ops-ptr" }],
  "v5-ops": [numbers, { method: "ops", adjacency: "replace-one", records }],
  "v5-outptr": [two, { method: "outptr" }, { choice: "only-model" }],
  "v5-outptr-replace-one": [two, { method: "outptr", adjacency: "replace-one" }],
};

/** What a line of the list asks for, fitted: the text of the release, and its data for a report. */
async function fitted(schema, request, { evaluated, choice } = {}) {
  const rows = schemas[schema].version === 6 ? holes : table;
  const dataset = await client.openDataset(rows, schemas[schema]);
  let result = await client.fit(dataset, {
    adjacency: "add-remove",
    epsilon: 4,
    delta: 1e-5,
    ...request,
  });
  if (evaluated)
    result = await client.evaluate(result.release, dataset, {
      adjacency: "add-remove",
      epsilon: 2,
      bins: 2,
    });
  if (choice) result = await client.stateChoice(result.release, choice);
  return { ...result, dataset };
}

for (const [name, line] of Object.entries(releases)) {
  releases[name] = await once(`releases/${name}.json`, async () => (await fitted(...line)).text);
}

// Reports are made from the rows, so of a fit that is made for them. What costs nothing needs the
// release alone.
const kinds = {
  "v1-data-dependent": [two, {}, { kind: "data-dependent", epsilon: 4, delta: 1e-5 }],
  "v1-adaptive": [two, {}, { kind: "adaptive", epsilon: 4, delta: 1e-5, people: 0 }],
  "v1-data-dependent-huber": [
    two,
    { loss: "huber" },
    { kind: "data-dependent", epsilon: 4, delta: 1e-5 },
  ],
  "v1-data-dependent-shifted-logistic": [
    two,
    { loss: "shifted-logistic" },
    { kind: "data-dependent", epsilon: 4, delta: 1e-5 },
  ],
  "v1-data-dependent-rounded-hinge": [
    two,
    { loss: "rounded-hinge", shift: 1.5 },
    { kind: "data-dependent", epsilon: 4, delta: 1e-5 },
  ],
  "v1-data-dependent-numbers": [numbers, {}, { kind: "data-dependent", epsilon: 4, delta: 1e-5 }],
  "v3-errors": [
    two,
    {},
    { kind: "data-dependent", epsilon: 8, delta: 1e-5, errors: true, rho: 0.01 },
  ],
  "v3-errors-clipped": [
    two,
    { clip: 0.4 },
    { kind: "data-dependent", epsilon: 8, delta: 1e-5, errors: true },
  ],
  "v3-errors-numbers": [numbers, {}, { kind: "adaptive", epsilon: 8, delta: 1e-5, errors: true }],
};
for (const of of [
  "v1-amp",
  "v2-amp-huber",
  "v2-amp-shifted-logistic",
  "v2-amp-rounded-hinge",
  "v2-amp-numbers",
  "v3-amp-only-model",
  "v1-amp-paper",
]) {
  const asked = { kind: "data-independent" };
  await once(
    `reports/v1-data-independent.of-${of}.json`,
    async () => (await client.report(null, releases[of], asked)).text,
  );
}
for (const [name, [schema, request, asked]] of Object.entries(kinds)) {
  let made;
  const release = await once(
    `releases/reported-${name}.json`,
    async () => (made = await fitted(schema, request)).text,
  );
  await once(
    `reports/${name}.of-reported-${name}.json`,
    async () => (await client.report(made.dataset, release, asked)).text,
  );
}

const levels = {
  version: 1,
  attributes: [
    { name: "age", type: "numeric", min: 0, max: 100, cuts: [35, 65], provenance: "public" },
    {
      name: "ward",
      type: "categorical",
      levels: [
        { name: "surgery", values: ["A"] },
        { name: "medicine", values: ["B"] },
      ],
      provenance: "public",
    },
  ],
  label: sick,
};
const bought = { schema: levels, adjacency: "add-remove", epsilon: 4 };
/** A scorecard a line, and how it is chosen. */
const cards = {
  "v1-noisy-min": {},
  "v1-gumbel": { noise: "gumbel", points: 2 },
  "v1-centre": { mechanism: "proximal-centre", epsilon: 20 },
  "v1-replace-one": { adjacency: "replace-one" },
};
for (const [name, request] of Object.entries(cards)) {
  await once(
    `cards/${name}.json`,
    async () => (await client.scorecard(table, { ...bought, ...request })).text,
  );
}
for (const [name, adjacency] of [
  ["v1", "add-remove"],
  ["v1-replace-one", "replace-one"],
]) {
  const cells = await once(
    `cells/${name}.json`,
    async () => (await client.noisyCells(table, { ...bought, adjacency })).text,
  );
  await once(
    `cards/${name}-of-cells.json`,
    async () => (await client.cardOfCells(cells, { points: 2 })).text,
  );
}
const measured = await once("cards/v1-noisy-min.json");
await once(
  "cards/v2-evaluated.json",
  async () =>
    (await client.evaluateScorecard(measured, table, { adjacency: "replace-one", epsilon: 1 }))
      .text,
);
client.terminate();
