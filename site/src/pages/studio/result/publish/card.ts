// The model card: one HTML file that says what a model is, what its guarantee is and what it leaves
// out, for readers who will never open the page. It holds the release itself, runs no script,
// fetches nothing, and prints.

import { curveFigure, type Series } from "../../../../chart/curve.ts";
import { choiceIsWord, choiceWords } from "../../../../chart/choice.ts";
import { escaped, quote } from "../../../../chart/escaped.ts";
import { figureRows } from "../../../../chart/figures.ts";
import { attackFinds, changeOf, oneIn, strength } from "../../../../chart/meaning.ts";
import {
  percent,
  percentBound,
  readable,
  readableBound,
  signed,
  surely,
} from "../../../../chart/numbers.ts";
import { curveSVG } from "../../../../chart/static.ts";
import { candidatesOf, fitOf } from "../../../release/candidates.ts";
import type {
  AnyLabel,
  CoefficientInterval,
  Differences,
  Feature,
  Figures,
  InspectedReport,
  Release,
  Schema,
  Told,
  Vector,
} from "../../../../client/types.ts";
import { foundSection } from "./card-found.ts";
import { cardHead } from "../../../../chart/card-head.ts";
import { code } from "./code.ts";
import { type Language, languages } from "./languages.ts";
import { hasOdds, what } from "./words.ts";

export interface CardInput {
  readonly release: Release<AnyLabel>;
  /** The release as its file has it. */
  readonly text: string;
  /** Its curves: what was spent first. None: the card has no picture. */
  readonly series: readonly Series[];
  /** What the release's evaluation says, if it has one. */
  readonly figures?: Figures;
  /** What its model found; the card says nothing of it where that is not known. */
  readonly differences?: Differences | undefined;
  /** The privacy report that is published beside it, if there is one. */
  readonly report?: { readonly inspected?: InspectedReport };
}

/**
 * The card as one HTML file. All of it follows from the release and its report, so all of it may be
 * published.
 */
export function card({ release, text, series, differences, figures, report }: CardInput): string {
  const { schema, guarantee, model } = release;
  const name = escaped(schema.label.name);
  return `${cardHead("Model card", schema.label.name, release.library)}
<h1>Predicting ${quote(schema.label.name)}</h1>
<p class="lead">${escaped(what(release))}</p>
</header>

${foundSection(release, differences)}

<section class="guarantee${guarantee.covers ? "" : " partly"}" aria-labelledby="guarantee">
<h2 id="guarantee">The guarantee</h2>
${guaranteeText(release, series, report?.inspected)}
</section>
<section class="files" aria-labelledby="use">
<h2 id="use">Use it</h2>
<p>The model as a program, with nothing to install. Copy one into a file.</p>
${(Object.keys(languages) as Language[]).map((language) => `<details><summary>${languages[language].name}, ${languages[language].file}</summary><pre tabindex="0"><code>${escaped(code(release, language))}</code></pre></details>`).join("\n")}
<details><summary>The release, release.json</summary><pre tabindex="0"><code>${escaped(text)}</code></pre></details>
</section>

${evaluation(figures)}
${personal(report?.inspected)}
<section aria-labelledby="choice">
<h2 id="choice">How it was chosen</h2>
<p>${choiceWords(release.choice)}${choiceIsWord(release.choice) ? " That is the word of whoever published it: a file cannot show it." : ""}</p>
</section>

<section aria-labelledby="data">
<h2 id="data">What went in</h2>
<p>Each record had these columns. The bounds and categories are part of what is published${guarantee.covers ? `; all were declared to be known without looking at the data${hasBought(schema) ? ", or bought" : ""}` : ""}.${hasReasons(schema) ? " Why is the word of whoever published it." : ""}</p>
${columns(schema)}
<p>${escaped(countedAsMissing(schema))}</p>
<p>${escaped(outcome(release))}${ofLabel(schema)}</p>
</section>

<section aria-labelledby="limits">
<h2 id="limits">What it does not say</h2>
<ul>
<li>The guarantee is about one record. Somebody with several records in the data is protected less: ε counts once for each.</li>
<li>It does not keep secret what is true of many. If ${name} goes with a column in general, the model says so, and was made to.</li>
<li>Other releases from the same people add to what is spent. This card speaks of one. No sum covers a choice among them by figures that nobody paid for.</li>
<li>It proves what the noise achieves if it was drawn as stated. That it was, only whoever fitted the model can say.</li>
<li>It says nothing of whether the model is right, fair, or fit for a decision.</li>
</ul>
</section>

<section aria-labelledby="check">
<h2 id="check">Check it</h2>
<p>${way(release)}The price of the noise follows from these numbers alone. The release holds them all. Cloister’s verifier, the page verify.html beside its studio, works the guarantee out anew: drop this card on it.</p>
<p class="small">${escaped(guarantee.theorem)}</p>
<details><summary>The event: the mechanism and its noise</summary>${mechanism(release)}</details>
</section>

<section aria-labelledby="model">
<h2 id="model">Proofs, curves and coefficients</h2>
${picture(release, series)}
<details${report?.inspected?.intervals ? " open" : ""}><summary>Every coefficient, on the model’s scale</summary>
<p>${escaped(form(release))}</p>
${"classes" in model ? model.classes.map((vector) => `<h3>${quote(vector.class)} against the others</h3>${coefficients(vector)}`).join("\n") : coefficients(model, report?.inspected)}
<p class="small">${escaped(scale(release))} Every coefficient carries noise that was added for privacy: one that is small beside the largest may have either sign.</p>
${errors(release, report?.inspected)}</details>
</section>
</main>
<footer><p>Written by Cloister ${escaped(release.library)} from the release alone.</p></footer>
<script type="application/json" id="release">${text.trim().replaceAll("<", "\\u003c")}</script>
</body>
</html>
`;
}

/** One paragraph that can be quoted, and one that says what it leaves out. */
function guaranteeText(
  { guarantee, schema, evaluation }: Release<AnyLabel>,
  series: readonly Series[],
  inspected: InspectedReport | undefined,
): string {
  const { epsilon, delta, adjacency } = guarantee;
  const change = changeOf(adjacency);
  const spent = series[0];
  const caught = spent ? attackFinds(spent) : undefined;
  const attack =
    caught === undefined
      ? ""
      : ` In particular, any test for whether somebody’s record was used that wrongly says yes of 1&nbsp;% of outsiders says yes of at most ${percentBound(caught)} of those whose record was used.`;
  const apart = "its evaluation, which has an ε of its own for the records it was measured on";
  const head = `(ε&nbsp;=&nbsp;${readableBound(epsilon)}, δ&nbsp;=&nbsp;${readableBound(delta)})-differential privacy under ${change}`;
  return `<p class="head">${head}</p>
<p>This model was made from personal records in a way that limits, by mathematical proof, what anyone can learn from it about any one of them. Under
${change}, whatever may be said of what came out became at most e<sup>ε</sup>&nbsp;=&nbsp;${readableBound(Math.exp(epsilon))} times as likely, plus
δ&nbsp;=&nbsp;${readableBound(delta)} (${oneIn(delta)}).${attack} This holds whatever else an observer knows, however much they compute, and for everything that is ever worked out from
the model. A loss of ε&nbsp;=&nbsp;${readableBound(epsilon)} is what we call ${strength(epsilon)} protection.</p>
${
  guarantee.covers
    ? `<p>It covers everything in the release${evaluation ? ` but ${apart}` : ""}. What the columns are called and what is said of them was declared to be public knowledge${hasBought(schema) ? ", or bought as said below" : ""}.</p>`
    : `<p><strong>It does not cover everything:</strong></p><ul>${guarantee.caveats.map((c) => `<li>${escaped(c)}</li>`).join("")}</ul>${evaluation ? `<p>Nor does it cover ${apart}.</p>` : ""}`
}${bought(schema, guarantee, inspected)}`;
}

/**
 * Which bounds and categories were bought, by which charges, and what that comes to with the model,
 * and with a report that was bought.
 */
function bought(
  { features, label }: Schema<AnyLabel>,
  { epsilon, delta, adjacency }: Release<AnyLabel>["guarantee"],
  inspected: InspectedReport | undefined,
): string {
  const item = [...features, label].flatMap((f) =>
    "purchase" in f && f.purchase ? [{ name: f.name, type: f.type, ...f.purchase }] : [],
  );
  if (item.length === 0) return "";
  const charges = new Map(item.map((p) => [p.charge, p]));
  const all = [...charges.values()].reduce((sum, p) => sum + p.epsilon, epsilon);
  const fails = [...charges.values()].flatMap((p) => p.delta ?? []);
  const list = [...charges].map(
    ([charge, price]) =>
      `${item
        .filter((p) => p.charge === charge)
        .map((p) => quote(p.name))
        .join(
          ", ",
        )} by charge <code>${escaped(charge)}</code> at ε&nbsp;=&nbsp;${readableBound(price.epsilon)}${price.delta ? ` and δ&nbsp;=&nbsp;${readableBound(price.delta)}` : ""}`,
  );
  const kinds = ["bounds", "categories"]
    .filter((_, i) => item.some((p) => (p.type === "categorical") === (i === 1)))
    .join(" and ");
  return `<p>Some ${kinds} were bought from the same data by a differentially private release of their own: ${list.join("; ")}. That is not in the ε above.
If that price is under ${changeOf(adjacency)}, too, which a schema does not say, the model and those ${kinds} together are covered at ε&nbsp;=&nbsp;${readableBound(all)} and ${fails.length > 0 ? `δ&nbsp;=&nbsp;${[delta, ...fails].map(readableBound).join(" + ")}` : "the same δ"}, because guarantees add up.${
    inspected && inspected.epsilon > 0
      ? ` With the privacy report as well, all of it is covered at ε&nbsp;=&nbsp;${readableBound(all - epsilon + inspected.total)} and ${fails.length > 0 ? `δ&nbsp;=&nbsp;${[inspected.delta, ...fails].map(readableBound).join(" + ")}` : `δ&nbsp;=&nbsp;${readableBound(inspected.delta)}`}.`
      : ""
  }</p>`;
}

function picture({ guarantee }: Release<AnyLabel>, series: readonly Series[]): string {
  if (series.length === 0) return "";
  const figure = curveFigure(series, {
    size: { width: 640, height: 320 },
    promise: {
      epsilon: guarantee.epsilon,
      logDelta: Math.log(guarantee.delta),
    },
  });
  const label = `The guarantee as a curve: δ falls as ε grows, and reaches ${readableBound(guarantee.delta)} at ε = ${readableBound(guarantee.epsilon)}.`;
  return `<details id="curve"><summary>The whole curve</summary>
<p>Every point of the first line is a guarantee of this model. A lower line is a better guarantee; the others price the same noise by other proofs.</p>
<figure>${curveSVG(figure, label)}
<figcaption><ul class="legend">${series
    .map(
      (s, i) =>
        `<li><svg width="28" height="10" aria-hidden="true"><path class="line line-${i + 1}" d="M1,5H27"/></svg> ${escaped(s.label)}</li>`,
    )
    .join("")}</ul></figcaption></figure>
</details>`;
}

/** What the report beside the release is for. */
function personal(inspected: InspectedReport | undefined): string {
  if (!inspected) return "";
  return `<section aria-labelledby="personal">
<h2 id="personal">What it cost one person</h2>
<p>With privacy-report.json, published beside the release, and their own row, anybody can work out what it cost them at most; that holds for them with probability
${surely(inspected.rho)}. ${
    inspected.epsilon > 0
      ? `The report cost ε&nbsp;=&nbsp;${readableBound(inspected.epsilon)} of its own, not in the ε above. Together they are covered at ε&nbsp;=&nbsp;${readableBound(inspected.total)} and the same δ.`
      : "The report follows from the release and cost nothing."
  }</p>
</section>`;
}

function evaluation(figures: Figures | undefined): string {
  if (!figures) return "";
  return `<section aria-labelledby="evaluation">
<h2 id="evaluation">How well it does</h2>
<p>Measured on records that it was not fitted to, with noise, at ε&nbsp;=&nbsp;${readableBound(figures.epsilon)} for those records, under ${changeOf(figures.adjacency)}. A range covers the true figure of
those records with probability ${percent(figures.level)}.</p>
<div class="scroll"><table><thead><tr><th scope="col">Figure</th><th scope="col" class="number">Estimate</th><th scope="col" class="number">Range</th></tr></thead>
<tbody>${figureRows(figures)
    .map(
      ({ name, estimate, range }) =>
        `<tr><th scope="row">${name}</th><td class="number">${estimate}</td><td class="number">${range}</td></tr>`,
    )
    .join("")}</tbody></table></div>
</section>`;
}

function form({ schema, model }: Release<AnyLabel>): string {
  const { label } = schema;
  const sum = `The score of a record is the sum of its columns, each times its coefficient, and the intercept`;
  if (label.type === "numeric")
    return `${sum}; −1 stands for ${readable(label.min)} and +1 for ${readable(label.max)}.`;
  if (label.type === "classes")
    return `${sum}, for each class; the class with the largest score is predicted.`;
  const even = `Above 0 the model says “${label.positive[0]}”, below it “${label.negative[0]}”`;
  if (!hasOdds(model.loss)) return `${sum}. ${even}.`;
  if (model.loss === "weighted-logistic")
    return `${sum}. ${even}. In the fit a record of “${label.positive[0]}” counted as ${readable(model.positive_weight!)} of “${label.negative[0]}”; near 0 the log-odds are the score less log ${readable(model.positive_weight!)}.`;
  if (model.loss === "shifted-logistic")
    return `${sum}. ${even}; near 0 the log-odds are ${readable(2 / (1 + Math.exp(model.shift!)))} times the score.`;
  return `${sum}. ${even}; near 0 the score is ${model.loss === "logistic" ? "the log-odds" : "twice the distance of the probability from one half"}.`;
}

/**
 * What is known of the coefficients' errors. Of output perturbation the noise is public: N(0, σ²)
 * on each. Otherwise there are no standard errors. What the noise b in the objective does to the
 * coefficients is H⁻¹b, H the Hessian at the solution, and chance enters through H as well; the
 * noise of gradient descent too. H is private. All that is public of it is H ⪰ λI: the limit that
 * package differences makes of it stands beside what was found.
 */
function errors(release: Release<AnyLabel>, inspected: InspectedReport | undefined): string {
  const { model } = release;
  if (inspected?.intervals) {
    return `<p class="small">A range holds with probability ${percent(inspected.level!)} what the coefficient would be with records without end and no noise: the one with the least mean
${model.clip === undefined ? "loss" : "loss, its gradients clipped as in the fit"}. It takes in noise and chance, by approximations for many records.${inspected.intervals.includes(null) ? " “Not told apart”: the column says what others do together, as categories and the intercept." : ""}</p>
`;
  }
  const one = fitOf(release);
  if (model.moments) {
    return `<p class="small">No standard errors are given here. Anybody can compute them from the sums in the release, at no cost: <code>npx cloister regress</code> does, and <code>client.regress</code> of the package.</p>
`;
  }
  if (model.told) {
    const { told } = model;
    return told.of === "tested-curvature"
      ? `<p class="small">The noise that was added to each coefficient has standard deviation ${readable(told.sigma)}. How far chance, in who was among the records, can have moved it is not in that.</p>
`
      : `<p class="small">No standard errors are given. The noise of a drawn model has the shape of what the columns’ values are like together in the records; that is private, and was not paid for.</p>
`;
  }
  if (one?.mechanism === "gaussian") {
    return `<p class="small">The noise that was added to each coefficient has standard deviation ${readable(one.sigma)}. How far chance, in who was among the records, can have moved it is not in that.</p>
`;
  }
  if (
    one?.mechanism !== "approximate-minima-perturbation" &&
    one?.mechanism !== "gradient-descent" &&
    one?.mechanism !== "subsampled-gaussian"
  )
    return "";
  return `<p class="small">No standard errors are given, only the limits above. How far the noise, and chance, have moved a coefficient depends on how the columns vary together in the records. That is private, and was not paid for; any closer figure without it would be made up.</p>
`;
}

const told =
  "How strong its regulariser or its steps are follows from about how many records there are: that number is taken for public. ";

/** How the noise got into models whose releases say what else their fits gave out. */
const tested: Readonly<Record<Told["of"], string>> = {
  "tested-sample":
    "A posterior sample: the model was drawn at random from those that the records make likely. Two numbers were released first, with noise, to say how well the records pin the model down: they stand in the release, and the draw’s noise was chosen by them. ",
  "fixed-sample":
    "A posterior sample: the model was drawn at random from those that the records make likely. The draw’s noise rests on a number of records that no table exceeds, which is taken for public. ",
  "tested-curvature":
    "Output perturbation after a test: the problem was solved, a number that says how well the records pin the solution down was released with noise, and noise chosen by it was added to the solution. ",
};

/** How the noise got into the model. */
function way(release: Release<AnyLabel>): string {
  const { event, model } = release;
  const chosen = model.selected
    ? `The rows chose this setting from ${candidatesOf(event).length}: each was fitted with noise, some more than once by chance, and the model with the best noisy score was kept. The ε pays for all of it. `
    : "";
  return chosen + placed(release);
}

function placed(release: Release<AnyLabel>): string {
  const { model } = release;
  if (model.moments)
    return "Noisy moments: sums of products of the columns, and of the columns with the label, were released with noise, and the model was computed from them. The sums are in the release, and other models on the same columns, computed from them, cost nothing more. ";
  if (model.told) return tested[model.told.of];
  const one = fitOf(release);
  switch (one?.mechanism) {
    case "approximate-minima-perturbation":
      return "Objective perturbation: noise was added to the problem before it was solved, and a little more to its solution. ";
    case "gaussian":
      return (
        "Output perturbation: the problem was solved, and noise was added to its solution. " + told
      );
    case "gradient-descent":
      return (
        `Gradient descent in ${one.sigmas.length} steps: noise was added to the sum of the records’ gradients in each. ` +
        told
      );
    case "subsampled-gaussian":
      return (
        `Stochastic gradient descent (DP-SGD) in ${one.steps} steps: each took every record with probability ${readable(one.rate)}, and noise was added to the sum of their gradients. ` +
        told
      );
  }
  return "";
}

function coefficients(
  { original, coefficients: values, intercept }: Vector,
  inspected?: InspectedReport,
): string {
  const { intervals } = inspected ?? {};
  const range = (i: CoefficientInterval | null | undefined): string =>
    i
      ? `<td class="number">${signed(i.low)} to ${signed(i.high)}</td><td class="number">${readable(i.error)}</td>`
      : intervals
        ? `<td class="number" colspan="2">not told apart</td>`
        : "";
  const rows = original
    .map((o, j) => ({ o, value: values[j]!, range: range(intervals?.[j]) }))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const unit = (o: (typeof rows)[number]["o"]): string =>
    o.category !== undefined
      ? ` = ${escaped(o.category)}`
      : o.unit === "missing"
        ? " is missing"
        : "";
  return `<div class="scroll"><table><thead><tr><th scope="col">Column</th><th scope="col" class="number">Coefficient</th>${intervals ? `<th scope="col" class="number">Range</th><th scope="col" class="number">Standard error</th>` : ""}</tr></thead>
<tbody>${rows.map(({ o, value, range }) => `<tr><th scope="row">${escaped(o.feature)}${unit(o)}</th><td class="number">${signed(value)}</td>${range}</tr>`).join("\n")}
<tr><th scope="row">Intercept</th><td class="number">${signed(intercept)}</td>${intervals ? `<td colspan="2"></td>` : ""}</tr></tbody></table></div>`;
}

function scale({ schema }: Release<AnyLabel>): string {
  const { norm } = schema.rows;
  return `Columns are on the model’s scale: numbers run from 0 to 1 between their bounds, a category is 1 or 0, and ${
    {
      unit: "each record’s columns are then brought to length 1",
      clip: "records whose columns together are longer than 1 are shortened to length 1",
      scale: "all are then divided by the length of the longest record that is possible",
    }[norm]
  }.`;
}

const hasBought = ({ features, label }: Schema<AnyLabel>): boolean =>
  [...features, label].some((f) => f.provenance === "bought");

const hasReasons = ({ features, label }: Schema<AnyLabel>): boolean =>
  [...features, label].some((f) => f.reason);

/** The reason that all columns share, where more than one was said to be public. */
function sharedReason({ features }: Schema<AnyLabel>): string | undefined {
  const [first, ...others] = features;
  const same = others.length > 0 && others.every((f) => f.reason === first!.reason);
  return same ? first!.reason : undefined;
}

/** Why the label is public, unless the sentence above the table says it. */
function ofLabel(schema: Schema<AnyLabel>): string {
  const { reason } = schema.label;
  return reason && reason !== sharedReason(schema) ? ` Why this is public: ${escaped(reason)}` : "";
}

function columns(schema: Schema<AnyLabel>): string {
  const { features, label } = schema;
  const shared = sharedReason(schema);
  const rule = (r: Feature["missing"]): string =>
    r === undefined || r === "error"
      ? "refused"
      : r === "drop"
        ? "left out"
        : r === "zero"
          ? "none of them"
          : r === "indicator"
            ? "a column of its own"
            : typeof r === "number"
              ? readable(r)
              : `“${r.category}”`;
  const values = (f: Feature): string =>
    f.type === "numeric"
      ? `${readable(f.min)} to ${readable(f.max)}${f.log ? ", logarithmic" : ""}`
      : f.categories.join(", ");
  const missing = (f: Feature): string => {
    const [absent, other] = [
      rule(f.missing),
      f.type === "categorical" ? rule(f.unknown) : undefined,
    ];
    return other === undefined || other === absent ? absent : `${absent}; unlisted: ${other}`;
  };
  const reasons = !shared && features.some((f) => f.reason);
  const why = (f: Feature): string => (reasons ? `<td>${escaped(f.reason ?? "")}</td>` : "");
  const above = shared
    ? `<p>Why ${label.reason === shared ? "all of this" : "each column"} is public: ${escaped(shared)}</p>`
    : "";
  return `${above}<div class="scroll" role="region" tabindex="0" aria-label="Columns"><table><thead><tr><th scope="col">Column</th><th scope="col">Values</th><th scope="col">If missing or unlisted</th>${reasons ? '<th scope="col">Why this is public</th>' : ""}</tr></thead>
<tbody>${features
    .map(
      (f) =>
        `<tr><th scope="row">${escaped(f.name)}${f.provenance === "public" ? "" : ` <span class="tag">${f.provenance === "bought" ? "bought" : "read from the data"}</span>`}</th><td>${escaped(values(f))}</td><td>${escaped(missing(f))}</td>${why(f)}</tr>`,
    )
    .join("\n")}</tbody></table></div>`;
}

/** The spellings of a missing value; a schema that has no list has the core's. */
function countedAsMissing({ missing_values: texts = ["", "?", "NA"] }: Schema<AnyLabel>): string {
  return texts.length === 0
    ? "Nothing counted as missing."
    : `Counted as missing: ${texts.map((t) => (t === "" ? "an empty field" : `“${t}”`)).join(", ")}.`;
}

function outcome({ schema }: Release<AnyLabel>): string {
  const { label } = schema;
  const read =
    label.provenance === "suggested"
      ? " Its values were read from the data."
      : label.provenance === "bought"
        ? " Its bounds were bought."
        : "";
  if (label.type === "numeric")
    return `What is predicted: ${label.name}, from ${readable(label.min)} to ${readable(label.max)}.${read}`;
  const spelt = (texts: readonly string[]): string => texts.map((t) => `“${t}”`).join(" or ");
  if (label.type === "classes")
    return `What is predicted: ${label.name}, one of ${label.classes.map(spelt).join("; ")}.${read}`;
  return `What is predicted: ${label.name}, ${spelt(label.positive)} against ${spelt(label.negative)}.${read}`;
}

function mechanism({ event }: Release<AnyLabel>): string {
  const rows: [string, string][] = [];
  const add = (prefix: string, tree: object): void => {
    for (const [key, value] of Object.entries(tree)) {
      // The noise of a hundred steps is mostly the same.
      if (
        Array.isArray(value) &&
        value.length > 1 &&
        typeof value[0] === "number" &&
        value.every((x) => x === value[0])
      )
        rows.push([`${prefix}${key}[0…${value.length - 1}]`, String(value[0])]);
      else if (Array.isArray(value))
        value.forEach((part, i) =>
          typeof part === "object"
            ? add(`${prefix}${key}[${i}].`, part as object)
            : rows.push([`${prefix}${key}[${i}]`, String(part)]),
        );
      else if (value !== null && typeof value === "object")
        add(`${prefix}${key}.`, value as object);
      else rows.push([prefix + key, String(value)]);
    }
  };
  add("", event);
  return `<div class="scroll"><table class="plain"><tbody>${rows.map(([key, value]) => `<tr><th scope="row"><code>${escaped(key)}</code></th><td class="number">${escaped(value)}</td></tr>`).join("\n")}</tbody></table></div>`;
}
