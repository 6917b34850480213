// What the commands share: the built client, exit codes, and how a failure reads.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export const exitCodes = { done: 0, refused: 1, usage: 2, unbuilt: 3 };

/** A file beside the bundle of the commands: in site/dist of a checkout, in dist of the package. */
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

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
    if (!existsSync(beside(name))) {
      const remedy = "Install the package again, or, in a checkout, build it: make build";
      throw new Stop(exitCodes.unbuilt, `${beside(name)} is not there. ${remedy}`);
    }
  }
  const module = await import(new URL("client.node.mjs", import.meta.url).href);
  return { ...module, client: await module.load({ wasmURL: beside(binary) }) };
}

/** node:util's parseArgs, its complaints made into a usage error. */
export function readOptions(args, options, positionals = false) {
  try {
    return parseArgs({
      args,
      options: { ...options, help: { type: "boolean", short: "h" } },
      allowPositionals: positionals,
    });
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

const moving = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Zl}\p{Zp}]/gu;

/**
 * Text for a terminal: what would move its cursor, wipe what stands there, or turn a line round
 * stands as its number, as JSON has it. Names come from files that others made.
 */
export function visible(text) {
  return text.replace(moving, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * A copy of a document for a report in lines. The end of a line in a name would begin a line that
 * whoever made the document could write, so \n stands there, and \t for a tab.
 */
export function inLines(value) {
  if (typeof value === "string")
    return value.replace(/[\n\t]/g, (c) => (c === "\n" ? "\\n" : "\\t"));
  if (Array.isArray(value)) return value.map(inLines);
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, inLines(of)]));
}

/**
 * JSON, with arrays of doubles as lists and the infinities as "inf" and "-inf", which the core
 * reads too.
 */
export function toJSON(value) {
  return visible(
    JSON.stringify(
      value,
      (_, member) => {
        if (member instanceof Float64Array) return Array.from(member);
        if (member === Infinity) return "inf";
        if (member === -Infinity) return "-inf";
        return member;
      },
      2,
    ),
  );
}

/**
 * Runs a command: its failure goes to standard error, naming what it is about, and into the exit
 * code.
 */
export async function run(main) {
  // A reader that has seen enough, such as head, is no failure.
  process.stdout.on("error", (error) =>
    process.exit(error.code === "EPIPE" ? exitCodes.done : exitCodes.refused),
  );
  try {
    process.exitCode = (await main()) ?? exitCodes.done;
  } catch (error) {
    if (error instanceof Stop) {
      console.error(visible(error.message));
      process.exitCode = error.exitCode;
    } else if (error?.name === "CloisterError") {
      console.error(visible(describe(error)));
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
