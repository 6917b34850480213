import { namesOf } from "../draft/places.ts";
import type { State } from "./state.ts";

/** What the columns of the open file are called, where it has no header and the person says. */
export const calledIn = ({ source, draft }: Pick<State, "source" | "draft">) =>
  source?.header === "none" && draft ? namesOf(draft) : undefined;
