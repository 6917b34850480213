// The engine against workers made of nothing, so that every death can be staged.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, WorkerReplaced } from "../../src/client/engine.ts";
import { CloisterError } from "../../src/client/error.ts";
import type { CallMessage, FromWorker, ToWorker } from "../../src/client/protocol.ts";

class StagedWorker {
  calls: CallMessage[] = [];
  terminated = false;
  isBusy = false;
  say!: (message: FromWorker) => void;
  die!: (reason: string) => void;

  post(message: ToWorker) {
    if (message.type === "call") this.calls.push(message);
  }
  listen(received: (message: unknown) => void, failed: (reason: string) => void) {
    this.say = received;
    this.die = failed;
  }
  busy(busy: boolean) {
    this.isBusy = busy;
  }
  terminate() {
    this.terminated = true;
  }
  last(): CallMessage {
    return this.calls.at(-1) as CallMessage;
  }
}

function staged() {
  const workers: StagedWorker[] = [];
  const engine = new Engine({} as WebAssembly.Module, "", () => {
    const worker = new StagedWorker();
    workers.push(worker);
    return worker;
  });
  return { engine, workers };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The worker numbered n, ready for calls. */
async function ready(workers: StagedWorker[], n = 0): Promise<StagedWorker> {
  await turn();
  const worker = workers[n];
  assert.ok(worker, `worker ${n} was started`);
  worker.say({ type: "ready" });
  return worker;
}

const failsWith = (code: string) => (error: unknown) =>
  error instanceof CloisterError && error.code === code;

test("no worker is started before it is needed, and calls wait until it is ready", async () => {
  const { engine, workers } = staged();
  await turn();
  assert.equal(workers.length, 0);
  const first = engine.call({ method: "a" });
  const second = engine.call({ method: "b" });
  await turn();
  assert.deepEqual(workers[0]?.calls, []);
  const worker = await ready(workers);
  assert.deepEqual(
    worker.calls.map((call) => call.method),
    ["a", "b"],
  );
  worker.say({ type: "reply", id: worker.calls[1]!.id, result: 2 });
  worker.say({ type: "reply", id: worker.calls[0]!.id, result: 1 });
  assert.deepEqual(await Promise.all([first, second]), [1, 2]);
  assert.equal(workers.length, 1);
  assert.equal(worker.isBusy, false);
});

test("an error keeps its code and its place", async () => {
  const { engine, workers } = staged();
  const call = engine.call({ method: "a" });
  const worker = await ready(workers);
  worker.say({
    type: "failure",
    id: worker.last().id,
    error: { code: "data", message: "No.", row: 3, column: "age" },
  });
  await assert.rejects(call, (error: CloisterError) => {
    assert.deepEqual(
      [error.code, error.message, error.row, error.column, error.field],
      ["data", "No.", 3, "age", undefined],
    );
    return true;
  });
  assert.equal(worker.terminated, false);
});

test("terminate rejects what is under way, and the next call finds a new worker", async () => {
  const { engine, workers } = staged();
  const calls = [engine.call({ method: "a" }), engine.call({ method: "b" })];
  const worker = await ready(workers);
  engine.terminate();
  for (const call of calls) await assert.rejects(call, failsWith("terminated"));
  assert.equal(worker.terminated, true);
  engine.terminate();

  const next = engine.call({ method: "c" });
  const another = await ready(workers, 1);
  another.say({ type: "reply", id: another.last().id, result: 3 });
  assert.equal(await next, 3);
  worker.die("too late");
  assert.equal(another.terminated, false);
});

test("terminate while the worker is being made ends it when it is there", async () => {
  const { engine, workers } = staged();
  const call = engine.call({ method: "a" });
  engine.terminate();
  await assert.rejects(call, failsWith("terminated"));
  await turn();
  assert.equal(workers[0]?.terminated, true);
});

test("aborting long work ends the worker; short work beside it is sent again", async () => {
  const { engine, workers } = staged();
  const control = new AbortController();
  const long = engine.call({ method: "fit", signal: control.signal, onAbort: "end-worker" });
  const short = engine.call({ method: "curve" });
  const resting = engine.call({ method: "append", epoch: engine.epoch });
  const worker = await ready(workers);
  control.abort("enough");
  await assert.rejects(
    long,
    (error: CloisterError) => error.code === "aborted" && error.cause === "enough",
  );
  await assert.rejects(resting, WorkerReplaced);
  assert.equal(worker.terminated, true);
  const another = await ready(workers, 1);
  assert.deepEqual(
    another.calls.map((call) => call.method),
    ["curve"],
  );
  another.say({ type: "reply", id: another.last().id, result: 4 });
  assert.equal(await short, 4);
});

test("aborting short work leaves the worker alone", async () => {
  const { engine, workers } = staged();
  const control = new AbortController();
  const call = engine.call({ method: "curve", signal: control.signal });
  const worker = await ready(workers);
  control.abort();
  await assert.rejects(call, failsWith("aborted"));
  assert.equal(worker.terminated, false);
  worker.say({ type: "reply", id: worker.last().id, result: 5 });
  await assert.rejects(
    engine.call({ method: "curve", signal: control.signal }),
    failsWith("aborted"),
  );
});

test("a signal that fires after the reply changes nothing", async () => {
  const { engine, workers } = staged();
  const control = new AbortController();
  const call = engine.call({ method: "fit", signal: control.signal, onAbort: "end-worker" });
  const worker = await ready(workers);
  worker.say({ type: "reply", id: worker.last().id, result: 6 });
  assert.equal(await call, 6);
  control.abort();
  assert.equal(worker.terminated, false);
});

test("a call that rests on a worker that is gone is told what became of it", async () => {
  const { engine, workers } = staged();
  const call = engine.call({ method: "a" });
  const { epoch } = engine;
  await ready(workers);
  engine.terminate();
  await assert.rejects(call, failsWith("terminated"));
  await assert.rejects(engine.call({ method: "fit", epoch }), failsWith("terminated"));

  const control = new AbortController();
  const long = engine.call({ method: "fit", signal: control.signal, onAbort: "end-worker" });
  const now = engine.epoch;
  await ready(workers, 1);
  control.abort();
  await assert.rejects(long, failsWith("aborted"));
  await assert.rejects(engine.call({ method: "fit", epoch: now }), WorkerReplaced);
});

for (const [what, stage, code] of [
  [
    "running out of memory",
    (w: StagedWorker) => w.say({ type: "exit", reason: "fatal error: runtime: out of memory" }),
    "out-of-memory",
  ],
  [
    "the end of the program",
    (w: StagedWorker) => w.say({ type: "exit", reason: "panic: index out of range" }),
    "crashed",
  ],
  ["the death of the worker", (w: StagedWorker) => w.die("the thread ended"), "crashed"],
  [
    "a panic that the program survived",
    (w: StagedWorker) =>
      w.say({
        type: "failure",
        id: w.last().id,
        error: { code: "internal", message: "Internal fault.", broken: true },
      }),
    "internal",
  ],
] as const) {
  test(`${what} rejects the call as ${code} and the next call works`, async () => {
    const { engine, workers } = staged();
    const call = engine.call({ method: "a" });
    const worker = await ready(workers);
    stage(worker);
    await assert.rejects(call, failsWith(code));
    assert.equal(worker.terminated, true);
    const next = engine.call({ method: "b" });
    const another = await ready(workers, 1);
    another.say({ type: "reply", id: another.last().id, result: "well" });
    assert.equal(await next, "well");
  });
}

test("a worker that cannot be made, or dies before it is ready, is a failure to load", async () => {
  const refusing = new Engine({} as WebAssembly.Module, "", () =>
    Promise.reject(new Error("no workers here")),
  );
  await assert.rejects(
    refusing.call({ method: "a" }),
    (error: CloisterError) => error.code === "load" && /no workers here/.test(error.message),
  );

  const { engine, workers } = staged();
  const call = engine.call({ method: "a" });
  await turn();
  workers[0]!.die("blocked by the policy");
  await assert.rejects(call, failsWith("load"));
});
