// The model that the documentation's programs and documents are about.

import type { Client, Release, Schema } from "../../src/client/types.ts";

const schema: Schema = {
  version: 1,
  features: [
    { name: "age", type: "numeric", min: 0, max: 120, provenance: "public" },
    {
      name: "ward",
      type: "categorical",
      categories: ["medicine", "surgery"],
      provenance: "public",
    },
  ],
  label: { name: "readmitted", negative: ["no"], positive: ["yes"], provenance: "public" },
  rows: { norm: "clip" },
  intercept: 0.5,
};

/** A release of it, fitted to 2,000 made-up people. */
export async function readmitted(client: Client): Promise<Release> {
  let csv = "age,ward,readmitted\n";
  for (let i = 0; i < 2000; i++) {
    const age = 20 + (i % 70);
    csv += `${age},${i % 3 ? "medicine" : "surgery"},${(i * 7919) % 100 < age ? "yes" : "no"}\n`;
  }
  const dataset = await client.openDataset(csv, schema);
  const { release } = await client.fit(dataset, {
    adjacency: "add-remove",
    epsilon: 1,
    delta: 1e-5,
  });
  await dataset.close();
  return release;
}
