import { css } from "lit";

export const myPrivacyStyles = css`
  :host {
    --own: var(--curve-1, light-dark(#1b5e59, #7fd0c4));
    --everyone: color-mix(in srgb, currentcolor 22%, transparent);
    --wrong: light-dark(#a3251b, #f6a79f);
    --edge: color-mix(in srgb, currentcolor 55%, transparent);
  }
  .soft {
    color: var(--soft);
  }
  .small {
    font-size: 0.875rem;
  }
  p + p {
    margin-top: 0.5rem;
  }
  .sides {
    display: grid;
    gap: 1.75rem 2.5rem;
    grid-template-columns: minmax(0, 1fr);
  }
  @container (min-width: 46rem) {
    .sides {
      grid-template-columns: minmax(15rem, 2fr) minmax(0, 3fr);
      align-items: start;
    }
  }
  .form-title,
  .heading {
    font-weight: 650;
    font-size: 1.0625rem;
  }
  .heading {
    margin-top: 1.6rem;
  }
  .heading + p {
    margin-top: 0.1rem;
  }
  .fields {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 9.5rem), 1fr));
    gap: 0.9rem 1.1rem;
    margin-top: 1rem;
  }
  .field {
    display: grid;
    align-content: start;
    gap: 0.2rem;
    min-width: 0;
  }
  label {
    font-size: 0.9375rem;
    font-weight: 550;
    overflow-wrap: anywhere;
  }
  input,
  select {
    width: 100%;
    min-height: 2.5rem;
    padding: 0.35rem 0.5rem;
    border: 1px solid var(--edge);
    border-radius: 5px;
    background: transparent;
  }
  option {
    color: CanvasText;
    background: Canvas;
  }
  [aria-invalid] {
    border-color: var(--wrong);
    border-width: 2px;
  }
  .hint {
    font-size: 0.8125rem;
    color: var(--soft);
  }
  .fault {
    font-size: 0.875rem;
    color: var(--wrong);
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.6rem;
    margin-top: 1.2rem;
  }
  button {
    min-height: 2.5rem;
    padding: 0.4rem 1rem;
    font-size: 0.9375rem;
  }
  .main {
    background: var(--own);
    color: light-dark(#fff, #10201e);
    font-weight: 600;
    border-color: transparent;
  }
  .main:hover {
    background: color-mix(in srgb, var(--own) 86%, currentcolor);
  }
  .quiet {
    border-color: var(--edge);
  }
  .answer {
    min-width: 0;
    scroll-margin-block: 1.5rem;
  }
  .empty {
    border: 1px dashed color-mix(in srgb, currentcolor 35%, transparent);
    border-radius: 8px;
    padding: 1.5rem;
    max-width: 34rem;
  }
  .lead {
    font-size: clamp(1.1875rem, 4.2cqi, 1.4375rem);
    line-height: 1.35;
    text-wrap: pretty;
  }
  .mine {
    color: var(--own);
  }
  .sure {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.3rem 0.7rem;
    margin-top: 1rem;
  }
  .sure select {
    width: auto;
    max-width: 100%;
  }
  .bound {
    margin-top: 1.1rem;
  }
  .scale {
    position: relative;
    height: 28px;
  }
  .scale > * {
    position: absolute;
    inset-block: 0;
    inset-inline-start: 0;
    border-radius: 4px;
  }
  .scale .whole {
    background: var(--everyone);
  }
  .scale .own {
    background: var(--own);
    min-width: 3px;
    inset-block: 6px;
    border-radius: 3px;
  }
  .scale .worst {
    inset-block: -4px;
    inset-inline-start: auto;
    width: 2px;
    background: currentcolor;
    border-radius: 0;
  }
  figcaption {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 1.4rem;
    margin-top: 0.5rem;
    font-size: 0.875rem;
  }
  .swatch {
    transform: none;
  }
  .swatch.own {
    fill: var(--own);
  }
  .swatch.everyone {
    fill: var(--everyone);
  }
  .note {
    margin-top: 1.1rem;
    padding: 0.6rem 0.9rem;
    border-inline-start: 3px solid light-dark(#9a6700, #e3b341);
    background: color-mix(in srgb, currentcolor 6%, transparent);
    font-size: 0.9375rem;
  }
  ul {
    margin: 0.5rem 0 0;
    padding-inline-start: 1.2rem;
  }
  .parts {
    list-style: none;
    padding: 0;
  }
  .parts li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0.1rem 0.8rem;
    padding-block: 0.5rem;
    border-top: 1px solid var(--rule);
  }
  .name {
    font-weight: 550;
  }
  .meter {
    grid-column: 1 / -1;
    height: 6px;
    border-radius: 3px;
    background: color-mix(in srgb, currentcolor 10%, transparent);
  }
  .meter > span {
    display: block;
    height: 100%;
    border-radius: 3px;
    background: var(--own);
  }
  .about {
    grid-column: 1 / -1;
  }
  table {
    margin-top: 0.5rem;
    font-size: 0.9375rem;
  }
  th[scope="row"] {
    font-weight: 550;
    overflow-wrap: anywhere;
  }
  .yours,
  .at {
    display: block;
    font-weight: 400;
    overflow-wrap: anywhere;
  }
  .span-cell {
    width: 32%;
    vertical-align: middle;
  }
  .span {
    display: block;
    position: relative;
    height: 10px;
  }
  .span::before {
    content: "";
    position: absolute;
    inset: 4px 0;
    background: color-mix(in srgb, currentcolor 14%, transparent);
  }
  .reach {
    position: absolute;
    inset-block: 2px;
    min-width: 2px;
    border-radius: 3px;
    background: color-mix(in srgb, var(--own) 65%, transparent);
  }
  .dot {
    position: absolute;
    inset-block: -1px;
    width: 3px;
    margin-inline-start: -1.5px;
    background: currentcolor;
  }
  @container (max-width: 26rem) {
    .span-cell {
      display: none;
    }
  }
  details {
    margin-top: 1.6rem;
  }
  details li + li {
    margin-top: 0.35rem;
  }
  .wait {
    margin-top: 0.5rem;
    color: var(--soft);
  }
  @media print {
    form,
    .empty {
      display: none;
    }
    .sides {
      display: block;
    }
    details {
      display: block;
    }
    .scale > *,
    .meter > span,
    .reach {
      print-color-adjust: exact;
    }
  }
  @media (forced-colors: active) {
    .scale .own,
    .meter > span,
    .reach {
      background: Highlight;
      forced-color-adjust: none;
    }
    .scale .whole,
    .meter {
      border: 1px solid CanvasText;
    }
    .scale .worst,
    .dot {
      background: CanvasText;
      forced-color-adjust: none;
    }
  }
`;
