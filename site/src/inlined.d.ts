// Modules that build.mjs makes up: their text is not in this folder.

/** Go's wasm_exec.js, from the Go installation: importing it defines globalThis.Go. */
declare module "cloister:glue";

/**
 * src/client/worker.ts, bundled with the glue into one classic script, as text: what a blob worker
 * (or a Node worker with eval) is made from.
 */
declare module "cloister:worker" {
  const text: string;
  export default text;
}

/** src/client/compiler.ts, likewise. */
declare module "cloister:compiler" {
  const text: string;
  export default text;
}

/**
 * dist/curves.wasm, gzipped and in base64, in a script that has to stand alone; empty in all
 * others.
 */
declare module "cloister:curves" {
  const base64: string;
  export default base64;
}

/** dist/fit-demo.wasm, likewise. */
declare module "cloister:fit-demo" {
  const base64: string;
  export default base64;
}

/** dist/reader.wasm, likewise. */
declare module "cloister:reader" {
  const base64: string;
  export default base64;
}
