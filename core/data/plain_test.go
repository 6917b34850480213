package data

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const letters = `{"version":1,"features":[{"name":"c","type":"categorical",` +
	`"categories":["a","b"],"provenance":"public"}],"label":{"name":"y",` +
	`"negative":["0"],"positive":["1"],"provenance":"public"},` +
	`"rows":{"norm":"clip"},"intercept":0.5}`

// lettersKernel reads lines such as "a,1" of that schema, and nothing else.
func lettersKernel(t *testing.T) *Kernel {
	of := func(p *Plain) (column, index []int32, entry, value []float64, next, rowEnd []int64) {
		n := p.records
		return unsafe.Slice((*int32)(p.column), n*p.results),
			unsafe.Slice((*int32)(p.index), n*p.results),
			unsafe.Slice((*float64)(p.entry), n*p.results),
			unsafe.Slice((*float64)(p.value), n*p.results),
			unsafe.Slice((*int64)(p.next), n), unsafe.Slice((*int64)(p.rowEnd), n)
	}
	return &Kernel{
		Records: func(p *Plain) int {
			column, _, entry, _, next, _ := of(p)
			require.Equal(t, int64(2), p.results)
			text := unsafe.Slice((*byte)(p.text), p.end)[p.at:]
			for i := range next {
				if len(text) < 20 || text[1] != ',' || text[3] != '\n' {
					return i
				}
				column[2*i], entry[2*i] = int32(text[0]-'a'), 1
				column[2*i+1], entry[2*i+1] = int32(text[2]-'0'), 1
				text = text[4:]
				next[i] = p.end - int64(len(text))
			}
			return len(next)
		},
		Rows: func(p *Plain) {
			column, index, _, value, _, rowEnd := of(p)
			for i := range p.rows {
				index[2*i], value[2*i] = column[2*i], 1
				index[2*i+1], value[2*i+1] = int32(p.last), p.intercept
				rowEnd[i] = 2 * (i + 1)
			}
		},
	}
}

// Records that are kept many at a time meet the limits that they meet one at a time, at the same
// record.
func TestManyRecordsMeetTheSameLimits(t *testing.T) {
	const records = 9000
	text := []byte("c,y\n" + strings.Repeat("a,0\nb,1\nb,0\n", records/3))
	schema, err := ParseSchema([]byte(letters))
	require.NoError(t, err)
	read := func(k *Kernel, most int, limit int64) (*Dataset, error) {
		UseKernel(k)
		defer UseKernel(nil)
		p, err := NewParser(schema, ReadOptions{Size: int64(len(text)), MaxMatrixBytes: limit})
		require.NoError(t, err)
		p.most = most
		for chunk := range slices.Chunk(text, 20_001) {
			if err := p.Write(chunk); err != nil {
				return nil, err
			}
		}
		return p.Close()
	}
	whole, err := read(nil, records, 1<<30)
	require.NoError(t, err)
	refused := 0
	for most := records - 600; most <= records; most += 75 {
		for _, limit := range []int64{1 << 30, int64(whole.X.Bytes() * most / records)} {
			want, errWant := read(nil, most, limit)
			have, err := read(lettersKernel(t), most, limit)
			require.Equal(t, errWant, err)
			if err != nil {
				refused++
				continue
			}
			requireSame(t, want, have)
			assert.Equal(t, want.Tally, have.Tally)
		}
	}
	assert.Greater(t, refused, 10)
}
