import { css } from "lit";

import { hiddenStyles, tableStyles } from "./common.styles.ts";

/**
 * The look of <curve-chart>, closed off from the page: it is themed by the custom properties alone.
 */
export const curveChartStyles = css`
  :host {
    --rule: var(--curve-rule, #ddd);
    --soft: var(--curve-soft, #555);
    display: block;
    color: var(--curve-ink, #222);
    container-type: inline-size;
    font-size: 0.9375rem;
  }
  figure {
    margin: 0;
  }
  svg[role="img"] {
    display: block;
    width: 100%;
    height: auto;
    touch-action: pan-y;
    overflow: visible;
  }
  .paper {
    fill: var(--curve-paper, transparent);
  }
  .rule {
    stroke: var(--curve-rule, #ddd);
    stroke-width: 1;
  }
  .axis {
    stroke: var(--curve-soft, #666);
  }
  .tick,
  .title {
    fill: var(--curve-soft, #555);
    font-size: 13px;
    font-variant-numeric: tabular-nums;
  }
  .line {
    fill: none;
    stroke-width: 2;
    stroke-linejoin: round;
  }
  .line-1 {
    stroke: var(--curve-1, #1f5f5b);
    stroke-width: 3;
  }
  .line-2 {
    stroke: var(--curve-2, #a8551c);
    stroke-dasharray: 9 4;
  }
  .line-3 {
    stroke: var(--curve-3, #7a6512);
    stroke-dasharray: 2 3;
  }
  .line-4 {
    stroke: var(--curve-4, #74408c);
    stroke-dasharray: 10 3 2 3;
  }
  .line-5 {
    stroke: var(--curve-5, #555);
    stroke-width: 1.5;
    stroke-dasharray: 4 3;
  }
  .dot {
    stroke: var(--curve-paper, #fff);
    stroke-width: 1;
  }
  .dot-1 {
    fill: var(--curve-1, #1f5f5b);
  }
  .dot-2 {
    fill: var(--curve-2, #a8551c);
  }
  .dot-3 {
    fill: var(--curve-3, #7a6512);
  }
  .dot-4 {
    fill: var(--curve-4, #74408c);
  }
  .dot-5 {
    fill: var(--curve-5, #555);
  }
  .promise {
    fill: var(--curve-paper, #fff);
    stroke: var(--curve-1, #1f5f5b);
    stroke-width: 3;
  }
  .promise-lines {
    fill: none;
    stroke: var(--curve-1, #1f5f5b);
    stroke-width: 1;
    stroke-dasharray: 1 3;
  }
  .cursor-line {
    stroke: var(--curve-ink, #222);
    stroke-width: 1;
    opacity: 0.55;
  }
  /* The range's track is under the plot: 52 and 16 are the drawing's paddings, 11 half a thumb. */
  .cursor {
    display: block;
    padding: 0 5px 0 41px;
  }
  .cursor input {
    display: block;
    width: 100%;
    height: 24px;
    margin: 0;
    accent-color: var(--curve-1, #1f5f5b);
    cursor: ew-resize;
  }
  .cursor input:focus-visible,
  summary:focus-visible,
  .scroll:focus-visible {
    outline: 3px solid var(--curve-focus, #1f5f5b);
    outline-offset: 2px;
    border-radius: 3px;
  }
  table {
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 0.4rem 0.6rem 0.4rem 0;
  }
  ${tableStyles}
  .legend {
    margin-top: 0.5rem;
  }
  .key {
    display: flex;
    gap: 0.6rem;
  }
  .swatch {
    flex: none;
    margin-top: 0.45rem;
  }
  .note {
    display: block;
    color: var(--curve-soft, #555);
    font-size: 0.8125rem;
  }
  details {
    margin-top: 0.75rem;
  }
  summary {
    cursor: pointer;
    width: fit-content;
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  .scroll {
    max-height: 22rem;
    overflow: auto;
    margin-top: 0.5rem;
  }
  .scroll th,
  .scroll td {
    min-width: 5.5rem;
  }
  ${hiddenStyles}
  @container (max-width: 30rem) {
    .note {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .line {
      stroke: CanvasText;
    }
  }
`;
