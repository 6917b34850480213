// Columns that by themselves all but tell the label: they are looked for, and asked about. It is
// loaded with ../../later.ts.

export { LookalikeFinder } from "./finder.ts";
export { lookalikeQuestions } from "./question.ts";
