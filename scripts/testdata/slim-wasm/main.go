// What the runtime reads the names and tables of functions for, besides printing
// traces: slim-wasm.test.mjs holds what this prints to what it prints when they
// are gone.
package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"sync"
	"time"
)

type point struct{ x, y int }

//go:noinline
func (p point) Sum() int { return p.x + p.y }

type summer interface{ Sum() int }

//go:noinline
func nobody() summer { return (*point)(nil) }

// recovered says what f panicked with.
func recovered(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return "no panic"
}

// inline is a function that recover is called in and that may be inlined: only a
// deferred function itself may recover, so this one recovers nothing.
func inline() any { return recover() }

func notRecovered() (text string) {
	defer func() { text += fmt.Sprint(" then ", recover()) }()
	defer func() { text = fmt.Sprint(inline()) }()
	panic("through")
}

// again recovers, and panics from where it was recovered.
func again() (err error) {
	defer func() {
		if cause, ok := recover().(error); ok {
			err = fmt.Errorf("again: %w", cause)
		}
	}()
	defer func() { panic(errors.Join(errors.New("second"), recover().(error))) }()
	panic(errors.New("first"))
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

// swapped calls through a stub of package reflect while the collector runs.
func swapped() (int, int) {
	kind := reflect.TypeOf(func(int, *int) (*int, int) { return nil, 0 })
	swap := reflect.MakeFunc(kind, func(in []reflect.Value) []reflect.Value {
		runtime.GC()
		return []reflect.Value{in[1], in[0]}
	}).Interface().(func(int, *int) (*int, int))
	sum := reflect.ValueOf(point{3, 4}).MethodByName("Sum").Interface().(func() int)
	seven := 7
	p, n := swap(3, &seven)
	return *p + n, sum()
}

// busy runs goroutines, timers, growing maps, finalizers and the collector at once.
func busy() int {
	total, results := 0, make(chan int)
	finalized := make(chan bool, 1)
	runtime.SetFinalizer(&point{1, 2}, func(*point) {
		select {
		case finalized <- true:
		default:
		}
	})
	for i := range 20 {
		go func() {
			defer func() { results <- len(fmt.Sprint(recover())) }()
			counts := map[string][]byte{}
			for k := range 1000 {
				name := strconv.Itoa(k % 700)
				counts[name] = append(counts[name], make([]byte, i)...)
				if k%500 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
			panic(len(counts) + len(counts["3"]))
		}()
	}
	for range 20 {
		total += <-results
	}
	for len(finalized) == 0 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	return total
}

func main() {
	switch os.Args[1] {
	case "work":
		fmt.Println(recovered(func() { nobody().Sum() }))
		fmt.Println(recovered(func() { _ = []int{1}[len(os.Args)+5] }))
		fmt.Println(recovered(func() { _ = any(point{}).(fmt.Stringer) }))
		fmt.Println(recovered(func() { _ = 1 / (len(os.Args) - 2) }))
	case "defers":
		fmt.Println(notRecovered())
		fmt.Println(again())
	case "collect":
		fmt.Println(deepNameOfAFunction(2000, nil))
		fmt.Println(swapped())
		fmt.Println(busy())
	case "deadlock":
		<-make(chan int)
	case "panic":
		panic(fmt.Errorf("error number %d", 7))
	case "nested":
		defer func() { panic("second") }()
		panic("first")
	case "fatal":
		new(sync.Mutex).Unlock()
	}
}
