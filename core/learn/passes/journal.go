package passes

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// journal keeps what a fit has drawn and computed, so that a fit that was killed goes on. It is a
// file that is only appended to: after magic, entries of a kind, a key and a value, each with a
// checksum, the first of what is fitted. A kill tears the last entry at most, which is then left
// out. Anything else that is wrong stops the fit: to go on with other noise would be another fit.
//
// A sum's key is the block, the sum and the point at which it was taken. So a fit that begins anew
// with the same noise asks for the same sums, and is given those that are there.
type journal struct {
	file    *os.File
	end     int64                       // of what is whole
	entries map[[sha256.Size]byte]place // of values, by kind and key
	words   []uint64                    // of noise, that were drawn
	failed  error                       // of writing: nothing is written after it
}

// magic is what a journal begins with.
const magic = "cloister fit journal 1\n"

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
	receiptEntry = 'p' // what Options.Pay returned
	sumEntry     = 's'
)

// headLength is that of what stands before key and value: kind, both lengths, a checksum of these,
// and one of key and value.
const headLength = 1 + 4 + 4 + 4 + 4

// bindingOf is what a journal is bound to: everything that a fit depends on but for the records.
// The plan is there beside the event, which does not say all of it.
func bindingOf(
	question learn.Asked, fit learn.Chosen, size int64, reading data.ReadOptions,
) ([]byte, error) {
	schema, err := question.Schema.MarshalJSON()
	if err != nil {
		return nil, err
	}
	_, parameter := learn.LossParameter(question.Loss)
	return json.Marshal(map[string]any{
		"library": privacy.LibraryVersion, "platform": runtime.GOARCH,
		"schema": json.RawMessage(schema), "size": size,
		"delimiter": reading.Delimiter, "header": reading.Header, "names": reading.Names,
		"loss": learn.LossName(question.Loss), "parameter": parameter,
		"guarantee": fmt.Sprintf("%#v", question.Guarantee), "tuning": question.Tuning,
		"event": privacy.EncodeEvent(fit.Event), "bound": fit.Bound, "tau": fit.Tau,
		"plan": fmt.Sprintf("%#v", fit.Plan),
	})
}

// openJournal opens a journal for this process alone, or makes one. It must be of a fit with this
// binding.
func openJournal(path string, binding []byte) (*journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	j := &journal{file: file, entries: map[[sha256.Size]byte]place{}}
	err = lock(file)
	if err == nil {
		err = j.begin(binding)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

func (j *journal) begin(binding []byte) error {
	text, err := io.ReadAll(io.LimitReader(j.file, int64(len(magic))))
	if err != nil {
		return err
	}
	if string(text) != magic[:len(text)] {
		return ErrNoJournal
	}
	if len(text) == len(magic) {
		j.end = int64(len(magic))
		if err := j.read(); err != nil {
			return err
		}
	}
	have, ok, err := j.value(bindingEntry, nil)
	switch {
	case err != nil:
		return err
	case ok && !bytes.Equal(have, binding):
		return ErrOther
	case !ok && len(j.entries)+len(j.words) > 0:
		return ErrDamaged
	}
	if err := errors.Join(j.file.Truncate(j.end), j.file.Chmod(0o600)); err != nil {
		return err
	}
	if ok {
		return nil
	}
	if _, err := j.file.WriteAt([]byte(magic), 0); err != nil {
		return err
	}
	j.end = int64(len(magic))
	return j.append(bindingEntry, nil, binding)
}

// read takes all whole entries. What is left at the end is the entry that a kill has torn.
func (j *journal) read() error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	for size := info.Size(); size-j.end >= headLength; {
		var head [headLength]byte
		if _, err := j.file.ReadAt(head[:], j.end); err != nil {
			return err
		}
		if crc32.ChecksumIEEE(head[:9]) != binary.LittleEndian.Uint32(head[9:]) {
			return ErrDamaged
		}
		key := int64(binary.LittleEndian.Uint32(head[1:]))
		value := int64(binary.LittleEndian.Uint32(head[5:]))
		end := j.end + headLength + key + value
		if end > size {
			return nil
		}
		text := make([]byte, key+value)
		if _, err := j.file.ReadAt(text, j.end+headLength); err != nil {
			return err
		}
		if crc32.ChecksumIEEE(text) != binary.LittleEndian.Uint32(head[13:]) {
			if end == size {
				return nil
			}
			return ErrDamaged
		}
		j.took(head[0], text[:key], text[key:], end)
	}
	return nil
}

// took remembers a whole entry that ends there.
func (j *journal) took(kind byte, key, value []byte, end int64) {
	j.end = end
	if kind != noiseEntry {
		j.entries[keyOf(kind, key)] = place{end - int64(len(value)), len(value)}
		return
	}
	for ; len(value) >= 8; value = value[8:] {
		j.words = append(j.words, binary.LittleEndian.Uint64(value))
	}
}

// value reads the value of such an entry, if there is one.
func (j *journal) value(kind byte, key []byte) ([]byte, bool, error) {
	place, ok := j.entries[keyOf(kind, key)]
	if !ok {
		return nil, false, nil
	}
	value := make([]byte, place.length)
	_, err := j.file.ReadAt(value, place.at)
	return value, err == nil, err
}

func keyOf(kind byte, key []byte) [sha256.Size]byte {
	return sha256.Sum256(append([]byte{kind}, key...))
}

// append writes an entry. After an error nothing more is written: it would stand behind what is
// torn.
func (j *journal) append(kind byte, key, value []byte) error {
	if j.failed != nil {
		return j.failed
	}
	entry := []byte{kind}
	entry = binary.LittleEndian.AppendUint32(entry, uint32(len(key)))
	entry = binary.LittleEndian.AppendUint32(entry, uint32(len(value)))
	text := append(bytes.Clone(key), value...)
	entry = binary.LittleEndian.AppendUint32(entry, crc32.ChecksumIEEE(entry))
	entry = binary.LittleEndian.AppendUint32(entry, crc32.ChecksumIEEE(text))
	entry = append(entry, text...)
	if _, j.failed = j.file.WriteAt(entry, j.end); j.failed != nil {
		return j.failed
	}
	j.took(kind, key, value, j.end+int64(len(entry)))
	return nil
}

func (j *journal) close() { _ = j.file.Close() }

// remove removes the file, while it is locked; not another that stands in its place, as a release
// does that was written to the journal's path by another name of it.
func (j *journal) remove() error {
	own, err := j.file.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Stat(j.file.Name()); err != nil || !os.SameFile(own, there) {
		return err
	}
	return os.Remove(j.file.Name())
}

// index is what the first pass found, if it was made.
func (j *journal) index() (index data.StreamIndex, ok bool, err error) {
	text, ok, err := j.value(indexEntry, nil)
	if ok {
		err = json.Unmarshal(text, &index)
	}
	return index, ok, err
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

// wordsAtOnce is how many words are drawn and written at a time.
const wordsAtOnce = 1024

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
	}
	r.used++
	return j.words[r.used-1], nil
}

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
func (j *journal) sums(key []byte) (numbers []float64, ok bool, err error) {
	value, ok, err := j.value(sumEntry, key)
	return solve.Floats(value), ok, err
}
