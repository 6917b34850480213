// A file's content has one digest, whoever takes it: the Go program or the client.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import workerScript from "cloister:worker";
import { ContentDigest } from "../../src/client/content.ts";
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
const BLOCK = 2 ** 20;

type Piece = Uint8Array<ArrayBuffer>;

const program = readFile(
  fileURLToPath(new URL("../../../site/dist/cloister.wasm", import.meta.url)),
);

/** An engine of the program, and whether it has a digest of what it has read. */
async function begun(t: TestContext, script = workerScript) {
  const module = await WebAssembly.compile(new Uint8Array(await program));
  const engine = new Engine(module, script, threadWorker);
  t.after(() => engine.terminate());

  /** The program's number for a content. */
  async function readBy(parts: Piece[][], settings: { apart?: boolean }): Promise<number> {
    const { reading } = await engine.ask("read.open", { purpose: "content", ...settings });
    for (const part of parts) {
      await engine.ask("read.part", { reading });
      for (const piece of part) await engine.ask("read.append", { reading, bytes: piece.slice() });
    }
    return ((await engine.ask("read.finish", { reading })) as ContentAlone).content;
  }
  /** Whether the program has this digest of a content. */
  async function agrees(of: number, digest: Piece): Promise<boolean> {
    const { reading } = await engine.ask("read.open", { purpose: "content", of, apart: true });
    return engine.ask("read.finish", { reading, digest }).then(
      () => true,
      (error: unknown) => {
        assert.equal((error as { code?: string }).code, "dataset-lost");
        return false;
      },
    );
  }
  return { engine, readBy, agrees };
}

test("the client takes the digest that the program takes, however a text is cut", async (t) => {
  const { readBy, agrees } = await begun(t);
  async function byClient(parts: Piece[][]): Promise<Piece> {
    const digest = new ContentDigest();
    for (const part of parts) {
      digest.part();
      for (const piece of part) {
        const sent = piece.slice();
        await digest.append(sent);
        sent.fill(0); // as somebody else's, from here on
      }
    }
    return digest.finish();
  }
  const atoms = ["\r", "\n", "\r\n", "a", "b,c", MARK, "é", "\n\n", "\0", '"'];
  const seen = new Set<string>();
  for (let seed = 0; seed < 440; seed++) {
    const draw = below(seed);
    const long = seed >= 400; // over the borders of blocks
    const parts = Array.from({ length: draw(4) }, () => {
      const some = () => {
        let text = "";
        for (let n = draw(12); n > 0; n--) text += atoms[draw(atoms.length)];
        return text;
      };
      let text = (draw(3) ? "" : MARK) + some();
      for (let n = long ? draw(3) : 0; n > 0; n--)
        text += (draw(2) ? "x" : "\n").repeat(BLOCK - draw(16)) + some();
      const whole = new TextEncoder().encode(text);
      const pieces: Piece[] = [];
      for (let at = 0; at < whole.length;) {
        const to = at + 1 + (long ? draw(3 * BLOCK) : draw(5));
        pieces.push(whole.slice(at, to));
        at = to;
      }
      return pieces;
    });
    const digest = await byClient(parts);
    const content = await readBy(parts, { apart: false });
    assert.ok(await agrees(content, digest), `seed ${seed}`);
    digest[seed % 32]! ^= 1;
    assert.ok(!(await agrees(content, digest)), `seed ${seed}, another digest`);
    seen.add(digest.join());
  }
  assert.ok(seen.size > 200);
});

test("ranges that are taken apart come to the digest of the whole, wherever a line begins", async () => {
  const seen = { joined: 0, short: 0, blocks: 0 };
  for (let seed = 0; seed < 30; seed++) {
    const draw = below(seed);
    const ends = ["\n", "\r\n"][seed % 2] as string;
    let text = seed % 3 ? "" : MARK;
    for (let n = 2 + draw(5); n > 0; n--) {
      const long = draw(3) ? draw(40) : draw(3 * BLOCK);
      text += "é".repeat(draw(9)) + "x".repeat(long) + ends.repeat(draw(3) ? 1 : 1 + draw(4));
      if (draw(9) === 0) text += "a\rb" + ends;
    }
    if (draw(4) === 0) text += "last";
    if (draw(6) === 0) text += ends.repeat(5);
    const whole = new TextEncoder().encode(text);
    const alone = new ContentDigest();
    await alone.append(whole);
    const want = await alone.finish();

    const lines: number[] = [];
    for (let at = 3; (at = whole.indexOf(10, at) + 1) > 0;) lines.push(at);
    if (lines.length === 0) continue;
    const cuts = [...new Set([0, 1, 2].map(() => lines[draw(lines.length)] as number))];
    cuts.sort((a, b) => a - b);
    const digest = new ContentDigest();
    await digest.append(whole.slice(0, cuts[0]));
    for (const [k, cut] of cuts.entries()) {
      const { at } = digest;
      const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole.slice(0, cut));
      const counted = cut - (text.startsWith(MARK) ? 3 : 0) - (before.split("\r\n").length - 1);
      assert.equal(at, counted, `seed ${seed}: what the worker that reads a range counts`);
      const rest = whole.slice(cut, cuts[k + 1]);
      if (draw(5) === 0) {
        await digest.append(rest); // nobody has read it
        continue;
      }
      const own = ContentDigest.from(at);
      for (let from = 0; from < rest.length;) {
        const to = from + 1 + draw(BLOCK);
        await own.append(rest.slice(from, to));
        from = to;
      }
      const range = await own.range();
      digest.join(range);
      seen.joined++;
      if (range.digests.length > 0) seen.blocks++;
      if (range.tail.length === 0) seen.short++;
    }
    assert.deepEqual(await digest.finish(), want, `seed ${seed}, cut at ${cuts.join()}`);
  }
  assert.ok(seen.joined > 30 && seen.blocks > 10 && seen.short > 3, JSON.stringify(seen));
});

test("bytes without a part begin one, for the client and for the program", async (t) => {
  const { engine, agrees } = await begun(t);
  for (const text of ["a,b\n1,2\n", "a,b\n1,3\n"]) {
    const bytes = new TextEncoder().encode(text);
    const digest = new ContentDigest();
    await digest.append(bytes);
    const { reading } = await engine.ask("read.open", { purpose: "content", apart: false });
    await engine.ask("read.append", { reading, bytes });
    const { content } = (await engine.ask("read.finish", { reading })) as ContentAlone;
    assert.ok(await agrees(content, await digest.finish()), text);
  }
});

// The worker's script takes the digest where it can. In a page that is not secure it cannot.
const insecure = `{
  const { crypto } = globalThis;
  const value = { getRandomValues: (to) => crypto.getRandomValues(to) };
  Object.defineProperty(globalThis, "crypto", { value });
}\n`;

/** Has the worker die if the program is told otherwise of who takes a digest. */
const whoTakesIt = (apart: boolean) => `{
  let ready;
  const told = (handle) => ready((method, params, ...more) => {
    if (method === "read.open" && !params.of && params.apart !== ${apart})
      throw new Error("the digest is taken by the other one");
    return handle(method, params, ...more);
  });
  Object.defineProperty(globalThis, "cloisterReady", {
    configurable: true, get: () => ready && told, set: (given) => (ready = given),
  });
}\n`;

for (const [where, script] of Object.entries({
  "a SHA-256": whoTakesIt(true) + workerScript,
  "no SHA-256": insecure + whoTakesIt(false) + workerScript,
}))
  test(`a content has the same digest in a worker that has ${where}`, async (t) => {
    const { readBy, agrees } = await begun(t, script);
    const parts = ["\ufeffa,b\r\n1,2\r\n", `${"x".repeat(BLOCK)}\n3,4\n`].map((text) => [
      new TextEncoder().encode(text),
    ]);
    const digest = new ContentDigest();
    for (const [bytes] of parts) {
      digest.part();
      await digest.append(bytes!);
    }
    const content = await readBy(parts, {});
    assert.ok(await agrees(content, await digest.finish()));
  });
