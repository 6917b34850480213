// What the elements and the chart of the pages share, whatever their look is.

import { css } from "lit";

/** Tables of numbers: rules in --rule, heads in --soft. How wide cells are is left out. */
export const tableStyles = css`
  table {
    width: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    border-bottom: 1px solid var(--rule);
    text-align: start;
    vertical-align: baseline;
    font-weight: 400;
  }
  th:last-child,
  td:last-child {
    padding-inline-end: 0;
  }
  thead th {
    color: var(--soft);
    font-size: 0.8125rem;
    vertical-align: bottom;
  }
  .number {
    text-align: end;
    white-space: nowrap;
  }
  thead .number {
    white-space: normal;
  }
`;

/** What is said to those alone who do not see it. */
export const hiddenStyles = css`
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
