package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// large returns a file of at least Large bytes whose lines line makes.
func large(header string, line func(text []byte, i int) []byte) []byte {
	text := []byte(header)
	ends := []int{len(text)} // of the header, and of each line
	for i := 0; len(text) < Large; i++ {
		if i < period {
			text = line(text, i)
			ends = append(ends, len(text))
			continue
		}
		text = append(text, text[ends[i%period]:ends[i%period+1]]...)
	}
	return text
}

// period is after how many lines they are the same again: i counts by 2, 3, 5, 7, 8 or 9.
const period = 2520

// largeFiles have rows that become sparse and rows that become dense; quoted line ends, CR LF,
// blank lines, a byte order mark, dropped records; blocks of fewer rows than decide the form; and
// one record that is longer than some blocks. They are made once: nobody writes into them.
var largeFiles = sync.OnceValue(func() map[string][]byte {
	filler := strings.Repeat("x", 4000)
	return map[string][]byte{
		"quoted": large("\xef\xbb\xbfx,note,c,y\r\n", func(text []byte, i int) []byte {
			text = fmt.Appendf(
				text, "%d,\"%s\r\n1,n,a,no\r\n\",%c,%s\r\n",
				i%8, filler, "ab"[i/3%2], []string{"no", "yes"}[i%2],
			)
			if i%5 == 0 {
				text = append(text, "\r\n"...)
			}
			return text
		}),
		"short": large("y,c,x,z\n", func(text []byte, i int) []byte {
			return fmt.Appendf(
				text, "%s,%c,%d.%d,%s\n", []string{"no", "yes"}[i%3/2], "ab"[i%2], i%9, i%7,
				filler[:40],
			)
		}),
		"wide": large("x,note,c,y\n", func(text []byte, i int) []byte {
			return fmt.Appendf(text, "%d,%s,a,%s\n", 1+i%8, filler[:500], []string{"no", "yes"}[i%2])
		}),
		"late": large("x,note,c,y\n"+strings.Repeat("\n", 3<<20), func(text []byte, i int) []byte {
			return fmt.Appendf(text, "%d,%s,a,%s\n", i%8, filler[:900], []string{"no", "yes"}[i%2])
		}),
		"returns": large("x;note;c;y\r", func(text []byte, i int) []byte {
			return fmt.Appendf(text, "%d;\"%s\r\";b;%s\r", i%8, filler, []string{"no", "yes"}[i%2])
		}),
		"long": large(
			"x,note,c,y\n"+strings.Repeat("0,n,b,no\n2,n,b,yes\n", 500)+
				"1,"+strings.Repeat(filler, 1000)+",b,no\n",
			func(text []byte, i int) []byte {
				return fmt.Appendf(text, "%d,%s,b,%s\n", i%3, filler[:40], []string{"no", "yes"}[i%2])
			},
		),
	}
})

// A stream has the rows, the labels, the blocks, the form and the tally of the data set, whatever
// the pieces.
func TestAStreamIsTheDataSet(t *testing.T) {
	schema := smallSchema(t)
	forms := map[bool]bool{}
	for name, text := range largeFiles() {
		if testing.Short() && name != "wide" && name != "quoted" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			options := ReadOptions{Size: int64(len(text))}
			want, err := Read(bytes.NewReader(text), schema, options)
			require.NoError(t, err)
			checked := 0
			s, err := OpenStream(
				bytes.NewReader(text), int64(len(text)), schema, options, 1,
				func(before int, d *Dataset) error {
					assert.Equal(t, checked, before)
					checked += d.X.Rows()
					return nil
				},
			)
			require.NoError(t, err)
			for _, workers := range []int{2, 8} {
				at, err := OpenStream(
					bytes.NewReader(text), int64(len(text)), schema, options, workers,
					func(int, *Dataset) error { return nil },
				)
				require.NoError(t, err)
				require.Equal(t, s.Index(), at.Index(), "%d workers", workers)
			}
			bare := &Stream{schema: schema, file: s.file, index: StreamIndex{Size: options.Size}}
			assert.Equal(
				t, map[string]bool{"short": true, "wide": true, "late": true}[name],
				bare.atOnce(options, 3, func(int, *Dataset) error { return nil }),
			)
			assert.Equal(t, len(want.Y), checked)
			assert.Equal(t, want.Tally, s.Index().Tally)
			assert.Equal(t, want.Layout, s.Index().Layout)
			require.Equal(t, want.X.Dense(), s.index.Dense)
			forms[s.index.Dense] = true
			file, err := json.Marshal(s.Index())
			require.NoError(t, err)
			var index StreamIndex
			require.NoError(t, json.Unmarshal(file, &index))
			s, err = ResumeStream(bytes.NewReader(text), schema, index)
			require.NoError(t, err)
			assert.Equal(t, len(want.Y), s.Rows())

			for _, most := range []int{128, 5000} {
				at := 0
				for k := range Blocks {
					entries, first := 0, at
					require.NoError(t, s.Read(k, most, func(d *Dataset) error {
						require.Equal(t, want.X.Dense(), d.X.Dense())
						for i := range d.Y {
							have, row := d.X.Row(i), want.X.Row(at)
							if !slices.Equal(row.Index, have.Index) ||
								!slices.Equal(row.Value, have.Value) || want.Y[at] != d.Y[i] {
								require.FailNow(t, "another row", "row %d", at)
							}
							entries += len(d.X.Row(i).Value)
							at++
						}
						return nil
					}))
					require.Equal(t, want.Ends[k], at, "block %d", k)
					rows, wantEntries := s.Block(k)
					assert.Equal(t, at-first, rows)
					assert.Equal(t, wantEntries, entries)
				}
			}
		})
	}
	assert.Len(t, forms, 2)
}

// A stream stops at what is wrong: with a record, by its line; with a row, as check says; with a
// file that is not what it was; with a taker that has had enough.
func TestAStreamStops(t *testing.T) {
	if testing.Short() {
		t.Skip("run natively alone: files larger than memory are read natively")
	}
	schema := smallSchema(t)
	text := largeFiles()["short"]
	size := int64(len(text))
	nothing := func(int, *Dataset) error { return nil }
	none := func(*Dataset) error { return nil }
	enough := errors.New("enough")

	open := func(text []byte, size int64, workers int, check func(int, *Dataset) error) error {
		_, err := OpenStream(
			bytes.NewReader(text), size, schema, ReadOptions{}, workers, check,
		)
		return err
	}
	wrong := bytes.Clone(text)
	at := bytes.LastIndexByte(wrong[:10<<20], '\n')
	copy(wrong[at+1:], "maybe,")
	alone := bytes.ReplaceAll(text, []byte("yes"), []byte("no "))
	for _, workers := range []int{1, 8} {
		before := -1
		assert.Equal(t, enough, open(text, size, workers, func(rows int, d *Dataset) error {
			if rows < 10_000 || rows >= 18_000 {
				return nil
			}
			before = rows
			return enough
		}))
		assert.Equal(t, (10_000+firstPiece-1)/firstPiece*firstPiece, before)

		var refused *Error
		require.ErrorAs(t, open(wrong, size, workers, nothing), &refused)
		assert.Equal(t, bytes.Count(wrong[:at+1], []byte("\n"))+1, refused.Row)
		require.ErrorAs(t, open(alone, size, workers, nothing), &refused)
		assert.Equal(t, OneClass, refused.Kind)
		assert.ErrorIs(t, open(text[:size-2], size, workers, nothing), ErrChanged)
	}

	s, err := OpenStream(bytes.NewReader(text), size, schema, ReadOptions{}, 1, nothing)
	require.NoError(t, err)
	assert.Equal(t, enough, s.Read(3, 256, func(*Dataset) error { return enough }))
	changed := bytes.Clone(text)
	changed[size/2] ^= 1
	s.file = bytes.NewReader(changed)
	failed := 0
	for k := range Blocks {
		if err := s.Read(k, 256, none); err != nil {
			require.ErrorIs(t, err, ErrChanged)
			failed++
		}
	}
	assert.Positive(t, failed)
	s.file = bytes.NewReader(text[:size/2])
	assert.ErrorIs(t, s.Read(11, 256, none), ErrChanged)

	for _, spoil := range []func(*StreamIndex){
		func(i *StreamIndex) { *i = StreamIndex{} },
		func(i *StreamIndex) { i.Schema = "" },
		func(i *StreamIndex) { i.Size++ },
		func(i *StreamIndex) { i.Pages = i.Pages[1:] },
		func(i *StreamIndex) { i.Blocks = i.Blocks[1:] },
		func(i *StreamIndex) { i.Blocks[3].At = i.Blocks[5].At },
		func(i *StreamIndex) { i.Blocks[3].Rows = -1 },
		func(i *StreamIndex) { i.Tally.Kept++ },
	} {
		index := s.Index()
		index.Blocks = slices.Clone(index.Blocks)
		spoil(&index)
		_, err = ResumeStream(bytes.NewReader(text), schema, index)
		assert.Error(t, err)
	}
	assert.Panics(t, func() {
		_, _ = OpenStream(bytes.NewReader(text), Large-1, schema, ReadOptions{}, 1, nothing)
	})
}

// Records that end in CR alone among those that end in LF are of the block that a pass by one
// finds them in, and so is a record around which a file is cut inside its quotes.
func TestCutsThatAreNotBetweenRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("run natively alone: files larger than memory are read natively")
	}
	schema := smallSchema(t)
	plain := large("y,c,x,note\n", func(text []byte, i int) []byte {
		return fmt.Appendf(text, "%s,%c,%d,n\n", []string{"no", "yes"}[i%2], "ab"[i%2], i%9)
	})
	middle := 5 * len(plain) / Blocks
	lines := bytes.Clone(plain)
	for i := middle - 100; i < middle+100; i++ {
		if lines[i] == '\n' {
			lines[i] = '\r'
		}
	}
	quoted := bytes.Clone(plain[:middle-200])
	quoted = append(quoted[:bytes.LastIndexByte(quoted, '\n')+1], "no,a,1,\""...)
	quoted = append(quoted, strings.Repeat("no,a,1,n\n", 60)+"\"\n"...)
	quoted = append(quoted, plain[len(quoted)+bytes.IndexByte(plain[len(quoted):], '\n')+1:]...)
	for name, text := range map[string][]byte{"plain": plain, "lines": lines, "quoted": quoted} {
		var want StreamIndex
		for _, workers := range []int{1, 2} {
			s, err := OpenStream(
				bytes.NewReader(text), int64(len(text)), schema, ReadOptions{}, workers,
				func(int, *Dataset) error { return nil },
			)
			require.NoError(t, err)
			if workers == 1 {
				want = s.Index()
				assert.Equal(
					t, name == "plain",
					s.atOnce(ReadOptions{}, 2, func(int, *Dataset) error { return nil }), name,
				)
			}
			assert.Equal(t, want, s.Index(), name)
		}
	}
}
