// Runs other programs for the checks.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The repository's top folder. */
export const top = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Runs a program to its end, in the repository's top folder, without standard input.
 * @param {string} command
 * @param {string[]} args
 * @param {{env?: Record<string, string | undefined>, onLine?: (line: string) => void, minutes?:
 * number}} options env replaces the whole environment; onLine is given each line of standard output
 * as it arrives; after so many minutes the program is killed
 * @returns {Promise<{code: number, output: string}>} output holds standard output and standard
 * error together
 */
export function run(command, args, { env = process.env, onLine, minutes } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: top,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      killSignal: "SIGKILL",
      ...(minutes && { timeout: minutes * 60_000 }),
    });
    let output = "";
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      if (!onLine) return;
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      lines.forEach(onLine);
    });
    child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", (error) => resolve({ code: 127, output: `${command}: ${error.message}\n` }));
    child.on("close", (code, signal) => {
      if (onLine && rest) onLine(rest);
      if (signal)
        output += `\n${command} was ended by ${signal}${minutes ? `, as after ${minutes} minutes` : ""}\n`;
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Environment for Go programs compiled to js/wasm. */
export const wasmBuild = { CGO_ENABLED: "0", GOOS: "js", GOARCH: "wasm" };

/**
 * The environment that a js/wasm program can be run in: wasm_exec.js has room for a few kilobytes
 * of arguments and environment together, so only what Go and the tests read is kept.
 */
export function smallEnvironment() {
  const kept =
    /^(PATH|HOME|USER|TMPDIR|CI|LANG|CHROMIUM|SSL_CERT_FILE|(http|https|no)_proxy|GO[A-Z]+|XDG_CACHE_HOME|CLOISTER_[A-Z]+)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name, value]) => kept.test(name) && value.length < 1000),
  );
}
