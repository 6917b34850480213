import { html, svg, type TemplateResult } from "lit/html.js";

/** The page's ornament: a written sheet under an arch, and a seal on it. */
export function sheet(): TemplateResult {
  const lines = [70, 84, 98, 112, 126].map(
    (y, i) => svg`<path class="arcade-thin" d=${`M84,${y}H${[150, 158, 140, 156, 118][i]}`} />`,
  );
  return html`<svg class="arcade" viewBox="0 0 240 190" width="240" height="190" aria-hidden="true">
    ${svg`<path d="M34,172V94a86,86 0 0 1 172,0V172" /><path class="arcade-thin" d="M44,172V94a76,76 0 0 1 152,0V172" />
      <path d="M2,172H238M2,182H238" /><path class="arcade-thin" d="M2,188H238" />
      <path class="arcade-sheet" d="M70,156V48H146l24,22V156Z" /><path class="arcade-thin" d="M146,48V70H170" />`}
    ${lines}
    ${svg`<circle class="arcade-shut" cx="152" cy="136" r="19" /><path class="arcade-mark" d="M143,136l6.5,7L161,129" />`}
  </svg>`;
}
