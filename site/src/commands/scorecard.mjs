// `cloister scorecard`: chooses a private scorecard for CSV files, through the same WebAssembly
// that pages use; or checks one, uses it for rows, or writes it as a page or a program.

import { code } from "../scorecard/code.ts";
import { languages } from "../scorecard/languages.ts";
import { page } from "../scorecard/page.ts";
import { keepApart, layoutOf, ofData, readJSON, readText, writePaid, writeText } from "./files.mjs";
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
import { planned, printed } from "./scorecard-lines.mjs";

const help = (
  name,
) => `Usage: ${name} --data FILE [--data FILE2] --schema FILE --epsilon E [options]
       ${name} --data FILE --schema FILE --epsilon E --noisy-cells --output FILE
       ${name} --cells FILE [--points B] [--attributes LIST] [options]
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

To look at many cards for one price:
  --noisy-cells     buy the count of records for every combination of levels and each
                    class, with noise, in place of a card, and print it as JSON: any
                    number of cards of it costs nothing more. Takes --plan as well. One
                    card alone is far better bought by itself
  --cells FILE      noisy cells as --output or --json wrote them. They are checked
                    first. Finds the card that gets the fewest records wrong by these
                    counts, without a look at the data
  --attributes LIST with --cells: the attributes of the card, in its order, between
                    commas. Left out, all

To say how good a card is:
  --evaluate FILE   a CSV file of records that the card was not chosen on; several
                    are read as one table. What comes of it is in the release, with
                    noise. A purchase of its own, for the people in that file
  --evaluate-epsilon E
                    above 0: what it costs them; its delta is 0

To use a card:
  --card FILE       a release as --output or --json wrote it. It is checked first: a
                    card that does not tell the truth about itself is refused
  --score FILE      a JSON file: a list of records, each {"attribute": value, …}.
                    Prints a line of JSON for each: its total, and yes or no

For every card:
  --page FILE       write the card as an HTML page that prints on one sheet
  --code LANGUAGE   print the card as a program: "python", "r", "javascript" or "go"
  -h, --help        this text

Exit code: 0 done; 1 refused (the error says why) or a card that does not hold;
2 the command line is wrong; 3 a part of the program is missing (in a checkout: make
build). Ending the command while it searches shows nothing of the card; in your own
account of what was spent it counts as spent.

Examples:
  ${name} --data patients.csv --schema levels.json --epsilon 0.3 --output scorecard.json --page card.html
  ${name} --card scorecard.json --evaluate others.csv --evaluate-epsilon 0.5 --output scorecard.json
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
  "noisy-cells": { type: "boolean", default: false },
  cells: { type: "string" },
  attributes: { type: "string" },
  evaluate: { type: "string", multiple: true },
  "evaluate-epsilon": { type: "string" },
  card: { type: "string" },
  score: { type: "string" },
  page: { type: "string" },
  code: { type: "string" },
};

/** Options that only a purchase from a file has. */
const buying = ["data", "schema", "epsilon", "mechanism", "noise"];
/** How a file of records is read. */
const layouts = ["header", "names", "delimiter"];

/** Runs the command with its arguments; `name` is how it was called, for the help. */
export async function scorecard(args, name) {
  const { values } = readOptions(args, options);
  if (values.help) {
    console.log(help(name));
    return exitCodes.done;
  }
  // A card that is evaluated may be written in its own place.
  const { output, page, card } = values;
  const read = ["data", "evaluate", "schema", "cells", "score"].flatMap((o) => values[o] ?? []);
  keepApart({ output, page }, read);
  keepApart({ page }, card === undefined ? [] : [card]);
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
  const heldOut = evaluation(values);
  if (values.card !== undefined) return use(values, heldOut);
  return values.cells === undefined ? choose(values, heldOut) : explore(values, heldOut);
}

/** What a card is to be evaluated with; undefined if it is not. */
function evaluation(values) {
  const epsilon = numberOption(values, "evaluate-epsilon");
  if ((values.evaluate === undefined) !== (epsilon === undefined))
    throw new Stop(
      exitCodes.usage,
      "--evaluate and --evaluate-epsilon need each other: what it costs is yours to choose. See --help.",
    );
  // A card is paid for before the evaluation, so what cannot be one is refused before both.
  if (epsilon !== undefined && !(epsilon > 0 && epsilon < Infinity))
    throw new Stop(
      exitCodes.refused,
      `--evaluate-epsilon: epsilon is ${epsilon}, and must be a finite number above 0. Nothing was bought.`,
    );
  return epsilon && { adjacency: values.adjacency, epsilon };
}

/** Evaluates a card, if that is asked for. */
async function evaluated(client, fileSource, values, heldOut, card) {
  if (!heldOut) return card;
  const source = await Promise.all(values.evaluate.map(fileSource));
  return client.evaluateScorecard(card.release, source, { ...heldOut, ...layoutOf(values) });
}

/** Refuses options that a way of the command does not have. */
function without(values, names, way) {
  for (const name of names)
    if (values[name] !== undefined && values[name] !== false)
      throw new Stop(exitCodes.usage, `--${name} does not go with ${way}. See --help.`);
}

async function choose(values, heldOut) {
  const many = values["noisy-cells"];
  if (many)
    without(
      values,
      ["points", "mechanism", "noise", "evaluate", "page", "code"],
      "--noisy-cells, which buys no card",
    );
  without(values, ["attributes"], "anything but --cells");
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
    const plan = await client[many ? "planNoisyCells" : "planScorecard"](request);
    if (values.plan) {
      console.log(values.json ? toJSON(plan) : visible(planned(plan)));
      return exitCodes.done;
    }
    const source = await Promise.all(values.data.map(fileSource));
    const bought = await client[many ? "noisyCells" : "scorecard"](source, {
      ...request,
      ...layout,
      ...progress(values),
    });
    if (many) {
      if (values.output !== undefined) writePaid(values.output, bought.text, "release");
      process.stdout.write(bought.text);
      return exitCodes.done;
    }
    // What was paid for is written before the next purchase.
    if (values.output !== undefined) writePaid(values.output, bought.text, "release");
    const card = await evaluated(client, fileSource, values, heldOut, bought);
    if (!values.quiet) {
      if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
      console.error(
        "Not shown: how many records there are, and how many of them the card gets wrong. Nobody paid for these figures.\n",
      );
    }
    return await show(client, values, card);
  } catch (error) {
    throw ofData(error, values.quiet);
  } finally {
    client.terminate();
  }
}

/** Finds a card of noisy cells. */
async function explore(values, heldOut) {
  without(values, [...buying, "noisy-cells", "plan", "score"], "--cells, which costs nothing");
  if (!heldOut) without(values, layouts, "--cells");
  const cells = readJSON(readText(values.cells, "noisy cells"), "noisy cells");
  const largest = numberOption(values, "points");
  const { client, fileSource } = await loadClient("cloister.wasm");
  try {
    refuseLies(
      "The noisy cells do not tell the truth about themselves",
      await client.checkNoisyCells(cells),
    );
    const found = await client.cardOfCells(cells, {
      ...(largest !== undefined && { points: largest }),
      ...(values.attributes !== undefined && { attributes: values.attributes.split(",") }),
      ...progress(values),
    });
    if (!values.quiet) {
      if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
      const { wrong, records, deviation } = found;
      console.error(
        `By the counts it gets ${wrong} of ${records} records wrong, give or take ${deviation.toFixed(1)}; too few, on average, for a card that was chosen by them.\n`,
      );
    }
    return await show(client, values, await evaluated(client, fileSource, values, heldOut, found));
  } catch (error) {
    throw ofData(error, values.quiet);
  } finally {
    client.terminate();
  }
}

async function use(values, heldOut) {
  without(values, [...buying, "noisy-cells", "plan", "cells", "points", "attributes"], "--card");
  if (!heldOut) without(values, [...layouts, "output"], "--card");
  if (heldOut) without(values, ["score"], "--evaluate");
  const text = readText(values.card, "card");
  const release = readJSON(text, "card");
  const rows =
    values.score === undefined ? undefined : readJSON(readText(values.score, "rows"), "rows");
  const { client, fileSource } = await loadClient("cloister.wasm");
  try {
    const checked = await client.checkScorecard(release);
    refuseLies("The card does not tell the truth about itself", checked);
    if (rows === undefined) {
      const card = await evaluated(client, fileSource, values, heldOut, { release, text });
      return await show(client, values, card);
    }
    for (const score of await client.score(release, Array.isArray(rows) ? rows : [rows]))
      console.log(visible(JSON.stringify(score)));
    if (values.page !== undefined)
      writeText(values.page, page(release, text, checked.figures), "page");
    return exitCodes.done;
  } catch (error) {
    throw ofData(error, values.quiet);
  } finally {
    client.terminate();
  }
}

function refuseLies(who, { holds, problems }) {
  if (!holds) throw new Stop(exitCodes.refused, [`${who}:`, ...problems].join("\n  "));
}

/** Prints a card, and writes its release and its page. */
async function show(client, values, { release, text }) {
  const { figures } = await client.checkScorecard(release);
  if (values.output !== undefined) writePaid(values.output, text, "release");
  if (values.page !== undefined) writeText(values.page, page(release, text, figures), "page");
  process.stdout.write(
    values.json
      ? visible(text.replaceAll("\r", "")) // white space in JSON
      : values.code === undefined
        ? visible(printed(inLines(release), figures))
        : code(release, values.code),
  );
  return exitCodes.done;
}

const progress = ({ quiet }) => !quiet && process.stderr.isTTY && { onProgress: told };

function told({ phase, fraction, nodes }) {
  const how =
    phase === "searching"
      ? `, ${nodes.toLocaleString("en")} steps, ${(100 * (1 - fraction)).toFixed(1)} % of all cards left at most`
      : "";
  process.stderr.write(`\r\u001b[K${phase}${how}`);
}
