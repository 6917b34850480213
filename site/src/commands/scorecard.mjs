// `cloister scorecard`: chooses a private scorecard for CSV files, through the same WebAssembly
// that pages use; or checks one, uses it for rows, or writes it as a page or a program.

import { changeOf } from "../chart/meaning.ts";
import { survey } from "../client/json-text.ts";
import { code } from "../scorecard/code.ts";
import { languages } from "../scorecard/languages.ts";
import { page } from "../scorecard/page.ts";
import { standsFor } from "../scorecard/stands-for.ts";
import { points, totals } from "../scorecard/totals.ts";
import { layoutOf, ofData, readText, writeText } from "./files.mjs";
import {
  exitCodes,
  inLines,
  loadClient,
  numberOption,
  readOptions,
  Stop,
  toJSON,
  visible,
} from "./headless.mjs";

const help = (
  name,
) => `Usage: ${name} --data FILE [--data FILE2] --schema FILE --epsilon E [options]
       ${name} --card FILE [--score FILE] [--page FILE] [--code LANGUAGE]

Chooses a scorecard with E-differential privacy (delta is 0): whole points for the
levels of a few attributes, which are added up, and a card that says yes from a
total of 1 on. The points are those that get the fewest records wrong, by an exact
search with noise. Prints the card. All that stands on standard output may be
published. What may not be (number of records, how many the card gets wrong) is not
shown at all.

To choose a card:
  --data FILE       a CSV file with a header; several are read as one table
  --schema FILE     the card's public schema, JSON: its attributes, cut points and
                    levels ("scorecards" in the documentation has an example)
  --epsilon E       from 2^-20 to 32, in nats
  --adjacency A     which data sets count as neighbours: "add-remove" (default of
                    this command; the release names it) or "replace-one"
  --points B        points are whole numbers from -B to B (1). A search takes many
                    times longer for 2
  --mechanism M     "noisy-min" (default) or "proximal-centre", which needs ten times
                    the epsilon for the same errors
  --noise N         of noisy-min: "geometric" (default) or "gumbel"
  --plan            say what it would be charged for, and how far from the best card
                    it may be, and choose none. No data is needed
  --header WHICH, --names LIST, --delimiter SIGN
                    as for "cloister fit"
  --output FILE     write the release as well
  --json            print the release as JSON, the file that may be published
  --quiet           nothing on standard error but errors, and in these nothing that
                    stands in a file of data

To use a card:
  --card FILE       a release as --output or --json wrote it. It is checked first: a
                    card that does not tell the truth about itself is refused
  --score FILE      a JSON file: a list of records, each {"attribute": value, …}.
                    Prints a line of JSON for each: its total, and yes or no

For both:
  --page FILE       write the card as an HTML page that prints on one sheet
  --code LANGUAGE   print the card as a program: "python", "r", "javascript" or "go"
  -h, --help        this text

Exit code: 0 done; 1 refused (the error says why) or a card that does not hold;
2 the command line is wrong; 3 a part of the program is missing (in a checkout: make
build). Ending the command while it searches shows nothing of the card; in your own
account of what was spent it counts as spent.

Examples:
  ${name} --data patients.csv --schema levels.json --epsilon 0.3 --output scorecard.json --page card.html
  ${name} --card scorecard.json --code python > card.py`;

const options = {
  data: { type: "string", multiple: true },
  schema: { type: "string" },
  epsilon: { type: "string" },
  adjacency: { type: "string", default: "add-remove" },
  points: { type: "string" },
  mechanism: { type: "string" },
  noise: { type: "string" },
  plan: { type: "boolean", default: false },
  header: { type: "string" },
  names: { type: "string" },
  delimiter: { type: "string" },
  output: { type: "string" },
  json: { type: "boolean", default: false },
  quiet: { type: "boolean", default: false },
  card: { type: "string" },
  score: { type: "string" },
  page: { type: "string" },
  code: { type: "string" },
};

/** Options that only choosing a card has. */
const choosing = [
  ...["data", "schema", "epsilon", "points", "mechanism", "noise", "header", "names"],
  ...["delimiter", "output"],
];

/** Runs the command with its arguments; `name` is how it was called, for the help. */
export async function scorecard(args, name) {
  const { values } = readOptions(args, options);
  if (values.help) {
    console.log(help(name));
    return exitCodes.done;
  }
  if (values.code !== undefined && !Object.hasOwn(languages, values.code))
    throw new Stop(
      exitCodes.usage,
      `--code is ${JSON.stringify(values.code)}: it must be ${Object.keys(languages).join(", ")}. See --help.`,
    );
  if (values.code !== undefined && (values.json || values.score !== undefined))
    throw new Stop(
      exitCodes.usage,
      "Of --code, --json and --score one can be printed: leave the others out. See --help.",
    );
  return values.card === undefined ? choose(values) : use(values);
}

async function choose(values) {
  for (const name of values.plan ? ["schema", "epsilon"] : ["data", "schema", "epsilon"])
    if (values[name] === undefined)
      throw new Stop(exitCodes.usage, `--${name} is missing. See --help.`);
  if (values.score !== undefined)
    throw new Stop(exitCodes.usage, "--score needs --card FILE. See --help.");
  const layout = layoutOf(values);
  const largest = numberOption(values, "points");
  const request = {
    schema: readText(values.schema, "schema"),
    adjacency: values.adjacency,
    epsilon: numberOption(values, "epsilon"),
    ...(largest !== undefined && { points: largest }),
    ...(values.mechanism !== undefined && { mechanism: values.mechanism }),
    ...(values.noise !== undefined && { noise: values.noise }),
  };
  const { client, fileSource } = await loadClient("cloister.wasm");
  try {
    // What is refused by its schema alone is refused before a file is opened.
    const plan = await client.planScorecard(request);
    if (values.plan) {
      console.log(values.json ? toJSON(plan) : visible(planned(plan)));
      return exitCodes.done;
    }
    const source = await Promise.all(values.data.map(fileSource));
    const { release, text } = await client.scorecard(source, {
      ...request,
      ...layout,
      ...(!values.quiet && process.stderr.isTTY && { onProgress: told }),
    });
    if (!values.quiet) {
      if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
      console.error(
        "Not shown: how many records there are, and how many of them the card gets wrong. Nobody paid for these figures.\n",
      );
    }
    if (values.output !== undefined) writeText(values.output, text, "release");
    return show(values, release, text);
  } catch (error) {
    throw ofData(error, values.quiet);
  } finally {
    client.terminate();
  }
}

async function use(values) {
  for (const name of choosing)
    if (values[name] !== undefined)
      throw new Stop(exitCodes.usage, `--${name} goes with choosing a card, not with --card.`);
  const text = readText(values.card, "card");
  const release = json(text, "card");
  const rows =
    values.score === undefined ? undefined : json(readText(values.score, "rows"), "rows");
  const { client } = await loadClient("cloister.wasm");
  try {
    const { holds, problems } = await client.checkScorecard(release);
    if (!holds)
      throw new Stop(
        exitCodes.refused,
        ["The card does not tell the truth about itself:", ...problems].join("\n  "),
      );
    if (rows === undefined) return show(values, release, text);
    for (const score of await client.score(release, Array.isArray(rows) ? rows : [rows]))
      console.log(visible(JSON.stringify(score)));
    if (values.page !== undefined) writeText(values.page, page(release, text), "page");
    return exitCodes.done;
  } finally {
    client.terminate();
  }
}

/** Prints a card, and writes its page. */
function show(values, release, text) {
  if (values.page !== undefined) writeText(values.page, page(release, text), "page");
  process.stdout.write(
    values.json
      ? text
      : values.code === undefined
        ? visible(printed(inLines(release)))
        : code(release, values.code),
  );
  return exitCodes.done;
}

function told({ phase, fraction, nodes }) {
  const how =
    phase === "searching"
      ? `, ${nodes.toLocaleString("en")} steps, ${(100 * (1 - fraction)).toFixed(1)} % of all cards left at most`
      : "";
  process.stderr.write(`\r\u001b[K${phase}${how}`);
}

function planned({ epsilon, event, levels, cells, cards, excess, caveats }) {
  return [
    `It would be charged for ${event.mechanism} at epsilon = ${epsilon}, delta = 0, ${event.adjacency}.`,
    `${levels} levels, ${cells} combinations of them, ${cards.toPrecision(3)} cards to choose from.`,
    excess === undefined
      ? "How far from the best card it may be, no bound says."
      : `With probability 95 % it gets at most ${Math.ceil(excess)} records more wrong than the best of these cards.`,
    ...caveats,
  ].join("\n");
}

/** The card for people. */
function printed(release) {
  const { guarantee, card, schema, library } = release;
  const width = Math.max(
    ...card.attributes.flatMap((a) => [a.name.length, ...a.levels.map((l) => l.name.length + 2)]),
  );
  return [
    `Scorecard for ${schema.label.name} with epsilon = ${guarantee.epsilon}, delta = 0, ${guarantee.adjacency}`,
    `  (${changeOf(guarantee.adjacency)}; cloister ${library})`,
    ...(guarantee.covers
      ? []
      : [
          "",
          "The guarantee does not cover everything:",
          ...guarantee.caveats.map((caveat) => `  ${caveat}`),
        ]),
    "",
    ...card.attributes.flatMap((a, g) => [
      a.name,
      ...a.levels.map((level, l) =>
        `  ${level.name.padEnd(width)}  ${points(level.points).padStart(3)}   ${standsFor(release, g, l)}`.trimEnd(),
      ),
    ]),
    "",
    `Add one line of each. It says ${schema.label.positive[0]} from a total of ${card.threshold} on:`,
    ...totals(release).map(
      ({ text, yes }) => `  ${text.padStart(5)}  ${schema.label[yes ? "positive" : "negative"][0]}`,
    ),
    "",
  ].join("\n");
}

function json(text, what) {
  let tree;
  try {
    tree = JSON.parse(text);
  } catch (error) {
    throw new Stop(exitCodes.refused, `The ${what} is not JSON: ${error.message}.`);
  }
  const { twice } = survey(text);
  if (twice !== undefined)
    throw new Stop(
      exitCodes.refused,
      `The ${what} says ${twice} twice: two readers could take it for two things.`,
    );
  return tree;
}
