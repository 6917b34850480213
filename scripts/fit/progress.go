package main

import (
	"fmt"
	"io"
	"sync"
)

// progress reads a file and tells how often it was read.
type progress struct {
	file io.ReaderAt
	size int64
	told io.Writer

	mutex sync.Mutex
	read  int64
	shown int64 // tenths of passes
}

// ReadAt implements io.ReaderAt.
func (p *progress) ReadAt(text []byte, at int64) (int, error) {
	n, err := p.file.ReadAt(text, at)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.read += int64(n)
	if tenths := 10 * p.read / p.size; tenths > p.shown {
		p.shown = tenths
		fmt.Fprintf(p.told, "the file was read %d.%d times\n", tenths/10, tenths%10)
	}
	return n, err
}
