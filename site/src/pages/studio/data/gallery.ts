import { html, nothing, type TemplateResult } from "lit/html.js";

import { count } from "../../../chart/numbers.ts";
import { linkTo } from "../sample/address.ts";
import { type SampleName, sampleNames, samples } from "../sample/samples.ts";
import { buyingMore } from "../state/state.ts";
import type { Studio } from "./studio.ts";

/** The made-up tables, each a link to its address; the one that is open is marked. */
export function gallery(studio: Studio): TemplateResult {
  return html`<section class="gallery" aria-labelledby="gallery-title">
    <h3 id="gallery-title">Or try it on a made-up table <span class="tag">nobody’s data</span></h3>
    <p class="soft small">
      This page makes them itself, by chance. Nobody in them exists, so nothing is at stake.
    </p>
    <ul>
      ${sampleNames.map((name) => card(studio, name))}
    </ul>
  </section>`;
}

function card(studio: Studio, name: SampleName): TemplateResult {
  const { state } = studio;
  const { title, about, rows, columns, predicts } = samples[name];
  const open = name === state.sample;
  return html`<li class="card">
    <a
      class="card-title"
      id="sample-${name}"
      href=${linkTo(name)}
      aria-current=${open ? "true" : nothing}
      aria-describedby="sample-${name}-about"
      @click=${(event: MouseEvent) => {
        // In another tab it is the browser's to open.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        if (!buyingMore(state)) studio.openSample(name);
      }}
      >${title}</a
    >
    ${open ? html`<span class="tag tag-good">${state.source ? "open" : "opening"}</span>` : nothing}
    <div id="sample-${name}-about">
      <p>${about}</p>
      <p class="card-facts">
        ${count(rows)} rows × ${columns} columns<br />
        predicts <strong>${predicts[0]}</strong>, ${predicts[1]}
      </p>
    </div>
  </li>`;
}

/** For an address that names a table that there is not. */
export function unknownSample({ state }: Studio): TemplateResult | typeof nothing {
  const name = state.sampleUnknown;
  if (name === null) return nothing;
  return html`<div class="notice notice-warn" role="alert" id="sample-unknown">
    <p>
      There is no made-up table called “${name.length > 40 ? `${name.slice(0, 40)}…` : name}”. The
      link that led here may be wrong or old. Those that there are stand below; the
      ${samples[state.sample].noun} are open.
    </p>
  </div>`;
}
