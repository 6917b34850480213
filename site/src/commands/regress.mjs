// `cloister regress`: other linear regressions from one release of the method suffstats. No data is
// read, and nothing is charged.

import { choiceApart } from "../chart/choice.ts";
import { coefficientLines, equation } from "./coefficient-lines.mjs";
import { keepApart, readJSON, readText, writeText } from "./files.mjs";
import { besideGuarantee } from "./guarantee-lines.mjs";
import {
  exitCodes,
  inLines,
  loadClient,
  numberOption,
  readOptions,
  Stop,
  visible,
} from "./headless.mjs";

const help = (name) => `Usage: ${name} --release FILE [options]
       ${name} --release FILE --check FILE2

Computes another linear regression from the noisy moments in a release that
"fit --method suffstats" made: another target, fewer columns, another ridge.
Nothing but the release is read, so it costs nothing beyond what the release
promises, however many models you ask for. Prints it with standard errors, in
the units of the file. All of it may be published.

Options:
  --release FILE  the release
  --target NAME   the column to predict; default: the label of the fit. A category
                  is named as in "ward=surgery"
  --column NAME   a column to predict from; may be given several times. The name of
                  a feature stands for all its categories. Default: all others
  --ridge L       strength of the ridge, above 0; default: from the noise
  --no-intercept  leave the intercept out; then there are no standard errors
  --json          print the model as JSON, a file that names its release and may be
                  published beside it
  --output FILE   write that file as well
  --check FILE    say whether such a file follows from the release
  -h, --help      this text

Exit code: 0 done; 1 refused: the release, a name or the ridge is wrong, or the
file does not follow from the release (the error says why); 2 the command line is
wrong; 3 a part of the program is missing (in a checkout: make build).

Example:
  ${name} --release wages.release.json --target age --column education --column hours`;

const options = {
  release: { type: "string" },
  target: { type: "string" },
  column: { type: "string", multiple: true },
  ridge: { type: "string" },
  "no-intercept": { type: "boolean" },
  json: { type: "boolean" },
  output: { type: "string" },
  check: { type: "string" },
};

/** Runs the command with its arguments; `name` is how it was called, for the help. */
export async function regress(args, name) {
  const { values } = readOptions(args, options);
  if (values.help) {
    console.log(help(name));
    return exitCodes.done;
  }
  if (values.release === undefined)
    throw new Stop(exitCodes.usage, "--release is missing. See --help.");
  const stray =
    values.check !== undefined &&
    Object.keys(values).find((option) => option !== "check" && option !== "release");
  if (stray)
    throw new Stop(exitCodes.usage, `--check goes with --release alone, not with --${stray}.`);
  keepApart({ output: values.output }, [values.release]);
  const ridge = numberOption(values, "ridge");
  const question = {
    ...(values.target !== undefined && { target: values.target }),
    ...(values.column !== undefined && { columns: values.column }),
    ...(ridge !== undefined && { ridge }),
    ...(values["no-intercept"] && { intercept: false }),
  };
  const release = document(values.release, "release");
  const made = values.check === undefined ? undefined : document(values.check, "derived model");
  const { client } = await loadClient("cloister.wasm");
  try {
    if (made !== undefined) {
      await client.checkDerived(release, made);
      console.log("The model follows from the moments in the release. It costs nothing more.");
      return exitCodes.done;
    }
    const { derived, text } = await client.regress(release, question);
    if (values.output !== undefined) writeText(values.output, text, "model");
    process.stdout.write(visible(values.json ? text : report(inLines(derived), inLines(release))));
    return exitCodes.done;
  } finally {
    client.terminate();
  }
}

const document = (file, what) => readJSON(readText(file, what), what);

/** The model for people. */
function report(derived, { guarantee, schema, choice }) {
  const { label, target, target_unit: unit, target_offset: offset } = derived;
  const value = {
    1: target,
    category: `(1 if ${target.replace("=", " is ")}, else 0)`,
    "log1p(x - offset)": `log1p(${target} - ${offset})`,
  }[unit];
  const share = derived.r_squared;
  return [
    `Linear regression of ${target}, from the moments in a release with (${guarantee.epsilon}, ${guarantee.delta})-differential privacy, ${guarantee.adjacency}`,
    "  cost       nothing beyond that",
    `  ridge      ${derived.ridge.toPrecision(6)}`,
    ...(derived.records === undefined ? [] : [`  records    about ${Math.round(derived.records)}`]),
    ...(share === undefined
      ? []
      : [`  explained  about ${(100 * share).toFixed(1)} % of its variance`]),
    ...besideGuarantee({ guarantee, schema }),
    ...choiceApart(choice).flatMap((line) => ["", line]),
    "",
    ...equation(label || schema.rows.norm === "scale" ? value : `${value} / N`, schema.rows.norm),
    ...coefficientLines(derived),
    "",
    "",
  ].join("\n");
}
