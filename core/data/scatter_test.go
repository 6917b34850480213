package data

import (
	"bytes"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// long reports whether CLOISTER_AUDIT=long asks for every case.
func long() bool { return os.Getenv("CLOISTER_AUDIT") == "long" }

// scattered reads a text in pieces of an odd size, and returns what is kept, what was handed over
// on top of it, and the stream of it; err is the parser's.
func scattered(
	text []byte, schema *Schema, options ReadOptions, own int, begin bool,
) (here *Dataset, taken *Gathering, all *Stream, err error) {
	p, err := NewParser(schema, options)
	if err != nil {
		return nil, nil, nil, err
	}
	p.Scatter(Scatter{
		Own: own,
		Begin: func(kept Kept) bool {
			taken = Gather(own, kept.Columns, kept.Dense, 10, 10) // there are more
			return begin
		},
		Take: func(block int, piece *Dataset) {
			x := piece.X
			if x.Dense() {
				piece = PieceOf(x.Columns, true, piece.Y, nil, nil, x.Blocks[0])
			} else {
				piece = PieceOf(x.Columns, false, piece.Y, x.RowStart, x.Index, x.Value)
			}
			taken.Add(block, piece)
		},
	})
	for chunk := range slices.Chunk(text, 123_457) {
		if err := p.Write(chunk); err != nil {
			return nil, nil, nil, err
		}
	}
	here, all, err = p.CloseScattered(bytes.NewReader(text))
	return here, taken, all, err
}

// requireSame compares rows, labels, blocks and the form: failures of whole data sets fill pages.
func requireSame(t *testing.T, want, have *Dataset) {
	require.Equal(t, want.Ends, have.Ends)
	require.Equal(t, want.X.Dense(), have.X.Dense())
	require.Equal(t, want.X.Rows(), have.X.Rows())
	require.True(t, slices.Equal(want.Y, have.Y))
	for i := range want.Y {
		a, b := want.X.Row(i), have.X.Row(i)
		// An assertion of each row would take longer than comparing it.
		if !slices.Equal(a.Index, b.Index) || !slices.Equal(a.Value, b.Value) {
			require.Fail(t, "another row", "row %d", i)
		}
	}
}

// What is kept and what is handed over, or read again, is the data set. (Of one file in three ways;
// CLOISTER_AUDIT=long: of each.)
func TestScatteredRowsAreTheDataSet(t *testing.T) {
	schema := smallSchema(t)
	forms := map[bool]int{}
	for name, text := range largeFiles() {
		if testing.Short() && name != "wide" && name != "short" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			options := ReadOptions{Size: int64(len(text))}
			want, err := Read(bytes.NewReader(text), schema, options)
			require.NoError(t, err)
			for _, own := range []int{1, 6, 11} {
				if !long() && own != 6 && (testing.Short() || name != "wide") {
					continue // of the other files the loops are the same
				}
				here, taken, all, err := scattered(text, schema, options, own, true)
				require.NoError(t, err)
				assert.Equal(t, want.Tally, here.Tally)
				assert.Equal(t, want.Layout, here.Layout)
				if all == nil {
					assert.LessOrEqual(t, want.Ends[own-1], BlockRows)
					requireSame(t, want, here)
					continue
				}
				forms[want.X.Dense()]++
				assert.Equal(t, want.Ends[:own], here.Ends)
				assert.Equal(t, want.X.Rows(), all.Rows())
				read := Gather(own, want.X.Columns, want.X.Dense(), 0, 0)
				for k := own; k < Blocks; k++ {
					require.NoError(t, all.Read(k, 1000, func(piece *Dataset) error {
						read.Add(k, piece)
						return nil
					}))
				}
				for _, rest := range []*Dataset{taken.Dataset(schema), read.Dataset(schema)} {
					whole := Gather(0, want.X.Columns, want.X.Dense(), all.Rows(), 0)
					first := 0
					for k := range Blocks {
						from := rest
						if k < own {
							from = here
						}
						if k == own {
							first = 0
						}
						rows := []int{}
						for ; first < from.Ends[k]; first++ {
							rows = append(rows, first)
						}
						whole.Add(k, from.Select(rows))
					}
					requireSame(t, want, whole.Dataset(schema))
				}
				same, _, none, err := scattered(text, schema, options, own, false)
				require.NoError(t, err)
				assert.Nil(t, none)
				requireSame(t, want, same)
				assert.Equal(t, want.Tally, same.Tally)
			}
		})
	}
	assert.Positive(t, forms[true])
	assert.Positive(t, forms[false])
}

// A gathering that is given up leaves the rows that it began with as they are, and the next one has
// each row once. The first blocks fill none of a dense matrix.
func TestAGatheringThatIsGivenUp(t *testing.T) {
	if testing.Short() {
		t.Skip("run natively alone: the same loops, and their use is tested with package fitting")
	}
	schema := smallSchema(t)
	for _, name := range []string{"wide", "short"} {
		text := largeFiles()[name]
		options := ReadOptions{Size: int64(len(text))}
		want, err := Read(bytes.NewReader(text), schema, options)
		require.NoError(t, err)
		here, _, all, err := scattered(text, schema, options, 7, true)
		require.NoError(t, err)
		require.Equal(t, name == "wide", here.X.Dense())
		before := here.X.Rows()
		for upTo := 7; upTo <= Blocks; upTo++ {
			g := GatherAfter(here, all.Rows(), 0)
			for k := 7; k < upTo; k++ {
				require.NoError(t, all.Read(k, 1000, func(piece *Dataset) error {
					g.Add(k, piece)
					return nil
				}))
			}
			require.Equal(t, before, here.X.Rows())
			if upTo == Blocks {
				requireSame(t, want, g.Dataset(schema))
			}
		}
	}
	g := Gather(0, 1, true, 0, 0)
	g.Add(0, PieceOf(1, true, []float64{1}, nil, nil, []float64{1}))
	g.y = nil
	assert.Panics(t, func() { g.Dataset(schema) })
}

// Errors are those of a parser that keeps all rows, wherever in the file they are found.
func TestScatteringFindsTheSameErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("run natively alone: the same loops, and their use is tested with package fitting")
	}
	schema := smallSchema(t)
	text := largeFiles()["short"]
	line := slices.Index(text[len(text)*3/4:], '\n') + len(text)*3/4 + 1
	for name, c := range map[string]struct {
		put     string
		options ReadOptions
		find    Kind
		says    string
	}{
		"a ragged record": {"no,a\n", ReadOptions{}, Ragged, "2 fields"},
		"an open quote":   {"no,\"a", ReadOptions{}, BadQuote, "never closed"},
		"no number":       {"no,a,x,\n", ReadOptions{}, "", "not a number"},
		"a large matrix":  {"", ReadOptions{MaxMatrixBytes: 12 << 20}, TooLarge, "records so far"},
		"a likely one":    {"", ReadOptions{MaxMatrixBytes: 8 << 20}, TooLarge, "going by the first"},
	} {
		t.Run(name, func(t *testing.T) {
			damaged := slices.Concat(text[:line], []byte(c.put), text[line:])
			c.options.Size = int64(len(damaged))
			_, want := Read(bytes.NewReader(damaged), schema, c.options)
			require.IsType(t, &Error{}, want)
			if c.find != "" {
				assert.Equal(t, c.find, want.(*Error).Kind)
			}
			assert.ErrorContains(t, want, c.says)
			_, _, _, have := scattered(damaged, schema, c.options, 4, true)
			assert.Equal(t, want, have)
		})
	}
	one := bytes.ReplaceAll(text, []byte("yes,"), []byte("no,"))
	options := ReadOptions{Size: Large}
	_, want := Read(bytes.NewReader(one), schema, options)
	require.Error(t, want)
	_, _, _, have := scattered(one, schema, options, 4, true)
	assert.Equal(t, want, have)
}

// A file that was cut, or whose records are other ones, is not taken for what it was. (One value in
// every third block; CLOISTER_AUDIT=long: in each.)
func TestRowsOfAnotherTextAreNotReadAgain(t *testing.T) {
	schema := smallSchema(t)
	text := largeFiles()["short"]
	_, _, all, err := scattered(text, schema, ReadOptions{Size: int64(len(text))}, 6, true)
	require.NoError(t, err)
	none := func(*Dataset) error { return nil }
	for _, other := range [][]byte{
		text[:len(text)-100],
		bytes.ReplaceAll(text, []byte("no,b"), []byte("no\nb")),
		bytes.ReplaceAll(text, []byte(",b,"), []byte(",\n,")),
	} {
		all.file = bytes.NewReader(other)
		assert.ErrorIs(t, all.Read(Blocks-1, 1000, none), ErrChanged)
	}

	// One value is another one: there are as many rows, and all can be read.
	step := 3
	if long() {
		step = 1
	}
	for k := 6; k < Blocks; k += step {
		other := bytes.Clone(text)
		from := all.index.Blocks[k].At + 1000
		at := from + int64(bytes.Index(other[from:], []byte(",b,")))
		other[at+1] = 'a'
		for i := 6; i < Blocks; i++ {
			if testing.Short() && i != k {
				continue
			}
			all.file = bytes.NewReader(text)
			require.NoError(t, all.Read(i, 1000, none))
			all.file = bytes.NewReader(other)
			if err := all.Read(i, 1000, none); i == k {
				assert.Equal(t, ErrChanged, err)
			}
		}
		if testing.Short() {
			break
		}
	}
}

// The checksums that a parser takes are those that a stream takes of the same file.
func TestScatteringTakesTheSameChecksums(t *testing.T) {
	if testing.Short() {
		t.Skip("run natively alone: the same loops, and their use is tested with package fitting")
	}
	schema := smallSchema(t)
	text := largeFiles()["short"]
	_, _, all, err := scattered(text, schema, ReadOptions{Size: int64(len(text))}, 6, true)
	require.NoError(t, err)
	s, err := OpenStream(
		bytes.NewReader(text), int64(len(text)), schema, ReadOptions{}, 1,
		func(int, *Dataset) error { return nil },
	)
	require.NoError(t, err)
	assert.Equal(t, s.Index().Pages, all.Index().Pages)
	assert.Nil(t, (&pageSums{}).end())
	whole := &pageSums{}
	whole.write(make([]byte, 2*page))
	assert.Len(t, whole.end(), 2)
}

func TestPiecesThatAreNone(t *testing.T) {
	one := []float64{1}
	assert.NotNil(t, PieceOf(1, true, one, nil, nil, one))
	assert.NotNil(t, PieceOf(1, false, one, []int{0, 1}, []int32{0}, one))
	for _, piece := range []*Dataset{
		PieceOf(2, true, one, nil, nil, one),
		PieceOf(1, true, one, nil, []int32{0}, one),
		PieceOf(1, true, one, []int{0, 1}, nil, one),
		PieceOf(1, false, one, nil, nil, nil),
		PieceOf(1, false, one, []int{0, 1}, nil, one),
		PieceOf(1, false, one, []int{1, 1}, []int32{0}, one),
		PieceOf(1, false, one, []int{0, 0}, []int32{0}, one),
		PieceOf(1, false, one, []int{0, 1}, []int32{1}, one),
		PieceOf(1, false, one, []int{0, 1}, []int32{-1}, one),
		PieceOf(2, false, []float64{1, 1, 1}, []int{0, 2, 1, 2}, []int32{0, 1}, []float64{1, 1}),
	} {
		assert.Nil(t, piece)
	}
	p, err := NewParser(smallSchema(t), ReadOptions{})
	require.NoError(t, err)
	assert.Panics(t, func() { p.Scatter(Scatter{Own: 0}) })
	assert.Panics(t, func() { p.Scatter(Scatter{Own: Blocks}) })
}

// BenchmarkScatter says what share of reading a file whose rows are handed over its checksums take:
// of the quickest of each, by turns.
func BenchmarkScatter(b *testing.B) {
	for name, text := range largeFiles() {
		if name != "short" && name != "wide" {
			continue
		}
		b.Run(name, func(b *testing.B) {
			schema := smallSchema(b)
			b.SetBytes(2 * int64(len(text)))
			read, sums := time.Hour, time.Hour
			for b.Loop() {
				start := time.Now()
				p, err := NewParser(schema, ReadOptions{Size: int64(len(text))})
				require.NoError(b, err)
				p.Scatter(Scatter{
					Own: 6, Begin: func(Kept) bool { return true }, Take: func(int, *Dataset) {},
				})
				p.sums = nil
				for chunk := range slices.Chunk(text, 2<<20) {
					require.NoError(b, p.Write(chunk))
				}
				read = min(read, time.Since(start))
				start = time.Now()
				s := &pageSums{}
				for chunk := range slices.Chunk(text, 2<<20) {
					s.write(chunk)
				}
				sums = min(sums, time.Since(start))
			}
			speed := func(d time.Duration) float64 { return float64(len(text)) / 1e6 / d.Seconds() }
			b.ReportMetric(speed(read), "MB/s-read")
			b.ReportMetric(speed(sums), "MB/s-sums")
			b.ReportMetric(sums.Seconds()/read.Seconds(), "sums/read")
		})
	}
}
