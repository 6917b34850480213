import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";
import { bundle } from "./bundle.mjs";
import { zip } from "./zip.mjs";

const dist = fileURLToPath(new URL("../../site/dist/", import.meta.url));
let place;
before(() => (place = mkdtempSync(join(tmpdir(), "cloister-bundle-"))));
after(() => rmSync(place, { recursive: true, force: true }));

const runs = (command, args) => {
  try {
    execFileSync(command, args, { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
};

describe("a zip", () => {
  const files = new Map([
    ["b/long.txt", Buffer.from("again ".repeat(1000))],
    ["a.bin", Buffer.from([0, 255, 7])],
    ["ε.txt", Buffer.from("")],
  ]);

  test("is the same whatever order its files come in", () => {
    assert.deepEqual(zip(files), zip(new Map([...files].reverse())));
  });

  test("has every file, as its list says, and in as many bytes", () => {
    const bytes = zip(files);
    const end = bytes.length - 22;
    assert.equal(bytes.readUInt16LE(end + 10), 3);
    let at = bytes.readUInt32LE(end + 16);
    const found = new Map();
    for (let i = 0; i < 3; i++) {
      const [method, packed, size] = [
        bytes.readUInt16LE(at + 10),
        bytes.readUInt32LE(at + 20),
        bytes.readUInt32LE(at + 24),
      ];
      const length = bytes.readUInt16LE(at + 28);
      const name = bytes.toString("utf8", at + 46, at + 46 + length);
      const local = bytes.readUInt32LE(at + 42);
      assert.equal(bytes.toString("latin1", local, local + 4), "PK\x03\x04");
      const data = bytes.subarray(local + 30 + length, local + 30 + length + packed);
      const plain = method === 8 ? inflateRawSync(data) : data;
      assert.equal(plain.length, size);
      found.set(name, Buffer.from(plain));
      at += 46 + length;
    }
    assert.deepEqual(found, new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))));
    assert.equal(at, end);
  });

  test(
    "is whole in the eyes of another program",
    { skip: !runs("python3", ["--version"]) && "there is no python3 here" },
    () => {
      const path = join(place, "some.zip");
      writeFileSync(path, zip(files));
      const program =
        "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(sorted(z.namelist()))";
      const names = execFileSync("python3", ["-c", program, path], { encoding: "utf8" });
      assert.equal(names.trim(), "['a.bin', 'b/long.txt', 'ε.txt']");
    },
  );
});

describe("the bundle of the built site", () => {
  test("is the same bytes twice, from a copy with other times too", () => {
    const copy = join(place, "dist");
    cpSync(dist, copy, { recursive: true });
    for (const path of readdirSync(copy, { recursive: true }))
      utimesSync(join(copy, path), new Date(0), new Date(1e12));
    const [one, two] = [bundle(dist, join(place, "one")), bundle(copy, join(place, "two"))];
    assert.ok(readFileSync(one.archive).equals(readFileSync(two.archive)));
    assert.deepEqual(one.integrity, two.integrity);
  });

  test("has all that its pages need, nothing for Node, and says its hashes", () => {
    const { folder, integrity } = bundle(dist, join(place, "three"));
    const paths = readdirSync(folder, { recursive: true }).filter((path) =>
      statSync(join(folder, path)).isFile(),
    );
    assert.ok(!paths.some((path) => /\.mjs$|\.d\.ts$|\.map$/.test(path)));
    assert.equal(integrity.size, paths.length + 1); // and the zip
    const worker = readFileSync(join(folder, "sw.js"), "utf8");
    const kept = [...worker.matchAll(/"([\w./-]+)":"(sha384-[^"]+)"/g)];
    assert.ok(kept.length > 40);
    for (const [, path, hash] of kept) assert.equal(integrity.get(path), hash, path);
    const named = JSON.parse(readFileSync(join(folder, "integrity.json"), "utf8")).files;
    for (const [path, hash] of Object.entries(named)) assert.equal(integrity.get(path), hash, path);
    const lines = readFileSync(join(folder, "hashes.txt"), "utf8").trim().split("\n");
    assert.deepEqual(
      lines.map((line) => line.slice(98)),
      paths.filter((path) => path !== "hashes.txt").sort(),
    );
    for (const line of lines) {
      const hash = createHash("sha384").update(readFileSync(join(folder, line.slice(98))));
      assert.equal(line.slice(0, 96), hash.digest("hex"));
    }
  });

  test("of half a site is refused", () => {
    const half = join(place, "half");
    mkdirSync(half);
    writeFileSync(join(half, "index.html"), "");
    assert.throws(() => bundle(half, join(place, "four")), /not a whole site/);
  });
});
