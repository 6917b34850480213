package passes

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"os"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// journal keeps what a fit has drawn and computed, so that a fit that was killed goes on. It is a
// file that is only appended to: entries of a kind, a key and numbers, each with a checksum, so
// that a kill tears the last entry at most, which is then left out.
//
// A sum's key is the block, the sum and the point at which it was taken. So a fit that begins anew
// with the same noise asks for the same sums, and is given those that are there.
type journal struct {
	file    *os.File
	entries map[[sha256.Size]byte]place // of values, by kind and key
	words   []uint64                    // that were drawn
	failed  error                       // of reading or writing it
}

// place is where a value stands in the file.
type place struct {
	at     int64
	length int
}

// Kinds of entries.
const (
	bindingEntry = 'b' // what is fitted
	indexEntry   = 'i' // data.StreamIndex
	noiseEntry   = 'n' // words of the source, in their order
	sumEntry     = 's'
)

// bindingOf is what a journal is bound to: everything that a fit depends on but for the records.
func bindingOf(question learn.Asked, fit learn.Chosen, size int64) ([]byte, error) {
	schema, err := question.Schema.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{
		"library": privacy.LibraryVersion, "schema": json.RawMessage(schema),
		"event": privacy.EncodeEvent(fit.Event), "loss": learn.LossName(question.Loss),
		"bound": fit.Bound, "size": size,
	})
}

// openJournal opens a journal, or makes one. It must be of a fit with this binding.
func openJournal(path string, binding []byte) (*journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	j := &journal{file: file, entries: map[[sha256.Size]byte]place{}}
	if err := j.begin(binding); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

func (j *journal) begin(binding []byte) error {
	whole, err := j.read()
	if err != nil {
		return err
	}
	have, ok := j.value(bindingEntry, nil)
	switch {
	case j.failed != nil:
		return j.failed
	case ok && bytes.Equal(have, binding):
	case ok:
		return ErrOther
	case whole > 0 || !j.empty():
		return errNoJournal
	}
	if err := j.file.Truncate(whole); err != nil {
		return err
	}
	if _, err := j.file.Seek(whole, io.SeekStart); err != nil {
		return err
	}
	if !ok {
		return j.append(bindingEntry, nil, binding)
	}
	return nil
}

// empty reports whether the file is empty, or holds the torn beginning of a first entry.
func (j *journal) empty() bool {
	info, err := j.file.Stat()
	if err != nil || info.Size() == 0 {
		return err == nil
	}
	first := []byte{0}
	_, err = j.file.ReadAt(first, 0)
	return err == nil && first[0] == bindingEntry
}

// read takes all whole entries and returns where they end.
func (j *journal) read() (whole int64, err error) {
	in := bufio.NewReader(j.file)
	for {
		var head [1 + 4 + 4 + 4]byte // kind, lengths of key and value, checksum
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return whole, torn(err)
		}
		key := int64(binary.LittleEndian.Uint32(head[1:]))
		value := int64(binary.LittleEndian.Uint32(head[5:]))
		var text bytes.Buffer
		if _, err := io.CopyN(&text, in, key+value); err != nil {
			return whole, torn(err)
		}
		sum := crc32.Update(crc32.ChecksumIEEE(head[:9]), crc32.IEEETable, text.Bytes())
		if sum != binary.LittleEndian.Uint32(head[9:]) {
			return whole, nil
		}
		if whole += int64(len(head)) + key + value; head[0] == noiseEntry {
			j.take(text.Bytes()[key:])
			continue
		}
		j.entries[keyOf(head[0], text.Bytes()[:key])] = place{whole - value, int(value)}
	}
}

// has reports whether there is such an entry.
func (j *journal) has(kind byte, key []byte) bool {
	_, ok := j.entries[keyOf(kind, key)]
	return ok
}

// value reads the value of such an entry, if there is one.
func (j *journal) value(kind byte, key []byte) ([]byte, bool) {
	place, ok := j.entries[keyOf(kind, key)]
	if !ok {
		return nil, false
	}
	value := make([]byte, place.length)
	if _, err := j.file.ReadAt(value, place.at); err != nil {
		j.failed = err
		return nil, false
	}
	return value, true
}

// torn is nil where the file ends.
func torn(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}

// take takes words of noise.
func (j *journal) take(words []byte) {
	for ; len(words) >= 8; words = words[8:] {
		j.words = append(j.words, binary.LittleEndian.Uint64(words))
	}
}

func keyOf(kind byte, key []byte) [sha256.Size]byte {
	return sha256.Sum256(append([]byte{kind}, key...))
}

func (j *journal) append(kind byte, key, value []byte) error {
	entry := []byte{kind}
	entry = binary.LittleEndian.AppendUint32(entry, uint32(len(key)))
	entry = binary.LittleEndian.AppendUint32(entry, uint32(len(value)))
	sum := crc32.Update(crc32.ChecksumIEEE(entry), crc32.IEEETable, key)
	sum = crc32.Update(sum, crc32.IEEETable, value)
	entry = binary.LittleEndian.AppendUint32(entry, sum)
	_, err := j.file.Write(append(append(entry, key...), value...))
	return err
}

func (j *journal) close() { _ = j.file.Close() }

// index is what the first pass found, if it was made.
func (j *journal) index() (index data.StreamIndex, ok bool, err error) {
	text, ok := j.value(indexEntry, nil)
	if ok {
		err = json.Unmarshal(text, &index)
	}
	return index, ok, errors.Join(err, j.failed)
}

func (j *journal) keepIndex(index data.StreamIndex) error {
	text, err := json.Marshal(index)
	if err != nil {
		return err
	}
	return j.append(indexEntry, nil, text)
}

// recorded is a source whose words are in the journal before they are used.
type recorded struct {
	journal *journal
	source  random.Source
	used    int
}

// Uint64 implements random.Source.
func (r *recorded) Uint64() (uint64, error) {
	j := r.journal
	if r.used == len(j.words) {
		var drawn []byte
		for range wordsAtOnce {
			word, err := r.source.Uint64()
			if err != nil {
				return 0, err
			}
			drawn = binary.LittleEndian.AppendUint64(drawn, word)
		}
		if err := j.append(noiseEntry, nil, drawn); err != nil {
			return 0, err
		}
		if err := j.file.Sync(); err != nil { // other noise would be another fit
			return 0, err
		}
		j.take(drawn)
	}
	r.used++
	return j.words[r.used-1], nil
}

const wordsAtOnce = 1024

// keyOfSum is the key of a block's sums in a pass.
func keyOfSum(pass learn.Pass, block int) ([]byte, error) {
	key, err := json.Marshal(pass)
	return append(key, byte(block)), err
}

// keepSums appends the numbers of a block's sums.
func (j *journal) keepSums(key []byte, numbers []float64) error {
	return j.append(sumEntry, key, solve.Bytes(numbers))
}

// sums are the numbers of a block's sums, if they are there.
func (j *journal) sums(key []byte) (numbers []float64, ok bool) {
	value, ok := j.value(sumEntry, key)
	return solve.Floats(value), ok
}
