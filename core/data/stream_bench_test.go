//go:build unix && !js

package data

import (
	"bytes"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// census makes records of a schema up, as lines of at least so many bytes.
func census(schema *Schema, size int) []byte {
	source := randomtest.New(7)
	below := func(n int) int {
		word, _ := source.Uint64()
		return int(word % uint64(n))
	}
	text := []byte{}
	for i := range schema.Features {
		text = append(text, schema.Features[i].Name+", "...)
	}
	text = append(text, schema.Label.Name+"\n"...)
	for len(text) < size {
		for i := range schema.Features {
			if f := &schema.Features[i]; f.Type == Numeric {
				text = strconv.AppendInt(text, int64(below(int(f.Max)+1)), 10)
			} else {
				text = append(text, f.Categories[below(len(f.Categories))]...)
			}
			text = append(text, ", "...)
		}
		label := [][]string{schema.Label.Positive, schema.Label.Negative}[below(2)]
		text = append(text, label[0]...)
		text = append(text, '\n')
	}
	return text
}

// BenchmarkStream says what share of a pass over a streamed file, rows and checksums made, cutting
// it into fields alone takes: in processor time, of the quickest of each, by turns.
func BenchmarkStream(b *testing.B) {
	schema := fixture(b, "adult")
	text := census(schema, Large)
	size := int64(len(text))
	nothing := func(int, *Dataset) error { return nil }
	stream, err := OpenStream(bytes.NewReader(text), size, schema, ReadOptions{}, 1, nothing)
	require.NoError(b, err)
	b.SetBytes(2 * size)
	b.ReportAllocs()
	none := func(*Dataset) error { return nil }
	cut, read := time.Hour, time.Hour
	for b.Loop() {
		cut = min(cut, worked(b, func() {
			s := scanner{sink: &blackhole{}}
			s.begin()
			if s.write(text) != nil || s.end() != nil {
				b.Fatal()
			}
		}))
		read = min(read, worked(b, func() {
			for k := range Blocks {
				require.NoError(b, stream.Read(k, firstPiece, none))
			}
		}))
	}
	b.ReportMetric(float64(size)/1e6/read.Seconds(), "MB/s-read")
	b.ReportMetric(float64(size)/1e6/cut.Seconds(), "MB/s-cut")
	b.ReportMetric(cut.Seconds()/read.Seconds(), "cut/read")
}

// worked is the processor time that do takes, of all threads.
func worked(b *testing.B, do func()) time.Duration {
	used := func() time.Duration {
		var r syscall.Rusage
		require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
		return time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	before := used()
	do()
	return used() - before
}
