// The client and the worker's own script through every order in which messages come, locks are had
// and a worker dies; see watch.ts for what has to hold.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import workerScript from "cloister:worker";
import { blobWorker } from "../../src/client/blob-worker.ts";
import { Engine } from "../../src/client/engine.ts";
import { joined } from "../../src/client/joined.ts";

type Listener = (event: { data: unknown }) => void;
type Answered = (result: unknown, error?: unknown) => void;
type Handle = (method: string, params: Record<string, unknown>, reply: Answered) => void;

/** Lets all that follows of itself from the last event come about. */
const settled = () => new Promise((then) => setImmediate(then));

/**
 * A page, its workers and what is between them, in which nothing happens but what
 * is chosen: each step takes the first message out of a channel, gives away a lock,
 * ends the second worker (with or without what it said last), or lets time pass.
 */
class World {
  locksRefused = false;
  /** What could happen next, by name. */
  readonly events = new Map<string, () => void>();
  /**
   * What has happened to whom, in order: the same for all of them is the same state of the world.
   */
  readonly history: Record<string, string[]> = {};
  readonly workers: FakeWorker[] = [];
  readonly locks = new Map<string, { owner: string; has: boolean; had: () => unknown }[]>();
  /** Of the second worker: requests that it answered while the page did not ask for its lock. */
  unseen = 0;
  readonly clocks = new Map<object, () => void>();

  /** An event of somebody's, that is chosen by its name. */
  may(name: string, whose: string, happens: () => void): void {
    this.events.set(name, () => {
      this.events.delete(name);
      (this.history[whose] ??= []).push(name);
      happens();
    });
  }

  /** A line of messages, which come in order. */
  line(
    name: string,
    whose: string,
    comes: (data: unknown) => void,
  ): { send: (data: unknown) => void; cut: () => void; lines: unknown[] } {
    const lines: unknown[] = [];
    const next = () => {
      if (lines.length > 0) this.may(name, whose, () => (comes(lines.shift()), next()));
    };
    return {
      lines,
      send: (data) => (lines.push(data), next()),
      cut: () => ((lines.length = 0), void this.events.delete(name)),
    };
  }

  lockManager(owner: string) {
    return {
      request: (name: string, had: () => unknown) => {
        if (this.locksRefused) return Promise.reject(new Error("SecurityError"));
        return new Promise((resolve) => {
          this.locks.set(name, [
            ...(this.locks.get(name) ?? []),
            { owner, has: false, had: () => resolve(had()) },
          ]);
          this.grant(name);
        });
      },
    };
  }

  /** The first in the line of a lock may have it. */
  grant(lock: string): void {
    const [first] = this.locks.get(lock) ?? [];
    const name = `lock ${[...this.locks.keys()].indexOf(lock)} had`;
    this.events.delete(name);
    if (first && !first.has) this.may(name, first.owner, () => ((first.has = true), first.had()));
  }

  /**
   * All that somebody had is had by the next, all that it waited for is not waited for any more.
   */
  end(owner: string): void {
    for (const [lock, line] of this.locks) {
      this.locks.set(
        lock,
        line.filter((one) => one.owner !== owner),
      );
      this.grant(lock);
    }
  }
}

let world: World;

class FakePort {
  other!: FakePort;
  closed = false;
  received: unknown[] = [];
  readonly line: ReturnType<World["line"]>;
  #listener: Listener | undefined;
  constructor(name: string, whose: string) {
    this.line = world.line(name, whose, (data) => this.#listener?.({ data }));
  }
  postMessage(data: unknown) {
    if (this.other.closed) return;
    if (this.other.#listener) this.other.line.send(data);
    else this.other.received.push(data);
  }
  set onmessage(listener: Listener) {
    this.#listener = listener;
    for (const data of this.received.splice(0)) this.line.send(data);
  }
  set onmessageerror(_: unknown) {
    this.onmessage = this.#listener ?? (() => {});
  }
}

/** What the worker's script has of its surroundings; the rest is Node's. */
const names = [
  "globalThis",
  "navigator",
  "postMessage",
  "addEventListener",
  "setTimeout",
  "WebAssembly",
];
const script = new Function(...names, workerScript);

/** The first worker asks the second twice, one after the other; each answers at once. */
const program =
  (context: {
    cloisterAsk(worker: number, method: string, params: object, reply: Answered): void;
  }): Handle =>
  (method, params, reply) => {
    if (method === "fit") {
      const worker = (params.workers as number[])[0] as number;
      const ask = (left: number, answered: number) => {
        if (left === 0) return reply({ answered });
        context.cloisterAsk(worker, "sums", {}, (_, error) =>
          error ? reply({ answered, lost: true }) : ask(left - 1, answered + 1),
        );
      };
      return ask(2, 0);
    }
    if (method === "sums") {
      const line = [...world.locks.values()].find((line) => line[0]?.owner === "second");
      if (!line?.some(({ owner }) => owner === "page")) world.unseen++;
    }
    return reply({});
  };

class FakeWorker {
  onmessage: Listener | undefined;
  readonly name = world.workers.length === 0 ? "first" : "second";
  readonly inbox: ReturnType<World["line"]>;
  readonly outbox = world.line(`${this.name} to page`, "page", (data) =>
    this.onmessage?.({ data }),
  );
  dead = false;

  constructor(sources: string[]) {
    world.workers.push(this);
    let listener: Listener = () => {};
    this.inbox = world.line(
      `page to ${this.name}`,
      this.name,
      (data) => this.dead || listener({ data }),
    );
    const context: Record<string, unknown> = {
      navigator: { locks: world.lockManager(this.name) },
      postMessage: (data: unknown) => this.dead || this.outbox.send(data),
      addEventListener: (_: string, given: Listener) => (listener = given),
      setTimeout: (then: (...given: unknown[]) => void, _: number, ...given: unknown[]) =>
        queueMicrotask(() => then(...given)),
      WebAssembly: {
        instantiate: async () => ({ exports: {} }),
        Module: { customSections: () => [], imports: () => [] }, // no kernel
      },
      performance,
      crypto,
      TextEncoder,
      TextDecoder,
    };
    const [prelude = "", own] = sources;
    assert.equal(own, workerScript);
    for (const run of [new Function(...names, prelude), script])
      run(...names.map((name) => (name === "globalThis" ? context : context[name])));
    context.Go = class {
      run() {
        (context.cloisterReady as (handle: Handle) => void)(program(context as never));
        return new Promise(() => {});
      }
    };
  }
  postMessage(data: unknown) {
    if (!this.dead) this.inbox.send(data);
  }
  /** What it said last may be lost with it. */
  die(silent: boolean) {
    this.dead = true;
    this.inbox.cut();
    if (silent) {
      this.outbox.cut();
      ports[0]?.line.cut();
    }
    if (ports[1]) ports[1].closed = true;
    ports[1]?.line.cut();
    world.end(this.name);
  }
  terminate() {
    if (!this.dead) this.die(true);
    this.onmessage = undefined;
  }
}

let ports: FakePort[] = [];

beforeEach(() => {
  Object.defineProperty(globalThis, "navigator", {
    configurable: true,
    value: {
      get locks() {
        return world.lockManager("page");
      },
    },
  });
  Object.assign(globalThis, {
    document: { addEventListener() {}, removeEventListener() {} },
    Worker: FakeWorker,
    MessageChannel: class {
      port1 = new FakePort("second to first", "first");
      port2 = new FakePort("first to second", "second");
      constructor() {
        ports = [this.port1, this.port2];
        [this.port1.other, this.port2.other] = [this.port2, this.port1];
      }
    },
    Blob: class {
      constructor(readonly parts: string[]) {}
    },
    setTimeout: (then: () => void) => {
      const clock = {};
      world.clocks.set(clock, then);
      return clock;
    },
    clearTimeout: (clock: object) => world.clocks.delete(clock),
  });
  URL.createObjectURL = ((blob: { parts: string[] }) => blob.parts) as never;
  URL.revokeObjectURL = () => {};
});

/** Plays on: the page's promise of what it asked for. */
type Play = () => Promise<unknown>;

const first = () => new Engine({} as WebAssembly.Module, workerScript, blobWorker);

/** A fit by two workers. */
async function fit(): Promise<unknown> {
  const engine = await begun();
  const other = engine.beside();
  const call = engine.call({ method: "fit", params: { workers: [joined(engine, other)] } });
  return call.finally(() => other.terminate());
}

/** An engine whose worker is there. */
async function begun(): Promise<Engine> {
  const engine = first();
  const ready = engine.call({ method: "hello" });
  let there = false;
  void ready.then(() => (there = true));
  while (!there) {
    await settled();
    const [next] = world.events.values();
    next?.();
  }
  return engine;
}

interface Found {
  readonly states: number;
  /** What the page was told at the ends of all ways, and after which of them. */
  readonly ends: Map<string, string[]>;
}

/**
 * Goes all ways from the beginning of a play, each state once: what each of the
 * three was told, in its order, makes the state. Time passes only where nothing
 * else can happen but a death.
 */
async function explore(play: Play, { deaths = true, locksRefused = false } = {}): Promise<Found> {
  const known = new Set<string>();
  const ends = new Map<string, string[]>();
  const ways: string[][] = [[]];
  for (let way; (way = ways.pop());) {
    world = new World();
    world.locksRefused = locksRefused;
    ports = [];
    let told = nothing;
    const tell = (result: unknown) => (told = JSON.stringify(result));
    void play().then(tell, (error: { code?: string }) => tell(error.code ?? String(error)));
    while (world.workers.length < 2) await settled();
    for (const name of way) await happens(name);
    for (;;) {
      const key = JSON.stringify([world.history, told]);
      if (known.has(key)) break;
      known.add(key);
      if (!locksRefused) assert.equal(world.unseen, 0, `answered unseen: ${way.join(", ")}`);
      const next = told === nothing ? [...world.events.keys()] : [];
      if (next.length === 0 && told === nothing && world.clocks.size > 0) next.push("time");
      if (next.length === 0) ends.set(told, way);
      if (deaths && told === nothing && world.workers[1]?.dead === false)
        next.push("die", "die unheard");
      const [on, ...later] = next;
      for (const name of later) ways.push([...way, name]);
      if (on === undefined) break;
      way = [...way, on];
      await happens(on);
    }
  }
  return { states: known.size, ends };
}

const nothing = "nothing";

async function happens(name: string): Promise<void> {
  if (name === "time") {
    for (const [clock, rings] of [...world.clocks]) {
      world.clocks.delete(clock);
      rings();
    }
  } else if (name.startsWith("die")) {
    (world.history.second ??= []).push(name);
    world.workers[1]?.die(name === "die unheard");
  } else world.events.get(name)?.();
  await settled();
}

const said = ({ ends }: Found) => [...ends.keys()].sort();

test("without deaths every order gives the whole answer", async () => {
  assert.deepEqual(said(await explore(fit, { deaths: false })), ['{"answered":2}']);
});

test("whenever a worker dies, who waits for it is told, and none answers unseen", async () => {
  const found = await explore(fit);
  assert.deepEqual(said(found), [
    '{"answered":0,"lost":true}',
    '{"answered":1,"lost":true}',
    '{"answered":2}',
  ]);
  assert.ok(found.states > 500, String(found.states));
});

test("where locks are refused the same search finds a page that waits for ever: it can find one", async () => {
  const found = await explore(fit, { locksRefused: true });
  assert.ok(said(found).includes(nothing), said(found).join());
});
