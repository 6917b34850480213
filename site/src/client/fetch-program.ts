/**
 * Fetches a binary, and compiles it as it comes. `answered` is called when nothing more is asked of
 * the network.
 */
export async function fetchProgram(
  url: string | URL,
  integrity: string | undefined,
  answered: () => void,
): Promise<WebAssembly.Module> {
  const response = await fetch(url, {
    credentials: "same-origin",
    ...(integrity !== undefined && { integrity }),
  });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  answered();
  if (response.headers.get("content-type")?.startsWith("application/wasm"))
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
