import { css } from "lit";

export const attackStyles = css`
  .pair {
    display: grid;
    grid-template-columns: 1fr;
    gap: 0.75rem 1.5rem;
  }
  .plot {
    cursor: ew-resize;
  }
  .still {
    cursor: default;
  }
  .box {
    flex: none;
    width: 0.8em;
    height: 0.8em;
    border-radius: 2px;
    opacity: 0.6;
  }
  .one {
    background: var(--accent);
  }
  .two {
    background: var(--curve-2, light-dark(#a8501a, #f0a36b));
  }
  @container (min-width: 600px) {
    .pair {
      grid-template-columns: 1fr 1fr;
    }
  }
`;
