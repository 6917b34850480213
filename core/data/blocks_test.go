package data

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The blocks of a large file are the records that begin in each twelfth of it:
// quoted line ends, CR LF, blank lines and a byte order mark included, whatever
// the pieces.
func TestBlocksOfALargeFile(t *testing.T) {
	filler := strings.Repeat("x", 4000)
	text := []byte("\xef\xbb\xbfx,note,c,y\r\n")
	var starts []int
	for i := 0; len(text) < Large; i++ {
		starts = append(starts, len(text))
		text = fmt.Appendf(
			text, "%d,\"%s\r\n1,n,a,no\r\n\",a,%s\r\n", i%8, filler, []string{"no", "yes"}[i%2],
		)
		if i%5 == 0 {
			text = append(text, "\r\n"...)
		}
	}
	var want []int
	for k := 1; k <= Blocks; k++ {
		rows := 0
		for _, at := range starts {
			if at*Blocks < k*len(text) {
				rows++
			}
		}
		want = append(want, rows)
	}
	schema := smallSchema(t)
	for _, piece := range []int{len(text), 100_003} {
		p, err := NewParser(schema, ReadOptions{Size: int64(len(text))})
		require.NoError(t, err)
		for rest := text; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
			require.NoError(t, p.Write(rest[:min(piece, len(rest))]))
		}
		d, err := p.Close()
		require.NoError(t, err)
		assert.Equal(t, want, d.Ends)
	}

	// Where the size is not known, or small, there is one.
	for _, size := range []int64{0, Large - 1} {
		p, err := NewParser(schema, ReadOptions{Size: size})
		require.NoError(t, err)
		require.NoError(t, p.Write(text[:bytes.LastIndexByte(text[:1<<20], '"')]))
		_ = p.blocks.whole(3)
		assert.Nil(t, p.blocks.ends)
	}
}
