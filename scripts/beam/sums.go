package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/solve"
)

func init() {
	register.DoFn3x1[context.Context, []int, func(int, []byte), error](&takeSums{})
	register.DoFn3x1[context.Context, int, []byte, error](&writeSums{})
	register.Emitter2[int, []byte]()
}

// takeSums turns blocks into their sums: elements of the block's number and its numbers.
type takeSums struct {
	Path      string `json:"path"` // of the file of records
	Schema    []byte `json:"schema"`
	Index     []byte `json:"index"` // of the file, as JSON
	Pass      []byte `json:"pass"`
	PieceRows int    `json:"piece_rows"`
}

// pieceRows is how many rows a worker holds at once.
const pieceRows = 8192

// ProcessElement takes the sums of the blocks of one share.
func (f *takeSums) ProcessElement(
	ctx context.Context, blocks []int, emit func(int, []byte),
) error {
	schema, err := data.ParseSchema(f.Schema)
	if err != nil {
		return err
	}
	var index data.StreamIndex
	var pass learn.Pass
	if err := errors.Join(
		json.Unmarshal(f.Index, &index), json.Unmarshal(f.Pass, &pass),
	); err != nil {
		return err
	}
	file, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	stream, err := data.ResumeStream(file, schema, index)
	if err != nil {
		return err
	}
	for _, block := range blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		fault(block)
		numbers, err := pass.Of(stream, block, f.PieceRows)
		if err != nil {
			return err
		}
		emit(block, slices.Clone(solve.Bytes(numbers)))
	}
	return nil
}

// fault is called before the sums of a block are taken; tests kill a worker there.
var fault = func(block int) {}

// writeSums writes sums where the driver reads them. Written twice they are the same.
type writeSums struct {
	Folder string `json:"folder"`
	Pass   []byte `json:"pass"`
}

// ProcessElement writes a block's sums, as a file that is whole or not there.
func (f *writeSums) ProcessElement(_ context.Context, block int, numbers []byte) error {
	part, err := os.CreateTemp(f.Folder, "part-*")
	if err != nil {
		return err
	}
	digest := digestOf(f.Pass, block, numbers)
	_, err = part.Write(append(digest[:], numbers...))
	if err = errors.Join(err, part.Sync(), part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), sumsOf(f.Folder, block))
}

// digestOf is what stands before sums in their file, so that sums that storage has damaged, and
// those of another pass, are taken for missing.
func digestOf(pass []byte, block int, numbers []byte) [sha256.Size]byte {
	return sha256.Sum256(slices.Concat(
		binary.LittleEndian.AppendUint64(nil, uint64(len(pass))), pass,
		binary.LittleEndian.AppendUint64(nil, uint64(block)), numbers,
	))
}

func sumsOf(folder string, block int) string {
	return filepath.Join(folder, "block-"+strconv.Itoa(block))
}

// onBeam takes sums by pipelines.
type onBeam struct {
	path, folder string
	shares       int
}

// attempts is how often a pass is begun anew for blocks whose sums are missing, because a worker
// died or a runner gave up.
const attempts = 4

// take is a passes.Taker. One pipeline takes all sums of the pass.
func (b onBeam) take(
	ctx context.Context, file *data.Stream, pass learn.Pass, blocks []int,
	keep func(block int, numbers []float64) error,
) error {
	if err := os.MkdirAll(b.folder, 0o700); err != nil {
		return err
	}
	folder, err := os.MkdirTemp(b.folder, "pass-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) // as secret as the records
	asked, err := json.Marshal(pass)
	if err != nil {
		return err
	}
	missing, failed := blocks, error(nil)
	for range attempts {
		failed = b.run(ctx, file, asked, missing, folder)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if missing, err = kept(folder, asked, missing, keep); err != nil || len(missing) == 0 {
			return err
		}
	}
	return fmt.Errorf("beam: sums of %d blocks are missing: %w", len(missing), failed)
}

// kept hands over what is there, and returns the blocks that are not.
func kept(
	folder string, pass []byte, blocks []int, keep func(block int, numbers []float64) error,
) (missing []int, err error) {
	for _, block := range blocks {
		text, err := os.ReadFile(sumsOf(folder, block))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		if len(text) < sha256.Size ||
			digestOf(pass, block, text[sha256.Size:]) != [sha256.Size]byte(text) {
			missing = append(missing, block)
			continue
		}
		if err := keep(block, solve.Floats(bytes.Clone(text[sha256.Size:]))); err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// run is one pipeline: of each share of blocks their sums, and files of these.
func (b onBeam) run(
	ctx context.Context, file *data.Stream, pass []byte, blocks []int, folder string,
) error {
	schema, schemaErr := file.Schema().MarshalJSON()
	index, indexErr := json.Marshal(file.Index())
	if err := errors.Join(schemaErr, indexErr); err != nil {
		return err
	}
	pipeline, scope := beam.NewPipelineWithRoot()
	// Each share has a chain of its own: of one chain Prism takes one element at a time.
	for _, share := range sharesOf(blocks, b.shares) {
		sums := beam.ParDo(scope, &takeSums{
			Path: b.path, Schema: schema, Index: index, Pass: pass, PieceRows: pieceRows,
		}, beam.Create(scope, share))
		beam.ParDo0(scope, &writeSums{Folder: folder, Pass: pass}, sums)
	}
	return beamx.Run(ctx, pipeline)
}

// sharesOf puts blocks into so many shares, or each into one of its own.
func sharesOf(blocks []int, n int) [][]int {
	if n <= 0 || n > len(blocks) {
		n = len(blocks)
	}
	var shares [][]int
	for k := range n {
		shares = append(shares, blocks[k*len(blocks)/n:(k+1)*len(blocks)/n])
	}
	return shares
}
