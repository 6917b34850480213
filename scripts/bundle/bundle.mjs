// The site for a host of static files, as one folder and one zip of it:
//
//   node scripts/bundle/bundle.mjs [FOLDER]     from site/dist, by default into build/site (make site)
//
// Whoever has it needs neither Go nor Node. Beside the pages it has READ-ME.txt, which says how to
// put it on a host, and hashes.txt, by which anybody can check that a copy is whole
// (sha384sum --check hashes.txt). The same site/dist makes the same bytes.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { zip } from "./zip.mjs";

const top = fileURLToPath(new URL("../../", import.meta.url));

/** What only Node and programmers use: the package has it (npm pack ./site). */
const left =
  /^(?:types\/|client\.node\.mjs$|cloister\.mjs$|prerender\.node\.mjs$|laboratory\.wasm$)/;

const readMe = (version) => `Cloister ${version}: the site, for any host of static files

1. Unpack this folder and copy it to your host, into any folder of it. Nothing has to be
   installed there, and nothing runs there: all is computed in the reader's browser.
2. Serve it over https. Without it, browsers keep no page for use without a network, and some
   have no secure random numbers.
3. Files that end in .wasm should be sent as application/wasm; most hosts do that. Compress
   .js, .css, .html, .json and .wasm if your host can: that saves three quarters.
4. Open the address. The studio is index.html, the documentation docs/.

To try it on your own computer, run a file server in this folder, such as
"python3 -m http.server --bind 127.0.0.1 8000", and open http://localhost:8000.

To check that this copy is whole and as it was built: sha384sum --check hashes.txt
Hashes for integrity="..." of what other pages take in are in integrity.json.

Free software (Apache-2.0): license.txt; parts by others: notices.txt.
`;

const sha384 = (bytes, encoding) => createHash("sha384").update(bytes).digest(encoding);

/** The files of the bundle, by their paths in it. */
export function filesOf(dist) {
  const paths = readdirSync(dist, { recursive: true })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !left.test(path) && statSync(join(dist, path)).isFile())
    .sort();
  if (!paths.includes("index.html") || !paths.includes("sw.js"))
    throw new Error(`${dist} is not a whole site: run make build first.`);
  const { version } = JSON.parse(readFileSync(join(dist, "integrity.json"), "utf8"));
  const files = new Map(paths.map((path) => [path, readFileSync(join(dist, path))]));
  files.set("READ-ME.txt", Buffer.from(readMe(version)));
  const list = [...files.keys()]
    .sort()
    .map((path) => `${sha384(files.get(path), "hex")}  ${path}\n`);
  files.set("hashes.txt", Buffer.from(list.join("")));
  return { version, files };
}

/**
 * Writes the folder and the zip.
 * @returns {{folder: string, archive: string, integrity: Map<string, string>}} integrity: of the
 * zip and of every file of the folder
 */
export function bundle(dist, into) {
  const { version, files } = filesOf(dist);
  const name = `cloister-${version}`;
  const folder = join(into, name);
  rmSync(folder, { recursive: true, force: true });
  for (const [path, bytes] of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
  const packed = zip(new Map([...files].map(([path, bytes]) => [`${name}/${path}`, bytes])));
  const archive = `${folder}.zip`;
  writeFileSync(archive, packed);
  const integrity = new Map(
    [[`${name}.zip`, packed], ...files].map(([path, bytes]) => [
      path,
      `sha384-${sha384(bytes, "base64")}`,
    ]),
  );
  return { folder, archive, integrity };
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const dist = join(top, "site/dist");
  if (!existsSync(dist)) {
    console.error("site/dist is not there: run make build first.");
    process.exit(1);
  }
  const { folder, archive, integrity } = bundle(
    dist,
    resolve(process.argv[2] ?? join(top, "build/site")),
  );
  // Of the documentation there are many; hashes.txt has all.
  const shown = [...integrity].filter(([path]) => !path.includes("/"));
  for (const [path, hash] of shown) console.log(`${hash}  ${path}`);
  const megabytes = (statSync(archive).size / 1e6).toFixed(1);
  console.log(`\n${folder}\n${archive} (${megabytes} MB, ${integrity.size - 1} files)`);
}
