import type { Table } from "./table.ts";

const wards = ["medicine", "surgery", "cardiology", "respiratory", "geriatrics"] as const;
const destinations = ["home", "home with care", "nursing home"] as const;
const smoking = ["never", "former", "current"] as const;

/** Hospital stays that never happened. */
export const stays: Table = {
  columns: [
    { name: "age", min: 18, max: 105, why: "adults only" },
    { name: "sex", categories: ["female", "male"], why: "as on the form" },
    { name: "smoking", categories: smoking, why: "as on the form" },
    { name: "systolic", min: 70, max: 250, why: "mmHg, the cuff" },
    { name: "bmi", min: 12, max: 70, digits: 1, why: "kg/m², the form" },
    {
      name: "creatinine",
      min: 20,
      max: 1500,
      log: true,
      why: "µmol/l, the lab’s",
    },
    { name: "stays_last_year", min: 0, max: 12, why: "12 stands for more" },
    { name: "ward", categories: wards, why: "the hospital’s web page" },
    { name: "discharged_to", categories: destinations, why: "as on the form" },
  ],
  label: {
    name: "readmitted",
    negative: "no",
    positive: "yes",
    why: "the study’s question",
  },
  row(random) {
    const ward = random.pick([
      [wards[0], 34],
      [wards[1], 26],
      [wards[2], 16],
      [wards[3], 12],
      [wards[4], 12],
    ]);
    const old = ward === "geriatrics";
    const age = Math.min(
      105,
      Math.max(18, Math.round((old ? 80 : 58) + (old ? 7 : 17) * random.normal())),
    );
    const sex = random.uniform() < 0.52 ? "female" : "male";
    const smoker = random.pick([
      [smoking[0], 52],
      [smoking[1], ward === "respiratory" ? 40 : 28],
      [smoking[2], ward === "respiratory" ? 34 : 18],
    ]);
    const systolic = 128 + 0.22 * (age - 58) + 17 * random.normal();
    const bmi = 27 + 4.8 * random.normal();
    const creatinine = Math.exp(4.38 + 0.006 * (age - 58) + 0.34 * random.normal());
    const burden =
      1.1 +
      0.012 * (age - 58) +
      (ward === "cardiology" ? 0.35 : 0) +
      (ward === "respiratory" ? 0.55 : 0);
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
      { never: 0, former: 0.2, current: 0.65 }[smoker] +
      { medicine: 0.75, surgery: 0, cardiology: 1.15, respiratory: 1.35, geriatrics: 0.9 }[ward] +
      { home: 0, "home with care": 0.9, "nursing home": 1.5 }[destination] +
      0.05 * Math.max(0, bmi - 32);
    return {
      age,
      sex,
      smoking: smoker,
      systolic,
      bmi,
      creatinine,
      stays_last_year: stays,
      ward,
      discharged_to: destination,
      readmitted: random.chance(score) ? "yes" : "no",
    };
  },
};
