// How a model was chosen, in words. The card, the verifier and the reader of a privacy report use
// the same words.

import type { Choice } from "../client/types.ts";

const words: Readonly<Record<Choice, string>> = {
  "only-model":
    "The publisher states that this is the only model fitted to these records. Then this model was not picked from others by how it does on the records. Whether it was published at all may still have depended on that, which is outside the guarantee.",
  "all-published":
    "The publisher states that all models fitted to these records are published. Then this model was not picked from others by how it does on the records. Whether they were published at all, and what was fitted next, may still have depended on that, which is outside the guarantee. The ε here does not count what the other models tell.",
  "paid-figures":
    "The publisher states that it was chosen from several models by what had been paid for: the models themselves, or figures measured with noise. The ε here does not count what the other models and those figures cost.",
  "private-selection":
    "It was chosen from several by a private selection. The ε here pays for the choice.",
};

/** The release's statement of how its model was chosen, in words, or that there is none. */
export function choiceWords(choice: Choice | undefined): string {
  return (
    (choice && words[choice]) ??
    "Not stated. Ask whoever published it. A choice by figures that nobody paid for, such as how well each model did on the records themselves, is outside the guarantee."
  );
}

/** All but a private selection is somebody's word. */
export const choiceIsWord = (choice: Choice | undefined): boolean =>
  choice !== undefined && choice !== "private-selection";

const apart: Readonly<Partial<Record<Choice, string>>> = {
  "all-published":
    "Other models of the same records are published; what they tell is not in this epsilon.",
  "paid-figures":
    "It was chosen by models or figures that were paid for; what they cost is not in this epsilon.",
};

/** What the guarantee leaves out of how the model was chosen, where there is little room. */
export function choiceApart(choice: Choice | undefined): readonly string[] {
  if (choice === undefined) return ["How it was chosen is not stated: ask whoever published it."];
  const text = apart[choice];
  return text === undefined ? [] : [text];
}
