//go:build js && wasm

// Command fitdemo is the WebAssembly binary of pages that show private fits to
// made-up points: learners with noise that can be drawn again, and no way in for
// data.
package main

import (
	"cloister/wasm/api/plane"
	"cloister/wasm/bridge"
)

func main() { bridge.Serve(plane.Service()) }
