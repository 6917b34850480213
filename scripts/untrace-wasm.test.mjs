import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { pack } from "./pack-wasm.mjs";
import { untrace } from "./untrace-wasm.mjs";

// What the runtime uses function names and tables for, besides printing: growing stacks and collecting garbage below deep recursion, panics that are recovered,
// the panic of a value method on a nil pointer, and telling a deadlock.
const program = `package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
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
	if len(os.Args) > 1 {
		<-make(chan int)
	}
}
`;

test("a program without stack traces does what it did", { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "untrace-"));
  try {
    writeFileSync(join(folder, "go.mod"), "module example\n\ngo 1.26\n");
    writeFileSync(join(folder, "main.go"), program);
    const file = join(folder, "main.wasm");
    execFileSync("go", ["build", "-ldflags=-s -w", "-o", file, "."], { cwd: folder, env: { ...process.env, GOOS: "js", GOARCH: "wasm", CGO_ENABLED: "0", GOFLAGS: "" } });
    const glue = join(execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim(), "lib/wasm/wasm_exec_node.js");
    const { PATH, HOME } = process.env;
    const run = (...args) => spawnSync("node", [glue, file, ...args], { encoding: "utf8", env: { PATH, HOME } });

    const before = { plain: run(), stuck: run("wait") };
    assert.equal(before.plain.status, 0, before.plain.stderr);
    const whole = readFileSync(file);
    const bare = pack(whole, { traces: false });
    writeFileSync(file, bare);
    const after = { plain: run(), stuck: run("wait") };

    assert.equal(after.plain.status, 0, after.plain.stderr);
    const lines = (output) => output.split("\n");
    assert.equal(lines(after.plain.stdout)[0], "2000");
    // The name of the method is gone from the second line, the rest stays.
    assert.match(lines(before.plain.stdout)[1], /value method main\.point\.Sum called using nil \*point pointer/);
    assert.match(lines(after.plain.stdout)[1], /^value method .* called using nil \*T pointer$/);
    assert.deepEqual(lines(after.plain.stdout).slice(2), lines(before.plain.stdout).slice(2));
    for (const { stuck } of [before, after]) {
      assert.equal(stuck.status, 2);
      assert.match(stuck.stderr, /all goroutines are asleep - deadlock!/);
    }

    assert.ok(whole.includes("deepNameOfAFunction"));
    assert.ok(!bare.includes("deepNameOfAFunction"));
    assert.ok(WebAssembly.validate(bare));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("data without a table of functions is left alone", () => {
  const bytes = new Uint8Array(4096).fill(7);
  bytes.set([0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8], 100);
  const copy = bytes.slice();
  assert.equal(untrace(bytes), false);
  assert.deepEqual(bytes, copy);
});
