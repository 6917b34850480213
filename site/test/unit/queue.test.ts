// How the questions of a slider are answered: fast while it moves, certified when it rests, and
// none that nobody waits for any more.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Queue } from "../../src/curves/queue.ts";

const soon = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A queue whose answers are ended by hand. */
function byHand(rest = 5) {
  interface Asked {
    question: string;
    moving: boolean;
    end(settled: boolean): void;
    fail(error: Error): void;
  }
  const asked: Asked[] = [];
  const errors: unknown[] = [];
  const queue = new Queue<string>(
    (question, moving) => new Promise((end, fail) => asked.push({ question, moving, end, fail })),
    (error) => errors.push(error),
    rest,
  );
  const questions = () => asked.map(({ question }) => question);
  return { queue, asked, errors, questions };
}

test("of the questions that come while one is under way only the last is answered", async () => {
  const { queue, asked, questions } = byHand();
  queue.ask("a", false);
  queue.ask("b", false);
  queue.ask("c", false);
  assert.deepEqual(questions(), ["a"]);
  assert.equal(queue.outdated, true);
  asked[0]!.end(true);
  await soon();
  assert.deepEqual(questions(), ["a", "c"]);
  assert.equal(queue.outdated, false);
});

test("an estimate of a moving slider is followed by the certified answer once it rests", async () => {
  const { queue, asked, questions } = byHand();
  queue.ask("a", true);
  asked[0]!.end(false);
  await soon(50);
  assert.deepEqual(questions(), ["a", "a"]);
  assert.deepEqual(
    asked.map(({ moving }) => moving),
    [true, false],
  );
});

test("what is certified is not asked again, and a slider that moves on is not at rest", async () => {
  const { queue, asked, questions } = byHand();
  queue.ask("a", true);
  asked[0]!.end(true);
  await soon(50);
  assert.equal(asked.length, 1);
  queue.ask("b", true);
  asked[1]!.end(false);
  await soon();
  queue.ask("c", true);
  asked[2]!.end(true);
  await soon(50);
  assert.deepEqual(questions(), ["a", "b", "c"]);
});

test("an error is heard of unless another question waits, and the next one is answered", async () => {
  const { queue, asked, errors } = byHand();
  queue.ask("a", false);
  queue.ask("b", false);
  asked[0]!.fail(new Error("of a"));
  await soon();
  assert.deepEqual(errors, []);
  asked[1]!.fail(new Error("of b"));
  await soon();
  assert.deepEqual(errors.map(String), ["Error: of b"]);
  queue.ask("c", false);
  assert.equal(asked.length, 3);
});

test("a queue that was stopped answers nothing more", async () => {
  const { queue, asked, errors } = byHand();
  queue.ask("a", true);
  queue.ask("b", true);
  queue.stop();
  asked[0]!.fail(new Error("late"));
  await soon(50);
  queue.ask("c", false);
  assert.equal(asked.length, 1);
  assert.deepEqual(errors, []);
});
