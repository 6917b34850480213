// No text made from a release says less than the release: the model card, the notebook, the
// programs, what the command line prints and the verifier's page are read by a reader of their
// words alone, and compared with the release's own numbers. The releases are those that people
// have, of every learner, and each with other numbers, neighbours and caveats.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

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

/** The first numbers after these symbols. */
function promised(text: string): { epsilon: number; delta: number } {
  const after = (symbol: string) =>
    number(new RegExp(`(?:${symbol})[\\s\\u00a0]*=[\\s\\u00a0]*${figure}`).exec(text)?.[1] ?? "-");
  const pair = new RegExp(`\\(${figure}, ${figure}\\)-differential privacy`).exec(text);
  if (pair) return { epsilon: number(pair[1]!), delta: number(pair[2]!) };
  return { epsilon: after("ε|epsilon"), delta: after("δ|delta") };
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
  return {
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
}

/** What stands for each kind of neighbours in a text for people, or in one for programs. */
const neighbours = {
  "add-remove": /adding or removing any one record|add-remove/,
  "replace-one": /replacing any one record by another|replace-one/,
};

/** Fails unless every text says what the release does. */
function sayNoLess(name: string, release: Any): void {
  const { guarantee, schema, choice, evaluation } = release;
  const [one, table] = [{ estimate: 10, low: 5, high: 15 }, []];
  const figures = evaluation && { ...evaluation, level: 0.95, records: one, table };
  const { epsilon, delta, adjacency, covers, caveats } = guarantee;
  const bought = [...schema.features, schema.label].some((f) => f.provenance === "bought");
  const plain = (text: string) => text.replace(/[\s\u00a0]+/g, " ");
  for (const [what, raw] of Object.entries(texts(release, figures))) {
    const at = `${what} of ${name}`;
    const text = plain(raw);
    const said = promised(raw);
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
    if (bought) assert.match(text, /bought .*(price|charge|ε)/, at);
    if (figures && /card|notebook/.test(what)) {
      const own = new RegExp(`ε = ${figure} for th(?:ose|e) records[^.]*, under ([^.,]*)`).exec(
        text,
      );
      const cost = number(own?.[1] ?? "-");
      assert.ok(cost >= figures.epsilon && cost <= 1.0101 * figures.epsilon, `${at}: evaluation`);
      assert.match(own![2]!, neighbours[figures.adjacency], `${at}: evaluation`);
      const leaves = covers
        ? /everything in the release but its evaluation/
        : /Nor does it cover its evaluation|an evaluation, too: .* which is not in this ε/;
      assert.match(text, leaves, at);
    }
    const aside = { "all-published": /tell/, "paid-figures": /cost/ }[choice as string];
    if (choice === undefined) assert.match(text, /[Nn]ot stated/, at);
    if (aside) assert.match(text, aside, at);
    if (choice && choice !== "private-selection" && !program)
      assert.match(text, /(publisher|as) state(s|d)/, at);
  }
}

test("no text says less than the release that it is made from", () => {
  for (const [i, { name, text }] of releases.entries()) {
    const release = JSON.parse(text) as Any;
    sayNoLess(name, release);
    const { guarantee, evaluation } = release;
    for (let k = 0; k < 4; k++) {
      // Numbers whose shortening goes down as often as up.
      const spread = (i * 4 + k) * 0.6180339887 + 0.1;
      const caveats =
        k % 2 === 0 ? [] : ["The bounds of a < b & c were read off the private file."];
      const adjacency = k < 2 ? "add-remove" : "replace-one";
      const event = JSON.stringify(release.event).replace(/add-remove|replace-one/g, adjacency);
      sayNoLess(`${name}, ${k}`, {
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
      });
    }
  }
  assert.ok(releases.length > 60);
});
