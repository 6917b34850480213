/** The languages that a scorecard can be written in, and the file's name. */
export const languages = {
  python: { name: "Python", file: "card.py" },
  r: { name: "R", file: "card.R" },
  javascript: { name: "JavaScript", file: "card.mjs" },
  go: { name: "Go", file: "card.go" },
} as const;

export type Language = keyof typeof languages;
