#!/usr/bin/env node
// The package's command: `npx cloister fit …`, `npx cloister account …`. A command is a line of the
// table below, and a file beside this one.

import { existsSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { account } from "./account.mjs";
import { fit } from "./fit.mjs";
import { regress } from "./regress.mjs";
import { exitCodes, run, Stop } from "./headless.mjs";
import { scorecard } from "./scorecard.mjs";

/** What each command does, in a line of the help, and how. */
const commands = {
  fit: { about: "fits a private linear model to CSV files, and prints the release", does: fit },
  regress: {
    about: "computes other models from one release of moments, at no cost",
    does: regress,
  },
  scorecard: { about: "chooses a private scorecard, checks one, or uses it", does: scorecard },
  account: { about: "prices what was run on private data, or checks a release", does: account },
};

const help = `Usage: npx cloister COMMAND [options]

${Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
  .join("\n")}

"npx cloister COMMAND --help" says more of each.

Options:
  --version   the version of this package
  -h, --help  this text`;

/**
 * Runs a command: its name, then its arguments.
 * @param {string[]} args as they stand on the command line
 * @param {string} [calledAs] how the command was called, for its help
 */
export function main([name, ...args], calledAs = `npx cloister ${name}`) {
  return run(async () => {
    if (Object.hasOwn(commands, name ?? "")) return commands[name].does(args, calledAs);
    if (name === "--version") {
      console.log(CLOISTER_VERSION);
      return exitCodes.done;
    }
    if (name === "--help" || name === "-h") {
      console.log(help);
      return exitCodes.done;
    }
    const wrong =
      name === undefined ? "Say what to do." : `There is no command ${JSON.stringify(name)}.`;
    throw new Stop(exitCodes.usage, `${wrong}\n\n${help}`);
  });
}

// A package manager starts this file by a link to it. The entries in scripts import it.
const started = process.argv[1] ?? "";
if (existsSync(started) && realpathSync(started) === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2));
}
