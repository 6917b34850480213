// The steps of the page: one is on the screen, and the address names it.

export type StepName = "data" | "public" | "budget" | "fit" | "result";

/** What can be on the screen: a step, or, beside them, the check of anybody's release. */
export type Screen = StepName | "check";

export const stepNames: readonly StepName[] = ["data", "public", "budget", "fit", "result"];

/** As the rail and the buttons call them. */
export const titles: Readonly<Record<Screen, string>> = {
  data: "Your data",
  public: "What is public",
  budget: "Budget",
  fit: "Fit",
  result: "Result",
  check: "Check a release",
};

export const isScreen = (name: string): name is Screen => Object.hasOwn(titles, name);
