// Runs a Go program compiled to js/wasm in Chromium. Use it with `go test -exec` for packages
// that need a browser, for example IndexedDB.
//
//   GOOS=js GOARCH=wasm go test -exec "node $PWD/scripts/chromium-exec.mjs" ./wasm/idbstore
//
// Output goes to standard output, and the program's exit code is this one's. The page is
// http://localhost/ of a profile of its own, served from here.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findChromium, launch } from "../site/test/harness/browser.mjs";

const [program, ...args] = process.argv.slice(2);
if (!program) {
  console.error("Usage: node scripts/chromium-exec.mjs PROGRAM.wasm [ARGUMENT…]");
  process.exit(2);
}
if (!findChromium()) {
  console.error("No Chromium was found in PATH: install it, or say where it is with CHROMIUM=…");
  process.exit(2);
}
const glue = readFileSync(
  join(execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim(), "lib/wasm/wasm_exec.js"),
  "utf8",
);
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^CLOISTER_[A-Z]+$/.test(name)),
);

const browser = await launch();
let code = 1;
try {
  const page = await browser.newPage();
  await page.route("**/*", (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/program.wasm")
      return route.fulfill({ contentType: "application/wasm", body: readFileSync(program) });
    if (pathname === "/")
      return route.fulfill({
        contentType: "text/html",
        body: "<!doctype html><title>test</title>",
      });
    return route.fulfill({ status: 404 });
  });
  page.on("console", (message) => process.stdout.write(`${message.text()}\n`));
  page.on("pageerror", (error) => process.stdout.write(`${error.stack ?? error.message}\n`));
  await page.goto("http://localhost/");
  await page.addScriptTag({ content: glue });
  code = await page.evaluate(
    async ([args, env]) => {
      const go = new globalThis.Go();
      let code = 1;
      go.argv = ["program", ...args];
      go.env = env;
      go.exit = (given) => (code = given);
      const { instance } = await WebAssembly.instantiateStreaming(
        fetch("/program.wasm"),
        go.importObject,
      );
      await go.run(instance);
      return code;
    },
    [args, env],
  );
} finally {
  await browser.close();
}
process.exitCode = code;
