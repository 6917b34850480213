import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { pack } from "./pack-wasm.mjs";
import { stubs } from "./stub-wasm.mjs";
import { untrace } from "./untrace-wasm.mjs";

// What the runtime uses function names and tables for, besides printing: growing stacks and collecting garbage below deep recursion, panics that are recovered,
// the panic of a value method on a nil pointer, and telling a deadlock.
const program = `package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"time"
)

type point struct{ x, y int }

//go:noinline
func (p point) Sum() int { return p.x + p.y }

type summer interface{ Sum() int }

//go:noinline
func nobody() summer { return (*point)(nil) }

func recovered(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return "no panic"
}

//go:noinline
func deepNameOfAFunction(n int, keep []*int) int {
	v := new(int)
	*v = n
	if n == 0 {
		runtime.GC()
		return len(keep)
	}
	got := deepNameOfAFunction(n-1, append(keep[:len(keep):len(keep)], v))
	if *v != n {
		panic("the collector took a live value")
	}
	return got
}

func main() {
	fmt.Println(deepNameOfAFunction(2000, nil))
	fmt.Println(recovered(func() { nobody().Sum() }))
	fmt.Println(recovered(func() { _ = []int{1}[len(os.Args)+5] }))
	swap := reflect.MakeFunc(reflect.TypeOf(func(int, *int) (*int, int) { return nil, 0 }), func(in []reflect.Value) []reflect.Value {
		runtime.GC()
		return []reflect.Value{in[1], in[0]}
	}).Interface().(func(int, *int) (*int, int))
	seven := 7
	p, n := swap(3, &seven)
	fmt.Println(*p, n)
	fmt.Println(busy())
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "wait":
			<-make(chan int)
		case "panic":
			panic(fmt.Errorf("error number %d", seven))
		case "float":
			panic(2.5)
		}
	}
}

// Goroutines, timers, maps that grow, finalizers and the collector, all at once.
func busy() int {
	total, results := 0, make(chan int)
	finalized := make(chan bool, 1)
	runtime.SetFinalizer(&point{1, 2}, func(*point) { select { case finalized <- true: default: } })
	for i := range 50 {
		go func() {
			counts := map[string][]byte{}
			for k := range 2000 {
				counts[strconv.Itoa(k%700)] = append(counts[strconv.Itoa(k%700)], make([]byte, i)...)
				if k%500 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
			results <- len(counts) + len(counts["3"])
		}()
	}
	for range 50 {
		total += <-results
	}
	for len(finalized) == 0 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	return total
}
`;

/** The memory of a Go program that is not run yet. */
async function memoryOf(file) {
  const module = await WebAssembly.compile(file);
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => assert.fail("nothing runs yet");
  const { exports } = await WebAssembly.instantiate(module, imports);
  return new Uint8Array(exports.mem.buffer);
}

// With the names of functions in the file, what the program never runs is taken out too.
for (const [flags, what] of [
  ["-s -w", "stack traces"],
  ["-w", "stack traces and the functions that are never run"],
]) {
  test(`a program without ${what} does what it did`, { timeout: 180_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "untrace-"));
    try {
      writeFileSync(join(folder, "go.mod"), "module example\n\ngo 1.26\n");
      writeFileSync(join(folder, "main.go"), program);
      const file = join(folder, "main.wasm");
      execFileSync("go", ["build", `-ldflags=${flags}`, "-o", file, "."], { cwd: folder, env: { ...process.env, GOOS: "js", GOARCH: "wasm", CGO_ENABLED: "0", GOFLAGS: "" } });
      const glue = join(execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim(), "lib/wasm/wasm_exec_node.js");
      const { PATH, HOME } = process.env;
      const run = (...args) => spawnSync("node", [glue, file, ...args], { encoding: "utf8", env: { PATH, HOME } });
      const runs = () => ({ plain: run(), stuck: run("wait"), panic: run("panic"), float: run("float") });

      const before = runs();
      assert.equal(before.plain.status, 0, before.plain.stderr);
      const whole = readFileSync(file);
      const bare = pack(whole, { traces: false });
      writeFileSync(file, bare);
      const after = runs();

      assert.equal(after.plain.status, 0, after.plain.stderr);
      const lines = (output) => output.split("\n");
      assert.equal(lines(after.plain.stdout)[0], "2000");
      // The name of the method is gone from the second line, the rest stays.
      assert.match(lines(before.plain.stdout)[1], /value method main\.point\.Sum called using nil \*point pointer/);
      assert.match(lines(after.plain.stdout)[1], /^value method .* called using nil \*T pointer$/);
      assert.deepEqual(lines(after.plain.stdout).slice(2), lines(before.plain.stdout).slice(2));
      for (const { stuck, panic, float } of [before, after]) {
        for (const { status } of [stuck, panic, float]) assert.equal(status, 2);
        assert.match(stuck.stderr, /all goroutines are asleep - deadlock!/);
        assert.match(panic.stderr, /panic: .*error number 7/);
        assert.match(float.stderr, /panic: .*2\.5/);
      }

      assert.ok(whole.includes("deepNameOfAFunction"));
      assert.ok(!bare.includes("deepNameOfAFunction"));
      assert.ok(WebAssembly.validate(bare));
      if (flags !== "-w") {
        // Nothing was taken out of the code: when it starts, the memory is as untrace alone leaves it.
        const expected = await memoryOf(whole);
        assert.ok(untrace(expected));
        assert.ok(Buffer.from(expected).equals(Buffer.from(await memoryOf(bare))), "what was left out comes back");
      }
      if (flags === "-w") assert.ok(bare.length < pack(whole).length - 200_000);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

test("a program of another runtime is not cut", () => {
  assert.throws(() => stubs({ code: { bodies: [], imports: 0, exported: [] }, names: new Map(), data: [] }), /another/);
});

// Three functions beside those that every program has: one is called, one is a value in data, one is neither; and one calls itself only.
test("what is neither called nor a value is taken out", () => {
  const names = ["runtime.traceback1", "runtime.traceAdvance", "runtime.typelinksinit", "start", "called", "value", "method", "alone"];
  const end = [0x0b];
  const bodies = names.map((name, i) => Uint8Array.from(name === "start" ? [0, 0x10, 1, 0x10, 3, 0x10, 5, ...end] : name === "alone" ? [0, 0x10, i + 1, ...end] : [0, 0x01, ...end]));
  const data = new Uint8Array(20);
  new DataView(data.buffer).setUint32(8, 0x1005 * 65536, true);
  new DataView(data.buffer).setUint32(16, 0x1006, true);
  const numbered = new Map(names.map((name, i) => [i + 1, name]));
  const found = stubs({ code: { bodies, imports: 1, exported: [4] }, names: numbered, data: [{ address: 4096, bytes: data }] });
  assert.deepEqual([...found.keys()].sort(), [0, 1, 2, 7]);
  assert.deepEqual([...found.keys()].filter((i) => found.get(i).includes(0x00, 1) && found.get(i).length === 3).sort(), [1, 7], "these trap");
  const strange = bodies.with(3, Uint8Array.from([0, 0xfd, ...end]));
  assert.throws(() => stubs({ code: { bodies: strange, imports: 1, exported: [4] }, names: numbered, data: [] }), /not known/);
});

// A package's methods are in data; what sets it up is too, and calls one of its functions.
test("a package goes as a whole, or stays as a whole", () => {
  const names = ["runtime.traceback1", "runtime.traceAdvance", "runtime.typelinksinit", "start", "log.init", "log.New", "log.__Logger_.Print", "log.Fatal", "log.Println"];
  const end = [0x0b];
  const taken = (calls) => {
    const bodies = names.map((name) => Uint8Array.from([0, ...(name === "start" ? calls.flatMap((to) => [0x10, names.indexOf(to)]) : name === "log.init" ? [0x10, names.indexOf("log.New")] : [0x01]), ...end]));
    const data = new Uint8Array(16);
    [0x1004 * 65536, 0x1006].forEach((word, i) => new DataView(data.buffer).setUint32(8 * i, word, true));
    const found = stubs({ code: { bodies, imports: 0, exported: [3] }, names: new Map(names.entries()), data: [{ address: 4096, bytes: data }] });
    return names.filter((name, i) => name.startsWith("log.") && found.get(i)?.length === 3);
  };
  assert.deepEqual(taken([]), ["log.__Logger_.Print", "log.Fatal", "log.Println"]);
  assert.deepEqual(taken(["log.Println"]), ["log.__Logger_.Print", "log.Fatal"], "it returns at once");
  assert.deepEqual(taken(["log.Fatal"]), ["log.Println"], "a value may have been made");
  assert.deepEqual(taken(["log.New"]), ["log.Fatal", "log.Println"], "and its methods stay");
});

test("what sets up a package that is gone goes too, where nothing else has a use for it", () => {
  const names = ["runtime.traceback1", "runtime.traceAdvance", "runtime.typelinksinit", "start", "encoding_json.init", "encoding_json.Marshal", "reflect.TypeOf", "reflect.init"];
  const taken = (...calls) => {
    const from = { start: calls, "encoding_json.init": ["reflect.TypeOf"] };
    const bodies = names.map((name) => Uint8Array.from([0, ...(from[name] ?? []).flatMap((to) => [0x10, names.indexOf(to)]), 0x01, 0x0b]));
    const data = new Uint8Array(16);
    [4, 7].forEach((place, i) => new DataView(data.buffer).setUint32(8 * i, (0x1000 + place) * 65536, true));
    const found = stubs({ code: { bodies, imports: 0, exported: [3] }, names: new Map(names.entries()), data: [{ address: 4096, bytes: data }] });
    return names.filter((name, i) => i > 3 && found.has(i));
  };
  assert.deepEqual(taken(), ["encoding_json.init", "encoding_json.Marshal", "reflect.TypeOf"]);
  assert.deepEqual(taken("encoding_json.Marshal"), []);
  assert.deepEqual(taken("reflect.TypeOf"), ["encoding_json.init", "encoding_json.Marshal"]);
});

test("the number of a function that is no method is only a number", () => {
  const names = ["runtime.traceback1", "runtime.traceAdvance", "runtime.typelinksinit", "start", "a.function", "a.function.func1", "a.__Type_.Method", "a.value"];
  const bodies = names.map(() => Uint8Array.of(0, 0x01, 0x0b));
  const data = new Uint8Array(24);
  [0x1004, 0x1005, 0x1006, 0x1007 * 65536].forEach((word, i) => new DataView(data.buffer).setUint32(4 * i, word, true));
  new DataView(data.buffer).setUint32(20, 0x1007 * 65536, true);
  const program = (bytes) => ({ code: { bodies, imports: 0, exported: [3] }, names: new Map(names.entries()), data: [{ address: 4096, bytes }] });
  const kept = (bytes) => names.filter((name, i) => i > 3 && !stubs(program(bytes)).has(i));
  assert.deepEqual(kept(data), ["a.__Type_.Method", "a.value"]);
  new DataView(data.buffer).setUint32(16, 1, true);
  assert.deepEqual(kept(data.subarray(0, 20)), ["a.__Type_.Method"], "an address is of eight bytes");
});

test("data without a table of functions is left alone", () => {
  const bytes = new Uint8Array(4096).fill(7);
  bytes.set([0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8], 100);
  const copy = bytes.slice();
  assert.equal(untrace(bytes), undefined);
  assert.deepEqual(bytes, copy);
});
