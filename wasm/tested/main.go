//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run prints the median of 9 turns, after one that is not counted.
func run() error {
	actions, err := prepare()
	if err != nil {
		return err
	}
	figures := map[string]float64{}
	for _, a := range actions {
		var taken []float64
		for turn := range 10 {
			before, err := spent()
			if err != nil {
				return err
			}
			for range a.times {
				a.run()
			}
			after, err := spent()
			if err != nil {
				return err
			}
			if turn > 0 {
				taken = append(taken, float64(after-before)/float64(a.times)/1e6)
			}
		}
		slices.Sort(taken)
		figures[a.name] = taken[len(taken)/2]
	}
	return json.NewEncoder(os.Stdout).Encode(figures)
}

// spent is the processor's time so far, of all threads.
func spent() (time.Duration, error) {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0, err
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), nil
}
