//go:build unix

package passes

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
)

// A fit that keeps rows releases what it would release without, also after it has failed anywhere,
// and after damage: with the journal it goes on once the damaged rows are deleted. In the end
// nothing is left of them.
func TestAFitThatKeepsRows(t *testing.T) {
	k := newTask(t)
	want := k.inMemory(t, 1)
	place := t.TempDir()
	folder, journal := filepath.Join(place, "rows"), filepath.Join(place, "journal")
	options := Options{Rows: folder, Journal: journal}
	for _, at := range []int{1, 5, 20, 60} {
		options.Taker = (&failing{at: at}).take
		_, err := k.run(t.Context(), 1, options)
		require.ErrorIs(t, err, errTaker)
		info, err := os.Stat(folder)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	}
	block := filepath.Join(folder, "cloister-rows-07")
	info, err := os.Stat(block)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode())

	half := filepath.Join(folder, "cloister-rows-03.part") // as a kill leaves it
	require.NoError(t, os.WriteFile(half, []byte("half"), 0o600))
	mine := filepath.Join(folder, "mine.part")
	require.NoError(t, os.WriteFile(mine, nil, 0o600))
	whole, err := os.ReadFile(block)
	require.NoError(t, err)
	damaged := bytes.Clone(whole)
	damaged[len(damaged)-1] ^= 1
	require.NoError(t, os.WriteFile(block, damaged, 0o600))
	options.Taker = nil
	_, err = k.run(t.Context(), 99, options)
	require.ErrorIs(t, err, data.ErrRows)
	assert.NoFileExists(t, half)

	require.NoError(t, os.Remove(block))
	have, err := k.run(t.Context(), 99, options)
	require.NoError(t, err)
	assert.Equal(t, want, have)
	assert.NoFileExists(t, journal)
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, left, 1)
	assert.Equal(t, "mine.part", left[0].Name())
	require.NoError(t, os.Remove(mine))

	have, err = k.run(t.Context(), 1, Options{Rows: folder, Taker: Local(3, 128)})
	require.NoError(t, err)
	assert.Equal(t, want, have)
	assert.NoDirExists(t, folder)
}

// Rows that no record of the schema has are not fitted, though their checksums are right: those
// that are too long, have a column twice or no label. What one of them changes would be more than
// the noise is for.
func TestForgedRowsAreNotFitted(t *testing.T) {
	k := newTask(t)
	folder := filepath.Join(t.TempDir(), "rows")
	options := Options{Rows: folder, Taker: (&failing{at: 20}).take}
	_, err := k.run(t.Context(), 1, options)
	require.ErrorIs(t, err, errTaker)
	path := filepath.Join(folder, "cloister-rows-03")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	const head, frame = 16 + 32, 8 // before the first row: a label, a number of entries, columns
	entries := int(binary.LittleEndian.Uint32(whole[head+frame+8:]))
	require.Greater(t, entries, 1)
	column := head + frame + 12
	number := func(x float64) []byte {
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(x))
	}
	for name, forged := range map[string]struct {
		at   int
		text []byte
	}{
		"a long row":     {column + 4*entries, number(1e9)},
		"a row just too": {column + 4*entries, number(1.0001)},
		"no number":      {column + 4*entries, number(math.NaN())},
		"a column twice": {column + 4, whole[column : column+4]},
		"no label":       {head + frame, number(2)},
	} {
		text := bytes.Clone(whole)
		copy(text[forged.at:], forged.text)
		table := crc32.MakeTable(crc32.Castagnoli)
		sum := crc32.Checksum(text[:head], table)
		for at := head; at < len(text); {
			rows := text[at+frame:][:binary.LittleEndian.Uint32(text[at:])]
			sum = crc32.Update(sum, table, rows)
			binary.LittleEndian.PutUint32(text[at+4:], sum)
			at += frame + len(rows)
		}
		require.NoError(t, os.WriteFile(path, text, 0o600))
		_, err = k.run(t.Context(), 1, Options{Rows: folder})
		assert.ErrorIs(t, err, data.ErrRows, name)
	}
	require.NoError(t, os.WriteFile(path, whole, 0o600))
	have, err := k.run(t.Context(), 1, Options{Rows: folder})
	require.NoError(t, err)
	assert.Equal(t, k.inMemory(t, 1), have)
}

// Whatever the folder is called, nothing is left of the rows, and nothing is taken of a folder that
// its name would stand for as a pattern.
func TestAFolderWhoseNameIsAPattern(t *testing.T) {
	k := newTask(t)
	place := t.TempDir()
	for name, other := range map[string]string{"rows[1]": "rows1", "r*": "rows", "[": "other"} {
		folder := filepath.Join(place, name)
		others := filepath.Join(place, other, "cloister-rows-00")
		require.NoError(t, os.MkdirAll(filepath.Dir(others), 0o700))
		require.NoError(t, os.WriteFile(others, []byte("another fit's"), 0o600))
		_, err := k.run(t.Context(), 1, Options{Rows: folder})
		require.NoError(t, err)
		assert.NoDirExists(t, folder)
		assert.FileExists(t, others)
	}
}

// Rows of another file are not used, nor a folder that another process uses, nor one that is none.
func TestFoldersOfRowsThatCannotBeUsed(t *testing.T) {
	k := newTask(t)
	folder := filepath.Join(t.TempDir(), "rows")
	options := Options{Rows: folder, Taker: (&failing{at: 3}).take}
	_, err := k.run(t.Context(), 1, options)
	require.ErrorIs(t, err, errTaker)
	other := k
	other.text = bytes.Clone(k.text)
	other.text[bytes.LastIndex(other.text, []byte("nnn"))] = 'm'
	require.NotEqual(t, k.text, other.text)
	_, err = other.run(t.Context(), 1, Options{Rows: folder})
	require.ErrorIs(t, err, data.ErrOtherRows)

	held, err := openRows(t.Context(), folder)
	require.NoError(t, err)
	_, err = k.run(t.Context(), 1, Options{Rows: folder})
	require.ErrorIs(t, err, ErrBusy)
	held.close()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = k.run(t.Context(), 1, Options{Rows: file})
	require.Error(t, err)
	have, err := k.run(t.Context(), 1, Options{Rows: folder})
	require.NoError(t, err)
	assert.Equal(t, k.inMemory(t, 1), have)
}
