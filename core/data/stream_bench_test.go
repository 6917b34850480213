//go:build unix && !js

package data

import (
	"bytes"
	"fmt"
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
// it into fields alone takes: in processor time, of the quickest of each, by turns. A pass parses
// the file, or reads rows that were kept.
func BenchmarkStream(b *testing.B) {
	b.Run("adult", func(b *testing.B) {
		schema := fixture(b, "adult")
		benchmarkStream(b, schema, census(schema, Large))
	})
	b.Run("numbers", func(b *testing.B) {
		schema := &Schema{
			Label:     Label{Name: "y", Positive: []string{"yes"}, Negative: []string{"no"}},
			Rows:      Rows{Norm: Clip},
			Intercept: DefaultIntercept,
		}
		schema.Label.Provenance = Public
		header := ""
		for j := range 64 {
			f := Feature{Name: "x" + strconv.Itoa(j), Type: Numeric, Max: 1, Provenance: Public}
			schema.Features, header = append(schema.Features, f), header+f.Name+","
		}
		source := randomtest.New(7)
		benchmarkStream(b, schema, large(header+"y\n", func(text []byte, i int) []byte {
			for range 64 {
				word, _ := source.Uint64()
				text = fmt.Appendf(text, "0.%016d,", word%1e16)
			}
			return append(text, []string{"no\n", "yes\n"}[i%2]...)
		}))
	})
}

func benchmarkStream(b *testing.B, schema *Schema, text []byte) {
	size := int64(len(text))
	nothing := func(int, *Dataset) error { return nil }
	stream, err := OpenStream(bytes.NewReader(text), size, schema, ReadOptions{}, 1, nothing)
	require.NoError(b, err)
	kept, err := ResumeStream(bytes.NewReader(text), schema, stream.Index())
	require.NoError(b, err)
	require.NoError(b, kept.KeepRows(&memory{blocks: map[int][]byte{}}, "", every))
	none := func(*Dataset) error { return nil }
	pass := func(s *Stream) func() {
		return func() {
			for k := range Blocks {
				require.NoError(b, s.Read(k, firstPiece, none))
			}
		}
	}
	b.SetBytes(2 * size)
	b.ReportAllocs()
	cut, read, again := time.Hour, time.Hour, time.Hour
	for b.Loop() {
		cut = min(cut, worked(b, func() {
			s := scanner{sink: &blackhole{}}
			s.begin()
			if s.write(text) != nil || s.end() != nil {
				b.Fatal()
			}
		}))
		read = min(read, worked(b, pass(stream)))
		again = min(again, worked(b, pass(kept)))
	}
	speed := func(taken time.Duration) float64 { return float64(size) / 1e6 / taken.Seconds() }
	b.ReportMetric(speed(read), "MB/s-read")
	b.ReportMetric(speed(cut), "MB/s-cut")
	b.ReportMetric(speed(again), "MB/s-kept")
	b.ReportMetric(cut.Seconds()/read.Seconds(), "cut/read")
	b.ReportMetric(cut.Seconds()/again.Seconds(), "cut/kept")
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
