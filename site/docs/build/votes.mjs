// The figure of the page on votes: how likely the wrong majority is named, by how wide the gap is.
// A script (src/pages/docs/votes.ts) puts a vote beside it that can be tried; it takes every number
// from the table that is written here.

/** δ of a row, and the ε that can be chosen. */
export const delta = 1e-6;
export const epsilons = [0.25, 0.5, 1, 2];

/** Hospitals: an even number, of which one may change its vote, so that gaps are even. */
export const hospitals = 20;

/**
 * The probability of the wrong answer at gaps 0, 2, …: w(0) = ½, w(t) = max{0, e^−ε(w(t−2) − δ)}.
 * `core/vote` proves that no private rule has less.
 */
export function wrong(epsilon) {
  const list = [0.5];
  while (list.length <= hospitals / 2)
    list.push(Math.max(0, Math.exp(-epsilon) * (list.at(-1) - delta)));
  return list;
}

const frame = { width: 400, height: 240, left: 44, right: 30, top: 24, bottom: 44 };

const x = (gap) => frame.left + (gap / hospitals) * (frame.width - frame.left - frame.right);
const y = (chance) =>
  frame.height - frame.bottom - (chance / 0.5) * (frame.height - frame.top - frame.bottom);

const text = (at, height, kind, words, anchor) =>
  `<text class="${kind}" x="${at.toFixed(1)}" y="${height.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;

/** A line, and its name in the corner: names stand in the order of the lines. */
function curve(epsilon, i) {
  const points = wrong(epsilon).map(
    (chance, k) => `${x(2 * k).toFixed(1)},${y(chance).toFixed(1)}`,
  );
  return (
    `<path class="vote-${i}" d="M${points.join("L")}"/>` +
    text(x(hospitals), y(0.46 - 0.06 * i), `name vote-name-${i}`, `ε = ${epsilon}`, "end")
  );
}

/** The figure, in the page's own colours. */
export function votesFigure() {
  const floor = frame.height - frame.bottom;
  const axes =
    `<path class="axis" d="M${frame.left},${frame.top}V${floor}H${frame.width - frame.right}"/>` +
    [0, 4, 8, 12, 16, 20].map((gap) => text(x(gap), floor + 16, "tick", gap, "middle")).join("") +
    [0, 10, 20, 30, 40, 50]
      .map((share) => text(frame.left - 6, y(share / 100) + 4, "tick", `${share} %`, "end"))
      .join("") +
    text((frame.left + frame.width - frame.right) / 2, frame.height - 6, "name", "gap", "middle") +
    text(frame.left + 4, frame.top - 8, "name", "wrong label", "start");
  const table = JSON.stringify(epsilons.map((epsilon) => ({ epsilon, wrong: wrong(epsilon) })));
  return `<figure class="figure drawn" id="votes-figure" data-hospitals="${hospitals}" data-table='${table}'>
<svg viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label="How likely the wrong label is, by how many votes the majority is ahead: one in two at a gap of 0, and less the wider the gap and the larger ε. At ε = 1 it is 18 % at a gap of 2, and 2.5 % at 6.">${axes}${epsilons.map(curve).join("")}</svg>
<figcaption>How likely a row gets the wrong label, by how many votes of ${hospitals} the majority is ahead. One record changes one vote; δ = 10<sup>−6</sup> for each row.</figcaption>
</figure>`;
}
