/**
 * Fetches a binary, and compiles it as it comes. `answered` is called when nothing more is asked of
 * the network. What does not have the integrity that is asked for may come from the browser's own
 * cache, where it is older than what asks: then it is fetched once more, past that cache.
 */
export async function fetchProgram(
  url: string | URL,
  integrity: string | undefined,
  answered: () => void,
): Promise<WebAssembly.Module> {
  const ask = (more: RequestInit) => fetch(url, { credentials: "same-origin", ...more });
  const response =
    integrity === undefined
      ? await ask({})
      : await ask({ integrity }).catch(() => ask({ integrity, cache: "reload" }));
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  answered();
  if (response.headers.get("content-type")?.startsWith("application/wasm"))
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
