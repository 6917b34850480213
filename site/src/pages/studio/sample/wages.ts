import type { Table } from "./table.ts";

const trades = ["care", "retail", "industry", "administration", "software"] as const;
const contracts = ["permanent", "fixed term", "agency"] as const;

/** Employees who do not exist, and what they earn. */
export const wages: Table = {
  columns: [
    { name: "schooling", min: 8, max: 21, why: "years, by school law" },
    { name: "experience", min: 0, max: 45, why: "45 stands for more" },
    { name: "hours", min: 5, max: 60, why: "a week, by law" },
    { name: "sex", categories: ["female", "male"], why: "as on the form" },
    { name: "trade", categories: trades, why: "the trades that were asked" },
    { name: "contract", categories: contracts, why: "those the law knows" },
    { name: "region", categories: ["town", "country"], why: "by the postcode" },
  ],
  label: {
    name: "hourly_wage",
    min: 10,
    max: 50,
    digits: 2,
    why: "from the minimum wage on; 50 stands for more",
  },
  row(random) {
    const trade = random.pick([
      [trades[0], 22],
      [trades[1], 24],
      [trades[2], 24],
      [trades[3], 18],
      [trades[4], 12],
    ]);
    const long = { care: 12, retail: 11, industry: 11.5, administration: 13.5, software: 15.5 };
    const schooling = Math.round(Math.max(8, long[trade] + 1.9 * random.normal()));
    const experience = Math.floor(45 * random.uniform() ** 1.3);
    const sex = random.uniform() < (trade === "care" ? 0.75 : 0.45) ? "female" : "male";
    const hours = 38 - (random.uniform() < (sex === "female" ? 0.4 : 0.12) ? 16 : 0);
    const contract = random.pick([
      [contracts[0], 70 + experience],
      [contracts[1], 20],
      [contracts[2], 8],
    ]);
    const region = random.uniform() < 0.6 ? "town" : "country";
    const wage =
      9.5 +
      1.45 * (schooling - 8) +
      0.4 * experience +
      (sex === "male" ? 1 : 0) +
      { care: -1, retail: -2.5, industry: 0.5, administration: 0, software: 5 }[trade] -
      { permanent: 0, "fixed term": 2, agency: 4 }[contract] +
      (region === "town" ? 1.5 : 0) +
      2.5 * random.normal();
    return {
      schooling,
      experience,
      hours: hours + 3 * random.normal(),
      sex,
      trade,
      contract,
      region,
      hourly_wage: wage,
    };
  },
};
