import { css } from "lit";

export const noiseStyles = css`
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
    min-width: 0;
  }
  legend {
    padding: 0 0 0.3rem;
    font-size: 0.875rem;
    color: var(--soft);
  }
  .row {
    display: grid;
    grid-template-columns: 1.6rem minmax(0, 1fr) minmax(6.5rem, 28%);
    align-items: center;
    padding: 0.3rem 0;
    border-bottom: 1px solid var(--rule);
  }
  .find input {
    margin: 0;
    width: 1rem;
    height: 1rem;
    accent-color: var(--accent);
    vertical-align: -0.1em;
  }
  .value,
  .answer {
    width: 100%;
    padding: 0.3rem 0.5rem;
    border-radius: 4px;
    text-align: end;
    font-size: 0.9375rem;
  }
  .value {
    border: 1px solid color-mix(in srgb, currentcolor 55%, transparent);
    background: none;
  }
  .answer {
    border: 1px solid transparent;
    background: color-mix(in srgb, var(--accent) 12%, transparent);
    font-weight: 600;
  }
  .label {
    font-weight: 600;
  }
`;
