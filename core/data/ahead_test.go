package data

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// beside is a file that one parser reads from the beginning and others from the cuts on. Its blocks
// are twelfths of any size, so that files can be small.
type beside struct {
	text    []byte
	schema  *Schema
	options ReadOptions
	own     int
}

type besides struct {
	here   *Dataset
	taken  *Gathering // rows that were handed over
	all    *Stream
	ranges []*Dataset // of each cut; nil: not joined
}

func (b beside) parser(t *testing.T) *Parser {
	b.options.Size = int64(len(b.text))
	p, err := NewParser(b.schema, b.options)
	require.NoError(t, err)
	p.blocks = blockBounds{size: b.options.Size}
	return p
}

// read reads the file. A cut that is 0 has nobody who reads on from there.
func (b beside) read(t *testing.T, cuts ...int) (out besides, err error) {
	p := b.parser(t)
	p.Scatter(Scatter{
		Own: b.own,
		Begin: func(kept Kept) bool {
			out.taken = Gather(b.own, kept.Columns, kept.Dense, 0, 0)
			return true
		},
		Take: func(block int, piece *Dataset) { out.taken.Add(block, piece) },
	})
	at, size := 0, len(b.text)
	each := 0
	if len(cuts) > 0 {
		each = (Blocks - b.own) / len(cuts)
	}
	for k, cut := range cuts {
		out.ranges = append(out.ranges, nil)
		if cut == 0 {
			continue
		}
		if err := p.Write(b.text[at:cut]); err != nil {
			return out, err
		}
		at = cut
		end := size
		if k+1 < len(cuts) && cuts[k+1] > 0 {
			end = cuts[k+1]
		}
		form, known := p.Form()
		if !known {
			continue
		}
		of := RangeOf{int64(cut), int64(end), int64(size), b.own + k*each, each}
		d, found := b.ahead(t, form, of)
		if found == nil {
			continue
		}
		assert.Nil(t, RangeFrom(found.Numbers()[:len(found.Numbers())-1]))
		joined, err := p.Join(RangeFrom(found.Numbers()))
		if err != nil {
			return out, err
		}
		if joined {
			out.ranges[k], at = d, end
		}
	}
	if err := p.Write(b.text[at:]); err != nil {
		return out, err
	}
	out.here, out.all, err = p.CloseScattered(bytes.NewReader(b.text))
	return out, err
}

// ahead reads a range; nil if something is wrong with it.
func (b beside) ahead(t *testing.T, form Form, of RangeOf) (*Dataset, *Range) {
	p, err := NewRange(b.schema, b.options, form, of)
	if err != nil {
		return nil, nil
	}
	for chunk := range slices.Chunk(b.text[of.From:of.To], 1013) {
		if p.Write(chunk) != nil {
			return nil, nil
		}
	}
	d, found, err := p.CloseRange()
	if err != nil {
		return nil, nil
	}
	return d, found
}

// requireTheFile compares all that was read with what one parser reads.
func (b beside) requireTheFile(t *testing.T, want *Dataset, index StreamIndex, have besides) {
	require.NotNil(t, have.all)
	require.Equal(t, index, have.all.index)
	require.Equal(t, want.Tally, have.here.Tally)
	require.Equal(t, want.Layout, have.here.Layout)
	require.Equal(t, want.Ends[:b.own], have.here.Ends)
	row := 0
	same := func(d *Dataset, i int) {
		x, y := want.X.Row(row), d.X.Row(i)
		if !slices.Equal(x.Index, y.Index) || !slices.Equal(x.Value, y.Value) ||
			want.Y[row] != d.Y[i] {
			require.Fail(t, "another row", "row %d", row)
		}
		row++
	}
	for i := range have.here.Y {
		same(have.here, i)
	}
	taken := have.taken.Dataset(b.schema)
	each := (Blocks - b.own) / max(1, len(have.ranges))
	for k := b.own; k < Blocks; k++ {
		from := taken
		if at := (k - b.own) / each; at < len(have.ranges) && have.ranges[at] != nil {
			from = have.ranges[at]
			require.Equal(t, want.X.Dense(), from.X.Dense())
		}
		for i := from.Ends[k-1]; i < from.Ends[k]; i++ {
			same(from, i)
		}
	}
	require.Len(t, want.Y, row)
}

// droppingSchema leaves records without a number out.
func droppingSchema(t *testing.T) *Schema {
	schema := smallSchema(t, `["a","b"]`, `["a","b","d","e"]`)
	schema.Features[0].Missing.Action = Drop
	return schema
}

// below returns whole numbers below n; any will do.
func below(state uint32) func(n int) int {
	return func(n int) int {
		state = state*1664525 + 1013904223
		return int(state>>8) % n
	}
}

// plainFile is a file of short records, with a text in its middle, at the border of its halves, and
// so many bytes more in its header.
func plainFile(end, middle, last string, more int) []byte {
	var text strings.Builder
	text.WriteString("y,c,x,extra" + strings.Repeat("x", more) + end)
	half := func(from int) {
		for i := range 12000 {
			label := [2]string{"no", "yes"}[(from+i*i)%2]
			number := [3]string{"3", "", "12"}[(from+i)%3]
			fmt.Fprintf(&text, "%s,%s,%s,%s", label, [2]string{"a", "b"}[i/7%2], number, end)
		}
	}
	half(0)
	text.WriteString(middle)
	half(1)
	text.WriteString(last)
	return []byte(text.String())
}

// oneParser is what one parser makes of the file, and the index of its scattered rows.
func (b beside) oneParser(t *testing.T) (*Dataset, StreamIndex) {
	p := b.parser(t)
	require.NoError(t, p.Write(b.text))
	want, err := p.Close()
	require.NoError(t, err)
	alone, err := b.read(t)
	require.NoError(t, err)
	b.requireTheFile(t, want, alone.all.index, alone)
	return want, alone.all.index
}

// A file that is cut anywhere around the border of two ranges is what one parser reads: inside CR
// LF, a character, quotes with line breaks, between blank lines, in a last line without an end.
func TestARangeBeginsAtAnyByte(t *testing.T) {
	schema := droppingSchema(t)
	for name, c := range map[string]struct{ end, middle, last string }{
		"plain":       {"\n", "yes,a,8,\n", ""},
		"CR LF":       {"\r\n", "yes,a,8,\r\n", "yes,a,1,\r\n"},
		"CR":          {"\r", "yes,a,8,\r", ""},
		"no last end": {"\n", "yes,a,8,\n", "yes,b,2,end"},
		"blank lines": {"\n", "\n\n\r\n\n", "\n\n\n"},
		"quotes": {
			"\n",
			"no,a,1,\"x\nyes,b,2,\nno,a,3,\r\n\"\"y\"\"\n\"\n" +
				"yes,b,7,\"\n\n\"\nno,\"a\",\"2\",\"\"\"\n\"\n", "yes,a,,\"\nlast\n\"",
		},
		"characters": {"\n", "no,a,1,é€𝄞\nyes,b,2,\"é\n€\n𝄞\"\n", "yes,a,1,é"},
		"some of CR": {"\n", "no,a,1,\ryes,b,1,\r\nno,a,5,\r\r\nyes,b,4,\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "quotes" && name != "CR LF" {
				t.Skip("run natively alone: the same loops")
			}
			joined, bytesAfter := 0, 150
			if testing.Short() {
				bytesAfter = 12 // all of them natively
			}
			b := beside{plainFile(c.end, c.middle, c.last, 100), schema, ReadOptions{}, 6}
			want, index := b.oneParser(t)
			border := len(b.text) / 2
			require.Less(t, border, bytes.Index(b.text, []byte(c.middle)))
			for cut := border; cut < border+bytesAfter; cut++ {
				have, err := b.read(t, cut)
				require.NoError(t, err)
				begins := int64(cut) == index.Blocks[6].At
				if have.ranges[0] != nil {
					joined++
					require.True(t, begins || strings.Trim(
						string(b.text[cut:index.Blocks[6].At]), "\r\n",
					) == "")
				} else if begins {
					require.Equal(t, byte('\r'), b.text[cut-1], "LF may follow")
				}
				b.requireTheFile(t, want, index, have)
			}
			assert.Equal(t, c.end != "\r", joined > 0)
		})
	}
}

// Several ranges, some of which nobody has read or that are wrong, and both forms of rows.
func TestSeveralRanges(t *testing.T) {
	dense := droppingSchema(t)
	dense.Features = dense.Features[:1] // the number
	random := below(1)
	for form, schema := range map[string]*Schema{"sparse": droppingSchema(t), "dense": dense} {
		text := plainFile("\n", "no,a,1,\"x\nyes,b,2,\n\"\n", "yes,b,2,\n", 0)
		text = bytes.ReplaceAll(text, []byte(",,\n"), []byte(",5,\n"))
		text = slices.Concat(text, bytes.Repeat([]byte("no,b,17,é\n"), 9000))
		b := beside{text, schema, ReadOptions{}, 6}
		want, index := b.oneParser(t)
		require.Equal(t, form == "dense", want.X.Dense())
		joined, trials := 0, 100
		if testing.Short() {
			trials = 10 // all of them natively
		}
		for range trials {
			var cuts []int
			for k := 6; k < Blocks; k += 2 {
				cut := int(index.Blocks[k].At)
				switch random(6) {
				case 0:
					cut = 0
				case 1:
					cut = k*len(text)/Blocks + 1 + random(30)
				}
				cuts = append(cuts, cut)
			}
			have, err := b.read(t, cuts...)
			require.NoError(t, err)
			b.requireTheFile(t, want, index, have)
			for _, d := range have.ranges {
				if d != nil {
					joined++
				}
			}
		}
		assert.Greater(t, joined, trials/2)
	}
}

// What is wrong in a range is found, and its place said, as one parser does; so are limits.
func TestRangesFindTheSameErrors(t *testing.T) {
	schema := droppingSchema(t)
	clean := plainFile("\n", "", "", 0)
	line := func(part, of int) int {
		at := len(clean) * part / of
		return at + bytes.IndexByte(clean[at:], '\n') + 1
	}
	whole := beside{clean, schema, ReadOptions{}, 6}
	_, index := whole.oneParser(t)
	matrix := matrixBytes(index.Tally.Kept, index.Blocks[Blocks].Entries, 0, false)
	for name, c := range map[string]struct {
		at      int
		put     string
		options ReadOptions
	}{
		"at the beginning of a range": {line(1, 2), "no,a\n", ReadOptions{}},
		"before a range":              {line(1, 2) - 200, "", ReadOptions{}},
		"ragged":                      {line(3, 4), "no,a\n", ReadOptions{}},
		"an open quote":               {line(3, 4), "no,\"a", ReadOptions{}},
		"an open quote at the end":    {len(clean), "no,a,1,\"", ReadOptions{}},
		"text after a quote":          {line(2, 3), "no,\"a\"b,1,\n", ReadOptions{}},
		"no number":                   {line(7, 8), "no,a,x,\n", ReadOptions{}},
		"no class":                    {line(7, 8), "maybe,a,1,\n", ReadOptions{}},
		"a large matrix":              {0, "", ReadOptions{MaxMatrixBytes: matrix - 100}},
		"a likely one":                {0, "", ReadOptions{MaxMatrixBytes: matrix / 2}},
		"one that just fits":          {0, "", ReadOptions{MaxMatrixBytes: matrix}},
	} {
		t.Run(name, func(t *testing.T) {
			b := beside{
				slices.Concat(clean[:c.at], []byte(c.put), clean[c.at:]), schema, c.options, 6,
			}
			if name == "before a range" {
				b.text = bytes.Clone(clean)
				b.text[c.at+bytes.IndexByte(clean[c.at:], 'a')] = 'z'
			}
			p := b.parser(t)
			want := p.Write(b.text)
			if want == nil {
				_, want = p.Close()
			}
			half := len(b.text) / 2
			cut := half + bytes.IndexByte(b.text[half:], '\n') + 1
			have, err := b.read(t, cut)
			assert.Equal(t, want, err)
			if name == "one that just fits" {
				require.NoError(t, want)
				assert.NotNil(t, have.ranges[0])
			} else {
				assert.Error(t, want)
			}
		})
	}
	// All that is much is in the first records of a range.
	much := slices.Concat(
		[]byte("y,c,x,extra\n"),
		bytes.Repeat([]byte("no,a,1,"+strings.Repeat("x", 493)+"\n"), 5000),
		bytes.Repeat([]byte("yes,a,1,\n"), 20000), bytes.Repeat([]byte{'\n'}, 2_300_000),
	)
	options := ReadOptions{MaxMatrixBytes: matrixBytes(25000, 75000, 0, false)}
	likely := beside{much, schema, options, 6}
	p := likely.parser(t)
	want := p.Write(much)
	require.Error(t, want)
	require.Contains(t, want.Error(), "going by the first")
	half := len(much) / 2
	_, err := likely.read(t, half+bytes.IndexByte(much[half:], '\n')+1)
	assert.Equal(t, want, err)

	one := beside{bytes.ReplaceAll(clean, []byte("yes,"), []byte("no,")), schema, ReadOptions{}, 6}
	cut := len(one.text) / 2
	cut += bytes.IndexByte(one.text[cut:], '\n') + 1
	_, err = one.read(t, cut)
	require.Error(t, err)
	assert.Equal(t, OneClass, err.(*Error).Kind)
}

// A range of a file that has changed in the meantime is what was read of it: the checksums say so.
func TestARangeHasTheChecksumsOfWhatWasRead(t *testing.T) {
	sums := func(texts ...[]byte) []uint32 {
		s := &pageSums{}
		at := int64(0)
		for i, text := range texts {
			if i%2 == 0 {
				s.write(text)
			} else {
				own := &pageSums{size: int(at % page)}
				own.write(text)
				s.join(own.end(), int64(len(text)))
			}
			at += int64(len(text))
		}
		return s.end()
	}
	text := make([]byte, 5*page+123)
	random := below(3)
	for i := range text {
		text[i] = byte(random(256))
	}
	want := sums(text)
	for _, cuts := range [][2]int{
		{0, len(text)}, {page, 3 * page}, {7, 9}, {page - 1, page + 1}, {page + 5, 4*page + 5},
		{5*page + 1, len(text)}, {page / 2, page},
	} {
		have := sums(text[:cuts[0]], text[cuts[0]:cuts[1]], text[cuts[1]:])
		assert.Equal(t, want, have, cuts)
	}
	other := bytes.Clone(text)
	other[2*page] ^= 1
	have := sums(text[:7], other[7:])
	assert.NotEqual(t, want[2], have[2])
}

func TestCuts(t *testing.T) {
	form := Form{Names: []string{"a", "b", "c"}, Delimiter: ','}
	for text, want := range map[string]int{
		"2,3\n1,2,3\n1,2,3\n":                    4,
		"\n1,2,3\n1,2":                           1,
		"x\r\n1,2,3\r\n1,2,3\r\n":                3,
		"text\nmore\n\",2,3\n1,\"2\n\",3\n":      16,
		"text\nmore\",2,3\n1,2,\"x\n\"\n1,2,3\n": 15,
		"text\n1,2,3":                            -1,
		"no end":                                 -1,
		"1,2,3\r1,2,3\r":                         -1,
		"":                                       -1,
	} {
		assert.Equal(t, want, form.Cut([]byte(text)), "%q", text)
	}
	assert.Equal(t, -1, form.Cut(bytes.Repeat([]byte("1,2\n"), 10000)))
}

func TestNumbersThatAreNoRange(t *testing.T) {
	b := beside{plainFile("\n", "", "", 0), droppingSchema(t), ReadOptions{}, 6}
	_, index := b.oneParser(t)
	from := index.Blocks[6].At
	of := RangeOf{from, index.Size, index.Size, 6, 6}
	_, r := b.ahead(t, Form{index.Names, index.Delimiter, index.Dense}, of)
	require.NotNil(t, r)
	numbers := r.Numbers()
	require.Equal(t, r, RangeFrom(numbers))
	assert.Nil(t, RangeFrom(nil))
	for i := range numbers[:16] {
		for _, x := range []float64{-1, 0.5, 1e300} {
			other := slices.Clone(numbers)
			other[i] = x
			assert.Nil(t, RangeFrom(other))
		}
	}
	for _, of := range []RangeOf{
		{from, from, index.Size, 6, 6}, {from, index.Size + 1, index.Size, 6, 6},
		{from, index.Size, index.Size, 0, 6}, {from, index.Size, index.Size, 6, 0},
		{from, index.Size, index.Size, 7, 6}, {5, index.Size, index.Size, 6, 6},
	} {
		_, err := NewRange(b.schema, ReadOptions{}, Form{index.Names, index.Delimiter, false}, of)
		assert.Error(t, err)
	}
}

// A range is taken over where it comes next, and nowhere else.
func TestARangeThatIsNotTheNext(t *testing.T) {
	b := beside{plainFile("\n", "", "", 0), droppingSchema(t), ReadOptions{}, 6}
	_, index := b.oneParser(t)
	from := index.Blocks[6].At
	form := Form{index.Names, index.Delimiter, index.Dense}
	_, found := b.ahead(t, form, RangeOf{from, index.Size, index.Size, 6, 6})
	require.NotNil(t, found)
	joined := func(written int64, scatter bool, change func(*Range)) bool {
		p := b.parser(t)
		if scatter {
			none := func(int, *Dataset) {}
			p.Scatter(Scatter{Own: 6, Begin: func(Kept) bool { return true }, Take: none})
		}
		require.NoError(t, p.Write(b.text[:written]))
		r := RangeFrom(found.Numbers())
		change(r)
		ok, err := p.Join(r)
		require.NoError(t, err)
		return ok
	}
	same := func(*Range) {}
	assert.True(t, joined(from, true, same))
	assert.False(t, joined(from, false, same), "all rows are kept")
	assert.False(t, joined(index.Blocks[5].At, true, same), "it comes later")
	assert.False(t, joined(index.Blocks[7].At, true, same), "it was read")
	assert.False(t, joined(from+2, true, same), "a record of it is begun")
	for what, change := range map[string]func(*Range){
		"bytes":    func(r *Range) { r.From++ },
		"a file":   func(r *Range) { r.Size++ },
		"blocks":   func(r *Range) { r.First++ },
		"a form":   func(r *Range) { r.dense = !r.dense },
		"features": func(r *Range) { r.tally = r.tally[1:] },
		"classes":  func(r *Range) { r.classes = nil },
		"rows":     func(r *Range) { r.kept = MaxRecords },
	} {
		assert.False(t, joined(from, true, change), "of other "+what)
	}
}
