// A release as a notebook (nbformat 4.5): it says what the model is, holds the release, predicts
// and draws, with Python's standard library alone.

import { straight } from "../../../../client/straight.ts";
import { choiceIsWord, choiceWords } from "../../../../chart/choice.ts";
import { quoted } from "../../../../chart/literal.ts";
import { changeOf, oneIn, strength } from "../../../../chart/meaning.ts";
import { readable, readableBound } from "../../../../chart/numbers.ts";
import type {
  AnyLabel,
  Differences,
  Feature,
  NumericFeature,
  Release,
} from "../../../../client/types.ts";
import { found, type Found, onAverage, references, wrongWay } from "../../../release/found.ts";
import { code } from "./code.ts";
import { drawing, rows } from "./notebook-python.ts";
import { hasOdds, what } from "./words.ts";

export interface NotebookInput {
  readonly release: Release<AnyLabel>;
  /** The release as its file has it. */
  readonly text: string;
  /** What its model found; the notebook draws nothing where that is not known. */
  readonly differences?: Differences | undefined;
}

/** Its cells need no package, and no file beside it; run in order, they end without an error. */
export function notebook({ release, text, differences }: NotebookInput): string {
  const cells = [
    markdown("about", about(release)),
    markdown("the-release", releaseText),
    python("release", embedded(text), true),
    markdown("the-program", programText(release)),
    python("program", code(release, "python").trimEnd()),
    python("same", same),
    ...(differences ? findings(release, differences) : []),
    markdown("a-person", personText(release)),
    python("person", person(release)),
    markdown("a-file", fileText),
    python("file", rows),
    markdown("care", care),
  ];
  const metadata = {
    kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
    language_info: { name: "python" },
  };
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}

/** A text as lists of lines, each with its end: so notebooks are kept, and compared by line. */
const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const markdown = (id: string, text: string) => ({
  cell_type: "markdown",
  id,
  metadata: {},
  source: lines(text),
});

const python = (id: string, text: string, hidden = false) => ({
  cell_type: "code",
  execution_count: null,
  id,
  metadata: hidden ? { jupyter: { source_hidden: true } } : {},
  outputs: [],
  source: lines(text),
});

/** A name as it is, in Markdown. */
const plain = (text: string): string =>
  straight(text)
    .replace(/\s+/g, " ")
    .replace(/[\\`*_{}[\]<>#|$~&]/g, "\\$&");

function about(release: Release<AnyLabel>): string {
  const { schema, guarantee, choice, library, evaluation } = release;
  const { epsilon, delta, adjacency, covers, caveats } = guarantee;
  const change = changeOf(adjacency);
  const bought = [...schema.features, schema.label].some((f) => "purchase" in f && f.purchase);
  return `# Predicting “${plain(schema.label.name)}”

${plain(what(release))}

**The promise: (ε = ${readableBound(epsilon)}, δ = ${readableBound(delta)})-differential privacy under ${change}.** By ${change}, whatever may be said of what came out became at most e^ε = ${readableBound(Math.exp(epsilon))} times as likely, plus δ = ${readableBound(delta)} (${oneIn(delta)}). This holds whatever else an observer knows, and for everything that is ever worked out from the model, this notebook included. It is what we call ${strength(epsilon)} protection.

${covers ? `It covers everything in the release${evaluation ? " but its evaluation" : ""}.` : `**It does not cover everything:**\n\n${caveats.map((c) => `- ${plain(c)}`).join("\n")}`}${bought ? "\n\nSome bounds or categories were bought from the same data, at a price that is not in this ε. The model card has the sum." : ""}${
    evaluation
      ? `\n\nThe release holds an evaluation, too: it cost ε = ${readableBound(evaluation.epsilon)} for the records that it was measured on, under ${changeOf(evaluation.adjacency)}, which is not in this ε.`
      : ""
  }

**How it was chosen.** ${choiceWords(choice)}${choiceIsWord(choice) ? " That is the publisher’s word: a file cannot show it." : ""}

Run the cells from the top. They need Python 3.8 or newer, and nothing else: no package, no network, no other file. Written by Cloister ${plain(library)} from the release alone.`;
}

const releaseText = `## The release

The cell below holds the published file as it is; notebooks that can fold it do. Whoever doubts the promise saves it with \`open("release.json", "w").write(RELEASE)\` and drops that file on Cloister’s verifier, which works the promise out anew.`;

/**
 * The file in a raw string, so that no backslash of it changes. An apostrophe stands only inside
 * of JSON's texts, where its escape means the same.
 */
const embedded = (text: string): string => `import json

RELEASE = r'''${text.trim().replaceAll("'", "\\u0027")}'''
release = json.loads(RELEASE)
promise = release["guarantee"]
print(f"epsilon = {promise['epsilon']}, delta = {promise['delta']}, {promise['adjacency']}")`;

const programText = ({ schema: { label }, model }: Release<AnyLabel>): string => {
  const odds = hasOdds(model.loss);
  const back =
    label.type === "numeric"
      ? "`value`, and the `margin` that it comes from"
      : label.type === "classes"
        ? `\`label\`, a score for each class in \`margins\`${odds ? ", and `probabilities` in the same order" : ""}`
        : `\`label\`, its score, the \`margin\`${odds ? `, and the \`probability\` of “${plain(label.positive[0]!)}”` : ""}`;
  return `## The model as a program

\`predict\` takes a record as a dictionary. It gives back ${back}. Missing and unknown values are treated as the schema says; a record that the model cannot judge raises a \`ValueError\`.`;
};

const same = `# The program has the coefficients of the release.
model = release["model"]
assert VECTORS == [vector["coefficients"] for vector in model.get("classes", [model])]`;

function findings(release: Release<AnyLabel>, differences: Differences) {
  const parts = differences.vectors.map((_, k) => found(release, differences, k));
  const [first] = parts;
  if (!first || first.rows.length === 0) return [];
  const compared = references(differences)
    .map(([feature, reference]) => `${plain(feature)} with “${plain(reference)}”`)
    .join(", ");
  const several = parts.length > 1;
  const text = `## What the model found

${parts.map((part) => `${several ? `“${plain(part.class!)}” against the others: ` : ""}${summary(part, differences.share)}`).join("\n\n")}

${several ? "" : `A bar to the right ${plain(first.more)}; one to the left ${plain(first.less)}. `}Each bar is about two people alike in all else, for somebody in the middle of every column. Of a number it goes from its lower public bound to its upper one, the large figure is for one step of it, and the small one for all of it.${compared && ` Categories are compared with a reference: ${compared}.`}

The thin line says how far noise may reach, at most. A hollow bar is within what noise can do, and may be true all the same. Nothing here says that one thing causes another.${parts.some((part) => part.limited && part.shown > 0) ? ` ${onAverage}` : ""}`;
  return [
    markdown("the-findings", text),
    python("found", table(parts)),
    python("drawing", `${drawing}\n\n\ndraw(FOUND, most=${several ? 6 : 12})`),
  ];
}

function summary({ limited, unlimited, shown, rows: all }: Found, share: number): string {
  if (!limited) return unlimited;
  return shown === 0
    ? `**None of these ${all.length} differences is surely more than noise.**`
    : `**${shown === all.length ? "All" : shown} of ${all.length} differences ${shown === 1 ? "is" : "are"} more than noise.** ${wrongWay(share)}`;
}

/** What was found, as Python. */
function table(parts: readonly Found[]): string {
  const number = (x: number): string => (Number.isFinite(x) ? String(x) : 'float("inf")');
  const row = (r: Found["rows"][number]): string =>
    `        (${[quoted(r.feature), quoted(r.between), number(r.value), number(r.reach), r.shown ? "True" : "False", quoted(r.text), quoted(r.whole ?? "")].join(", ")}),`;
  const part = (p: Found): string =>
    `    {"of": ${quoted(p.class === undefined ? "" : `“${p.class}” against the others`)}, "scale": ${quoted(p.scale)}, "rows": [\n${p.rows.map(row).join("\n")}\n    ]},`;
  return `# The column, what is compared, the difference${parts[0]!.scale === "Odds" ? " of log-odds" : ""}, how far noise may reach to either
# side, whether it is more than noise, and the difference in words: of a number, for one step and
# for all of it.
FOUND = [
${parts.map(part).join("\n")}
]`;
}

const personText = (release: Release<AnyLabel>): string => `## Try a person

Nobody in particular: the middle of every number, and the first of every category. Change the values and run the cell again.${release.schema.features.some((f) => "missing" in f && f.missing !== undefined) ? " \`None\` is a missing value." : ""}`;

function person({ schema }: Release<AnyLabel>): string {
  const value = (f: Feature): string =>
    f.type === "numeric"
      ? `${middle(f)},  # ${readable(f.min)} to ${readable(f.max)}`
      : `${quoted(f.categories[0]!)},${others(f.categories.slice(1))}`;
  return `person = {
${schema.features.map((f) => `    ${quoted(f.name)}: ${value(f)}`).join("\n")}
}
predict(person)`;
}

function others(categories: readonly string[]): string {
  if (categories.length === 0) return "";
  const few = categories.slice(0, 5).map(quoted).join(", ");
  const more = categories.length - 5;
  return `  # or ${few}${more > 0 ? `, or ${more} more` : ""}`;
}

/** The middle of a column as the model sees it, rounded where that stays within the bounds. */
function middle({ min, max, log }: NumericFeature): number {
  const half = log ? min + Math.expm1(Math.log1p(max - min) / 2) : min + (max - min) / 2;
  const round = Number(half.toPrecision(3));
  return round >= min && round <= max ? round : half;
}

const fileText = `## A file of people

A CSV file whose first line names the columns. Other columns in it do no harm.`;

const care = `## Before you use it on people

The promise is about those whose data the model came from, not about those whom you ask it about: what you enter here is yours to protect. Whether the model is right, fair, or fit for a decision is not in the promise either.`;
