import { css } from "lit";

import { hiddenStyles, tableStyles } from "./common.styles.ts";

/**
 * The look that all elements share. It follows the page's text and is themed by custom properties
 * and parts; nothing of it leaves the element.
 */
export const baseStyles = css`
  :host {
    display: block;
    container-type: inline-size;
    font-variant-numeric: tabular-nums;
    line-height: 1.45;
    text-align: start;
    /* Never drawn: scheme.ts reads from it which scheme colours follow here. */
    column-rule-color: light-dark(#000, #fff);
    --soft: var(--curve-soft, color-mix(in srgb, currentcolor 78%, transparent));
    --rule: var(--curve-rule, color-mix(in srgb, currentcolor 15%, transparent));
    --accent: var(--curve-1, light-dark(#1b5e59, #7fd0c4));
    --focus: var(--curve-focus, light-dark(#0b6fb8, #7cc0f5));
  }
  :host([hidden]) {
    display: none;
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  .room[data-scheme="light"] {
    color-scheme: light;
  }
  .room[data-scheme="dark"] {
    color-scheme: dark;
  }
  *,
  *::before {
    box-sizing: border-box;
  }
  slot[hidden] {
    display: none;
  }
  ::slotted(svg),
  ::slotted(img) {
    max-width: 100%;
    height: auto;
  }
  figure,
  p {
    margin: 0;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
    align-items: center;
    justify-content: space-between;
  }
  button,
  select,
  input {
    font: inherit;
    color: inherit;
  }
  button {
    padding: 0.2rem 0.6rem;
    border: 1px solid transparent;
    border-radius: 4px;
    background: none;
    font-size: 0.875rem;
    cursor: pointer;
  }
  button:hover {
    background: color-mix(in srgb, currentcolor 8%, transparent);
  }
  :focus-visible {
    outline: 2px solid var(--focus);
    outline-offset: 2px;
  }
  .switch {
    display: inline-flex;
    flex-wrap: wrap;
    border-bottom: 1px solid var(--rule);
    gap: 0.1rem;
  }
  .switch button {
    border-radius: 4px 4px 0 0;
    border: 0;
    border-bottom: 2px solid transparent;
    margin-bottom: -1px;
    padding: 0.25rem 0.6rem;
    color: var(--soft);
  }
  .switch button[aria-pressed="true"] {
    border-bottom-color: var(--accent);
    color: inherit;
    font-weight: 600;
  }
  .plot {
    display: block;
    margin-top: 0.6rem;
    touch-action: pan-y;
    cursor: crosshair;
    border-radius: 3px;
  }
  .plot > svg {
    display: block;
    width: 100%;
    height: auto;
    font-family: inherit;
    overflow: visible;
    user-select: none;
  }
  table {
    font-size: 0.875rem;
  }
  th,
  td {
    padding: 0.3rem 0.75rem 0.3rem 0;
  }
  ${tableStyles}
  .key {
    display: flex;
    gap: 0.6rem;
    align-items: baseline;
  }
  .swatch {
    flex: none;
    transform: translateY(-0.2em);
    overflow: visible;
  }
  .sliders {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
    gap: 0.6rem 1.5rem;
    margin-top: 0.8rem;
    font-size: 0.875rem;
  }
  .sliders label {
    display: block;
  }
  .sliders .value {
    float: inline-end;
    font-weight: 600;
  }
  input[type="range"] {
    display: block;
    width: 100%;
    height: 24px;
    margin: 0;
    accent-color: var(--accent);
  }
  .says {
    margin-top: 0.7rem;
    font-size: 0.9375rem;
  }
  .foot {
    margin-top: 0.4rem;
    font-size: 0.8125rem;
    color: var(--soft);
  }
  .foot button {
    font-size: 0.8125rem;
    color: inherit;
    text-decoration: underline;
    text-underline-offset: 0.2em;
    padding: 0.2rem 0.35rem;
  }
  .theorem {
    font-size: 0.8125rem;
    color: var(--soft);
    margin-top: 0.2rem;
  }
  details {
    min-width: 0;
    max-width: 100%;
  }
  details[open] {
    flex-basis: 100%;
  }
  .theorems {
    margin: 0.6rem 0 0;
    padding-inline-start: 1.2rem;
  }
  summary {
    cursor: pointer;
    width: fit-content;
    padding: 0.2rem 0;
  }
  .scroll {
    max-height: 20rem;
    overflow: auto;
    position: relative;
  }
  .failure {
    margin-block: 0.5rem;
    padding: 0.5rem 0.75rem;
    border-inline-start: 3px solid light-dark(#b3261e, #f2877c);
    background: light-dark(#fbe8e4, #3b1e1a);
    color: light-dark(#5f1a12, #f9d6d0);
    font-size: 0.9375rem;
    overflow-wrap: anywhere;
  }
  ${hiddenStyles}
  @media print {
    .bar,
    .sliders,
    .foot,
    details {
      display: none;
    }
    :host {
      break-inside: avoid;
    }
  }
  @media (forced-colors: active) {
    .plot path.line {
      stroke: CanvasText;
    }
  }
`;
