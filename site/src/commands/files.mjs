// What the commands that read people's files share: how a file is laid out, and how an error in one
// reads.

import { accessSync, constants, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { survey, utf8 } from "../client/json-text.ts";
import { exitCodes, Stop } from "./headless.mjs";

const signs = { tab: "\t", space: " " };

/** What --header, --names and --delimiter say of the files of data. */
export function layoutOf({ header, names, delimiter }) {
  if (header !== undefined && header !== "first" && header !== "none")
    throw new Stop(
      exitCodes.usage,
      `--header is ${JSON.stringify(header)}: it must be "first" or "none". See --help.`,
    );
  if (names !== undefined && header !== "none")
    throw new Stop(exitCodes.usage, "--names goes with --header none and a schema. See --help.");
  return {
    header,
    names: names?.split(",").map((name) => name.trim()),
    delimiter: signs[delimiter] ?? delimiter,
  };
}

/** An error as the command throws it: with --quiet, one of a file of data says only where it is. */
export function ofData(error, quiet) {
  if (error.code === "header") return new Stop(exitCodes.refused, asked(error, quiet));
  return quiet && error.code === "data"
    ? new Stop(exitCodes.refused, withoutTheData(error))
    : error;
}

/**
 * An error in the data, without what stands there. A message quotes a cell, or the first line,
 * which is a person's if the file has no header.
 */
function withoutTheData({ row }) {
  const where = row ? ` at row ${row}` : "";
  return `Error (data): a file of data was refused${where}. What is wrong with it is not shown with --quiet.`;
}

/**
 * What the first line of a file looks like, and how to say what it is. The line is for whoever
 * holds the file: it goes to standard error, and not with --quiet.
 */
function asked(error, quiet) {
  return [
    `Error (header): ${error.message.replace(/ Say which it is: .*/, "")}`,
    ...(quiet
      ? []
      : [
          "",
          `  ${error.line
            .slice(0, 12)
            .map((field) => JSON.stringify(field.length > 40 ? `${field.slice(0, 40)}…` : field))
            .join(", ")}${error.line.length > 12 ? `, and ${error.line.length - 12} more` : ""}`,
          "",
        ]),
    "If it is a person, the file has no header: say --header none, and the columns are called c1, c2, …; or add a line of names to the file.",
    "If these are the names of columns: say --header first.",
  ].join("\n");
}

/** A file of the command line, called by what it is if it cannot be read or is no text. */
export function readText(file, what) {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new Stop(exitCodes.refused, `The ${what} could not be read: ${error.message}.`);
  }
  const text = utf8(bytes);
  if (text === undefined)
    throw new Stop(exitCodes.refused, `The ${what} is not UTF-8 text: save it as UTF-8.`);
  return text;
}

/**
 * Refuses a line on which a file would be lost: one that is written must have a folder, and be none
 * of those that are read, and none that another option writes.
 * @param {Record<string, string | undefined>} written paths by option
 * @param {string[]} read
 */
export function keepApart(written, read) {
  const files = Object.entries(written).filter(([, path]) => path !== undefined);
  for (const [i, [option, path]] of files.entries()) {
    try {
      accessSync(dirname(resolve(path)), constants.W_OK);
    } catch (error) {
      throw new Stop(exitCodes.usage, `--${option} cannot be written: ${error.message}.`);
    }
    if (read.some((other) => isOneFile(path, other)))
      throw new Stop(
        exitCodes.usage,
        `--${option} names a file that is read, and would write over it. See --help.`,
      );
    for (const [other, place] of files.slice(0, i))
      if (resolve(path) === resolve(place) || isOneFile(path, place))
        throw new Stop(exitCodes.usage, `--${other} and --${option} name one file. See --help.`);
  }
}

/** Whether two paths lead to one file that is there. */
function isOneFile(one, other) {
  const [a, b] = [one, other].map(fileAt);
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

function fileAt(path) {
  try {
    const found = statSync(path, { bigint: true });
    return found.isFile() ? found : undefined;
  } catch {
    return undefined; // whoever reads or writes it says what is wrong
  }
}

export function writeText(file, text, what) {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Stop(exitCodes.refused, `The ${what} could not be written: ${error.message}.`);
  }
}

/** Writes what was paid for. If it cannot be written, it is printed, so that it is not lost. */
export function writePaid(file, text, what) {
  try {
    writeText(file, text, what);
  } catch (error) {
    process.stdout.write(text);
    error.message += " It is on standard output.";
    throw error;
  }
}

/** What a text of JSON says. What says a field twice is refused. `hint` ends the first refusal. */
export function readJSON(text, what, hint = "") {
  let tree;
  try {
    tree = JSON.parse(text);
  } catch (error) {
    throw new Stop(exitCodes.refused, `The ${what} is not JSON: ${error.message}.${hint}`);
  }
  const { twice } = survey(text);
  if (twice !== undefined)
    throw new Stop(
      exitCodes.refused,
      `The ${what} says ${twice} twice: two readers could take it for two things.`,
    );
  return tree;
}
