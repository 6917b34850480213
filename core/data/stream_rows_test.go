package data

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// memory is a RowStore.
type memory struct {
	mutex  sync.Mutex
	blocks map[int][]byte
}

func (m *memory) Open(k int) (io.ReadCloser, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	text, ok := m.blocks[k]
	if !ok {
		return nil, nil
	}
	return io.NopCloser(bytes.NewReader(text)), nil
}

func (m *memory) Keep(k int, write func(io.Writer) error) error {
	var to bytes.Buffer
	if err := write(&to); err != nil {
		return err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.blocks[k] = to.Bytes()
	return nil
}

func every(*Dataset) error { return nil }

// rowsOf reads a block, as text that says each bit.
func rowsOf(s *Stream, k, most int) (string, error) {
	var text []byte
	word := binary.LittleEndian.AppendUint64
	err := s.Read(k, most, func(d *Dataset) error {
		text = fmt.Append(text, d.X.Dense(), len(d.Y))
		for i, y := range d.Y {
			row := d.X.Row(i)
			text = word(text, math.Float64bits(y))
			for k, j := range row.Index {
				text = word(word(text, uint64(j)), math.Float64bits(row.Value[k]))
			}
		}
		return nil
	})
	return string(text), err
}

// Kept rows are those of the file to the last bit, sparse and dense, whatever the pieces in which
// they were read when they were kept and are read now, also by a stream that is opened again.
func TestKeptRowsAreTheRows(t *testing.T) {
	if testing.Short() {
		t.Skip("run natively alone: files larger than memory are read natively")
	}
	schema := smallSchema(t)
	nothing := func(int, *Dataset) error { return nil }
	forms := map[bool]bool{}
	for name, text := range largeFiles() {
		t.Run(name, func(t *testing.T) {
			file := bytes.NewReader(text)
			s, err := OpenStream(file, int64(len(text)), schema, ReadOptions{}, 1, nothing)
			require.NoError(t, err)
			forms[s.index.Dense] = true
			store := &memory{blocks: map[int][]byte{}}
			kept, err := ResumeStream(file, schema, s.Index())
			require.NoError(t, err)
			require.NoError(t, kept.KeepRows(store, "v1", every))
			gone, err := ResumeStream(bytes.NewReader(nil), schema, s.Index())
			require.NoError(t, err)
			for k := range Blocks {
				for _, most := range []int{5000, 128} {
					want, err := rowsOf(s, k, most)
					require.NoError(t, err)
					for range 2 {
						have, err := rowsOf(kept, k, most)
						require.NoError(t, err)
						require.True(t, want == have, "block %d, %d at once", k, most)
					}
					require.NoError(t, gone.KeepRows(store, "v1", every))
					have, err := rowsOf(gone, k, most) // there is no file any more
					require.NoError(t, err)
					require.True(t, want == have)
				}
			}
		})
	}
	assert.Len(t, forms, 2)
}

// Rows of another file, schema or maker are refused. So are damaged ones, wherever the damage is,
// and nothing is kept of a block that was not read to its end.
func TestKeptRowsThatAreWrong(t *testing.T) {
	if testing.Short() {
		t.Skip("run natively alone: files larger than memory are read natively")
	}
	schema := smallSchema(t)
	nothing := func(int, *Dataset) error { return nil }
	for _, name := range []string{"wide", "quoted"} {
		text := largeFiles()[name]
		open := func(text []byte, maker string, store RowStore) (*Stream, error) {
			s, err := OpenStream(
				bytes.NewReader(text), int64(len(text)), schema, ReadOptions{}, 1, nothing,
			)
			require.NoError(t, err)
			return s, s.KeepRows(store, maker, every)
		}
		store := &memory{blocks: map[int][]byte{}}
		s, err := open(text, "v1", store)
		require.NoError(t, err)
		enough := errors.New("enough")
		assert.Equal(t, enough, s.Read(3, 100, func(*Dataset) error { return enough }))
		assert.Empty(t, store.blocks)
		want, err := rowsOf(s, 3, 100)
		require.NoError(t, err)
		assert.Equal(t, enough, s.Read(3, 100, func(*Dataset) error { return enough }))

		_, err = open(text, "v2", store)
		assert.ErrorIs(t, err, ErrOtherRows)
		changed := bytes.Clone(text)
		changed[bytes.LastIndex(changed, []byte("xx"))] = 'z' // in a note, which no row has
		_, err = open(changed, "v1", store)
		assert.ErrorIs(t, err, ErrOtherRows)

		whole := store.blocks[3]
		store.blocks[4] = whole
		_, err = open(text, "v1", store)
		assert.ErrorIs(t, err, ErrOtherRows, "those of another block")
		delete(store.blocks, 4)
		for at := 0; at < len(whole); at += 1 + at/50 {
			store.blocks[3] = bytes.Clone(whole)
			store.blocks[3][at] ^= 0x10
			_, err := rowsOf(s, 3, 100)
			require.True(t, errors.Is(err, ErrRows) || errors.Is(err, ErrOtherRows), at)
			store.blocks[3] = whole[:at]
			_, err = rowsOf(s, 3, 100)
			require.True(t, errors.Is(err, ErrRows) || errors.Is(err, ErrOtherRows), at)
		}
		store.blocks[3] = append(bytes.Clone(whole), whole...)
		_, err = rowsOf(s, 3, 100)
		assert.ErrorIs(t, err, ErrRows)
		store.blocks[3] = whole
		have, err := rowsOf(s, 3, 100)
		require.NoError(t, err)
		assert.True(t, want == have)
	}
}
