// The built client in Node: loading, reading files, and what becomes of datasets when a worker
// goes.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  CloisterError,
  fileSource,
  load,
  MAX_BYTES,
  threadWorker,
} from "../../dist/client.node.mjs";
import { csv, schema } from "./sample.mjs";

const wasmURL = fileURLToPath(new URL("../../dist/cloister.wasm", import.meta.url));
const client = await load();
const folder = mkdtempSync(join(tmpdir(), "client-"));
after(() => {
  client.terminate();
  rmSync(folder, { recursive: true });
});

const text = csv();
const bytes = new TextEncoder().encode(text);
const fails =
  (code, more = {}) =>
  (error) => {
    assert.ok(error instanceof CloisterError, String(error.stack));
    assert.equal(error.code, code, error.message);
    for (const [name, value] of Object.entries(more))
      assert.equal(error[name], value, error.message);
    assert.match(error.message, /[.!?]$/);
    return true;
  };

test("loading", async (t) => {
  await t.test("is done once for one binary", async () => {
    assert.equal(load(), load());
    assert.notEqual(
      await load({ wasmURL: fileURLToPath(new URL("../../dist/curves.wasm", import.meta.url)) }),
      client,
    );
    const module = await WebAssembly.compile(readFileSync(wasmURL));
    const given = await load({ wasmModule: module });
    assert.equal(given, await load({ wasmModule: module }));
    assert.match((await given.start()).library, /^\d+\.\d+\.\d+$/);
    given.terminate();
  });
  await t.test("checks the digest that is asked for", async () => {
    const digest = createHash("sha384").update(readFileSync(wasmURL)).digest("base64");
    assert.ok(await load({ wasmURL: `${wasmURL}`, integrity: `sha384-${digest}` }));
    const copy = join(folder, "copy.wasm");
    writeFileSync(copy, readFileSync(wasmURL));
    await assert.rejects(
      load({ wasmURL: copy, integrity: `sha384-${"A".repeat(64)}` }),
      fails("load"),
    );
    // A failure is not remembered.
    assert.ok(await load({ wasmURL: copy, integrity: `sha384-${digest}` }));
  });
  await t.test("says what could not be loaded", async () => {
    await assert.rejects(load({ wasmURL: join(folder, "none.wasm") }), fails("load"));
    const bad = join(folder, "bad.wasm");
    writeFileSync(bad, "not wasm");
    await assert.rejects(load({ wasmURL: bad }), fails("load"));
    const control = new AbortController();
    control.abort();
    await assert.rejects(load({ signal: control.signal }), fails("aborted"));
  });
});

test("a source of any kind gives the same dataset", async (t) => {
  const path = join(folder, "sample.csv");
  writeFileSync(path, text);
  const half = text.indexOf("\n", text.length / 2) + 1;
  const header = text.slice(0, text.indexOf("\n") + 1);
  const sources = {
    text,
    bytes,
    blob: new Blob([text]),
    file: await fileSource(path),
    stream: new Blob([text]).stream(),
    "two parts": [new Blob([text.slice(0, half)]), header + text.slice(half)],
    "a view in the middle of a buffer": new Uint8Array([1, 2, ...bytes, 3]).subarray(
      2,
      bytes.length + 2,
    ),
  };
  for (const [kind, source] of Object.entries(sources)) {
    await t.test(kind, async () => {
      const seen = [];
      const dataset = await client.openDataset(source, schema, { onProgress: (p) => seen.push(p) });
      assert.equal(dataset.rows, 2000);
      assert.equal(dataset.classes.negative + dataset.classes.positive, 2000);
      assert.ok(dataset.classes.positive > 500 && dataset.classes.negative > 500);
      assert.deepEqual(
        dataset.columns.map((c) => c.name),
        ["age", "dose", "ward=A", "ward=B", "ward=C", "(intercept)"],
      );
      assert.equal(dataset.tally.kept, 2000);
      assert.equal(dataset.schema.features[0].missing, "error");
      assert.equal(seen.at(-1).phase, "reading");
      await dataset.close();
    });
  }
  assert.equal(
    bytes.length,
    new TextEncoder().encode(text).length,
    "the caller's bytes were not taken away",
  );
});

test("text is cut only between characters", async () => {
  const wide = `name,x,y\n${"𝄞,1,a\né,2,b\n".repeat(200000)}`;
  const one = {
    ...schema,
    features: [{ name: "name", type: "categorical", categories: ["𝄞", "é"], provenance: "public" }],
    label: { name: "y", negative: ["a"], positive: ["b"], provenance: "public" },
  };
  const dataset = await client.openDataset(wide, one);
  assert.equal(dataset.rows, 400000);
  await dataset.close();
});

test("a file over the limit is refused before it is touched", async () => {
  const huge = {
    size: 2 ** 31,
    open() {
      throw new Error("it was opened");
    },
  };
  await assert.rejects(client.openDataset(huge, schema), fails("too-large"));
  await assert.rejects(client.suggestSchema(huge), fails("too-large"));
  const half = { size: MAX_BYTES / 2 + 1, open: huge.open };
  await assert.rejects(client.openDataset([half, half], schema), fails("too-large"));
});

test("a file that is not there, or goes away, is named", async () => {
  await assert.rejects(fileSource(join(folder, "none.csv")), fails("source"));
  await assert.rejects(fileSource(folder), fails("source"));
  const path = join(folder, "going.csv");
  writeFileSync(path, text);
  const source = await fileSource(path);
  rmSync(path);
  await assert.rejects(client.openDataset(source, schema), fails("source"));
});

test("what is wrong in a piece that was read comes before a source that breaks off after it", async () => {
  const more = bytes.slice(text.indexOf("\n") + 1);
  const broken = (first) => ({
    size: bytes.length,
    async *open() {
      yield new TextEncoder().encode(first);
      for (let sent = 0; sent < 2 ** 17; sent += more.length) yield more;
      throw new Error("no more of it");
    },
  });
  const lines = text.split("\n");
  await assert.rejects(client.openDataset(broken(text), schema), fails("source"));
  const wrong = lines.with(3, `${lines[3]},more`).join("\n");
  await assert.rejects(client.openDataset(broken(wrong), schema), fails("data", { row: 4 }));
});

test("what is wrong with a file or a schema says where", async () => {
  const [header, first] = text.split("\n");
  await assert.rejects(
    client.openDataset(`${header}\n${first}\n1,2,A,perhaps\n`, schema),
    fails("data", { row: 3, column: "sick" }),
  );
  await assert.rejects(client.openDataset("", schema), fails("data"));
  await assert.rejects(
    client.openDataset(text, { ...schema, version: 99 }),
    fails("schema", { field: "version" }),
  );
  await assert.rejects(
    client.checkSchema({ ...schema, features: [] }),
    fails("schema", { field: "features" }),
  );
  await assert.rejects(client.checkSchema("{"), fails("schema"));
  await assert.rejects(client.checkSchema(undefined), fails("parameter", { field: "schema" }));
  await assert.rejects(
    client.checkSchema(() => 1),
    fails("parameter"),
  );
  // The name of a file is part of what is said.
  const named = {
    name: "b.csv",
    size: 9,
    open: async function* () {
      yield new TextEncoder().encode("age\n1\n");
    },
  };
  await assert.rejects(
    client.openDataset([text, named], schema),
    (error) => /b\.csv/.test(error.message) && error.code === "data",
  );
  // One with half a character, as some file systems have them, is read, too.
  await assert.rejects(
    client.openDataset([text, { ...named, name: "\ud800𝄞.csv" }], schema),
    (error) => error.message.includes("\ufffd𝄞.csv") && error.code === "data",
  );
});

test("a schema says R, d and its columns by itself", async () => {
  const checked = await client.checkSchema(schema);
  assert.equal(checked.dimension, 6);
  assert.ok(Math.abs(checked.rowNorm - Math.SQRT2) < 1e-15);
  assert.deepEqual(checked.suggested, []);
  assert.deepEqual(await client.checkSchema(JSON.stringify(schema)), checked);
});

test("a suggested schema is marked, and reads the file it came from", async () => {
  const { schema: suggested, leftOut } = await client.suggestSchema(text);
  assert.deepEqual(leftOut, []);
  assert.equal(suggested.label.name, "sick");
  assert.ok(suggested.features.every((f) => f.provenance === "suggested"));
  assert.equal((await client.checkSchema(suggested)).caveats.length, 4);
  const dataset = await client.openDataset(text, suggested);
  assert.equal(dataset.rows, 2000);
});

test("a first line that looks like a person is refused, unless it is said what it is", async () => {
  const bare = `\uFEFF${text.slice(text.indexOf("\n") + 1).replaceAll("\n", "\r")}`;
  const person = text.split("\n")[1].split(",");
  const refused = (error) =>
    error.name === "CloisterError" &&
    error.code === "header" &&
    error.row === 1 &&
    person.every((field, i) => error.line[i] === field) &&
    !error.message.includes(person.join(","));
  const adjacency = "add-remove";
  await assert.rejects(client.suggestSchema(bare), refused);
  await assert.rejects(client.openDataset(bare, schema), refused);
  await assert.rejects(client.bounds(bare, { columns: ["c1"], adjacency, epsilon: 1 }), refused);
  await assert.rejects(
    client.suggestSchema(bare, { header: "last" }),
    fails("parameter", { field: "header" }),
  );

  const { schema: suggested, content } = await client.suggestSchema(bare, { header: "none" });
  const names = [...suggested.features, suggested.label].map(({ name }) => name);
  assert.ok(
    names.every((name) => /^c[1-9]$/.test(name)),
    names.join(),
  );
  const dataset = await client.openDataset(bare, suggested, { header: "none" });
  assert.equal(dataset.rows, 2000);
  // It is known from then on: another norm has it read again, and bounds count it anew.
  const { release } = await client.fit(dataset, {
    adjacency,
    epsilon: 1,
    delta: 1e-5,
    norm: suggested.rows.norm === "clip" ? "unit" : "clip",
  });
  assert.doesNotMatch(
    JSON.stringify(release.model.columns),
    new RegExp(`"${schema.features[0].name}`),
  );
  assert.match(release.guarantee.caveats.at(-1), /^The names of the columns are published too/);
  const numeric = suggested.features.find(({ type }) => type === "numeric").name;
  for (const of of [dataset, content])
    assert.equal(
      (await client.bounds(of, { columns: [numeric], adjacency, epsilon: 1 })).release.columns[0]
        .name,
      numeric,
    );
});

test("reading can be cancelled, and the client goes on", async () => {
  const control = new AbortController();
  async function* endless() {
    yield bytes;
    for (;;) {
      yield bytes.subarray(bytes.indexOf(10) + 1);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  const reading = client.openDataset({ size: 0, open: endless }, schema, {
    signal: control.signal,
  });
  setTimeout(() => control.abort(new Error("enough")), 50);
  await assert.rejects(
    reading,
    (error) => fails("aborted")(error) && error.cause.message === "enough",
  );
  assert.equal((await client.checkSchema(schema)).dimension, 6);
});

test("terminating while a file is read rejects the reading, and it is not begun again", async () => {
  let opened = 0;
  const slow = {
    size: bytes.length,
    async *open() {
      opened++;
      yield bytes.subarray(0, 1000);
      client.terminate();
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield bytes.subarray(1000);
    },
  };
  await assert.rejects(client.openDataset(slow, schema), fails("terminated"));
  assert.equal(opened, 1);
  assert.equal((await client.openDataset(text, schema)).rows, 2000);
});

test("a closed dataset is gone", async () => {
  const dataset = await client.openDataset(text, schema);
  await dataset.close();
  await dataset.close();
  await assert.rejects(
    client.fit(dataset, { adjacency: "add-remove", epsilon: 1, delta: 1e-5 }),
    fails("dataset-lost"),
  );
});

test(
  "one worker reads a large file and takes its digest; if it dies, the reading fails",
  { timeout: 120_000 },
  async () => {
    const rows = (text) => `age,ward,sick\n${"31,A,no\n72,B,yes\n44,A,yes\n".repeat(text)}`;
    const large = rows(660_000);
    assert.ok(large.length > 2 ** 24);
    const made = [];
    let doomed = false;
    const client = await load({
      wasmModule: await WebAssembly.compile(readFileSync(wasmURL)),
      worker(source) {
        const port = threadWorker(source);
        const one = { ended: false, busy: false, appended: 0 };
        made.push(one);
        return {
          ...port,
          post(message, transfer) {
            if (message.method === "read.append" && ++one.appended === 4 && doomed)
              port.terminate();
            port.post(message, transfer);
          },
          busy(busy) {
            one.busy = busy;
            port.busy(busy);
          },
          terminate() {
            one.ended = true;
            port.terminate();
          },
        };
      },
    });
    const { schema, content } = await client.suggestSchema(large);
    await content.close();
    const dataset = await client.openDataset(large, schema);
    assert.equal(dataset.rows, 3 * 660_000);
    assert.equal(made.length, 1);
    assert.ok(!made[0].ended && !made[0].busy, "it is kept, with nothing to do");
    await dataset.close();

    doomed = true;
    made[0].appended = 0;
    await assert.rejects(client.openDataset(large, schema), fails("crashed"));
    doomed = false;
    assert.ok(made[0].ended);
    assert.equal((await client.openDataset(rows(2), schema)).rows, 6);
    assert.equal(made.length, 2);

    const control = new AbortController();
    await assert.rejects(
      client.openDataset(large, schema, {
        signal: control.signal,
        onProgress: () => control.abort(),
      }),
      fails("aborted"),
    );
    assert.equal(made.length, 2);
    client.terminate();
    assert.ok(made.every((one) => one.ended));
  },
);

test("a file that is laid out in another way is read, and how is said", async () => {
  const want = await client.openDataset(text, schema);
  assert.deepEqual(want.layout, {
    delimiter: ",",
    quoted: false,
    columns: text.split("\n", 1)[0].split(",").length,
    header: true,
  });
  for (const delimiter of [";", "\t", "|", " "]) {
    const other = text.replaceAll(",", delimiter);
    for (const options of [{}, { delimiter }]) {
      const dataset = await client.openDataset(other, schema, options);
      assert.deepEqual(dataset.layout, { ...want.layout, delimiter });
      assert.deepEqual(dataset.tally, want.tally);
      await dataset.close();
    }
    const { layout, content } = await client.suggestSchema(other, { delimiter });
    assert.equal(layout.delimiter, delimiter);
    await content.close();
  }
  await assert.rejects(client.openDataset(text, schema, { delimiter: ";" }), fails("data"));
  await assert.rejects(client.openDataset(text, schema, { delimiter: "and" }), fails("parameter"));
  await want.close();
});
