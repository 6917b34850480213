// No text made from a release says less than the release: the model card, the notebook, the
// programs and what the command line prints are read by a reader of their words alone, and compared
// with the release's own numbers. The releases are those that people have, of every learner, and
// each with other numbers, neighbours and caveats.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { choiceApart, choiceWords } from "../../src/chart/choice.ts";
import { boughtApart } from "../../src/chart/meaning.ts";
import type { AnyLabel, Figures, Release } from "../../src/client/types.ts";
// @ts-expect-error The commands have no types.
import { report as printed } from "../../src/commands/fit-words.mjs";
import { card } from "../../src/pages/studio/result/publish/card.ts";
import { code } from "../../src/pages/studio/result/publish/code.ts";
import { type Language, languages } from "../../src/pages/studio/result/publish/languages.ts";
import { notebook } from "../../src/pages/studio/result/publish/notebook.ts";

type Any = Release<AnyLabel>;

const folder = fileURLToPath(
  new URL("../../../wasm/api/testdata/files/releases/", import.meta.url),
);
const releases = readdirSync(folder)
  .filter((name) => name.endsWith(".json") && !name.endsWith(".says.json"))
  .map((name) => ({ name, text: readFileSync(`${folder}${name}`, "utf8") }));

/** A number as people write it here: "1.01 × 10⁻⁵", "1,234", "0.5"; or as programs do. */
function number(text: string): number {
  const bare = text.replace(/\s|,/g, "");
  const power = (digits: string) =>
    [...digits].map((c) => (c === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c))).join("");
  const [, digits = "1", exponent] = /^(?:([\d.]+)×)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/.exec(bare) ?? [];
  return exponent === undefined ? Number(bare) : Number(`${digits}e${power(exponent)}`);
}

const figure = String.raw`((?:[\d.]+\s×\s)?10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|[\d,]*\.?\d+(?:e[+-]?\d+)?)`.replaceAll(
  "\\s",
  "[\\s\\u00a0]",
);

/** What a program's comments begin with, and any white space, is a space. */
const plain = (text: string) =>
  text.replace(/\n *(\/\/|#'?|--|%) ?/g, " ").replace(/[\s\u00a0]+/g, " ");

const pair = new RegExp(`\\(${figure}, ${figure}\\)-differential privacy`);
const after = (symbol: string) => new RegExp(`(${symbol}) ?= ?${figure}`);
const [ofEpsilon, ofDelta] = [after("ε|epsilon"), after("δ|delta")];

/** The first numbers after these symbols. */
function promised(text: string): { epsilon: number; delta: number } {
  const both = pair.exec(text);
  if (both) return { epsilon: number(both[1]!), delta: number(both[2]!) };
  const told = (symbol: RegExp) => number(symbol.exec(text)?.[2] ?? "-");
  return { epsilon: told(ofEpsilon), delta: told(ofDelta) };
}

/** What people see of a page. */
const seen = (page: string): string =>
  page
    .replace(/<(style|script|pre)[^]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&nbsp;", "\u00a0")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

/** All texts of a release, by what they are; of a program its head alone. */
function texts(release: Any, figures: Figures | undefined): Record<string, string> {
  const text = JSON.stringify(release);
  const cells = JSON.parse(notebook({ release, text })) as {
    cells: { cell_type: string; source: string[] }[];
  };
  const about = cells.cells.filter((cell) => cell.cell_type === "markdown");
  const all = {
    card: seen(card({ release, text, series: [], ...(figures && { figures }) })),
    notebook: about
      .map(({ source }) => source.join(""))
      .join("\n")
      .replace(/\\(.)/g, "$1"),
    command: (printed as (release: Any) => string)(release),
    ...Object.fromEntries(
      (Object.keys(languages) as Language[]).map((language) => [
        language,
        code(release, language).slice(0, 1500),
      ]),
    ),
  };
  return Object.fromEntries(Object.entries(all).map(([what, text]) => [what, plain(text)]));
}

/** What stands for each kind of neighbours in a text for people, or in one for programs. */
const neighbours = {
  "add-remove": /adding or removing any one record|add-remove/,
  "replace-one": /replacing any one record by another|replace-one/,
};

/** How the command line tells a choice, and what it leaves out. */
const chosenByCommand: Record<string, RegExp> = {
  unstated: /chosen not stated/,
  "only-model": /chosen the only model fitted/,
  "all-published": /chosen all models of these records are published.* not in epsilon/,
  "paid-figures": /chosen from several, by what was paid for.* not in epsilon/,
  "private-selection": /chosen by the records, .* pays for it/,
};

const toldAsBought = /bought from the same data.* not in (this epsilon|this ε|the ε above)/;

/** What the records of an evaluation paid, and between which neighbours. */
const ownPrice = new RegExp(`ε = ${figure} for th(?:ose|e) records[^.]*, under ([^.,]*)`);

/** The numbers of a release's evaluation, as a page is told them. */
const figuresOf = ({ evaluation }: Any): Figures | undefined =>
  evaluation && {
    ...evaluation,
    level: 0.95,
    records: { estimate: 10, low: 5, high: 15 },
    table: [],
  };

/** Fails unless a text says what the release does. */
function saysNoLess(at: string, what: string, text: string, release: Any): void {
  const { guarantee, schema, choice } = release;
  const figures = figuresOf(release);
  const { epsilon, delta, adjacency, covers, caveats } = guarantee;
  const said = promised(text);
  for (const [got, want] of [
    [said.epsilon, epsilon],
    [said.delta, delta],
  ] as const)
    assert.ok(got >= want && got <= 1.0101 * want, `${at}: ${got} for ${want}`);
  assert.match(text, neighbours[adjacency], at);
  const other = adjacency === "add-remove" ? "replace-one" : "add-remove";
  if (!figures) assert.doesNotMatch(text, neighbours[other], at);
  const program = what in languages;
  if (!covers)
    assert.match(text, program ? /does not cover everything/ : /not cover everything/, at);
  if (!covers && !program)
    for (const caveat of caveats) assert.ok(text.includes(plain(caveat)), `${at}: ${caveat}`);
  if (covers) assert.doesNotMatch(text, /not cover everything/, at);
  if (boughtApart(schema).length > 0) assert.match(text, toldAsBought, at);
  if (figures && /card|notebook/.test(what)) {
    const own = ownPrice.exec(text);
    const cost = number(own?.[1] ?? "-");
    assert.ok(cost >= figures.epsilon && cost <= 1.0101 * figures.epsilon, `${at}: evaluation`);
    assert.match(own![2]!, neighbours[figures.adjacency], `${at}: evaluation`);
    const leaves = covers
      ? /everything in the release but its evaluation/
      : /Nor does it cover its evaluation|an evaluation, too: .* which is not in this ε/;
    assert.match(text, leaves, at);
  }
  if (what === "command") assert.match(text, chosenByCommand[choice ?? "unstated"]!, at);
  else
    for (const words of program ? choiceApart(choice) : [choiceWords(choice)])
      assert.ok(text.includes(words), `${at}: ${words}`);
}

/** A release with other numbers, neighbours and caveats, by how it is the k-th of the i-th. */
function other(release: Any, i: number, k: number): Any {
  const { guarantee, evaluation } = release;
  // Numbers whose shortening goes down as often as up.
  const spread = (i * 4 + k) * 0.6180339887 + 0.1;
  const caveats = k % 2 === 0 ? [] : ["The bounds of a < b & c were read off the private file."];
  const adjacency = k < 2 ? "add-remove" : "replace-one";
  const event = JSON.stringify(release.event).replace(/add-remove|replace-one/g, adjacency);
  return {
    ...release,
    event: JSON.parse(event) as Any["event"],
    ...(evaluation && {
      evaluation: {
        ...evaluation,
        epsilon: 10 ** (((spread * 3) % 1) * 3 - 1),
        adjacency: k % 2 === 0 ? "add-remove" : "replace-one",
      },
    }),
    guarantee: {
      ...guarantee,
      epsilon: 10 ** ((spread % 1) * 5 - 2),
      delta: 10 ** (-((spread * 7) % 1) * 12 - 1),
      adjacency,
      covers: caveats.length === 0,
      caveats,
    },
  };
}

test("no text says less than the release that it is made from", () => {
  for (const [i, { name, text }] of releases.entries()) {
    const release = JSON.parse(text) as Any;
    const all = [release, ...[0, 1, 2, 3].map((k) => other(release, i, k))];
    for (const [k, one] of all.entries())
      for (const [what, said] of Object.entries(texts(one, figuresOf(one))))
        saysNoLess(`${what} of ${name}, ${k}`, what, said, one);
  }
  assert.ok(releases.length > 60);
});

/** Ways to say less than a release; a text that does not hold what is lost stays as it is. */
const losses: Record<string, (text: string, release: Any) => string> = {
  "a smaller ε": (text) =>
    text
      .replace(pair, (_, __, delta: string) => `(0.0001, ${delta})-differential privacy`)
      .replace(ofEpsilon, (_, symbol: string) => `${symbol} = 0.0001`),
  "a smaller δ": (text) =>
    text
      .replace(pair, (_, epsilon: string) => `(${epsilon}, 1e-300)-differential privacy`)
      .replace(ofDelta, (_, symbol: string) => `${symbol} = 1e-300`),
  "no neighbours": (text, { guarantee }) =>
    text.replace(new RegExp(neighbours[guarantee.adjacency], "g"), ""),
  "no caveat": (text, { guarantee }) =>
    guarantee.caveats.reduce((rest, caveat) => rest.replaceAll(plain(caveat), ""), text),
  "that it covers everything": (text) => text.replace(/not cover everything/g, "cover everything"),
  "no choice": (text, { choice }) =>
    [choiceWords(choice), ...choiceApart(choice)].reduce(
      (rest, words) => rest.replaceAll(words, ""),
      text.replace(/ chosen .*?(?= The guarantee| Some bounds| (?:Log odds|Margin|Score) )/, " "),
    ),
  "nothing bought": (text) => text.replace(/bought from the same data/g, ""),
  "no price of the evaluation": (text) => text.replace(ownPrice, ""),
};

test("a text that says less than its release is caught, whatever it leaves out", () => {
  const caught: Record<string, Set<string>> = {};
  for (const [i, { name, text }] of releases.entries()) {
    const release = other(JSON.parse(text) as Any, i, 3);
    for (const [what, said] of Object.entries(texts(release, figuresOf(release))))
      for (const [loss, lose] of Object.entries(losses)) {
        const less = lose(said, release);
        if (less === said) continue;
        assert.throws(
          () => saysNoLess("", what, less, release),
          assert.AssertionError,
          `${what} of ${name}: ${loss}`,
        );
        (caught[loss] ??= new Set()).add(what);
      }
  }
  const forPeople = ["card", "notebook", "command"];
  const every = [...forPeople, ...Object.keys(languages)].toSorted();
  for (const [loss, by] of [
    ["a smaller ε", every],
    ["a smaller δ", every],
    ["no neighbours", every],
    ["no caveat", forPeople.toSorted()],
    ["that it covers everything", every],
    ["no choice", every],
    ["nothing bought", every],
    ["no price of the evaluation", ["card", "notebook"]],
  ] as const)
    assert.deepEqual([...(caught[loss] ?? [])].toSorted(), by, loss);
});
