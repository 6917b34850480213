// The package's commands in a checkout: what `make` built of site/src/commands.

import { existsSync } from "node:fs";

/** Runs a command with the arguments of this process. Exits with 3 if it is not built. */
export async function inCheckout(command) {
  const built = new URL("../site/dist/cloister.mjs", import.meta.url);
  if (!existsSync(built)) {
    console.error("site/dist/cloister.mjs is not there. Build it first: make build");
    process.exit(3);
  }
  const { main } = await import(built.href);
  await main([command, ...process.argv.slice(2)], `node scripts/${command}.mjs`);
}
