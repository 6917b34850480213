// One text is one thing to every reader: changed documents are refused by the pages' reader with
// the core in WebAssembly exactly where a native program refuses them, and where both read one, the
// page shows what the program holds. wasm/api/two_readers_test.go changes them, and reads them
// natively. CLOISTER_AUDIT=long takes fifty times as many.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { CloisterError } from "../../src/client/types.ts";
import { parse } from "../../src/elements/my-privacy/documents.ts";
import { readJSON } from "../../src/pages/shell/json-file.ts";
import { opened } from "./made-up.ts";

interface Changed {
  readonly kind: "releases" | "schemas" | "cards" | "cells" | "reports";
  readonly name: string;
  readonly change: string;
  readonly of?: string;
  readonly text: string;
  /** As a native program holds it; none where it refuses. */
  readonly read?: unknown;
}

const top = fileURLToPath(new URL("../../../", import.meta.url));
const { client, folder } = await opened("two-readers");

/** One after the other: at length they are more than a string holds. */
async function* changed(): AsyncGenerator<Changed> {
  const path = join(folder, "changed.jsonl");
  execFileSync(
    "go",
    ["test", "-vet=off", "-ldflags=-s -w", "-count=1", "-run", "ReadForTheClient", "./wasm/api"],
    {
      cwd: top,
      env: { ...process.env, CLOISTER_TWO_READERS: path },
      stdio: "pipe",
    },
  );
  for await (const line of createInterface({
    input: createReadStream(path, "utf8"),
  }))
    yield JSON.parse(line) as Changed;
}

/** Asks the core to read a tree, for the cheapest answer that needs all of it. */
async function asked({ kind, of }: Changed, tree: unknown): Promise<void> {
  const own = tree as never;
  if (kind === "schemas") await client.checkSchema(own);
  else if (kind === "cards") await client.checkScorecard(own);
  else if (kind === "cells") await client.checkNoisyCells(own);
  else if (kind === "releases") await client.predict(own, []);
  else {
    const release = JSON.parse(
      readFileSync(join(top, "wasm/api/testdata/files/releases", of!), "utf8"),
    );
    await client.inspectReport(release, own);
  }
}

/** What a page holds of a document; undefined where it, or the core, refuses it. */
async function read(one: Changed): Promise<unknown> {
  try {
    const tree =
      one.kind === "reports"
        ? parse(one.text, "report", one.name)
        : await readJSON(new Blob([one.text]), one.kind === "schemas" ? "schema" : "release");
    await asked(one, tree);
    return tree;
  } catch (error) {
    assert.ok(error instanceof CloisterError, `${one.name}:${one.change}: ${String(error)}`);
    assert.match(error.code, /^(release|schema|report|parameter)$/, `${one.name}:${one.change}`);
    return undefined;
  }
}

/** Numbers of a report that are worked out anew, and may be others in their last digits. */
const workedOut = /^\.event\.parts\.\d+\.event\.(sensitivity|sigma)$/;

/**
 * Where a page shows what a program does not hold; what is left out may be a default. A program
 * writes a release, or a schema, in the oldest version that can say it: the text may have a newer.
 */
function otherwise(shown: unknown, held: unknown, path = ""): string[] {
  if (typeof shown === "number" && typeof held === "number" && workedOut.test(path))
    held = Math.abs(shown - held) <= 1e-9 * Math.abs(held) ? shown : held;
  if (/\.version$/.test(path) && Number(shown) > Number(held)) held = shown;
  // A report that is written out names the library that wrote it.
  if (path === ".library") return [];
  if (typeof shown !== "object" || shown === null)
    // −0 is 0, and 0 and false may be left out.
    return shown === held ||
      (shown === 0 && held === 0) ||
      ((shown === 0 || shown === false) && held === undefined)
      ? []
      : [`${path}: ${JSON.stringify(shown)} for ${JSON.stringify(held)}`];
  if (typeof held !== "object" || held === null || Array.isArray(shown) !== Array.isArray(held))
    return [`${path}: of another kind`];
  const short = Array.isArray(shown) && shown.length !== (held as unknown[]).length;
  return [
    ...(short ? [`${path}: of another length`] : []),
    ...Object.entries(shown).flatMap(([name, member]) =>
      otherwise(member, (held as Record<string, unknown>)[name], `${path}.${name}`),
    ),
  ];
}

test("one text is one thing to the page, to the core that it runs, and to a native program", async (t) => {
  const kinds = ["releases", "schemas", "cards", "cells", "reports"] as const;
  const counts = new Map(kinds.map((kind) => [kind, { unchanged: 0, both: 0, neither: 0 }]));
  for await (const one of changed()) {
    const shown = await read(one);
    const what = `${one.kind}/${one.name}:${one.change}`;
    const count = counts.get(one.kind)!;
    assert.equal(shown !== undefined, one.read !== undefined, `${what}: read by one alone`);
    if (shown === undefined) count.neither++;
    else {
      count[one.change === "" ? "unchanged" : "both"]++;
      assert.deepEqual(otherwise(shown, one.read), [], what);
      // Nothing of the text is lost: what a program holds besides is a default.
      assert.deepEqual(shown, JSON.parse(one.text), what);
    }
  }
  for (const [kind, { unchanged, both, neither }] of counts) {
    const said = `${kind}: ${unchanged} unchanged, ${both} read by both, ${neither} by neither`;
    t.diagnostic(said);
    assert.ok(unchanged > 0 && both > 0 && neither > 0, said);
  }
});
