// The client in Node, for tests.

import { after } from "node:test";
import { load } from "../../dist/client.node.mjs";

/** Opens it; it ends with the last test of the file. */
export async function openClient(options) {
  const client = await load(options);
  after(() => client.terminate());
  return client;
}
