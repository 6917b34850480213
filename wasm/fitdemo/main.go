//go:build js && wasm

// Command fitdemo is the WebAssembly binary for pages that show private fits to made-up points.
// Its learners use noise that can be drawn again, and it takes no data.
package main

import (
	"cloister/wasm/api/plane"
	"cloister/wasm/bridge"
)

func main() { bridge.Serve(plane.Service()) }
