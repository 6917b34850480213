import { inNode } from "./limits.ts";

/**
 * Milliseconds that a worker may take to say its first word: it needs none of the program for that.
 */
const PATIENCE = 20_000;

/**
 * How the death of a web worker is seen. The browser may end one at any moment
 * (it needs the memory, or somebody calls terminate()), and no event says so. But
 * a worker that is gone lets go of its locks. So each one takes a lock of its own
 * before it is heard, keeps it for as long as it lives, and the page asks for it:
 *
 *     the worker                         the page
 *
 *     born     asks for the lock         deaf      keeps what it hears; a clock of
 *       │                                  │       20 s runs
 *     holding  says so                     │ it says so
 *       │                                seeing    asks for the lock; hands on what
 *       │                                  │       it kept, and from now on all
 *     dead     the lock is free          dead      the lock was had, the clock ran
 *                                                  out, or the worker's error event
 *
 * A page that is dead says so, once or more. Three things follow, whatever the
 * order in which messages, locks and deaths come; watch.test.ts runs the client
 * and the worker's script through every one.
 *
 *  1. No worker answers before its death can be seen. The engine sends calls, and
 *     channels to other workers with them, once it has been told that the worker is
 *     ready: the page is seeing then, and asked for a lock that the worker held.
 *  2. Every death is seen: while the page is deaf by the clock, afterwards by the
 *     lock.
 *  3. Only a death is seen as one: the page asks after the worker has the lock, and
 *     it gives it up to nobody. (A worker that takes 20 s to say its first word
 *     counts as dead, and is ended.)
 *
 * Who waits for a worker is therefore told in the end: callers by the engine, other
 * workers by what joined() sends them. Where the browser refuses locks (in a frame
 * without an origin) a worker is heard all the same; nobody may wait there for a
 * second one: see {@link deathsAreSeen}. Threads of Node say when they end.
 */
export class Watch {
  readonly #lock = globalThis.navigator?.locks && crypto.randomUUID();
  #clock: ReturnType<typeof setTimeout> | undefined;

  /** Goes before the worker's script: says whether it has the lock, true or false. */
  get prelude(): string {
    return this.#lock
      ? `navigator.locks.request("${this.#lock}",()=>new Promise(()=>postMessage(!0))).catch(()=>postMessage(!1));`
      : "";
  }

  /**
   * What is to be called with each of the worker's messages: it hands on those of the script.
   * `died` is called when the worker is dead.
   */
  over(
    received: (message: unknown) => void,
    died: (why: string) => void,
  ): (message: unknown) => void {
    const lock = this.#lock;
    if (!lock) return received;
    const wait = () => {
      // A page that is drawn before anybody asked for it has no workers and no locks until then.
      this.#clock = setTimeout(
        () =>
          (document as { prerendering?: boolean }).prerendering ? wait() : died("it did not begin"),
        PATIENCE,
      );
    };
    wait();
    let kept: unknown[] | undefined = [];
    return (message) => {
      if (typeof message !== "boolean") return void (kept ? kept.push(message) : received(message));
      this.end();
      const ended = () => died("it ended without a word");
      if (message) navigator.locks.request(lock, ended).catch(ended);
      kept?.forEach(received);
      kept = undefined;
    };
  }

  /** Nobody waits for the worker's first word any more. */
  end(): void {
    clearTimeout(this.#clock);
  }
}

let seen: Promise<boolean | undefined> | undefined;

/**
 * Whether the death of every worker is seen here. Where it is not, no work may be shared: who waits
 * for a worker that is gone would wait for ever.
 */
export const deathsAreSeen = (): Promise<boolean | undefined> =>
  (seen ??= Promise.resolve(
    inNode ||
      globalThis.navigator?.locks?.request(crypto.randomUUID(), () => true).catch(() => false),
  ));
