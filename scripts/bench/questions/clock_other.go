//go:build !unix

package main

import "time"

// processorTime is the time of day: nothing else runs in a process of WebAssembly.
func processorTime() time.Duration { return time.Since(start) }

var start = time.Now()
