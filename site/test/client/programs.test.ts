// Each WebAssembly program answers what the table says, and its client's type offers nothing else.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import workerScript from "cloister:worker";
import { AccountantClient } from "../../src/client/accountant.ts";
import { CloisterClient } from "../../src/client/client.ts";
import { Engine } from "../../src/client/engine.ts";
import { CloisterError } from "../../src/client/error.ts";
import { LaboratoryClient } from "../../src/client/laboratory.ts";
import { threadWorker } from "../../src/client/thread-worker.ts";
import type {
  Accountant,
  Client,
  Dataset,
  FitOptions,
  Laboratory,
} from "../../src/client/types.ts";
import { binaries } from "../../src/client/wire/calls.ts";

const every: string[] = [
  ...new Set(Object.values(binaries).flatMap(({ methods }) => [...methods])),
];
const engines: Engine[] = [];
after(() => engines.forEach((engine) => engine.terminate()));

async function engineOf(file: string): Promise<Engine> {
  const bytes = await readFile(
    fileURLToPath(new URL(`../../../site/dist/${file}`, import.meta.url)),
  );
  const engine = new Engine(
    await WebAssembly.compile(new Uint8Array(bytes)),
    workerScript,
    threadWorker,
  );
  engines.push(engine);
  return engine;
}

for (const [name, { file, methods }] of Object.entries(binaries)) {
  test(`${name} answers its methods, and no other program's`, async () => {
    const engine = await engineOf(file);
    for (const method of every) {
      // Asked for nothing, a method is done at once or says what is missing.
      const error = await engine.call({ method, params: {} }).then(
        () => undefined,
        (error: unknown) => error as CloisterError,
      );
      const unknown = error?.field === "method" && /has no method/.test(error.message);
      assert.equal(
        unknown,
        !(methods as readonly string[]).includes(method),
        `${method}: ${error?.message}`,
      );
      assert.notEqual(error?.code, "internal", `${method}: ${error?.message}`);
    }
  });
}

/** What a class's objects can be asked. */
const offered = (...classes: (new (engine: Engine) => unknown)[]) =>
  new Set(
    classes
      .flatMap((one) => Object.getOwnPropertyNames(one.prototype))
      .filter((name) => name !== "constructor" && name !== "ask"),
  );

test("a client of a smaller program has no method that the program lacks", () => {
  const accountant: (keyof Accountant)[] = [
    "start",
    "calibrate",
    "account",
    "estimate",
    "check",
    "solve",
    "afford",
    "curve",
    "beside",
    "worst",
    "terminate",
  ];
  assert.deepEqual(offered(AccountantClient), new Set<string>(accountant));
  const laboratory: (keyof Laboratory)[] = [
    "start",
    "openDataset",
    "suggestSchema",
    "checkSchema",
    "laboratory",
    "experiment",
    "beside",
    "terminate",
  ];
  assert.deepEqual(offered(LaboratoryClient), new Set<string>(laboratory));
  assert.ok(offered(AccountantClient, CloisterClient).has("fit"));
});

// What follows is for the compiler: it is never run, and each of the marked lines must be an error.
export function refusedByTheCompiler(
  accountant: Accountant,
  laboratory: Laboratory,
  client: Client,
  dataset: Dataset,
  options: FitOptions,
): unknown[] {
  return [
    // @ts-expect-error an accountant fits nothing
    accountant.fit(dataset, options),
    // @ts-expect-error nor does it read files
    accountant.openDataset("a,b\n1,2", ""),
    // @ts-expect-error nor has it room for odometers
    accountant.odometer({ adjacency: "add-remove", delta: 1e-5, charged: [] }),
    accountant.calibrate({
      adjacency: "add-remove",
      epsilon: 1,
      delta: 1e-5,
      // @ts-expect-error it calibrates by R and d, not by a schema
      schema: dataset.schema,
    }),
    // @ts-expect-error a laboratory makes no releases
    laboratory.fit(dataset, options),
    // @ts-expect-error nor does it price
    laboratory.account({
      event: { mechanism: "zcdp", adjacency: "add-remove", rho: 1 },
      delta: 1e-5,
    }),
    // @ts-expect-error the whole core has no laboratory
    client.experiment({ sets: [], methods: [], epsilons: [] }),
    // @ts-expect-error a method that there is not
    client.fit(dataset, { ...options, method: "magic" }),
    client.fit(dataset, options),
    client.account({ event: { mechanism: "zcdp", adjacency: "add-remove", rho: 1 }, delta: 1e-5 }),
  ];
}
