//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime is what this process has taken of the processor.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // of no argument but what is written here
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
