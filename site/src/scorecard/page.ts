// The printed card: one HTML file that prints on one sheet, to be used with a pencil. It holds the
// release itself, runs no script and fetches nothing.

import { cardHead } from "../chart/card-head.ts";
import { escaped, quote } from "../chart/escaped.ts";
import { changeOf, posterior, strength } from "../chart/meaning.ts";
import { answerRows, figureRows, type FigureRow } from "../chart/figures.ts";
import { percent, percentBound, readableBound } from "../chart/numbers.ts";
import type { Figures, Label, ScorecardRelease } from "../client/types.ts";
import { code } from "./code.ts";
import { type Language, languages } from "./languages.ts";
import { standsFor } from "./stands-for.ts";
import { points, totals } from "./totals.ts";

/**
 * The card as one HTML file; `text` is the release as its file has it, and `figures` what its
 * evaluation says.
 */
export function page(release: ScorecardRelease, text: string, figures?: Figures): string {
  const { library, guarantee, card, schema } = release;
  const { label } = schema;
  const [no, yes] = [quote(label.negative[0]!), quote(label.positive[0]!)];
  return `${cardHead("Scorecard", label.name, library, styles)}
<h1>${escaped(label.name)}: ${yes} or ${no}?</h1>
<p class="lead">In each box, write the points of the line that fits. Add them up. From a total of ${card.threshold} on, the card says ${yes}, below it ${no}.</p>
</header>

<section class="attributes" aria-label="Points">
${card.attributes.map((_, g) => attribute(release, g)).join("\n")}
</section>

<section class="total" aria-labelledby="total">
<h2 id="total">Total <span class="box"></span></h2>
${strip(release)}
</section>

<section class="guarantee${guarantee.covers ? "" : " partly"}" aria-labelledby="guarantee">
<h2 id="guarantee">What it promises the people in the data</h2>
<p class="head">ε = ${readableBound(guarantee.epsilon)} and δ = 0, ${changeOf(guarantee.adjacency)}</p>
<p>This is ${strength(guarantee.epsilon)} protection, in our words. Whoever thought it 50&nbsp;% likely that a given person is in the data can become at most ${percentBound(posterior(0.5, guarantee.epsilon))} sure by this card: odds grow by a factor of ${readableBound(Math.exp(guarantee.epsilon))} at most, whatever else they know.${release.from_counts ? " It was made from counts with noise, bought once for this ε; other cards of them cost nothing more." : ""}</p>
${guarantee.caveats.map((caveat) => `<p>${escaped(caveat)}</p>`).join("\n")}
</section>

${figures ? evaluation(figures, label) : ""}
<section class="limits" aria-labelledby="limits">
<h2 id="limits">What it does not say</h2>
<ul>
${figures ? "" : "<li>How often it is right. Nobody paid for that figure, so it is not published.</li>"}
<li>Whether it is right for you, fair, or fit for a decision.</li>
<li>What else was released from the same people. Every release adds to what they lose.</li>
</ul>
</section>

<section class="files" aria-labelledby="use">
<h2 id="use">Use it, and check it</h2>
<p>The card as a program, with nothing to install. Copy one into a file.</p>
${(Object.keys(languages) as Language[]).map((language) => `<details><summary>${languages[language].name}, ${languages[language].file}</summary><pre tabindex="0"><code>${escaped(code(release, language))}</code></pre></details>`).join("\n")}
<details><summary>The release, scorecard.json</summary><pre tabindex="0"><code>${escaped(text)}</code></pre></details>
<p>Drop this page on Cloister’s verifier, verify.html: it works the promise out anew from the noise that the release states. That the noise was drawn so, only whoever made the card can say.</p>
</section>
</main>
<footer><p>Written by Cloister ${escaped(library)} from the release alone.</p></footer>
<script type="application/json" id="release">${text.trim().replaceAll("<", "\\u003c")}</script>
</body>
</html>
`;
}

/** How well it does, as it was bought. */
function evaluation(figures: Figures, label: Label): string {
  const line = ({ name, estimate, range }: FigureRow) =>
    `<li>${escaped(name)}: <strong>${estimate}</strong>, between ${range.replace(" to ", " and ")}</li>`;
  return `<section class="evaluation" aria-labelledby="evaluation">
<h2 id="evaluation">How well it does</h2>
<p>On records that it was not chosen on, with noise: ε = ${readableBound(figures.epsilon)} for the people in them, ${changeOf(figures.adjacency)}. A range covers the figure of those records with probability ${percent(figures.level)}.</p>
<ul>
${[...figureRows(figures), ...answerRows(figures, label)].map(line).join("\n")}
</ul>
</section>
`;
}

function attribute(release: ScorecardRelease, g: number): string {
  const { name, levels } = release.card.attributes[g]!;
  const line = (level: (typeof levels)[number], l: number): string => {
    const values = standsFor(release, g, l);
    const small = values && ` <small>${escaped(values)}</small>`;
    return `<tr><th scope="row">${escaped(level.name)}${small}</th><td class="number">${points(level.points)}</td></tr>`;
  };
  return `<table>
<thead><tr><th scope="col">${escaped(name)}</th><td><span class="box"></span></td></tr></thead>
<tbody>${levels.map(line).join("")}</tbody>
</table>`;
}

/** Every total there can be, with what the card says at it; where there are many, their ranges. */
function strip(release: ScorecardRelease): string {
  const { label } = release.schema;
  const answer = (says: boolean) => escaped(says ? label.positive[0]! : label.negative[0]!);
  return `<ul class="strip">${totals(release)
    .map(
      ({ text, yes }) =>
        `<li class="${yes ? "yes" : "no"}"><b>${text}</b> <span>${answer(yes)}</span></li>`,
    )
    .join("")}</ul>`;
}

const styles = `
@page { size: A4; margin: 12mm; }
main, footer { max-width: 50rem; }
.attributes { columns: 19rem 2; column-gap: 2rem; margin-top: 1.5rem; }
.attributes table { break-inside: avoid; margin: 0 0 1.1rem; }
.attributes thead th { color: var(--ink); font-size: 1rem; font-weight: 600; vertical-align: bottom; overflow-wrap: anywhere; }
.attributes thead td { text-align: end; padding-inline-end: 0; width: 3.5rem; }
.attributes tbody th { font-weight: 400; overflow-wrap: anywhere; }
.attributes th, .attributes td { padding-block: .2rem; }
.box { display: inline-block; width: 2.6rem; height: 1.7rem; border: 1.5px solid var(--ink); border-radius: 3px; vertical-align: middle; }
.total h2 { display: flex; gap: 1rem; align-items: center; margin-top: .5rem; }
.strip { display: grid; grid-template-columns: repeat(auto-fit, minmax(4.6rem, 1fr)); gap: 4px; margin: .5rem 0; padding: 0; list-style: none; }
.strip li { margin: 0; padding: .3rem .4rem; border-radius: 3px; text-align: center; background: var(--sunk); border: 1px solid var(--rule); overflow-wrap: anywhere; }
.strip .yes { background: var(--good); border-color: var(--accent); }
.strip b { display: block; font-variant-numeric: tabular-nums; }
.strip span { font-size: .8125rem; }
@media print {
  body { font-size: 9.5pt; line-height: 1.35; }
  main, footer { max-width: none; padding: 0; }
  h1 { font-size: 17pt; margin-bottom: .3rem; }
  h2 { margin: .6rem 0 .2rem; font-size: 11.5pt; }
  .lead { font-size: 10.5pt; }
  .attributes { columns: 2; margin-top: .6rem; }
  .attributes table { margin-bottom: .6rem; }
  .attributes th, .attributes td { padding-block: 1px; }
  .box { height: 1.3rem; }
  .guarantee { margin-top: .6rem; padding: .5rem .8rem; }
  .limits li { margin: .1rem 0; }
  footer { padding-top: .4rem; }
}
`;
