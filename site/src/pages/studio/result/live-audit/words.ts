const shares = new Map([
  [1 / 2, "half of the noise"],
  [1 / 4, "a quarter of the noise"],
  [1 / 8, "an eighth of the noise"],
  [1 / 16, "a sixteenth of the noise"],
]);

/** So much of the noise, in words. */
export const shareWords = (factor: number): string =>
  shares.get(factor) ?? `${factor} times the noise`;
