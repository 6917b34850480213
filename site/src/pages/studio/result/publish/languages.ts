/** The languages that a model can be written in, and the file's name. */
export const languages = {
  python: { name: "Python", file: "model.py" },
  r: { name: "R", file: "model.R" },
  javascript: { name: "JavaScript", file: "model.mjs" },
  go: { name: "Go", file: "model.go" },
} as const;

export type Language = keyof typeof languages;
