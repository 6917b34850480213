// `cloister fit`: fits a private linear model to CSV files, through the same WebAssembly that the
// page uses, and prints the release.

import { schemaForFit } from "../client/usual.ts";
import { askForRecords, forReport } from "./usual-method.mjs";
import { forecast, rarerClass } from "./forecast.mjs";
import { costOf, privateChoice } from "./private-choice.mjs";
import { keepApart, layoutOf, ofData, readText, writePaid, writeText } from "./files.mjs";
import { help } from "./fit-help.mjs";
import {
  choice,
  evaluation,
  options,
  parameters,
  pick,
  pledge,
  reporting,
} from "./fit-options.mjs";
import { assessed, closed, exactly, leftOut, privately, report, unverified } from "./fit-words.mjs";
import { exitCodes, inLines, loadClient, readOptions, Stop, visible } from "./headless.mjs";

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
  const read = ["data", "schema", "evaluate"].flatMap((option) => values[option] ?? []);
  keepApart({ output: values.output, report: values.report }, read);
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
    const bought = unverified(checked.schema);
    if (bought && !values.quiet) console.error(visible(bought));
    const { rows } = schemaForFit(checked.schema, request);
    const dataset = await client.openDataset(
      source,
      withNorm(schema, checked.schema, values.norm ?? rows.norm),
      layout,
    );
    if (
      dataset.schema.rows.norm === "scale" &&
      checked.schema.rows.norm !== "scale" &&
      !values.quiet
    )
      console.error(scaled);
    const { dropped, rows: read } = dataset.tally;
    if (dropped > 0 && !values.quiet) console.error(leftOut(dropped, read));
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
    const known = { ...checked, schema: dataset.schema };
    const expected = !values.quiet && (await forecast(client, known, request, rarer));
    if (expected) console.error(expected);
    const costs = values.choose && (await costOf(client, dataset.schema, request));
    let result = await client.fit(dataset, request);
    // What cannot be made of the release takes nothing from it: it is handed out all the same.
    let failed =
      reported &&
      (await client
        .report(dataset, result.release, reported)
        .then(({ text }) => writeText(values.report, text, "privacy report"))
        .catch((error) => error));
    if (look) {
      const figures = await client
        .exactFigures(result.release, dataset)
        .catch((error) => void (failed ??= error));
      console.error(privately({ ...result.diagnostics, ...figures }, dataset.tally, look));
    }
    if (!look && !values.quiet) console.error(closed(chosen));
    if (heldOut) {
      const assessment = await client
        .evaluate(result.release, heldOut, plan)
        .catch((error) => void (failed ??= error));
      if (assessment && look) console.error(exactly(assessment.exact));
      result = assessment ?? result;
    }
    if (look === "none") {
      if (failed) throw failed;
      return exitCodes.done;
    }
    if (chosen)
      result = {
        ...result,
        ...(await client.stateChoice(result.release, chosen)),
      };
    if (values.output !== undefined) writePaid(values.output, result.text, "release");
    if (costs && values.json && !values.quiet) console.error(costs);
    process.stdout.write(
      values.json
        ? result.text
        : visible(report(inLines(result.release))) +
            (costs || "") +
            (result.figures ? assessed(result.figures, result.release) : ""),
    );
    if (failed) throw failed;
    return exitCodes.done;
  } catch (error) {
    throw ofData(error, values.quiet);
  } finally {
    client.terminate();
  }
}

const scaled = `All rows are divided by the same length ("scale"), which predicts a number better than the
schema's "clip"; the release says so. --norm clip keeps the schema's.
`;

/** The schema with another norm; what the file says otherwise stands, and is checked, as it is. */
function withNorm(text, schema, norm) {
  if (norm === schema.rows.norm) return text;
  return { ...schema, ...(norm === "scale" && { version: 7 }), rows: { norm } };
}
