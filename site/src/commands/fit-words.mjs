// What `cloister fit` says of a fit: to everybody, and to the data holder alone.

import { coefficientLines, equation } from "./coefficient-lines.mjs";
import { besideGuarantee } from "./guarantee-lines.mjs";

const chosenWords = {
  unstated: "not stated (--chosen)",
  "only-model": "the only model fitted to these records, as stated",
  "all-published":
    "all models of these records are published, as stated; what they tell is not in epsilon",
  "paid-figures": "from several, by what was paid for, as stated; what that cost is not in epsilon",
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
export function closed(chosen) {
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

/** What is said of purchases that the schema names: a command keeps no ledger to find them in. */
export function unverified({ features, label }) {
  const charges = [...features, label].flatMap(({ purchase }) => purchase?.charge ?? []);
  if (charges.length === 0) return "";
  const names = [...new Set(charges)].map((charge) => JSON.stringify(charge)).join(", ");
  return [
    `The schema says that bounds or categories were bought, by charge ${names}. No ledger is read here,`,
    "so that what this cost, and that it is about these people, is the word of whoever wrote the schema.",
    "",
  ].join("\n");
}

/** What the schema's rules leave out, for whoever holds the data. */
export function leftOut(dropped, rows) {
  return [
    `Private, for the data holder alone: the schema's "drop" rules leave out ${dropped} of ${rows} records`,
    `(${percent(dropped / rows)}). The model describes the others. With "missing": "indicator" it would`,
    "describe all, and learn what it means that a value is missing. This is counted in the records, and",
    "is not in the release.",
    "",
  ].join("\n");
}

/** The figures of the training records, for whoever has said what becomes of the models. */
export function privately(d, tally, look) {
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

/** The same of the held-out records. */
export function exactly(d) {
  return [
    "Private too, of the held-out records:",
    ...listed([["records", d.rows], ...figuresOf(d, "held-out")]),
    "",
  ].join("\n");
}

/** What the evaluation says, for people. */
export function assessed(f, release) {
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
export function report({ guarantee, event, model, library, schema, choice }) {
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
    ...besideGuarantee({ guarantee, schema }),
    ...(model.classes ?? [model]).flatMap((vector) => [
      "",
      ...equation(marginOf(schema, model.loss, vector.class), schema.rows.norm),
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
