// `cloister fit`: fits a private linear model to CSV files, through the same WebAssembly that the
// page uses, and prints the release.

import {
  defaultFitMethod,
  fitMethods,
  stepsBelow,
  stepsFitMethod,
} from "../client/wire/methods.ts";
import { askForRecords, forReport } from "./usual-method.mjs";
import { forecast, rarerClass } from "./forecast.mjs";
import { costOf, privateChoice } from "./private-choice.mjs";
import { coefficientLines } from "./coefficient-lines.mjs";
import { layoutOf, ofData, readText, writeText } from "./files.mjs";
import {
  exitCodes,
  inLines,
  loadClient,
  numberOption,
  readOptions,
  Stop,
  visible,
} from "./headless.mjs";

/** What the table of methods says of each, as lines of the help text. */
function methodLines() {
  const indent = " ".repeat(20);
  const lines = Object.entries(fitMethods).map(
    ([name, { title, tuned, records, adjacencies, labels }]) => {
      const facts = [
        ...(name === defaultFitMethod ? ["default without --records"] : []),
        ...(name === stepsFitMethod ? ["default where N times E is small"] : []),
        ...(records ? ["needs --records"] : []),
        ...(adjacencies.length === 1 ? [`for ${adjacencies[0]}`] : []),
        ...(labels.includes("classes") ? ["for several classes too"] : []),
      ];
      const note = facts.length > 0 ? `\n${indent}  (${facts.join("; ")})` : "";
      return `${indent}"${name}"${tuned ? " *" : ""}: ${title}${note}`;
    },
  );
  return lines.join("\n");
}

const help = (
  name,
) => `Usage: ${name} --data FILE [--data FILE2] --schema FILE --epsilon E --delta D [options]
       ${name} --data FILE --suggest-schema [--label NAME [--positive VALUE | --label-type TYPE]]

Fits a linear model with (E, D)-differential privacy to the records of the CSV
files, and prints the release: the model, and everything that a reader needs to
check its guarantee. The schema's label says what is predicted: one of two
classes, one of several (all at once, or one fit a class against the rest,
composed), or a number. All that stands on standard output may be published.
What may not be (number of records, accuracy, …) is not shown at all, unless
--look says what becomes of the models, and then on standard error.

Options:
  --data FILE       a CSV file with a header; several are read as one table
  --header WHICH    "first": the first line of each file names its columns, whatever
                    it looks like. "none": it is a record, and the columns are
                    called c1, c2, …. Left out, a first line that looks like a
                    person is refused, and shown on standard error: names are
                    published
  --names LIST      with --header none: what the columns are called, in their order,
                    between commas; nothing between two commas is one that is not
                    used. A name beyond the last column is refused
  --delimiter SIGN  what stands between fields: one sign, "tab" or "space" (any run
                    of spaces and tabs). Left out, it is found: , ; tab | or
                    spaces
  --schema FILE     the public schema, JSON: what is known about the columns
                    without looking at the file ("ParseSchema" in core/data
                    documents it)
  --epsilon E       above 0, in nats
  --delta D         above 0 and below 1; well below 1/(number of records)
  --norm NORM       how rows are brought to a bounded norm: "unit" or "clip".
                    Overrides the schema's rows.norm
  --loss LOSS       "logistic", "huber" (a smooth support-vector machine),
                    "squared" or, for several classes at once, "softmax";
                    for two classes also "shifted-logistic" (its records pull
                    harder at the same price), "rounded-hinge" (the same,
                    and the regulariser weighs less; no probabilities) and
                    "weighted-logistic" (see --positive-weight).
                    Default: squared for a numeric label, which takes no
                    other, softmax for several classes, else logistic. With
                    another loss each class is fitted against the rest
  --huber-width H   half-width of the Huber loss (1)
  --shift H         where the two losses for two classes bend, a margin: above 0,
                    16 at most (2)
  --positive-weight W
                    for a rare class that the model is to find: a record of the
                    positive class counts as W of the negative one, 0.001 to 1000;
                    at the same price. About the number of negative records to a
                    positive one finds both classes about as often. It must be
                    publicly known: do not count the file for it. The loss is then
                    "weighted-logistic". Probabilities are those of records as they
                    come; the model names the class that is likelier by weight
  --method METHOD   how it is fitted; all give the same guarantee. Left out, it
                    follows from --records and --epsilon:
${methodLines()}
                    Those that take --bound, --lambda, --radius and --clip are
                    marked *
  --records N       about how many records there are, as is publicly known; one
                    digit will do. Some methods need it. Without --method it
                    chooses a better default: "${stepsFitMethod}" where N times E is
                    below ${stepsBelow.two}, or ${stepsBelow.classes} for several classes; else, or
                    without it, or with --report, "${defaultFitMethod}". Do not count the
                    file for it, unless neighbours are "replace-one". A wrong number
                    costs accuracy, never privacy. Leave it out if the number
                    is itself a secret. With it, what privacy is expected to cost is
                    said on standard error before the fit, from made-up records
  --rarer P         about what share of the records is in the rarer of two classes,
                    0 to 0.5, as is publicly known: for what is expected alone, no
                    fit depends on it. Do not count the file for it; left out,
                    made-up records have about as many of either
  --bound BOUND     which proof prices the fit: "control", "logistic",
                    "rounded-hinge", "signed", "glm", "profile", "rdp", "kifer"
                    or "auto" (the sharpest of these that applies; default)
  --adjacency A     which data sets count as neighbours: "add-remove" (default
                    of this command; the release names it) or "replace-one"
  --lambda L        strength of the regulariser beside a sum over records;
                    chosen from public things alone if left out
  --radius B        a public guess of the coefficients' norm, used to choose it
  --clip C          threshold that each record's gradient is clipped to (9/16 of R; squared R/4;
                    huber, shifted-logistic and rounded-hinge R)
  --choose WHAT     choose "lambda" or "method" by the records, and pay for it: each
                    candidate is fitted with noise several times, by chance, and
                    the model with the best noisy score is released. Epsilon and
                    delta are of all of it, so each fit has about half
                    of epsilon. What that costs is printed beside the usual default,
                    which costs nothing to choose. Rarely (0.7 % for two candidates)
                    no fit is drawn, and nothing comes of what was paid
  --among LIST      the candidates, with --choose: numbers or methods between
                    commas. Left out, three around the default lambda; or the
                    methods "amp", "steps" and, for a number, "suffstats"
  --evaluate FILE   a CSV file of held-out records; several are read as one
                    table. How the model does on them is bought too, with
                    noise, and put into the release: accuracy, loss and a
                    calibration table, with intervals for the noise
  --evaluate-epsilon E
                    above 0: what the evaluation costs, for the held-out file;
                    its delta is 0. Needed with --evaluate
  --evaluate-bins N rows of the calibration table (10, for numbers 5); each
                    makes the other figures a little less exact
  --report FILE     write a privacy report beside the release, for publishing:
                    from it anybody can work out what the model cost a person
                    with a row like theirs. It costs nothing
  --report-epsilon E
                    above 0: buy a closer report of the people in the data at
                    this epsilon, beside the model's; its delta is --delta. The
                    release says nothing of it, the report does
  --chosen HOW      how the model was chosen, for the release to say:
                    "only-model" (no other is fitted to these records),
                    "all-published" (others may be; all are published) or
                    "paid-figures" (from several, by the models themselves or
                    by evaluations that were bought). Left out, the release says
                    nothing, or with --look all "all-published"
  --look PLEDGE     show the figures that come straight from the records, which
                    nobody paid for: how many there are, training accuracy, how
                    the model does on the held-out file. Whoever has seen them
                    could choose by them, which no guarantee covers: so say
                    before what becomes of every model of these records,
                    earlier and later ones too. "all": each is published,
                    whatever its figures say. "none": none is, and no release is
                    printed or written. It holds from now on. Nothing may be
                    fitted next because of these figures either
  --json            print the release as JSON, the file that may be published
  --output FILE     write that file as well
  --quiet           nothing on standard error but errors, and in these nothing that
                    stands in a file of data: of what is wrong in one, the row alone
  --suggest-schema  print a schema guessed from the file instead of fitting. It
                    looked at private data: every part is marked "suggested",
                    and a release made with it says that its guarantee does
                    not cover what the schema reveals. Edit it, and mark as
                    "public" what is known without looking at the file
  --label NAME      the column to predict, for --suggest-schema
  --positive VALUE  what counts as positive in it, all else being negative; may
                    be given several times
  --label-type TYPE what it is to be if not two classes: "classes" (three or
                    more) or "numeric"
  -h, --help        this text

Exit code: 0 done; 1 refused: the data, the schema or a parameter is wrong, or
no solution could be certified (the error says where); 2 the command line is
wrong; 3 a part of the program is missing (in a checkout: make build).

Example:
  ${name} --data adult.csv --schema adult.schema.json --epsilon 1 --delta 1e-5 --norm unit --json > adult.release.json`;

/** Signs that a command line cannot show well. */
const options = {
  data: { type: "string", multiple: true },
  header: { type: "string" },
  names: { type: "string" },
  delimiter: { type: "string" },
  schema: { type: "string" },
  epsilon: { type: "string" },
  delta: { type: "string" },
  norm: { type: "string" },
  bound: { type: "string" },
  adjacency: { type: "string", default: "add-remove" },
  loss: { type: "string" },
  "huber-width": { type: "string" },
  shift: { type: "string" },
  "positive-weight": { type: "string" },
  method: { type: "string" },
  records: { type: "string" },
  rarer: { type: "string" },
  choose: { type: "string" },
  among: { type: "string" },
  evaluate: { type: "string", multiple: true },
  "evaluate-epsilon": { type: "string" },
  "evaluate-bins": { type: "string" },
  chosen: { type: "string" },
  look: { type: "string" },
  report: { type: "string" },
  "report-epsilon": { type: "string" },
  "label-type": { type: "string" },
  lambda: { type: "string" },
  radius: { type: "string" },
  clip: { type: "string" },
  json: { type: "boolean" },
  output: { type: "string" },
  quiet: { type: "boolean" },
  "suggest-schema": { type: "boolean" },
  label: { type: "string" },
  positive: { type: "string", multiple: true },
};

const chosenWords = {
  unstated: "not stated (--chosen)",
  "only-model": "the only model fitted to these records, as stated",
  "all-published": "all models of these records are published, as stated",
  "paid-figures": "from several, by what was paid for, as stated",
  "private-selection": "by the records, from several settings; epsilon pays for it",
};

const pledges = {
  all: "Every model of these records is published, as --look all says, whatever follows here.",
  none: "No model of these records is published, as --look none says, so that no release is printed or written.",
};

const lossNames = {
  logistic: "Logistic regression",
  huber: "Support-vector machine (Huber loss)",
  squared: "Linear regression",
  softmax: "Multinomial logistic regression (softmax)",
  "shifted-logistic": "Logistic regression, its loss shifted",
  "rounded-hinge": "Support-vector machine (rounded hinge)",
  "weighted-logistic": "Logistic regression with weights",
};

/** Runs the command with its arguments; `name` is how it was called, for the help. */
export async function fit(args, name) {
  const { values } = readOptions(args, options);
  if (values.help) {
    console.log(help(name));
    return exitCodes.done;
  }
  const suggesting = values["suggest-schema"];
  for (const name of suggesting ? ["data"] : ["data", "schema", "epsilon", "delta"]) {
    if (values[name] === undefined)
      throw new Stop(exitCodes.usage, `--${name} is missing. See --help.`);
  }
  if (values.names !== undefined && suggesting)
    throw new Stop(exitCodes.usage, "--names goes with --header none and a schema. See --help.");
  const layout = layoutOf(values);
  const asked = suggesting ? {} : { ...parameters(values), ...privateChoice(values) };
  const plan = suggesting ? undefined : evaluation(values);
  const reported = suggesting ? undefined : reporting(values);
  const request = reported ? forReport(asked) : asked;
  const rarer = suggesting ? undefined : rarerClass(values);
  const look = suggesting ? undefined : pledge(values);
  const chosen = suggesting ? undefined : choice(values, look);
  const schema = suggesting ? "" : readText(values.schema, "schema");
  const { client, fileSource } = await loadClient("cloister.wasm");
  try {
    const source = await Promise.all(values.data.map(fileSource));
    if (suggesting) {
      const {
        schema: suggested,
        leftOut,
        missing,
      } = await client.suggestSchema(source, {
        ...layout,
        ...pick(values, "label", "positive"),
        ...(values["label-type"] !== undefined && {
          labelType: values["label-type"],
        }),
      });
      for (const { column, reason } of values.quiet ? [] : leftOut)
        console.error(visible(`Left out: ${column}, which ${reason}.`));
      for (const { column, records, of } of values.quiet ? [] : missing)
        console.error(
          visible(`For you alone: ${records} of ${of} records have no value in ${column}.`),
        );
      console.log(visible(JSON.stringify(suggested, null, 2)));
      return exitCodes.done;
    }
    const checked = await client.checkSchema(schema);
    const dataset = await client.openDataset(
      source,
      withNorm(schema, checked.schema, values.norm),
      layout,
    );
    const { dropped, rows } = dataset.tally;
    if (dropped > 0 && !values.quiet) console.error(leftOut(dropped, rows));
    // Held-out files are read first: one that cannot be read costs no fit.
    const heldOut =
      plan &&
      (await client.openDataset(
        await Promise.all(values.evaluate.map(fileSource)),
        dataset.schema,
        layout,
      ));
    const unsaid = !values.choose && askForRecords(dataset.schema, request);
    if (unsaid && !values.quiet) console.error(unsaid);
    const expected = !values.quiet && (await forecast(client, checked, request, rarer));
    if (expected) console.error(expected);
    const costs = values.choose && (await costOf(client, dataset.schema, request));
    let result = await client.fit(dataset, request);
    // What cannot be made of the release takes nothing from it: it is handed out all the same.
    let unreported =
      reported &&
      (await client
        .report(dataset, result.release, reported)
        .then(({ text }) => writeText(values.report, text, "release"))
        .catch((error) => error));
    if (look) {
      const figures = await client
        .exactFigures(result.release, dataset)
        .catch((error) => void (unreported ??= error));
      console.error(privately({ ...result.diagnostics, ...figures }, dataset.tally, look));
    }
    if (!look && !values.quiet) console.error(closed(chosen));
    if (heldOut) {
      result = await client.evaluate(result.release, heldOut, plan);
      if (look) console.error(exactly(result.exact));
    }
    if (look === "none") return exitCodes.done;
    if (chosen)
      result = {
        ...result,
        ...(await client.stateChoice(result.release, chosen)),
      };
    if (values.output !== undefined) writeText(values.output, result.text, "release");
    if (costs && values.json && !values.quiet) console.error(costs);
    process.stdout.write(
      values.json
        ? result.text
        : visible(report(inLines(result.release))) +
            (costs || "") +
            (result.figures ? assessed(result.figures, result.release) : ""),
    );
    if (unreported) throw unreported;
    return exitCodes.done;
  } catch (error) {
    throw ofData(error, values.quiet);
  } finally {
    client.terminate();
  }
}

/** The options that were given, of those named. */
function pick(values, ...names) {
  return Object.fromEntries(
    names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
  );
}

function parameters(values) {
  const request = { adjacency: values.adjacency };
  for (const name of ["epsilon", "delta", "lambda", "radius", "clip", "records", "shift"]) {
    const number = numberOption(values, name);
    if (number !== undefined) request[name] = number;
  }
  for (const name of ["bound", "loss", "method"])
    if (values[name] !== undefined) request[name] = values[name];
  const width = numberOption(values, "huber-width");
  if (width !== undefined) request.huberWidth = width;
  const weight = numberOption(values, "positive-weight");
  if (weight !== undefined) {
    request.positiveWeight = weight;
    request.loss ??= "weighted-logistic";
  }
  return request;
}

/** How the model is to be evaluated; undefined if it is not. */
function evaluation(values) {
  if (values.evaluate === undefined) {
    const stray = ["evaluate-epsilon", "evaluate-bins"].find((name) => values[name] !== undefined);
    if (stray) throw new Stop(exitCodes.usage, `--${stray} needs --evaluate FILE. See --help.`);
    return undefined;
  }
  const epsilon = numberOption(values, "evaluate-epsilon");
  if (epsilon === undefined)
    throw new Stop(
      exitCodes.usage,
      "--evaluate-epsilon is missing: what the evaluation costs is yours to choose. See --help.",
    );
  const bins = numberOption(values, "evaluate-bins");
  // A fit is paid for before the evaluation, so what cannot be one is refused before both.
  if (!(epsilon > 0 && epsilon < Infinity))
    throw new Stop(
      exitCodes.refused,
      `--evaluate-epsilon: epsilon is ${epsilon}, and must be a finite number above 0. Nothing was fitted.`,
    );
  if (bins !== undefined && !(Number.isInteger(bins) && bins >= 1 && bins <= 1000))
    throw new Stop(
      exitCodes.refused,
      `--evaluate-bins: bins is ${bins}, and must be a whole number from 1 to 1000. Nothing was fitted.`,
    );
  return {
    adjacency: values.adjacency,
    epsilon,
    ...(bins !== undefined && { bins }),
  };
}

/**
 * What is said, before anybody looks, of every model of these records: "all" are published, or
 * "none"; undefined for nothing, and nothing is looked at.
 */
function pledge(values) {
  const { look } = values;
  if (look === undefined) return undefined;
  if (look !== "all" && look !== "none")
    throw new Stop(
      exitCodes.usage,
      `--look is ${JSON.stringify(look)}: it must be "all" (every model of these records is published) or "none" (none of them is). See --help.`,
    );
  if (values.quiet)
    throw new Stop(
      exitCodes.usage,
      "--look shows what --quiet keeps from being shown: leave one of them out.",
    );
  if (values.chosen === "paid-figures")
    throw new Stop(
      exitCodes.usage,
      "--look shows figures that nobody paid for, and --chosen paid-figures says that none was seen: leave one of them out.",
    );
  const published =
    look === "none" &&
    ["output", "json", "report", "chosen"].find((name) => values[name] !== undefined);
  if (published)
    throw new Stop(
      exitCodes.usage,
      `--look none says that no model of these records is published, so there is nothing for --${published} to do: leave one of them out.`,
    );
  return look;
}

/**
 * How the release is to say that its model was chosen; undefined for nothing. A fit is paid for
 * before it is said, so what cannot be is refused before.
 */
function choice({ chosen, choose }, look) {
  if (choose !== undefined) return undefined; // the release says so by itself
  if (chosen === undefined) return look === "all" ? "all-published" : undefined;
  if (["only-model", "all-published", "paid-figures"].includes(chosen)) return chosen;
  throw new Stop(
    exitCodes.refused,
    `--chosen is ${JSON.stringify(chosen)}, and must be "only-model", "all-published" or "paid-figures". Nothing was fitted.`,
  );
}

/** What privacy report is to be made; undefined for none. */
function reporting(values) {
  if (values.report === undefined) {
    if (values["report-epsilon"] !== undefined)
      throw new Stop(exitCodes.usage, "--report-epsilon needs --report FILE. See --help.");
    return undefined;
  }
  const epsilon = numberOption(values, "report-epsilon");
  if (epsilon === undefined) return { kind: "data-independent" };
  if (!(epsilon > 0 && epsilon < Infinity))
    throw new Stop(
      exitCodes.refused,
      `--report-epsilon: epsilon is ${epsilon}, and must be a finite number above 0. Nothing was fitted.`,
    );
  return {
    kind: "data-dependent",
    epsilon,
    delta: numberOption(values, "delta"),
    errors: true,
  };
}

/** The schema with another norm; what the file says otherwise stands, and is checked, as it is. */
function withNorm(text, schema, norm) {
  return norm === undefined ? text : { ...schema, rows: { ...schema.rows, norm } };
}

function percent(share) {
  return `${(100 * share).toFixed(2)} %`;
}

/** What the model's figures are, without noise. */
function figuresOf(d, what) {
  const lines = [];
  if (d.accuracy !== undefined)
    lines.push([
      `${what} accuracy`,
      `${percent(d.accuracy)} (always the largest class: ${percent(d.baseline)})`,
    ]);
  if (d.logLoss !== undefined) lines.push(["mean log loss", d.logLoss.toFixed(4)]);
  if (d.meanSquaredError !== undefined) {
    const part = d.rSquared === undefined ? "" : ` (R² ${d.rSquared.toFixed(3)})`;
    lines.push([
      `${what} error`,
      `${Math.sqrt(d.meanSquaredError).toPrecision(4)} root mean square${part}`,
    ]);
  }
  return lines;
}

function listed(lines) {
  return lines.map(([name, value]) => `  ${name.padEnd(17)}  ${value}`);
}

/** What stands in the place of figures that are not shown. */
function closed(chosen) {
  const how =
    chosen === "paid-figures"
      ? []
      : [
          "To see them, say first what becomes of every model of these records: --look all (each is published) or --look none.",
        ];
  return [
    "Not shown: how many records there are, and how well the model predicts them. Nobody paid for these figures.",
    ...how,
    "",
  ].join("\n");
}

/** What the schema's rules leave out, for whoever holds the data. */
function leftOut(dropped, rows) {
  return [
    `Private, for the data holder alone: the schema's "drop" rules leave out ${dropped} of ${rows} records`,
    `(${percent(dropped / rows)}). The model describes the others. With "missing": "indicator" it would`,
    "describe all, and learn what it means that a value is missing. This is counted in the records, and",
    "is not in the release.",
    "",
  ].join("\n");
}

function privately(d, tally, look) {
  return [
    pledges[look],
    "Private, for the data holder alone; publish none of it, and decide nothing by it:",
    ...listed([
      [
        "records used",
        `${d.rows}${tally.dropped > 0 ? ` (${tally.dropped} left out by the schema's "drop" rules)` : ""}`,
      ],
      ...figuresOf(d, "training"),
      [
        "solver",
        d.tau === undefined
          ? `${d.iterations} steps`
          : `${d.iterations} iterations, gradient norm ${d.gradientNorm.toExponential(2)} of at most ${d.tau.toExponential(2)}`,
      ],
      ["time", `${Math.round(d.milliseconds)} ms`],
    ]),
    "",
  ].join("\n");
}

function exactly(d) {
  return [
    "Private too, of the held-out records:",
    ...listed([["records", d.rows], ...figuresOf(d, "held-out")]),
    "",
  ].join("\n");
}

/** What the evaluation says, for people. */
function assessed(f, release) {
  const { label } = release.schema;
  const share = (i) => `${percent(i.estimate)} (${percent(i.low)} to ${percent(i.high)})`;
  const plain = (i) =>
    `${i.estimate.toPrecision(4)} (${i.low.toPrecision(4)} to ${i.high.toPrecision(4)})`;
  const lines = [
    [
      "records",
      `${Math.round(f.records.estimate)} (${Math.round(f.records.low)} to ${Math.round(f.records.high)})`,
    ],
  ];
  if (f.accuracy) lines.push(["accuracy", share(f.accuracy)]);
  if (f.logLoss)
    lines.push([
      "log loss",
      `${plain(f.logLoss)}, each record's cut off at ${release.evaluation.loss_bound}`,
    ]);
  if (f.meanSquaredError) lines.push(["squared error", plain(f.meanSquaredError)]);
  if (f.rSquared) lines.push(["R²", plain(f.rSquared)]);
  const numeric = label.type === "numeric";
  const what = numeric
    ? `mean of ${label.name}`
    : label.type === "classes"
      ? "share predicted rightly"
      : `share of "${label.positive[0]}"`;
  const digits = (x) => (numeric ? x.toPrecision(4) : x.toFixed(2));
  return [
    "",
    `Evaluated on held-out records with ${f.epsilon}-differential privacy of their own, ${f.adjacency}.`,
    `Ranges cover the figure of these very records with probability ${f.level} over the noise.`,
    ...listed(lines),
    `  by what is predicted: records, ${what}`,
    ...f.table.map(
      (bin) =>
        `  ${`${digits(bin.low)} to ${digits(bin.high)}`.padEnd(17)}  ${`${Math.round(bin.records.estimate)}`.padStart(8)}  ${numeric ? plain(bin.outcome) : share(bin.outcome)}`,
    ),
    "",
  ].join("\n");
}

/** What a margin is, for a class of several or for all there is. */
function marginOf({ label }, loss, name) {
  if (name !== undefined && loss === "softmax") return `Score of "${name}"`;
  if (name !== undefined)
    return `${loss === "logistic" ? "Log odds" : "Margin"} of "${name}" against the rest`;
  if (label.type === "numeric")
    return `Margin m (${label.name} is ${label.min} + (m + 1)/2 * ${label.max - label.min}, within its bounds)`;
  return `${loss === "logistic" ? "Log odds" : "Margin"} of "${label.positive[0]}"`;
}

/** The release for people. */
function report({ guarantee, event, model, library, schema, choice }) {
  const norm =
    schema.rows.norm === "unit"
      ? "the norm of the record's features"
      : "the larger of 1 and the norm of the record's features";
  const fitted = model.selected
    ? event.base.parts[0].event.events[model.selected.candidate]
    : event;
  const { event: one, count } =
    fitted.mechanism === "composition" ? fitted.parts[0] : { event: fitted, count: 1 };
  return [
    `${lossNames[model.loss]} with (${guarantee.epsilon}, ${guarantee.delta})-differential privacy, ${guarantee.adjacency} (cloister ${library})`,
    `  priced by  ${guarantee.theorem}`,
    `  noise      ${noiseOf(one, model)}${count > 1 ? `, in each of ${count} fits` : ""}`,
    `  chosen     ${chosenWords[choice ?? "unstated"]}`,
    ...(model.selected
      ? [
          `             this is setting ${model.selected.candidate + 1}, with a noisy score of ${model.selected.score}`,
        ]
      : []),
    ...(guarantee.covers
      ? []
      : [
          "",
          "The guarantee does not cover everything:",
          ...guarantee.caveats.map((caveat) => `  ${caveat}`),
        ]),
    ...(model.classes ?? [model]).flatMap((vector) => [
      "",
      `${marginOf(schema, model.loss, vector.class)} = (constant + sum of coefficient times value) / N + intercept,`,
      `where N is ${norm}, scaled as the schema says:`,
      ...coefficientLines(vector),
    ]),
    "",
  ].join("\n");
}

/** The noise of one fit. */
function noiseOf(event, model) {
  if (model.moments)
    return `sigma ${model.moments.matrix_sigma} on the sums of products of columns, ${model.moments.vector_sigma} on those with the label`;
  if (model.told?.of === "tested-curvature")
    return `sigma ${model.told.sigma} on each coefficient, chosen by a test, lambda ${model.told.lambda}`;
  if (model.told)
    return `one draw from the posterior, gamma ${model.told.gamma}, lambda ${model.told.lambda}${model.told.of === "tested-sample" ? ", chosen by two tests" : ""}`;
  switch (event.mechanism) {
    case "gaussian":
      return `sigma ${event.sigma} on each coefficient, lambda ${model.lambda}`;
    case "gradient-descent":
      return `sigma ${event.sigmas[0]} on the summed gradients, ${event.sigmas.length} steps`;
    case "subsampled-gaussian":
      return `sigma ${event.noise_multiplier} times the clipping threshold on the summed gradients, ${event.steps} steps, each on a sample of rate ${event.rate}`;
    default:
      return `sigma ${event.sigma}, lambda ${event.lambda}, output sigma ${event.sigma_out}, tau ${event.tau}`;
  }
}
