// What the headless commands share: the built client, exit codes, and how a failure reads.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export const exitCodes = { done: 0, refused: 1, usage: 2, unbuilt: 3 };

const built = (name) => fileURLToPath(new URL(`../site/dist/${name}`, import.meta.url));

/** An error that was not the core's: what to say, and how to exit. */
export class Stop extends Error {
  constructor(exitCode, message) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The client as the build bundled it, with the given binary, and its module. */
export async function loadClient(binary) {
  for (const name of ["client.node.mjs", binary]) {
    if (!existsSync(built(name))) throw new Stop(exitCodes.unbuilt, `site/dist/${name} is not there. Build it first: make build`);
  }
  const module = await import(new URL("../site/dist/client.node.mjs", import.meta.url).href);
  return { ...module, client: await module.load({ wasmURL: built(binary) }) };
}

/** node:util's parseArgs, its complaints made into a usage error. */
export function readOptions(options, positionals = false) {
  try {
    return parseArgs({ options: { ...options, help: { type: "boolean", short: "h" } }, allowPositionals: positionals });
  } catch (error) {
    throw new Stop(exitCodes.usage, `${error.message} See --help.`);
  }
}

/** The number an option holds; undefined if it was not given. */
export function numberOption(values, name) {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === "" || (Number.isNaN(number) && text !== "NaN")) {
    throw new Stop(exitCodes.usage, `--${name} is ${JSON.stringify(text)}: it must be a number.`);
  }
  return number;
}

/** JSON, with arrays of doubles as lists and the infinities as "inf" and "-inf", which the core reads too. */
export function toJSON(value) {
  return JSON.stringify(
    value,
    (_, member) => {
      if (member instanceof Float64Array) return Array.from(member);
      if (member === Infinity) return "inf";
      if (member === -Infinity) return "-inf";
      return member;
    },
    2,
  );
}

/** Runs a command: its failure goes to standard error, naming what it is about, and into the exit code. */
export async function run(main) {
  // A reader that has seen enough, such as head, is no failure.
  process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? exitCodes.done : exitCodes.refused));
  try {
    process.exitCode = (await main()) ?? exitCodes.done;
  } catch (error) {
    if (error instanceof Stop) {
      console.error(error.message);
      process.exitCode = error.exitCode;
    } else if (error?.name === "CloisterError") {
      console.error(describe(error));
      process.exitCode = error.code === "load" ? exitCodes.unbuilt : exitCodes.refused;
    } else {
      throw error;
    }
  }
}

/** One line: the message, and in brackets the places that it does not name itself. */
function describe(error) {
  const places = [];
  if (error.field && !error.message.includes(error.field)) places.push(`field ${error.field}`);
  if (error.row && !error.message.includes(`row ${error.row}`)) places.push(`row ${error.row}`);
  if (error.column && !error.message.includes(error.column)) places.push(`column ${error.column}`);
  return `Error (${error.code}): ${error.message}${places.length > 0 ? ` [${places.join(", ")}]` : ""}`;
}
