// The Adult census table, where it is present.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.env.CLOISTER_DATA ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));

/** Its two parts. */
export const adult = ["adult.train.csv", "adult.test.csv"].map((name) => join(folder, name));

/** Why a test of it is skipped; false if it need not be. */
export const withoutAdult = adult.every(existsSync) ? false : `${adult[0]} is not there`;
