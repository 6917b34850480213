package data

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// RowStore keeps what a stream writes of its rows, so that later passes need not parse them. What
// it keeps is as secret as the file of records. Its methods are called at once, each block's by
// one goroutine at a time.
type RowStore interface {
	// Open reads what was kept of block k; nil if nothing was.
	Open(k int) (io.ReadCloser, error)

	// Keep keeps what write writes for block k: all of it, or nothing if write returns an error.
	Keep(k int, write func(to io.Writer) error) error
}

// Errors of kept rows.
var (
	// ErrRows says that kept rows are damaged. Delete them; they can be made again.
	ErrRows = errors.New("data: the kept rows are damaged: delete them, they are made anew")

	// ErrOtherRows says that the rows that are kept there are not those of this file.
	ErrOtherRows = errors.New(
		"data: the rows that are kept there are those of another file, another schema or another " +
			"version: name another folder, or delete them",
	)
)

// A block's rows are kept as rowsMagic, a digest of what they were made of, and frames. A frame has
// its length and a checksum of all rows up to its end, each in 4 bytes, and then whole rows: the
// label, of a sparse row the number of its entries and their columns, and the entries, bit by bit.
const (
	rowsMagic = "cloister rows 1\n"
	frameHead = 8
	fullFrame = 1 << 18 // bytes, from which on a frame ends
)

// KeepRows has Read keep the rows of each block in the store, when it reads the block first, and
// read them there from then on. It changes none of them by a bit. Call it before Read.
//
// The rows are bound to the file, by the checksums that the first pass has found, to the schema,
// and to what the caller says of the maker: the version of the program. A store that has others is
// refused with [ErrOtherRows]. Rows that were damaged by accident are noticed: Read then returns
// [ErrRows]. As [Stream] says of the file, that is not so of somebody who means to deceive. But
// the rows are no longer than the schema makes rows, whoever wrote them: each piece that is read
// back goes through check, and Read returns [ErrRows] where that returns an error.
func (s *Stream) KeepRows(store RowStore, maker string, check func(*Dataset) error) error {
	text, err := json.Marshal(struct {
		Maker string
		Index StreamIndex
	}{maker, s.index})
	if err != nil {
		return err
	}
	s.store, s.made, s.checkKept = store, sha256.Sum256(text), check
	for k := range Blocks {
		file, err := store.Open(k)
		if err == nil && file != nil {
			_, err = s.headOfRows(file, k)
			err = errors.Join(err, file.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// head is what the rows of block k begin with.
func (s *Stream) head(k int) []byte {
	digest := sha256.Sum256(append(s.made[:], byte(k)))
	return append([]byte(rowsMagic), digest[:]...)
}

// headOfRows reads the head, and returns its checksum.
func (s *Stream) headOfRows(file io.Reader, k int) (uint32, error) {
	want := s.head(k)
	have := make([]byte, len(want))
	if _, err := io.ReadFull(file, have); err != nil && !short(err) {
		return 0, err
	}
	if !bytes.Equal(have, want) {
		return 0, fmt.Errorf("%w (block %d)", ErrOtherRows, k+1)
	}
	return crc32.Checksum(want, castagnoli), nil
}

func short(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// readKept is Read for a stream with a store.
func (s *Stream) readKept(k, rows int, take func(*Dataset) error) error {
	file, err := s.store.Open(k)
	if err != nil {
		return err
	}
	if file != nil {
		err = s.readRows(file, k, rows, take)
		if closed := file.Close(); err == nil {
			err = closed
		}
		return err
	}
	return s.store.Keep(k, func(to io.Writer) error {
		head := s.head(k)
		if _, err := to.Write(head); err != nil {
			return err
		}
		frames := rowWriter{to: to, sum: crc32.Checksum(head, castagnoli)}
		err := s.ReadFile(k, rows, func(d *Dataset) error {
			if err := take(d); err != nil {
				return err
			}
			return frames.add(d)
		})
		if err != nil {
			return err
		}
		return frames.end()
	})
}

// rowWriter writes rows in frames.
type rowWriter struct {
	to    io.Writer
	frame []byte
	sum   uint32
}

func (w *rowWriter) add(d *Dataset) error {
	if w.frame == nil {
		w.frame = make([]byte, frameHead, fullFrame+fullFrame/4)
	}
	for i, label := range d.Y {
		row := d.X.Row(i)
		text := binary.LittleEndian.AppendUint64(w.frame, math.Float64bits(label))
		if !d.X.Dense() {
			text = binary.LittleEndian.AppendUint32(text, uint32(len(row.Index)))
			for _, j := range row.Index {
				text = binary.LittleEndian.AppendUint32(text, uint32(j))
			}
		}
		for _, v := range row.Value {
			text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
		}
		w.frame = text
		if len(text) >= fullFrame {
			if err := w.end(); err != nil {
				return err
			}
		}
	}
	return nil
}

// end writes the frame at hand.
func (w *rowWriter) end() error {
	if len(w.frame) <= frameHead {
		return nil
	}
	rows := w.frame[frameHead:]
	w.sum = crc32.Update(w.sum, castagnoli, rows)
	binary.LittleEndian.PutUint32(w.frame, uint32(len(rows)))
	binary.LittleEndian.PutUint32(w.frame[4:], w.sum)
	_, err := w.to.Write(w.frame)
	w.frame = w.frame[:frameHead]
	return err
}

// readRows is Read for a block whose rows are kept.
func (s *Stream) readRows(file io.Reader, k, most int, take func(*Dataset) error) error {
	sum, err := s.headOfRows(file, k)
	if err != nil {
		return err
	}
	left, _ := s.Block(k)
	taken := func(_ int, piece *Dataset) error {
		if err := s.checkKept(piece); err != nil {
			return fmt.Errorf("%w: %w", ErrRows, err)
		}
		return take(piece)
	}
	out := &pieces{most: min(most, max(1, left)), take: taken, dense: s.index.Dense}
	out.start(s.schema)
	from := bufio.NewReader(file)
	var frame []byte
	row := rowReader{columns: s.schema.Dimension()}
	if s.index.Dense {
		row.Row = Row{numbersTo(row.columns), make([]float64, row.columns)}
	}
	for left > 0 {
		if frame, sum, err = row.next(from, frame, sum); err != nil {
			return err
		}
		for rest := frame; len(rest) > 0; left-- {
			var label float64
			if rest, label = row.read(rest, s.index.Dense); rest == nil || left == 0 {
				return ErrRows
			}
			out.add(row.Row, label)
			if len(out.piece.Y) == out.most {
				if out.flush(); out.failed != nil {
					return out.failed
				}
			}
		}
	}
	if _, err := from.ReadByte(); err != io.EOF {
		return errors.Join(ErrRows, err)
	}
	out.flush()
	return out.failed
}

// rowReader reads rows of frames.
type rowReader struct {
	Row
	columns int
}

// next reads the rows of the next frame into the memory of the last one; sum is the checksum so
// far.
func (r *rowReader) next(from io.Reader, last []byte, sum uint32) ([]byte, uint32, error) {
	damaged := func(err error) ([]byte, uint32, error) {
		if err == nil || short(err) {
			err = ErrRows
		}
		return nil, 0, err
	}
	var head [frameHead]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return damaged(err)
	}
	n := int64(binary.LittleEndian.Uint32(head[:]))
	if n == 0 || n > fullFrame+12*(int64(r.columns)+1) {
		return damaged(nil)
	}
	if int64(cap(last)) < n {
		last = make([]byte, n, n+n/4)
	}
	rows := last[:n]
	if _, err := io.ReadFull(from, rows); err != nil {
		return damaged(err)
	}
	sum = crc32.Update(sum, castagnoli, rows)
	if sum != binary.LittleEndian.Uint32(head[4:]) {
		return damaged(nil)
	}
	return rows, sum, nil
}

// read reads a row, and returns what follows it; nil if there is no whole row, or its columns are
// not in their order: one that comes twice would make the row longer than its entries.
func (r *rowReader) read(text []byte, dense bool) (rest []byte, label float64) {
	if len(text) < 8 {
		return nil, 0
	}
	label, text = math.Float64frombits(binary.LittleEndian.Uint64(text)), text[8:]
	if !dense {
		if len(text) < 4 {
			return nil, 0
		}
		n := int(binary.LittleEndian.Uint32(text))
		text = text[4:]
		if n > r.columns || len(text) < 12*n {
			return nil, 0
		}
		if cap(r.Index) < n {
			r.Index, r.Value = make([]int32, 2*n), make([]float64, 2*n)
		}
		r.Index, r.Value = r.Index[:n], r.Value[:n]
		for k := range r.Index {
			j := binary.LittleEndian.Uint32(text[4*k:])
			if int64(j) >= int64(r.columns) || k > 0 && int32(j) <= r.Index[k-1] {
				return nil, 0
			}
			r.Index[k] = int32(j)
		}
		text = text[4*n:]
	}
	value := r.Value
	if len(text) < 8*len(value) {
		return nil, 0
	}
	for k := range value {
		value[k] = math.Float64frombits(binary.LittleEndian.Uint64(text[8*k:]))
	}
	return text[8*len(value):], label
}
