// What the page says of each way to fit, and of a choice among some by the rows.

import type { FitMethodWords } from "../../../client/wire/method-words.ts";
import { methodWords } from "../../../client/wire/method-words.ts";
import type { Way } from "./choices.ts";

const run =
  "The page fits a few settings, each with fresh noise and some more than once by chance. It scores every model on the rows, with noise, and shows you only the one with the best score. How many there were stays secret.";

export const wayWords: Readonly<Record<Way, FitMethodWords>> = {
  ...methodWords,
  chooseLambda: {
    title: "Let the rows choose λ",
    place: "λ chosen by the rows",
    about:
      "Private choice of how strongly the model is held back (λ, the regulariser), from three settings. The noise is in the problem.",
    run,
  },
  chooseMethod: {
    title: "Let the rows choose the method",
    place: "the method chosen by the rows",
    about:
      "Private choice among the methods above that usually do best. You have to say about how many rows there are.",
    run,
  },
};
