/** What a binary must be. */
export interface Wanted {
  readonly integrity: string | undefined;
  /** The build that it must say in its section {@link SECTION}. */
  readonly build?: string;
}

/** The section of a binary that says its build; build.mjs writes it. */
const SECTION = "cloister.build";

/**
 * Fetches a binary, and compiles it as it comes. `answered` is called when the host has answered:
 * then a page may be sealed. What is not as wanted may come from the browser's own cache, older
 * than the page that asks. It is then fetched and compiled once more, past that cache. A build is
 * known only after compiling, when the page may be sealed already; a worker that began before the
 * seal can fetch still. A host that serves another build is asked twice at each load.
 */
export async function fetchProgram(
  url: string | URL,
  { integrity, build }: Wanted,
  answered: () => void,
): Promise<WebAssembly.Module> {
  const ask = (cache: RequestCache) =>
    fetch(url, {
      credentials: "same-origin",
      cache,
      ...(integrity === undefined ? {} : { integrity }),
    });
  const response =
    integrity === undefined
      ? await ask("default")
      : await ask("default").catch(() => ask("reload"));
  const module = await compiled(response, answered);
  if (isOf(build, module)) return module;
  const anew = await ask("reload")
    .then(compiled)
    .catch(() => null);
  if (anew && isOf(build, anew)) return anew;
  throw new Error("it is not of the same version as this page. Load the page again.");
}

async function compiled(response: Response, answered = () => {}): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  answered();
  if (response.headers.get("content-type")?.startsWith("application/wasm"))
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

function isOf(build: string | undefined, module: WebAssembly.Module): boolean {
  if (build === undefined) return true;
  const [section] = WebAssembly.Module.customSections(module, SECTION);
  return section !== undefined && new TextDecoder().decode(section) === build;
}
