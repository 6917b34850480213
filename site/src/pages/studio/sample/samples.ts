// The made-up tables that the first step offers, as it speaks of them. How each is made is fetched
// later, with ./tables.ts.

export interface SampleFacts {
  readonly title: string;
  /** What its rows are, many of them; after "made-up". */
  readonly noun: string;
  /** What it holds and what is asked of it, in a sentence. */
  readonly about: string;
  readonly rows: number;
  /** With the one that is predicted. */
  readonly columns: number;
  /** The column that is predicted, and what it can be. */
  readonly predicts: readonly [column: string, what: string];
}

/** In the order of the gallery. A name is part of an address: once used, it stays. */
export const samples = {
  stays: {
    title: "Hospital stays",
    noun: "hospital stays",
    about: "Patients with their age, ward and blood values: who is back within 30 days?",
    rows: 12_000,
    columns: 10,
    predicts: ["readmitted", "yes or no"],
  },
  loans: {
    title: "Loan defaults",
    noun: "loans",
    about: "Loans with the borrower’s income and earlier arrears: who stops paying?",
    rows: 12_000,
    columns: 9,
    predicts: ["defaulted", "yes or no"],
  },
  species: {
    title: "Penguin species",
    noun: "penguins",
    about: "Penguins with their bill, flipper and weight: which of three species is each?",
    rows: 4_000,
    columns: 6,
    predicts: ["species", "one of three"],
  },
  wages: {
    title: "Wages",
    noun: "employees",
    about: "Employees with their schooling and experience: what do they earn an hour?",
    rows: 12_000,
    columns: 8,
    predicts: ["hourly_wage", "a number"],
  },
} as const satisfies Readonly<Record<string, SampleFacts>>;

export type SampleName = keyof typeof samples;

export const sampleNames = Object.keys(samples) as readonly SampleName[];

/** The one that the page opens on, where its address names none. */
export const firstSample: SampleName = "stays";

/** "made-up hospital stays". */
export const sampleWords = (name: SampleName): string => `made-up ${samples[name].noun}`;
