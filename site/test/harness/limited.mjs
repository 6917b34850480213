// Tests that cannot stand still unnoticed: each has a limit of its own, below that of its file
// (scripts/check/nodetest.mjs), so that the one that waits for ever is named.

import { test as unlimited } from "node:test";

/**
 * The longest takes a minute by itself; several run at once, on machines that are busy. At length
 * (CLOISTER_AUDIT=long) a test takes as long as it takes.
 */
export const LIMIT = process.env.CLOISTER_AUDIT === "long" ? Infinity : 240_000;

/**
 * node:test's test. One that is not done after four minutes, or after the `timeout` among its
 * options, fails by its name, and so do its subtests.
 * @param {string} name
 * @param {Parameters<typeof unlimited>[1] | Parameters<typeof unlimited>[2]} options or the test
 * @param {Parameters<typeof unlimited>[2]} [run]
 */
export function test(name, options, run = options) {
  return unlimited(name, { timeout: LIMIT, ...(options !== run && options) }, run);
}
