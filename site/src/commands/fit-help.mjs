// The help text of `cloister fit`.

import {
  defaultFitMethod,
  fitMethods,
  stepsBelow,
  stepsFitMethod,
} from "../client/wire/methods.ts";

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

/** The help text, for a command that was called so. */
export const help = (
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
  --norm NORM       how rows are brought to a bounded norm: "clip", "unit" or
                    "scale" (for numbers by averaged steps only). Left out, it is
                    the schema's rows.norm; but where averaged steps predict a
                    number, "scale" takes the place of "clip"
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
                    below ${stepsBelow.two}, or ${stepsBelow.classes} for several classes or a number; else, or
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
                    "rounded-hinge", "softmax", "signed", "glm", "profile", "rdp",
                    "kifer" or "auto" (the sharpest that applies; default)
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
