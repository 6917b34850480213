import type { Engine } from "./engine.ts";

let numbered = 0;

/**
 * Lets the worker of an engine ask that of another one, by a channel between the
 * two, and returns the number that it asks by (worker.ts, others.ts). When the
 * other one ends, in whatever way, it is told so: what it asked is answered with
 * an error then. This is as good as the client's sight of deaths: see watch.ts.
 */
export function joined(engine: Engine, other: Engine): number {
  const worker = ++numbered;
  const { epoch } = engine;
  const { port1, port2 } = new MessageChannel();
  const tell = (more: { port?: MessagePort }, transfer: MessagePort[] = []) => {
    engine
      .call({ method: "worker.link", params: { worker, ...more }, transfer, epoch })
      .catch(() => undefined);
  };
  tell({ port: port1 }, [port1]);
  other
    .call({
      method: "worker.serve",
      params: { port: port2 },
      transfer: [port2],
      epoch: other.epoch,
    })
    .catch(() => undefined);
  other.atEnd(() => tell({}));
  return worker;
}

/** Lets the workers of engines ask for a file’s bytes, by that number, until it is unlinked. */
export function linked(engines: Engine[], file: Blob): { number: number; unlink: () => void } {
  const number = ++numbered;
  const epochs = engines.map(({ epoch }) => epoch);
  const tell = (params: { worker: number; file?: Blob }) => {
    for (const [k, engine] of engines.entries())
      engine
        .call({ method: "worker.link", params, epoch: epochs[k] as number })
        .catch(() => undefined);
  };
  tell({ worker: number, file });
  return { number, unlink: () => tell({ worker: number }) };
}
