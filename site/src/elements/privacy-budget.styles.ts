import { css } from "lit";

export const budgetStyles = css`
  .gauge {
    display: block;
    width: 100%;
    height: 28px;
    border-radius: 4px;
  }
  .old {
    opacity: 0.4;
  }
  .ends {
    display: flex;
    justify-content: space-between;
    font-size: 0.8125rem;
    color: var(--soft);
    margin: 0.2rem 0 0.6rem;
  }
  .box {
    flex: none;
    opacity: 0.85;
  }
  input {
    width: 4.5rem;
    padding: 0.15rem 0.3rem;
    border: 1px solid color-mix(in srgb, currentcolor 55%, transparent);
    border-radius: 4px;
    background: none;
    text-align: end;
  }
  @container (max-width: 24rem) {
    th,
    td {
      padding-inline-end: 0.4rem;
    }
    input {
      width: 3.2rem;
    }
  }
`;
