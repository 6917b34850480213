import { css } from "lit";

export const drawsStyles = css`
  .plot {
    max-width: 560px;
  }
  .beside {
    min-width: 0;
  }
  .read {
    min-height: 1.45em;
    margin-top: 0.3rem;
    font-size: 0.875rem;
    color: var(--soft);
  }
  @container (min-width: 720px) {
    .sides {
      display: grid;
      grid-template-columns: min(560px, 60% - 14px) 1fr;
      gap: 0 1.5rem;
      align-items: start;
    }
    .beside {
      padding-top: 1.4rem;
      max-width: 30rem;
    }
  }
  @media (forced-colors: active) {
    .plot path.draw,
    .plot path.without {
      stroke: CanvasText;
    }
  }
`;
