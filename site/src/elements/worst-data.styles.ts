import { css } from "lit";

export const worstStyles = css`
  .pair {
    display: grid;
    grid-template-columns: 1fr;
    gap: 0.75rem 1.5rem;
  }
  .plot {
    cursor: default;
  }
  table {
    margin-top: 0.8rem;
  }
  @container (min-width: 600px) {
    .pair {
      grid-template-columns: 1fr 1fr;
    }
  }
`;
