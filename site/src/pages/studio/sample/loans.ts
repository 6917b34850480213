import type { Table } from "./table.ts";

const housing = ["owner", "mortgage", "tenant"] as const;
const purposes = ["car", "household", "studies", "other debts"] as const;

/** Loans that no bank ever gave. */
export const loans: Table = {
  columns: [
    { name: "age", min: 18, max: 90, why: "from 18, by law" },
    { name: "income", min: 5000, max: 300_000, log: true, why: "a year; the form’s limits" },
    { name: "amount", min: 1000, max: 60_000, log: true, why: "the bank’s terms" },
    { name: "months", min: 6, max: 84, why: "the bank’s terms" },
    { name: "purpose", categories: purposes, why: "as on the form" },
    { name: "housing", categories: housing, why: "as on the form" },
    { name: "years_employed", min: 0, max: 40, why: "40 stands for more" },
    { name: "late_payments", min: 0, max: 8, why: "8 stands for more" },
  ],
  label: { name: "defaulted", negative: "no", positive: "yes", why: "by the law’s definition" },
  row(random) {
    const age = Math.min(90, Math.max(18, 43 + 14 * random.normal()));
    const years = Math.min(Math.max(0, age - 19), Math.exp(1.6 + 0.9 * random.normal()));
    const income = Math.exp(10.4 + 0.012 * Math.min(20, years) + 0.45 * random.normal());
    const purpose = random.pick([
      [purposes[0], 34],
      [purposes[1], 28],
      [purposes[2], 12],
      [purposes[3], 26],
    ]);
    const home = random.pick([
      [housing[0], age > 50 ? 40 : 10],
      [housing[1], age > 30 ? 35 : 12],
      [housing[2], 45],
    ]);
    const amount = Math.exp(9.1 + 0.3 * (Math.log(income) - 10.4) + 0.7 * random.normal());
    const months = 6 * Math.round(1 + 13 * random.uniform());
    const late = Math.floor(Math.max(0, 0.4 + (home === "tenant" ? 0.3 : 0) + random.normal()));
    const score =
      -1.7 +
      1.15 * late +
      1.7 * (Math.log(amount / income) + 1.3) +
      0.025 * (months - 45) -
      0.06 * Math.min(15, years) +
      { owner: -0.5, mortgage: -0.2, tenant: 0.3 }[home] +
      { car: -0.2, household: 0, studies: 0.2, "other debts": 0.7 }[purpose];
    return {
      age,
      income: Math.round(income / 100) * 100,
      amount: Math.round(amount / 500) * 500,
      months,
      purpose,
      housing: home,
      years_employed: Math.floor(years),
      late_payments: late,
      defaulted: random.chance(score) ? "yes" : "no",
    };
  },
};
