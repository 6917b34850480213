// The idea of the proof, drawn from its formulas: for the logistic loss, slope and curvature over
// the margin, and what either of them adds to the privacy loss.

/** What is drawn: rows of length at most R = 1, one value v of the noise, in σ. */
export const drawn = { lambda: 1, sigma: 3.7, v: 2 };

/** |f'| at a margin. */
const slope = (m) => 1 / (1 + Math.exp(m));

/** f'' by |f'|: s(1 − s). */
const curvature = (s) => s * (1 - s);

/** What a slope adds by the noise: the Gaussian part of Lemma 2. */
export const byNoise = (s) => (s * drawn.v) / drawn.sigma + s ** 2 / (2 * drawn.sigma ** 2);

/** What the curvature at this slope adds: the logarithm of Lemma 2. */
export const byCurvature = (s) => Math.log(1 + curvature(s) / drawn.lambda);

const together = (s) => byNoise(s) + byCurvature(s);

/** The largest value on a grid of [0, 1] that is finer than a pixel. */
function peak(of) {
  let best = { at: 0, value: -Infinity };
  for (let i = 0; i <= 4000; i++) {
    const value = of(i / 4000);
    if (value > best.value) best = { at: i / 4000, value };
  }
  return best;
}

/** The two numbers of the caption: both peaks added, and the peak of both together. */
export const apart = peak(byNoise).value + peak(byCurvature).value;
export const joint = peak(together);

const frame = { width: 380, height: 250, left: 40, right: 12, top: 16, bottom: 42 };

/** The place of a value on an axis of the picture. */
function scales([x0, x1], [y0, y1]) {
  const { width, height, left, right, top, bottom } = frame;
  return {
    x: (x) => left + ((x - x0) / (x1 - x0)) * (width - left - right),
    y: (y) => height - bottom - ((y - y0) / (y1 - y0)) * (height - top - bottom),
  };
}

/** A curve of 121 points. */
function line({ x, y }, [from, to], of, kind) {
  const points = Array.from({ length: 121 }, (_, i) => {
    const at = from + ((to - from) * i) / 120;
    return `${x(at).toFixed(1)},${y(of(at)).toFixed(1)}`;
  });
  return `<path class="${kind}" d="M${points.join("L")}"/>`;
}

const text = (x, y, kind, words, anchor = "start") =>
  `<text class="${kind}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;

/** Axes with their ticks, and what they measure. */
function axes({ x, y }, xTicks, yTicks, [xName, yName]) {
  const { width, height, left, right, top, bottom } = frame;
  const floor = height - bottom;
  return [
    `<path class="axis" d="M${left},${top}V${floor}H${width - right}"/>`,
    ...xTicks.map((tick) =>
      text(x(tick), floor + 16, "tick", String(tick).replace("-", "−"), "middle"),
    ),
    ...yTicks.map((tick) => text(left - 6, y(tick) + 4, "tick", String(tick), "end")),
    text((left + width - right) / 2, height - 8, "name", xName, "middle"),
    text(left + 4, top - 4, "name", yName),
  ].join("");
}

function picture(label, inside) {
  return `<svg viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label="${label}">${inside}</svg>`;
}

function overMargin() {
  const span = [-6, 6];
  const at = scales(span, [0, 1]);
  return picture(
    "The slope of the logistic loss falls from 1 to 0 as the margin grows; its curvature is a low hump in the middle, and next to nothing where the slope is near 1.",
    axes(at, [-6, -3, 0, 3, 6], [0, 0.5, 1], ["margin", ""]) +
      line(at, span, slope, "noise") +
      line(at, span, (m) => curvature(slope(m)), "curvature") +
      text(at.x(-5.8), at.y(0.9), "noise-name", "slope") +
      text(at.x(-1.9), at.y(0.2), "curvature-name", "curvature", "end"),
  );
}

function overSlope() {
  const span = [0, 1];
  const at = scales(span, [0, 0.9]);
  const level = (value, kind) =>
    `<path class="${kind}" d="M${at.x(0).toFixed(1)},${at.y(value).toFixed(1)}H${at.x(1).toFixed(1)}"/>`;
  return picture(
    `What a record adds to the privacy loss, by its slope: by the noise up to ${byNoise(1).toFixed(2)}, by the curvature up to ${byCurvature(0.5).toFixed(2)}, but together only up to ${joint.value.toFixed(2)}.`,
    axes(at, [0, 0.5, 1], [0, 0.3, 0.6, 0.9], ["slope", "privacy loss"]) +
      level(apart, "apart") +
      line(at, span, byNoise, "noise") +
      line(at, span, byCurvature, "curvature") +
      line(at, span, together, "together") +
      `<circle class="mark" cx="${at.x(joint.at).toFixed(1)}" cy="${at.y(joint.value).toFixed(1)}" r="4"/>` +
      text(at.x(1), at.y(apart) - 6, "apart-name", "both peaks, added", "end") +
      text(at.x(0.38), at.y(together(0.4)) - 14, "together-name", "together", "end") +
      text(at.x(0.98), at.y(0.33), "noise-name", "by the noise", "end") +
      text(at.x(0.5), at.y(byCurvature(0.5)) + 22, "curvature-name", "by the curvature", "middle"),
  );
}

/** The figure, in the page's own colours. */
export function ideaFigure() {
  return `<figure class="figure drawn" id="idea-figure">
<div class="drawn-pair">
${overMargin()}
${overSlope()}
</div>
<figcaption>Left: slope and curvature of the logistic loss. Right: what they add to the privacy loss of one record, for rows of length 1, λ = ${drawn.lambda}, σ = ${drawn.sigma}, and noise of ${drawn.v} standard deviations. Whoever bounds the two apart pays ${apart.toFixed(2)}; together they never exceed ${joint.value.toFixed(2)}.</figcaption>
</figure>`;
}
