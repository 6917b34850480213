// The sample that the page opens on: hospital stays that never happened, from a seeded generator. Its schema is public by
// construction, since the generator's own limits are written here and no row is needed to know them.

import type { Schema } from "../client/types.ts";
import { seeded } from "./seeded.ts";

export const sampleName = "synthetic-stays.csv";
export const sampleRows = 12_000;

const wards = ["medicine", "surgery", "cardiology", "respiratory", "geriatrics"] as const;
const destinations = ["home", "home with care", "nursing home"] as const;
const smoking = ["never", "former", "current"] as const;

export const sampleSchema: Schema = {
  version: 1,
  features: [
    { name: "age", type: "numeric", min: 18, max: 105, provenance: "public" },
    { name: "sex", type: "categorical", categories: ["female", "male"], provenance: "public" },
    { name: "smoking", type: "categorical", categories: [...smoking], provenance: "public" },
    { name: "systolic", type: "numeric", min: 70, max: 250, provenance: "public" },
    { name: "bmi", type: "numeric", min: 12, max: 70, provenance: "public" },
    { name: "creatinine", type: "numeric", min: 20, max: 1500, log: true, provenance: "public" },
    { name: "stays_last_year", type: "numeric", min: 0, max: 12, provenance: "public" },
    { name: "ward", type: "categorical", categories: [...wards], provenance: "public" },
    { name: "discharged_to", type: "categorical", categories: [...destinations], provenance: "public" },
  ],
  label: { name: "readmitted", negative: ["no"], positive: ["yes"], provenance: "public" },
  rows: { norm: "clip" },
  intercept: 0.5,
};

/** For rows of the same kind that are not in the sample. */
export const heldOutSeed = 2025;

/** The sample as pieces of CSV text, about a thousand rows each, so that a caller can breathe between them. The same rows each time. */
export function* sampleCSV(rows: number = sampleRows, seed = 2024): Generator<string> {
  const random = seeded(seed);
  let lines = ["age,sex,smoking,systolic,bmi,creatinine,stays_last_year,ward,discharged_to,readmitted"];
  for (let i = 1; i <= rows; i++) {
    lines.push(stay(random));
    if (i % 1000 === 0 || i === rows) {
      yield `${lines.join("\r\n")}\r\n`;
      lines = [];
    }
  }
}

function stay(random: ReturnType<typeof seeded>): string {
  const within = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x));
  const ward = random.pick([
    [wards[0], 34],
    [wards[1], 26],
    [wards[2], 16],
    [wards[3], 12],
    [wards[4], 12],
  ]);
  const old = ward === "geriatrics";
  const age = Math.round(within((old ? 80 : 58) + (old ? 7 : 17) * random.normal(), 18, 105));
  const sex = random.uniform() < 0.52 ? "female" : "male";
  const smoker = random.pick([
    [smoking[0], 52],
    [smoking[1], ward === "respiratory" ? 40 : 28],
    [smoking[2], ward === "respiratory" ? 34 : 18],
  ]);
  const systolic = Math.round(within(128 + 0.22 * (age - 58) + 17 * random.normal(), 70, 250));
  const bmi = within(27 + 4.8 * random.normal(), 12, 70);
  const creatinine = Math.round(within(Math.exp(4.38 + 0.006 * (age - 58) + 0.34 * random.normal()), 20, 1500));
  const burden = 1.1 + 0.012 * (age - 58) + (ward === "cardiology" ? 0.35 : 0) + (ward === "respiratory" ? 0.55 : 0);
  const stays = Math.min(12, Math.max(0, Math.floor(burden + 1.4 * random.normal())));
  const destination = random.pick([
    [destinations[0], age > 80 ? 40 : 78],
    [destinations[1], age > 80 ? 34 : 16],
    [destinations[2], age > 80 ? 26 : 6],
  ]);
  const score =
    -2.75 +
    0.024 * (age - 58) +
    0.62 * stays +
    1.1 * (Math.log(creatinine) - 4.38) +
    (smoker === "current" ? 0.65 : smoker === "former" ? 0.2 : 0) +
    { medicine: 0.75, surgery: 0, cardiology: 1.15, respiratory: 1.35, geriatrics: 0.9 }[ward] +
    { home: 0, "home with care": 0.9, "nursing home": 1.5 }[destination] +
    0.05 * Math.max(0, bmi - 32);
  const readmitted = random.uniform() < 1 / (1 + Math.exp(-score)) ? "yes" : "no";
  return [age, sex, smoker, systolic, bmi.toFixed(1), creatinine, stays, ward, destination, readmitted].join(",");
}
