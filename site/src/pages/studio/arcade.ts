import { svg, html, type TemplateResult } from "lit/html.js";

const bays = 5;
const bay = 72;
const height = 190;

/** The page's one ornament: an arcade in outline, its middle bay shut. */
export function arcade(): TemplateResult {
  const width = bays * bay + 16;
  const arch = (i: number) => {
    const left = 8 + i * bay + 9;
    const right = left + bay - 18;
    const radius = (right - left) / 2;
    return `M${left},${height - 18}V${78}a${radius},${radius} 0 0 1 ${right - left},0V${height - 18}`;
  };
  const list = Array.from({ length: bays }, (_, i) => i);
  return html`<svg
    class="arcade"
    viewBox="0 0 ${width} ${height}"
    width=${width}
    height=${height}
    aria-hidden="true"
  >
    ${list.map((i) => svg`<path class=${i === 2 ? "arcade-shut" : ""} d=${`${arch(i)}${i === 2 ? "Z" : ""}`} />`)}
    ${list.map((i) => svg`<path class="arcade-thin" d=${`M${8 + i * bay + 2},${78}h14M${8 + (i + 1) * bay - 16},${78}h14`} />`)}
    ${svg`<path d=${`M2,${height - 18}H${width - 2}M2,${height - 8}H${width - 2}M2,26H${width - 2}`} /><path class="arcade-thin" d=${`M2,18H${width - 2}M2,${height - 2}H${width - 2}`} />`}
  </svg>`;
}
