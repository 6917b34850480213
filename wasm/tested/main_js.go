//go:build js && wasm

package main

import (
	"syscall/js"

	"cloister/wasm/kernel"
)

func main() {
	actions, err := prepare()
	if err != nil {
		js.Global().Call("postMessage", map[string]any{"error": err.Error()})
		return
	}
	kernel.Use()
	times := map[string]any{}
	for _, a := range actions {
		times[a.name] = a.times
	}
	js.Global().Set("pass", js.FuncOf(func(_ js.Value, args []js.Value) any {
		for _, a := range actions {
			if a.name == args[0].String() {
				for range args[1].Int() {
					a.run()
				}
			}
		}
		return nil
	}))
	js.Global().Call("postMessage", map[string]any{"times": times})
	select {}
}
