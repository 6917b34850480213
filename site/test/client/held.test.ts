// A file that a worker made of nothing holds, for a ledger of an earlier version, which knows
// files by another digest: so its worker can be replaced at every moment.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "../../src/client/engine.ts";
import { CloisterError } from "../../src/client/error.ts";
import { ContentHandle } from "../../src/client/held.ts";
import type { CallMessage, FromWorker, ToWorker } from "../../src/client/protocol.ts";

/** Workers that read, and whose ledger asks for the earlier digest of each file once. */
function staged(meanwhile: (call: CallMessage, worker: number, engine: Engine) => void) {
  const asked: string[] = [];
  let workers = 0;
  let lastNumber = 10;
  const engine = new Engine({} as WebAssembly.Module, "", () => {
    const worker = workers++;
    let say!: (message: FromWorker) => void;
    const of = new Map<number, number | undefined>();
    const whole = new Set<number>();
    const reply = ({ id, method, params }: CallMessage): FromWorker => {
      const { dataset, reading, ...opening } = params as Record<string, number>;
      const result = (value: unknown): FromWorker => ({ type: "reply", id, result: value });
      switch (method) {
        case "ledger.find":
          asked.push(`${worker}: find ${dataset}`);
          if (whole.has(dataset!)) return result({ account: `of ${dataset}` });
          return {
            type: "failure",
            id,
            error: { code: "dataset-lost", field: "whole", message: "Read it again." },
          };
        case "read.open":
          asked.push(`${worker}: read ${opening["of"] ?? "anew"}`);
          of.set(++lastNumber, opening["of"]);
          return result({ reading: lastNumber });
        case "read.append":
          return result({ rows: 0 });
        case "read.finish": {
          const number = of.get(reading!) ?? ++lastNumber;
          if (of.get(reading!) !== undefined) whole.add(number);
          return result({ content: number });
        }
        default:
          return result({});
      }
    };
    return {
      post(message: ToWorker) {
        if (message.type === "start") return void setImmediate(() => say({ type: "ready" }));
        if (message.method === "long") return;
        setImmediate(() => {
          say(reply(message));
          meanwhile(message, worker, engine);
        });
      },
      listen: (received: (message: unknown) => void) => (say = received),
      terminate() {},
    };
  });
  const handle = new ContentHandle(engine, "a,b\n1,2\n", { id: 1, epoch: 0 }, {});
  const find = () =>
    handle.use({}, (id, epoch) =>
      engine.call({ method: "ledger.find", params: { dataset: id }, epoch }),
    );
  return { engine, asked, find };
}

/** Ends the worker as an abort of long work does. */
async function replaced(engine: Engine): Promise<void> {
  const control = new AbortController();
  const long = engine.call({ method: "long", signal: control.signal, onAbort: "end-worker" });
  control.abort();
  await assert.rejects(long, (error: CloisterError) => error.code === "aborted");
}

// Where the worker goes: as the ledger has asked, and at each step of what is read again for it.
for (const step of ["ledger.find", "read.open", "read.part", "read.append"])
  test(`the earlier digest is taken though the worker is replaced after ${step}`, async () => {
    const gone: Promise<void>[] = [];
    const { asked, find } = staged((call, worker, engine) => {
      if (worker === 0 && call.method === step && gone.length === 0) gone.push(replaced(engine));
    });
    const found = await find();
    await Promise.all(gone);
    const number = Number(/(\d+)$/.exec(asked.at(-1)!)![1]);
    assert.notEqual(number, 1);
    assert.deepEqual(found, { account: `of ${number}` });
    assert.deepEqual(asked, [
      "0: find 1",
      ...(step === "ledger.find" ? [] : ["0: read 1"]),
      "1: read anew",
      `1: find ${number}`,
      `1: read ${number}`,
      `1: find ${number}`,
    ]);
  });

test("two calls at once both have the earlier digest taken, and go on", async () => {
  const { asked, find } = staged(() => {});
  assert.deepEqual(await Promise.all([find(), find()]), [{ account: "of 1" }, { account: "of 1" }]);
  assert.deepEqual(asked.toSorted(), [
    ...Array.from({ length: 4 }, () => "0: find 1"),
    "0: read 1",
    "0: read 1",
  ]);
});
