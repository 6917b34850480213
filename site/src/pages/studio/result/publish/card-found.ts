// What a model found, in its card: a table with bars that needs no script.

import { escaped } from "../../../../chart/escaped.ts";
import type { AnyLabel, Differences, Release } from "../../../../client/types.ts";
import {
  found,
  type Found,
  foundBars,
  onAverage,
  references,
  wrongWay,
} from "../../../release/found.ts";

const width = 160;

/** The section of what was found; nothing where it could not be worked out. */
export function foundSection(
  release: Release<AnyLabel>,
  differences: Differences | undefined,
): string {
  if (!differences || differences.vectors.every((v) => v.differences.length === 0)) return "";
  const parts = differences.vectors.map((_, k) => found(release, differences, k));
  const compared = references(differences)
    .map(([feature, reference]) => `${escaped(feature)} with “${escaped(reference)}”`)
    .join(", ");
  return `<section aria-labelledby="found">
<h2 id="found">What the model found</h2>
${parts.map((part) => `${part.class === undefined ? "" : `<h3>“${escaped(part.class)}” against the others</h3>`}${summary(part, differences.share)}${table(part)}`).join("\n")}
<p class="small">A bar to the right ${escaped(parts[0]!.more)}; one to the left ${escaped(parts[0]!.less)}. Each is about two people alike in all else, for somebody in the middle of every column. For a number, the bar goes
from its lower public bound to its upper one, the large figure is for one step of it, and the small one for all of it.${compared === "" ? "" : ` Categories are compared with a reference: ${compared}.`}</p>
<p class="small">The thin line says how far noise may reach. It is an upper limit, from the release alone; the truth may be far closer. A hollow bar is within what noise can do, and may be true all the same.
Nothing here says that one thing causes another.${parts.some((part) => part.limited && part.shown > 0) ? ` ${onAverage}` : ""}</p>
</section>`;
}

function summary({ limited, unlimited, shown, rows, of }: Found, share: number): string {
  if (!limited) return `<p>${unlimited}</p>`;
  return shown === 0
    ? `<p><strong>None of these ${rows.length} differences in ${escaped(of)} is surely more than noise.</strong></p>`
    : `<p><strong>${shown === rows.length ? "All" : shown} of ${rows.length} differences in ${escaped(of)} ${shown === 1 ? "is" : "are"} more than noise.</strong> ${wrongWay(share)}</p>`;
}

function table({ rows, scale }: Found): string {
  const bars = foundBars(rows, width);
  const line = (row: (typeof rows)[number], i: number): string => {
    const b = bars[i]!;
    return `<tr${row.shown ? "" : ' class="noise"'}><th scope="row">${escaped(row.feature)} <span class="between">${escaped(row.between)}</span></th>
<td class="bar"><svg viewBox="0 0 ${width} 18" preserveAspectRatio="none" aria-hidden="true"><path class="zero" d="M${b.zero.toFixed(1)},0V18"/><rect class="${row.value < 0 ? "less" : "more"}" x="${b.x.toFixed(1)}" y="4" width="${b.width.toFixed(1)}" height="10"/><path class="reach" d="M${b.low.toFixed(1)},9H${b.high.toFixed(1)}"/></svg></td>
<td class="number">${row.text}<br><span class="between">${row.shown ? (row.whole ?? "") : "this could be noise"}</span></td></tr>`;
  };
  return `<div class="scroll"><table class="found"><thead><tr><th scope="col">Two people who differ only in</th><td></td><th scope="col" class="number">${escaped(scale)}</th></tr></thead>
<tbody>${rows.map(line).join("\n")}</tbody></table></div>`;
}
