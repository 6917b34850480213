package data

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// uneven is a table and its schema whose first rows have fewer entries than the
// later ones, or more.
func uneven(rows int, fewerFirst bool) (*Schema, string) {
	schema := &Schema{
		Features: []Feature{
			{Name: "a", Type: Numeric, Min: 0, Max: 10, Provenance: Public},
			{
				Name:       "b",
				Type:       Categorical,
				Categories: []string{"x", "y", "z"},
				Unknown:    Rule{Action: UseZero},
				Provenance: Public,
			},
			{
				Name:       "c",
				Type:       Categorical,
				Categories: []string{"x", "y", "z"},
				Unknown:    Rule{Action: UseZero},
				Provenance: Public,
			},
		},
		Label: Label{
			Name:       "y",
			Negative:   []string{"no"},
			Positive:   []string{"yes"},
			Provenance: Public,
		},
		Rows: Rows{Norm: Clip},
	}
	var text strings.Builder
	text.WriteString("a,b,c,y\n")
	for i := range rows {
		b, c := "xyz"[i%3:i%3+1], "xyz"[i%2:i%2+1]
		if (i < rows/2) == fewerFirst {
			b, c = "-", "-"
		}
		text.WriteString(
			strconv.Itoa(i%11) + "," + b + "," + c + "," + []string{"no", "yes"}[i%2] + "\n",
		)
	}
	return schema, text.String()
}

func TestMatrixIsTheSameWhateverSizeIsDeclared(t *testing.T) {
	for _, fewerFirst := range []bool{false, true} {
		schema, text := uneven(20_000, fewerFirst)
		want, err := Read(strings.NewReader(text), schema, ReadOptions{})
		require.NoError(t, err)
		for _, size := range []int64{
			int64(len(text)), 1, int64(len(text)) / 3, int64(len(text)) * 2,
		} {
			for _, chunk := range []int{len(text), 70_001} {
				p, err := NewParser(schema, ReadOptions{Size: size})
				require.NoError(t, err)
				for rest := text; len(rest) > 0; rest = rest[min(chunk, len(rest)):] {
					require.NoError(t, p.Write([]byte(rest[:min(chunk, len(rest))])))
				}
				have, err := p.Close()
				require.NoError(t, err)
				require.Equal(t, want.X.RowStart, have.X.RowStart)
				require.Equal(t, want.X.Index, have.X.Index)
				require.Equal(t, want.X.Value, have.X.Value)
				require.Equal(t, want.Y, have.Y)
			}
		}
	}
}

// An even table is laid out once, with less than a twentieth of room to spare.
func TestRoomForAnEvenTable(t *testing.T) {
	schema, text := uneven(200_000, false)
	end := strings.Index(text, "-")
	text = text[:strings.LastIndexByte(text[:end], '\n')+1]
	d, err := Read(strings.NewReader(text), schema, ReadOptions{Size: int64(len(text))})
	require.NoError(t, err)
	require.Equal(t, 100_000, d.X.Rows())
	require.LessOrEqual(t, cap(d.X.Index), len(d.X.Index)*21/20)
	require.Equal(t, cap(d.X.Index), cap(d.X.Value))
	require.LessOrEqual(t, cap(d.X.RowStart), len(d.X.RowStart)*21/20)
}

func TestTooLargeIsSaidEarly(t *testing.T) {
	schema, text := uneven(100_000, false)
	options := ReadOptions{Size: int64(len(text)), MaxMatrixBytes: 1 << 20}
	p, err := NewParser(schema, options)
	require.NoError(t, err)
	sent := 0
	for err == nil && sent < len(text) {
		n := min(10_000, len(text)-sent)
		err = p.Write([]byte(text[sent : sent+n]))
		sent += n
	}
	require.ErrorContains(
		t, err, "going by the first 4096 records, the whole table would take about 4.",
	)
	require.ErrorContains(
		t, err, "of memory, and at most 1 MiB fits. Take a random sample of its records",
	)
	require.Less(t, sent, len(text)/8)
	var refusal *Error
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, TooLarge, refusal.Kind)

	// Nothing is refused that fits: the second half of this table has fewer entries.
	options.MaxMatrixBytes = 4 << 20
	_, err = Read(strings.NewReader(text), schema, options)
	require.NoError(t, err)
}

// One record more than may be is refused, and not one less: by a rule that looks at
// nothing else.
func TestMoreRecordsThanMayBeAreRefused(t *testing.T) {
	require.Equal(t, 16_777_216, MaxRecords)
	schema, text := uneven(500, false)
	p, err := NewParser(schema, ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, MaxRecords, p.most)
	for most, fits := range map[int]bool{499: false, 500: true} {
		p, err := NewParser(schema, ReadOptions{})
		require.NoError(t, err)
		p.most = most
		require.NoError(t, p.Write([]byte(text)))
		d, err := p.Close()
		if fits {
			require.NoError(t, err)
			require.Equal(t, 500, d.X.Rows())
			continue
		}
		require.ErrorContains(t, err, "there are more than 499 records")
		require.ErrorContains(t, err, "random sample")
		var refusal *Error
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, TooLarge, refusal.Kind)
	}
}
