// What the pages of measured fits share: small multiples over ε, their key, and tables.

export const unique = (list) => [...new Set(list)];
export const budgets = (lines) => unique(lines.map(({ epsilon }) => epsilon)).sort((a, b) => a - b);
export const one = (x) => (Math.abs(x) < 0.05 ? 0 : x).toFixed(1).replace("-", "−");
export const signed = (x) => `${x > 0.05 ? "+" : ""}${one(x)}`;

const frame = { width: 220, height: 150, left: 30, right: 8, top: 8, bottom: 20 };

/** Two to five round numbers of a range. */
function ticks(least, most) {
  const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50].find((s) => (most - least) / s <= 5) ?? 100;
  const out = [];
  for (let v = Math.ceil(least / step) * step; v <= most; v += step) out.push(v);
  return out;
}

/**
 * A picture of values over ε. Lines of the kind "other" do not stretch it: what lies below is
 * drawn at its floor.
 *
 * @param {object} what
 * @param {string} what.title set in bold, with `measure` after it
 * @param {string} what.measure
 * @param {string} what.said to those who do not see it
 * @param {{kind: string, points: {epsilon: number, value: number, half?: number}[]}[]} what.lines
 * the last on top; a half-width is drawn as a bar
 * @param {number[]} what.levels at which a line lies flat
 * @param {number[]} [what.within] those that stretch it; all of them, if it is left out
 * @param {number[]} what.epsilons that are named, the first and last at its ends
 */
export function picture({ title, measure, said, lines, levels, within = levels, epsilons }) {
  const ends = [...within];
  for (const { kind, points } of lines)
    if (kind !== "other") ends.push(...points.map(({ value }) => value));
  const [low, high] = [Math.min(...ends), Math.max(...ends, Math.min(...ends) + 1)];
  const [least, most] = [low - (high - low) * 0.06, high + (high - low) * 0.06];
  const logs = [Math.log(epsilons[0]), Math.log(epsilons.at(-1))];
  const x = (e) =>
    frame.left +
    ((Math.log(e) - logs[0]) / (logs[1] - logs[0])) * (frame.width - frame.left - frame.right);
  const floor = frame.height - frame.bottom;
  const y = (v) =>
    floor - ((Math.min(Math.max(v, least), most) - least) / (most - least)) * (floor - frame.top);
  const path = (kind, points) => `<path class="${kind}" d="M${points.join("L")}"/>`;
  const flat = (v) =>
    path("level", [
      `${frame.left},${y(v).toFixed(1)}`,
      `${frame.width - frame.right},${y(v).toFixed(1)}`,
    ]);
  const text = (tx, ty, words, anchor) =>
    `<text x="${tx.toFixed(1)}" y="${ty.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;
  const drawn = lines.map(({ kind, points }) => {
    const places = points.map(({ epsilon, value, half }) => {
      const [px, py] = [x(epsilon).toFixed(1), y(value).toFixed(1)];
      const bar = `<path class="${kind} bar" d="M${px},${y(value - half).toFixed(1)}V${y(value + half).toFixed(1)}"/>`;
      const dot = `<circle cx="${px}" cy="${py}" r="2.6"/>`;
      return {
        point: `${px},${py}`,
        more: (half === undefined ? "" : bar) + (kind === "usual" ? dot : ""),
      };
    });
    const more = places.map((place) => place.more).join("");
    return (
      path(
        kind,
        places.map(({ point }) => point),
      ) + more
    );
  });
  return `<div class="panel"><p><b>${title}</b> <span>${measure}</span></p>
<svg viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label="${said}">${[
    `<path class="axis" d="M${frame.left},${frame.top}V${floor}H${frame.width - frame.right}"/>`,
    ...ticks(least, most).map((v) =>
      text(frame.left - 4, y(v) + 4, String(Number(v.toFixed(1))).replace("-", "−"), "end"),
    ),
    ...epsilons.map((e) => text(x(e), floor + 15, String(e), "middle")),
    ...levels.map(flat),
    ...drawn,
  ].join("")}</svg></div>`;
}

/** The figure of pictures, with its key above it. */
export function figure(keys, pictures, caption) {
  const key = ([kind, words]) =>
    `<li><svg viewBox="0 0 28 10" aria-hidden="true"><path class="${kind}" d="M1,5H27"/></svg> ${words}</li>`;
  return `<figure class="figure benchmark">
<ul class="key">${keys.map(key).join("")}</ul>
<div class="panels">${pictures.join("\n")}</div>
<figcaption>${caption} What lies below a panel is drawn at its floor.</figcaption>
</figure>`;
}

/** A table in Markdown, whose first column is of numbers, or of words. */
export function table(header, body, first = "--:") {
  return [header, header.map((_, i) => (i === 0 ? first : "---")), ...body]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** A long table that is folded away. */
export function folded(title, label, head, body) {
  const row = (tag, cells) => `<tr>${cells.map((c) => `<${tag}>${c}</${tag}>`).join("")}</tr>`;
  return `<details class="numbers"><summary>${title}</summary><div class="table" tabindex="0" role="group" aria-label="${label}"><table><thead>${row("th", head)}</thead><tbody>${body.map((cells) => row("td", cells)).join("")}</tbody></table></div></details>`;
}
