import { html, svg, type TemplateResult } from "lit/html.js";

import type { Claim } from "../claims.ts";

const paths: Readonly<Record<Claim["outcome"] | "partly", string>> = {
  true: "M5.5,10.4l3.2,3.3L14.8,7",
  false: "M6.6,6.6l6.8,6.8M13.4,6.6l-6.8,6.8",
  unchecked: "M6,10h8",
  partly: "M10,5.4v5.8M10,14.2v.6",
};

/** A round mark; the words beside it say the same. */
export function mark(kind: keyof typeof paths): TemplateResult {
  return html`<svg class="mark mark-${kind}" viewBox="0 0 20 20" aria-hidden="true">
    ${svg`<circle cx="10" cy="10" r="9" /><path d=${paths[kind]} />`}
  </svg>`;
}
