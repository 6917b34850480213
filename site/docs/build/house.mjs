// What the map of the repository has on it: rooms and floors, and one fit's way. map.mjs draws it.

/**
 * The house, from the roof downwards: a floor has rows of rooms, a room a folder (its place below
 * that of the floor), what is in it in a few words, what stands in it by name, and whether it
 * imports the `next` one. A room whose folder is not there yet is left out.
 */
export const house = [
  {
    name: "Pages",
    of: "site/src/pages",
    rows: [
      [
        {
          place: "studio",
          says: "a table in, a model out",
          inside: ["data", "schema", "budget", "fit", "result"],
        },
        { place: "verifier", says: "a release, claim by claim" },
        { place: "explorer", says: "privacy curves as one instrument" },
        { place: "report", says: "what a release cost you" },
      ],
      [
        { place: "release", says: "what pages show of a release" },
        { place: "shell", says: "frame, theme, seal, offline" },
        { place: "docs", says: "the frame of these pages" },
      ],
    ],
  },
  {
    name: "The package",
    of: "site/src",
    rows: [
      [
        { place: "elements", says: "custom elements for any page", next: true },
        { place: "curves", says: "an estimate, then certified", next: true },
        { place: "chart", says: "drawing, and numbers in words", next: true },
        { place: "client", says: "promises, workers, types" },
        { place: "scorecard", says: "a card as a page and a program" },
        { place: "commands", says: "npx cloister" },
      ],
    ],
  },
  {
    name: "WebAssembly",
    of: "wasm",
    rows: [
      [
        {
          place: "api",
          says: "requests and replies, in plain Go",
          inside: ["accounting", "fitting", "reading", "ledger", "lab"],
        },
        { place: "wire", says: "each call, declared once" },
        { place: "bridge", says: "JavaScript’s values and Go’s" },
        { place: "idbstore", says: "the ledger’s storage" },
        { place: "kernel", says: "loops over rows, with SIMD" },
        {
          place: "cloister",
          says: "and six smaller programs",
          also: ["curves", "reader", "fitdemo", "laboratory", "passes", "tested"],
        },
      ],
    ],
  },
  {
    name: "Core",
    of: "core",
    rows: [
      [
        {
          place: "learn",
          says: "private learners; the release",
          inside: ["amp", "outpert", "dpgd", "dpsgd", "suffstats", "methods"],
        },
        { place: "differences", says: "what a release found" },
        { place: "report", says: "what it cost one person" },
        { place: "ledger", says: "what was spent, and is left" },
        { place: "lab", says: "experiments, never a release" },
        { place: "vote", says: "a majority of two, privately" },
        { place: "pate", says: "labels by many teachers" },
      ],
      [
        {
          place: "account",
          says: "from events to prices; noise",
          inside: ["pld", "rdp", "calibrate"],
        },
        { place: "data", says: "CSV, public schema, rows" },
        { place: "solve", says: "minima with a certificate" },
        { place: "search", says: "exact search with noise" },
        { place: "glm", says: "losses, and their constants" },
        { place: "distance", says: "how far from hard data" },
        { place: "adaptive", says: "noise that a test chose" },
        { place: "derived", says: "more models of a release" },
      ],
      [
        {
          place: "privacy",
          says: "events: what was done, never what it costs",
        },
        { place: "random", says: "secure bits, exact draws" },
        { place: "audit", says: "attacks, to find faults" },
        { place: "special", says: "tails, roots, integrals" },
      ],
    ],
  },
];

/** What stands beside the house: it imports from all of it, and nothing there imports it. */
export const workshop = [
  { path: "scripts", says: "builds, serves, checks, measures" },
  { path: "site/docs", says: "this documentation" },
  { path: "site/test", says: "tests in Node and Chromium" },
];

/** One fit's way: what happens, and in which room. */
export const way = [
  {
    name: "CSV",
    room: "site/src/pages/studio",
    says: "The network is shut. Then a file is chosen.",
  },
  {
    name: "reader",
    room: "core/data",
    says: "Its records become rows of a matrix.",
  },
  {
    name: "schema",
    room: "core/data",
    says: "What is public bounds how long a row can be.",
  },
  {
    name: "charge",
    room: "core/ledger",
    says: "Noise is chosen, and its price paid first.",
  },
  {
    name: "noise",
    room: "core/random",
    says: "It is drawn exactly, from secure bits.",
  },
  {
    name: "solve",
    room: "core/solve",
    says: "The perturbed problem is solved.",
  },
  {
    name: "certificate",
    room: "core/solve",
    says: "How near the minimum is, is proved.",
  },
  {
    name: "release",
    room: "core/learn",
    says: "Model, event and guarantee, in a file.",
  },
  {
    name: "verify",
    room: "site/src/pages/verifier",
    says: "Anybody checks it from the file alone.",
  },
  {
    name: "report",
    room: "core/report",
    says: "And bounds what it cost one person.",
  },
];

/** All folders that the map names, with what is inside them. */
export function rooms() {
  const named = house.flatMap(({ of, rows }) =>
    rows.flat().flatMap(({ place, inside = [], also = [] }) => {
      return [place, ...inside.map((name) => `${place}/${name}`), ...also].map(
        (name) => `${of}/${name}`,
      );
    }),
  );
  return [...named, ...workshop.map(({ path }) => path), ...way.map(({ room }) => room)];
}
