/**
 * The package, for Node. `types.ts` documents it; a file on disk is a source by {@link fileSource}.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { CloisterError, reason } from "./error.ts";
import { AccountantClient } from "./accountant.ts";
import { CloisterClient } from "./client.ts";
import { LaboratoryClient } from "./laboratory.ts";
import { loaderOf } from "./loading.ts";
import { inOneCall, ReportReaderClient } from "./personal.ts";
import { threadWorker } from "./thread-worker.ts";
import type { Accountant, Client, Laboratory, Load, NamedSource, ReportReader } from "./types.ts";

const host = {
  worker: threadWorker,
  async compile(url: string | URL, integrity: string | undefined, answered: () => void) {
    const bytes = await fetchBytes(String(url));
    answered();
    if (integrity !== undefined) checkIntegrity(bytes, integrity);
    return WebAssembly.compile(bytes);
  },
};

/** Loads `cloister.wasm`, the whole core. */
export const load: Load<Client> = loaderOf(
  { ...host, wasmURL: new URL("cloister.wasm", import.meta.url) },
  (engine): Client => new CloisterClient(engine),
);

/** Loads `curves.wasm`, for pages that price and never see data: half as large. */
export const loadAccountant: Load<Accountant> = loaderOf(
  { ...host, wasmURL: new URL("curves.wasm", import.meta.url) },
  (engine): Accountant => new AccountantClient(engine),
);

/** Loads `laboratory.wasm`: experiments, on sets of its own or on a file. It makes no releases. */
export const loadLaboratory: Load<Laboratory> = loaderOf(
  { ...host, wasmURL: new URL("laboratory.wasm", import.meta.url) },
  (engine): Laboratory => new LaboratoryClient(engine),
);

/**
 * Loads `reader.wasm`, for people who read a privacy report: smaller, and it never sees more than a
 * row.
 */
export const loadReader = loaderOf(
  { ...host, wasmURL: new URL("reader.wasm", import.meta.url) },
  (engine): ReportReader => new ReportReaderClient(engine),
);

/**
 * What a release cost one person, in one call: {@link ReportReader.open} and
 * {@link PersonalReport.bound}.
 */
export const myPrivacy = inOneCall(loadReader);

async function fetchBytes(url: string): Promise<Uint8Array<ArrayBuffer>> {
  if (/^https?:/.test(url)) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
  return new Uint8Array(await readFile(url.startsWith("file:") ? fileURLToPath(url) : url));
}

/** Subresource integrity: one of the digests of the strongest algorithm named must match. */
function checkIntegrity(bytes: Uint8Array, integrity: string): void {
  const given = integrity
    .trim()
    .split(/\s+/)
    .map((item) => item.split("-", 2) as [string, string | undefined]);
  const strongest = ["sha512", "sha384", "sha256"].find((name) =>
    given.some(([algorithm]) => algorithm === name),
  );
  if (!strongest)
    throw new Error(
      `integrity is ${JSON.stringify(integrity)}: it must be sha256-, sha384- or sha512- and a digest in base64`,
    );
  const digest = createHash(strongest).update(bytes).digest("base64");
  if (!given.some(([algorithm, value]) => algorithm === strongest && value === digest))
    throw new Error("its content does not have the digest that integrity asks for");
}

/**
 * A file on disk as a source: nothing but its size is read until it is opened, and it can be opened
 * again.
 */
export async function fileSource(path: string): Promise<NamedSource> {
  try {
    const info = await stat(path);
    if (info.isDirectory()) throw new Error("it is a folder");
    return {
      name: basename(path),
      size: info.size,
      open: () => createReadStream(path, { highWaterMark: 2 ** 20 }),
    };
  } catch (error) {
    throw new CloisterError(
      "source",
      `${path} could not be read: ${reason(error)}`,
      {},
      { cause: error },
    );
  }
}

export { threadWorker };
export { type Outlook, outlook } from "./outlook.ts";
export { schemaForFit, usualFitMethod } from "./usual.ts";
export { defaultFitMethod, fitMethods, type FitMethodFacts } from "./wire/methods.ts";
export * from "./types.ts";
