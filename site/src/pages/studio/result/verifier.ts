import type { Client, Release } from "../../../client/types.ts";
import { readJSON } from "../../shell/json-file.ts";
import { problemOf } from "../../shell/problem.ts";
import { emptyVerify } from "../state/state.ts";
import type { Store } from "../state/store.ts";

/** Works out anew what a release costs, from the file alone. */
export class Verifier {
  constructor(
    private readonly store: Store,
    private readonly client: () => Client | null,
  ) {}

  async verify(file: File): Promise<void> {
    const client = this.client();
    if (!client) return;
    this.store.set({ verify: { ...emptyVerify, name: file.name, phase: "running" } });
    try {
      // The core reads the document strictly; until then it is a Release by name only.
      const release = (await readJSON(file, "release")) as Release;
      const answer = await client.reprice(release);
      this.store.set({
        verify: {
          name: /\.html?$/i.test(file.name) ? `The release in ${file.name}` : file.name,
          phase: "done",
          problem: null,
          release,
          answer,
        },
        announcement: answer.holds
          ? "The guarantee holds."
          : "The guarantee does not hold as written.",
      });
    } catch (error) {
      this.store.set({
        verify: { ...emptyVerify, name: file.name, phase: "failed", problem: problemOf(error) },
        announcement: "The release could not be checked.",
      });
    }
  }
}
