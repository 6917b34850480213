// Fits a private linear model to CSV files, through the same WebAssembly that the page uses, and prints the release.

import { readFileSync, writeFileSync } from "node:fs";
import { exitCodes, loadClient, numberOption, readOptions, run, Stop } from "./headless.mjs";

const help = `Usage: node scripts/fit.mjs --data FILE [--data FILE2] --schema FILE --epsilon E --delta D [options]
       node scripts/fit.mjs --data FILE --suggest-schema [--label NAME [--positive VALUE | --label-type TYPE]]

Fits a linear model with (E, D)-differential privacy to the records of the CSV
files, and prints the release: the model, and everything that a reader needs to
check its guarantee. The schema's label says what is predicted: one of two
classes, one of several (one fit a class against the rest, composed), or a
number. All that stands on standard output may be published. What may not
(number of records, accuracy, …) goes to standard error.

Options:
  --data FILE       a CSV file with a header; several are read as one table
  --schema FILE     the public schema, JSON: what is known about the columns
                    without looking at the file ("ParseSchema" in core/data
                    documents it)
  --epsilon E       above 0, in nats
  --delta D         above 0 and below 1; well below 1/(number of records)
  --norm NORM       how rows are brought to a bounded norm: "unit" or "clip".
                    Overrides the schema's rows.norm
  --loss LOSS       "logistic", "huber" (a smooth support-vector machine) or
                    "squared"; default: squared for a numeric label, which
                    takes no other, else logistic
  --huber-width H   half-width of the Huber loss (1)
  --method METHOD   "amp" (objective perturbation as this project sets it;
                    default), "amp-paper" (the same as Redberg, Koskela & Wang
                    2023 set it; for add-remove), "outpert" (noise on the
                    solution), "dpgd" (gradient descent with noise in each
                    step) or "dpsgd" (the same on random samples of the
                    records; for add-remove). All give the same guarantee. Of
                    several classes there is amp alone, and only amp takes
                    --bound, --lambda, --radius and --clip
  --records N       for outpert, dpgd and dpsgd: about how many records there
                    are, as is publicly known. Do not count the file for it, unless
                    neighbours are "replace-one". A wrong number costs
                    accuracy, never privacy
  --bound BOUND     which proof prices the fit: "logistic", "profile", "rdp",
                    "kifer", "glm", "signed" or "auto" (the sharpest; default)
  --adjacency A     which data sets count as neighbours: "add-remove" (default
                    of this command; the release names it) or "replace-one"
  --lambda L        strength of the regulariser beside a sum over records;
                    chosen from public things alone if left out
  --radius B        a public guess of the coefficients' norm, used to choose it
  --clip C          threshold that each record's gradient is clipped to (9/16 of R; huber R, squared R/4)
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
  --json            print the release as JSON, the file that may be published
  --output FILE     write that file as well
  --quiet           nothing private on standard error
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
wrong; 3 not built yet (make build).

Example:
  node scripts/fit.mjs --data adult.csv --schema adult.schema.json --epsilon 1 --delta 1e-5 --norm unit --json > adult.release.json`;

const options = {
  data: { type: "string", multiple: true },
  schema: { type: "string" },
  epsilon: { type: "string" },
  delta: { type: "string" },
  norm: { type: "string" },
  bound: { type: "string" },
  adjacency: { type: "string", default: "add-remove" },
  loss: { type: "string" },
  "huber-width": { type: "string" },
  method: { type: "string" },
  records: { type: "string" },
  evaluate: { type: "string", multiple: true },
  "evaluate-epsilon": { type: "string" },
  "evaluate-bins": { type: "string" },
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

const lossNames = { logistic: "Logistic regression", huber: "Support-vector machine (Huber loss)", squared: "Linear regression" };

await run(async () => {
  const { values } = readOptions(options);
  if (values.help) {
    console.log(help);
    return exitCodes.done;
  }
  const suggesting = values["suggest-schema"];
  for (const name of suggesting ? ["data"] : ["data", "schema", "epsilon", "delta"]) {
    if (values[name] === undefined) throw new Stop(exitCodes.usage, `--${name} is missing. See --help.`);
  }
  const request = suggesting ? {} : parameters(values);
  const plan = suggesting ? undefined : evaluation(values);
  const reported = suggesting ? undefined : reporting(values);
  const schema = suggesting ? "" : read(values.schema);
  const { client, fileSource } = await loadClient("cloister.wasm");
  try {
    const source = await Promise.all(values.data.map(fileSource));
    if (suggesting) {
      const { schema: suggested, leftOut } = await client.suggestSchema(source, {
        ...pick(values, "label", "positive"),
        ...(values["label-type"] !== undefined && { labelType: values["label-type"] }),
      });
      for (const { column, reason } of leftOut) console.error(`Left out: ${column}, which ${reason}.`);
      console.log(JSON.stringify(suggested, null, 2));
      return exitCodes.done;
    }
    const checked = await client.checkSchema(schema);
    const dataset = await client.openDataset(source, withNorm(schema, checked.schema, values.norm));
    // Held-out files are read first: one that cannot be read costs no fit.
    const heldOut = plan && (await client.openDataset(await Promise.all(values.evaluate.map(fileSource)), dataset.schema));
    let result = await client.fit(dataset, request);
    // A report that cannot be made takes nothing from the release, which is handed out all the same.
    const unreported = reported && (await client.report(dataset, result.release, reported).then(({ text }) => write(values.report, text)).catch((error) => error));
    if (!values.quiet) console.error(privately(result.diagnostics, dataset.tally));
    if (heldOut) {
      result = await client.evaluate(result.release, heldOut, plan);
      if (!values.quiet) console.error(exactly(result.exact));
    }
    if (values.output !== undefined) write(values.output, result.text);
    process.stdout.write(values.json ? result.text : report(result.release) + (result.figures ? assessed(result.figures, result.release) : ""));
    if (unreported) throw unreported;
    return exitCodes.done;
  } finally {
    client.terminate();
  }
});

/** The options that were given, of those named. */
function pick(values, ...names) {
  return Object.fromEntries(names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]));
}

function parameters(values) {
  const request = { adjacency: values.adjacency };
  for (const name of ["epsilon", "delta", "lambda", "radius", "clip", "records"]) {
    const number = numberOption(values, name);
    if (number !== undefined) request[name] = number;
  }
  for (const name of ["bound", "loss", "method"]) if (values[name] !== undefined) request[name] = values[name];
  const width = numberOption(values, "huber-width");
  if (width !== undefined) request.huberWidth = width;
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
  if (epsilon === undefined) throw new Stop(exitCodes.usage, "--evaluate-epsilon is missing: what the evaluation costs is yours to choose. See --help.");
  const bins = numberOption(values, "evaluate-bins");
  // A fit is paid for before the evaluation, so what cannot be one is refused before both.
  if (!(epsilon > 0 && epsilon < Infinity)) throw new Stop(exitCodes.refused, `--evaluate-epsilon: epsilon is ${epsilon}, and must be a finite number above 0. Nothing was fitted.`);
  if (bins !== undefined && !(Number.isInteger(bins) && bins >= 1 && bins <= 1000)) throw new Stop(exitCodes.refused, `--evaluate-bins: bins is ${bins}, and must be a whole number from 1 to 1000. Nothing was fitted.`);
  return { adjacency: values.adjacency, epsilon, ...(bins !== undefined && { bins }) };
}

/** What privacy report is to be made; undefined for none. */
function reporting(values) {
  if (values.report === undefined) {
    if (values["report-epsilon"] !== undefined) throw new Stop(exitCodes.usage, "--report-epsilon needs --report FILE. See --help.");
    return undefined;
  }
  const epsilon = numberOption(values, "report-epsilon");
  if (epsilon === undefined) return { kind: "data-independent" };
  if (!(epsilon > 0 && epsilon < Infinity)) throw new Stop(exitCodes.refused, `--report-epsilon: epsilon is ${epsilon}, and must be a finite number above 0. Nothing was fitted.`);
  return { kind: "data-dependent", epsilon, delta: numberOption(values, "delta"), errors: true };
}

/** The schema with another norm; what the file says otherwise stands, and is checked, as it is. */
function withNorm(text, schema, norm) {
  return norm === undefined ? text : { ...schema, rows: { ...schema.rows, norm } };
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Stop(exitCodes.refused, `The schema could not be read: ${error.message}.`);
  }
}

function write(file, text) {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Stop(exitCodes.refused, `The release could not be written: ${error.message}.`);
  }
}

function percent(share) {
  return `${(100 * share).toFixed(2)} %`;
}

/** What the model's figures are, without noise. */
function figuresOf(d, what) {
  const lines = [];
  if (d.accuracy !== undefined) lines.push([`${what} accuracy`, `${percent(d.accuracy)} (always the largest class: ${percent(d.baseline)})`]);
  if (d.logLoss !== undefined) lines.push(["mean log loss", d.logLoss.toFixed(4)]);
  if (d.meanSquaredError !== undefined) {
    const part = d.rSquared === undefined ? "" : ` (R² ${d.rSquared.toFixed(3)})`;
    lines.push([`${what} error`, `${Math.sqrt(d.meanSquaredError).toPrecision(4)} root mean square${part}`]);
  }
  return lines;
}

function listed(lines) {
  return lines.map(([name, value]) => `  ${name.padEnd(17)}  ${value}`);
}

function privately(d, tally) {
  return [
    "Private, for the data holder alone; publish none of it:",
    ...listed([
      ["records used", `${d.rows}${tally.dropped > 0 ? ` (${tally.dropped} left out by the schema's "drop" rules)` : ""}`],
      ...figuresOf(d, "training"),
      ["solver", d.tau === undefined ? `${d.iterations} steps` : `${d.iterations} iterations, gradient norm ${d.gradientNorm.toExponential(2)} of at most ${d.tau.toExponential(2)}`],
      ["time", `${Math.round(d.milliseconds)} ms`],
    ]),
    "",
  ].join("\n");
}

function exactly(d) {
  return ["Private too, of the held-out records:", ...listed([["records", d.rows], ...figuresOf(d, "held-out")]), ""].join("\n");
}

/** What the evaluation says, for people. */
function assessed(f, release) {
  const { label } = release.schema;
  const share = (i) => `${percent(i.estimate)} (${percent(i.low)} to ${percent(i.high)})`;
  const plain = (i) => `${i.estimate.toPrecision(4)} (${i.low.toPrecision(4)} to ${i.high.toPrecision(4)})`;
  const lines = [["records", `${Math.round(f.records.estimate)} (${Math.round(f.records.low)} to ${Math.round(f.records.high)})`]];
  if (f.accuracy) lines.push(["accuracy", share(f.accuracy)]);
  if (f.logLoss) lines.push(["log loss", `${plain(f.logLoss)}, each record's cut off at ${release.evaluation.loss_bound}`]);
  if (f.meanSquaredError) lines.push(["squared error", plain(f.meanSquaredError)]);
  if (f.rSquared) lines.push(["R²", plain(f.rSquared)]);
  const numeric = label.type === "numeric";
  const what = numeric ? `mean of ${label.name}` : label.type === "classes" ? "share predicted rightly" : `share of "${label.positive[0]}"`;
  const digits = (x) => (numeric ? x.toPrecision(4) : x.toFixed(2));
  return [
    "",
    `Evaluated on held-out records with ${f.epsilon}-differential privacy of their own, ${f.adjacency}.`,
    `Ranges cover the figure of these very records with probability ${f.level} over the noise.`,
    ...listed(lines),
    `  by what is predicted: records, ${what}`,
    ...f.table.map((bin) => `  ${`${digits(bin.low)} to ${digits(bin.high)}`.padEnd(17)}  ${`${Math.round(bin.records.estimate)}`.padStart(8)}  ${numeric ? plain(bin.outcome) : share(bin.outcome)}`),
    "",
  ].join("\n");
}

/** What a margin is, for a class of several or for all there is. */
function marginOf({ label }, loss, name) {
  if (name !== undefined) return `${loss === "logistic" ? "Log odds" : "Margin"} of "${name}" against the rest`;
  if (label.type === "numeric") return `Margin m (${label.name} is ${label.min} + (m + 1)/2 * ${label.max - label.min}, within its bounds)`;
  return `${loss === "logistic" ? "Log odds" : "Margin"} of "${label.positive[0]}"`;
}

/** The release for people. */
function report({ guarantee, event, model, library, schema }) {
  const norm = schema.rows.norm === "unit" ? "the norm of the record's features" : "the larger of 1 and the norm of the record's features";
  const { event: one, count } = event.mechanism === "composition" ? event.parts[0] : { event, count: 1 };
  return [
    `${lossNames[model.loss]} with (${guarantee.epsilon}, ${guarantee.delta})-differential privacy, ${guarantee.adjacency} (cloister ${library})`,
    `  priced by  ${guarantee.theorem}`,
    `  noise      ${noiseOf(one, model)}${count > 1 ? `, in each of ${count} fits` : ""}`,
    ...(guarantee.covers ? [] : ["", "The guarantee does not cover everything:", ...guarantee.caveats.map((caveat) => `  ${caveat}`)]),
    ...(model.classes ?? [model]).flatMap((vector) => [
      "",
      `${marginOf(schema, model.loss, vector.class)} = (constant + sum of coefficient times value) / N + intercept,`,
      `where N is ${norm}, scaled as the schema says:`,
      ...coefficients(vector),
    ]),
    "",
  ].join("\n");
}

/** The noise of one fit. */
function noiseOf(event, model) {
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

function coefficients(vector) {
  const rows = vector.original.map(({ feature, category, coefficient, unit, offset }) => [
    category === undefined ? feature : `${feature} = ${category}`,
    coefficient,
    unit.startsWith("log") ? `per log1p(x - ${offset})` : unit === "category" ? "" : "per unit",
  ]);
  const width = Math.max(11, ...rows.map(([name]) => name.length));
  const line = ([name, coefficient, unit]) => `  ${name.padEnd(width)}  ${coefficient.toPrecision(6).padStart(13)}  ${unit}`.trimEnd();
  return [["(intercept)", vector.intercept, ""], ["(constant)", vector.original_constant, ""], ...rows].map(line);
}
