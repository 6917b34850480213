// Real tables to test on, and the Adult census table among them, where they are present.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder =
  process.env.CLOISTER_DATA ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));

/** The path of a file there. */
export const shared = (name) => join(folder, name);

/** The two parts of Adult. */
export const adult = ["adult.train.csv", "adult.test.csv"].map(shared);

/** Why a test of it is skipped; false if it need not be. */
export const withoutAdult = adult.every(existsSync) ? false : `${adult[0]} is not there`;
