/** The worker's script: runs the Go program and passes messages. Bundled with Go's glue into one classic script (see build.mjs). */
import { programOutput } from "./go-output.ts";
import "cloister:glue";
import type { FromWorker, ToWorker, WireError } from "./protocol.ts";

/** What wasm/bridge hands over. */
type Handle = (
  method: string,
  params: unknown,
  reply: (result: unknown, error: WireError | undefined) => void,
  progress: (update: unknown) => void,
) => void;

interface GoProgram {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
  exit(code: number): void;
}

const host = globalThis as unknown as {
  Go: new () => GoProgram;
  cloisterReady?: (handle: Handle) => void;
  postMessage(message: FromWorker, transfer?: ArrayBuffer[]): void;
  addEventListener(type: "message", listener: (event: { data: ToWorker }) => void): void;
};

let handle: Handle | undefined;

const exit = (reason: string) => host.postMessage({ type: "exit", reason });

async function start(module: WebAssembly.Module): Promise<void> {
  const program = new host.Go();
  program.exit = () => {}; // instead of a line on the console: exit() below says it to the client
  const instance = await WebAssembly.instantiate(module, program.importObject);
  host.cloisterReady = (given) => {
    handle = given;
  };
  // Runs the program's main until it waits, which it does after calling cloisterReady.
  const over = program.run(instance);
  delete host.cloisterReady;
  if (handle) host.postMessage({ type: "ready" });
  await over;
  exit(programOutput());
}

function call(id: number, method: string, params: unknown): void {
  const reply = (result: unknown, error: WireError | undefined) =>
    host.postMessage(error ? { type: "failure", id, error } : { type: "reply", id, result });
  const progress = (update: unknown) => host.postMessage({ type: "progress", id, update });
  try {
    handle?.(method, params, reply, progress);
  } catch (error) {
    // A trap inside WebAssembly, such as an exhausted stack.
    exit(`${programOutput()}\n${String(error)}`);
  }
}

host.addEventListener("message", ({ data }) => {
  if (data.type === "start") start(data.module).catch((error: unknown) => exit(`${programOutput()}\n${String(error)}`));
  else call(data.id, data.method, data.params);
});
