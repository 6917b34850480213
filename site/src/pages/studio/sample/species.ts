import type { Table } from "./table.ts";

const kinds = ["Adelie", "Chinstrap", "Gentoo"] as const;

/** Their means, and by how much males are larger; not from any real bird. */
const build = {
  Adelie: { bill: [38.5, 3], depth: [18.3, 1.4], flipper: 190, mass: [3700, 600] },
  Chinstrap: { bill: [48.5, 4], depth: [18.4, 1.6], flipper: 196, mass: [3750, 450] },
  Gentoo: { bill: [47.5, 4], depth: [15, 1.4], flipper: 217, mass: [5050, 750] },
} as const;

/** Penguins that nobody ever measured. A row is a bird here, and no person. */
export const species: Table = {
  columns: [
    { name: "bill_length", min: 25, max: 65, digits: 1, why: "mm, a field guide" },
    { name: "bill_depth", min: 10, max: 25, digits: 1, why: "mm, a field guide" },
    { name: "flipper_length", min: 150, max: 250, why: "mm of the ruler" },
    { name: "body_mass", min: 2000, max: 8000, why: "g of the balance" },
    { name: "sex", categories: ["female", "male"], why: "as on the form" },
  ],
  label: { name: "species", classes: kinds, why: "those that a field guide has for the island" },
  row(random) {
    const kind = random.pick([
      [kinds[0], 42],
      [kinds[1], 24],
      [kinds[2], 34],
    ]);
    const sex = random.uniform() < 0.5 ? "female" : "male";
    const { bill, depth, flipper, mass } = build[kind];
    // Half of the difference between the sexes to either side; and large birds are large all over.
    const side = sex === "male" ? 0.5 : -0.5;
    const size = random.normal();
    return {
      bill_length: bill[0] + side * bill[1] + 0.8 * size + 1.9 * random.normal(),
      bill_depth: depth[0] + side * depth[1] + 0.3 * size + 0.7 * random.normal(),
      flipper_length: flipper + side * 7 + 2.5 * size + 4.5 * random.normal(),
      body_mass: 25 * Math.round((mass[0] + side * mass[1] + 180 * (size + random.normal())) / 25),
      sex,
      species: kind,
    };
  },
};
