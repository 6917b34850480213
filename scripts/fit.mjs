// Fits a private logistic regression to CSV files, through the same WebAssembly that the page uses, and prints the release.

import { readFileSync, writeFileSync } from "node:fs";
import { exitCodes, loadClient, numberOption, readOptions, run, Stop } from "./headless.mjs";

const help = `Usage: node scripts/fit.mjs --data FILE [--data FILE2] --schema FILE --epsilon E --delta D [options]
       node scripts/fit.mjs --data FILE --suggest-schema [--label NAME [--positive VALUE]]

Fits a logistic regression with (E, D)-differential privacy to the records of
the CSV files, and prints the release: the model, and everything that a reader
needs to check its guarantee. All that stands on standard output may be
published. What may not (number of records, accuracy, …) goes to standard error.

Options:
  --data FILE       a CSV file with a header; several are read as one table
  --schema FILE     the public schema, JSON: what is known about the columns
                    without looking at the file ("ParseSchema" in core/data
                    documents it)
  --epsilon E       above 0, in nats
  --delta D         above 0 and below 1; well below 1/(number of records)
  --norm NORM       how rows are brought to a bounded norm: "unit" or "clip".
                    Overrides the schema's rows.norm
  --bound BOUND     which proof prices the fit: "logistic", "profile", "rdp",
                    "kifer", "glm", "signed" or "auto" (the sharpest; default)
  --adjacency A     which data sets count as neighbours: "add-remove" (default
                    of this command; the release names it) or "replace-one"
  --lambda L        strength of the regulariser beside a sum over records;
                    chosen from public things alone if left out
  --radius B        a public guess of the coefficients' norm, used to choose it
  --clip C          threshold that each record's gradient is clipped to (9/16 of R)
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
  const schema = suggesting ? "" : read(values.schema);
  const { client, fileSource } = await loadClient("cloister.wasm");
  try {
    const source = await Promise.all(values.data.map(fileSource));
    if (suggesting) {
      const { schema: suggested, leftOut } = await client.suggestSchema(source, pick(values, "label", "positive"));
      for (const { column, reason } of leftOut) console.error(`Left out: ${column}, which ${reason}.`);
      console.log(JSON.stringify(suggested, null, 2));
      return exitCodes.done;
    }
    const checked = await client.checkSchema(schema);
    const dataset = await client.openDataset(source, withNorm(schema, checked.schema, values.norm));
    const { release, text, diagnostics } = await client.fit(dataset, request);
    if (values.output !== undefined) write(values.output, text);
    if (!values.quiet) console.error(privately(diagnostics, dataset.tally));
    process.stdout.write(values.json ? text : report(release));
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
  for (const name of ["epsilon", "delta", "lambda", "radius", "clip"]) {
    const number = numberOption(values, name);
    if (number !== undefined) request[name] = number;
  }
  if (values.bound !== undefined) request.bound = values.bound;
  return request;
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

function privately(d, tally) {
  return [
    "Private, for the data holder alone; publish none of it:",
    `  records used       ${d.rows}${tally.dropped > 0 ? ` (${tally.dropped} left out by the schema's "drop" rules)` : ""}`,
    `  training accuracy  ${percent(d.accuracy)} (always the larger class: ${percent(d.baseline)})`,
    `  mean log loss      ${d.logLoss.toFixed(4)}`,
    `  solver             ${d.iterations} iterations, gradient norm ${d.gradientNorm.toExponential(2)} of at most ${d.tau.toExponential(2)}`,
    `  time               ${Math.round(d.milliseconds)} ms`,
    "",
  ].join("\n");
}

/** The release for people. */
function report({ guarantee, event, model, library, schema }) {
  const norm = schema.rows.norm === "unit" ? "the norm of the record's features" : "the larger of 1 and the norm of the record's features";
  const rows = model.original.map(({ feature, category, coefficient, unit, offset }) => [
    category === undefined ? feature : `${feature} = ${category}`,
    coefficient,
    unit.startsWith("log") ? `per log1p(x - ${offset})` : unit === "category" ? "" : "per unit",
  ]);
  const width = Math.max(11, ...rows.map(([name]) => name.length));
  const line = ([name, coefficient, unit]) => `  ${name.padEnd(width)}  ${coefficient.toPrecision(6).padStart(13)}  ${unit}`.trimEnd();
  return [
    `Logistic regression with (${guarantee.epsilon}, ${guarantee.delta})-differential privacy, ${guarantee.adjacency} (cloister ${library})`,
    `  priced by  ${guarantee.theorem}`,
    `  noise      sigma ${event.sigma}, lambda ${event.lambda}, output sigma ${event.sigma_out}, tau ${event.tau}`,
    ...(guarantee.covers ? [] : ["", "The guarantee does not cover everything:", ...guarantee.caveats.map((caveat) => `  ${caveat}`)]),
    "",
    `Log odds of "${schema.label.positive[0]}" = (constant + sum of coefficient times value) / N + intercept,`,
    `where N is ${norm}, scaled as the schema says:`,
    line(["(intercept)", model.intercept, ""]),
    line(["(constant)", model.original_constant, ""]),
    ...rows.map(line),
    "",
  ].join("\n");
}
