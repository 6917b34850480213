// A file and a schema for tests of the client: two features that say something about the label, and
// one that does not.

export const schema = {
  version: 1,
  features: [
    { name: "age", type: "numeric", min: 0, max: 100, provenance: "public" },
    { name: "dose", type: "numeric", min: 0, max: 10, missing: 5, provenance: "public" },
    {
      name: "ward",
      type: "categorical",
      categories: ["A", "B", "C"],
      unknown: "zero",
      missing: "drop",
      provenance: "public",
    },
  ],
  label: { name: "sick", negative: ["no"], positive: ["yes"], provenance: "public" },
  rows: { norm: "unit" },
  intercept: 1,
};

/** The sample as CSV: the same on every call. */
export function csv(rows = 2000) {
  const lines = ["age,dose,ward,sick"];
  let state = 1;
  const next = (n) => (state = (state * 48271) % 2147483647) % n;
  for (let i = 0; i < rows; i++) {
    const age = next(101);
    const dose = next(101) / 10;
    const ward = "ABC"[next(3)];
    const sick = age + 4 * dose + next(60) > 100 ? "yes" : "no";
    lines.push(`${age},${dose},${ward},${sick}`);
  }
  return `${lines.join("\n")}\n`;
}
