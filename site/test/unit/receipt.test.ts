// What the receipt says, open and closed.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Client } from "../../src/client/types.ts";
import * as later from "../../src/pages/studio/later.ts";
import { receipt } from "../../src/pages/studio/receipt.ts";
import { Studio } from "../../src/pages/studio/studio.ts";

// The theme is all that the studio asks of the page by itself.
Object.assign(globalThis, { document: { documentElement: { dataset: { theme: "light" } } } });

/** All text of a template. */
function text(part: unknown): string {
  if (Array.isArray(part)) return part.map(text).join("");
  if (typeof part !== "object" || part === null) return typeof part === "string" ? part : "";
  const { strings, values } = part as { strings?: readonly string[]; values?: unknown[] };
  return (strings ?? []).map((one, i) => one + text(values?.[i])).join("");
}

/** The line of the closed receipt, and what the open one says is left, after a purchase. */
async function said(total: number, spent: number, closes: boolean): Promise<[string, string]> {
  const client = {
    start: async () => ({ library: "0" }),
    checkSchema: async (schema: unknown) => ({ schema, dimension: 1, rowNorm: 1 }),
    calibrate: async () => ({}),
  };
  const studio = new Studio(
    { load: async () => client as unknown as Client, later: async () => later, seal: () => {} },
    () => {},
  );
  await studio.begin();
  studio.store.set({
    source: { ...studio.state.source!, kind: "file" },
    fileAccount: {
      ...studio.state.fileAccount,
      phase: "open",
      account: {
        budget: { epsilon: total, delta: 1e-5, adjacency: "add-remove" },
        ...{ spent: 0.25, left: total - 0.25, charges: [] },
      } as never,
      quote: { answer: { affords: true, spent, closes } as never, fits: null },
    },
  });
  const all = text(receipt(studio));
  const [, closed] = /receipt-short">[^<]*leaves ([^<]*) of/.exec(all) ?? [];
  const [, open] = /Left afterwards[^]*?ε = ([^<]*)</.exec(all) ?? [];
  assert.ok(closed !== undefined && open !== undefined, all);
  return [closed, open];
}

test("the closed receipt says what the open one says is left, and never more than there is", async () => {
  for (const [total, spent, closes, left] of [
    [1, 1 - 2.19e-7, true, "0"],
    [1, 1, true, "0"],
    [1, 0.50049, false, "0.499"],
    [3, 1.0001, false, "1.99"],
    [1, 1.000001, false, "0"],
  ] as const)
    assert.deepEqual(await said(total, spent, closes), [left, left], `${spent} of ${total}`);
});
