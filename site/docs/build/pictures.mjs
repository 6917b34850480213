// Pictures inside the elements, for readers without scripts. The element's own code draws them.
// They are cached in build/pictures, under a hash of everything that they depend on, because
// drawing takes seconds.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { prerender } from "../../../scripts/prerender.mjs";

/**
 * @returns {Promise<{into: (html: string) => Promise<string>, close: () => void}>} for binaries and
 * scripts that lie in `dist`
 */
export async function pictures(dist, kept) {
  const sources = ["curves.wasm", "fit-demo.wasm", "prerender.node.mjs"].map((name) =>
    join(dist, name),
  );
  if (!sources.every(existsSync)) return { into: async (html) => html, close() {} };
  const version = createHash("sha256");
  for (const path of [
    ...sources,
    fileURLToPath(new URL("../../../scripts/prerender.mjs", import.meta.url)),
  ])
    version.update(readFileSync(path));
  const base = version.digest("hex");
  mkdirSync(kept, { recursive: true });
  const used = new Set();
  let drawing;
  const draw = async (name, get, json) => {
    const { pictures, sourcesIn } = await import(pathToFileURL(sources.at(-1)).href);
    drawing ??= sourcesIn(dist.endsWith("/") ? dist : `${dist}/`);
    return pictures[name](get, json, drawing);
  };
  return {
    async into(html) {
      const name = `${createHash("sha256").update(base).update(html).digest("hex").slice(0, 32)}.html`;
      const path = join(kept, name);
      used.add(name);
      if (existsSync(path)) return readFileSync(path, "utf8");
      const drawn = await prerender(html, draw);
      const made = `${path}.${process.pid}`; // whoever builds meanwhile never reads half a picture
      writeFileSync(made, drawn);
      renameSync(made, path);
      return drawn;
    },
    /** Ends what draws, and forgets the pictures that no page of this build has. */
    close() {
      drawing?.end();
      const stale = readdirSync(kept).filter((name) => name.endsWith(".html") && !used.has(name));
      for (const name of stale) rmSync(join(kept, name), { force: true });
    },
  };
}
