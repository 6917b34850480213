// A file's content has one digest, whoever takes it: the Go program or the client.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import workerScript from "cloister:worker";
import { WholeDigest } from "../../src/client/content.ts";
import { Engine } from "../../src/client/engine.ts";
import { threadWorker } from "../../src/client/thread-worker.ts";
import type { ContentAlone } from "../../src/client/wire/calls.ts";

/** A seeded generator (mulberry32): whole numbers below n. */
function below(seed: number): (n: number) => number {
  return (n) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const MARK = "\ufeff";

test("the client takes the digest that the program takes, however a text is cut", async (t) => {
  const program = new URL("../../../site/dist/cloister.wasm", import.meta.url);
  const bytes = new Uint8Array(await readFile(fileURLToPath(program)));
  const engine = new Engine(await WebAssembly.compile(bytes), workerScript, threadWorker);
  t.after(() => engine.terminate());

  async function byProgram(parts: Uint8Array<ArrayBuffer>[][]): Promise<Uint8Array> {
    const { reading } = await engine.ask("read.open", { purpose: "content" });
    for (const part of parts) {
      await engine.ask("read.part", { reading });
      for (const piece of part) await engine.ask("read.append", { reading, bytes: piece.slice() });
    }
    return ((await engine.ask("read.finish", { reading })) as ContentAlone).digest;
  }
  async function byClient(
    parts: Uint8Array<ArrayBuffer>[][],
    declared: number,
  ): Promise<Uint8Array> {
    const whole = new WholeDigest(declared);
    for (const part of parts) {
      await whole.part();
      for (const piece of part) await whole.append(piece);
    }
    return whole.finish();
  }

  const atoms = ["\r", "\n", "\r\n", "a", "b,c", MARK, "é", "\n\n", "\0", '"'];
  const seen = new Set<string>();
  for (let seed = 0; seed < 400; seed++) {
    const draw = below(seed);
    const parts = Array.from({ length: draw(4) }, () => {
      let text = draw(3) ? "" : MARK;
      for (let n = draw(12); n > 0; n--) text += atoms[draw(atoms.length)];
      const whole = new TextEncoder().encode(text);
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      for (let at = 0; at < whole.length;) {
        const to = at + 1 + draw(5);
        pieces.push(whole.slice(at, to));
        at = to;
      }
      return pieces;
    });
    const digest = await byProgram(parts);
    assert.deepEqual(await byClient(parts, draw(40)), digest, JSON.stringify(parts));
    seen.add(digest.join());
  }
  assert.ok(seen.size > 200);
});
