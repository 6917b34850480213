// Package folder keeps a ledger in a folder of a file system: a ledger.Store. Use it for programs
// that are run natively; a page has its own store, in IndexedDB.
//
// Each Append is one file, named by the number of entries before it. It holds its entries
// as a JSON list. The file is first written to the disk whole, under another name, and then
// linked to its own name, which fails if that name is taken. So an Append is there whole or
// not at all, even after a crash, and of two that follow the same entries one is refused.
//
// The folder must be on a file system that knows hard links and tells all who write to it
// whether a name is taken: a local disk, or NFS. Only the owner may read it: whoever can
// read the folder can check a guess of a whole table, and can read every release that was
// kept.
package folder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cloister/core/ledger"
)

// Store is a ledger.Store. Its methods may be called at once, by any number of processes.
type Store struct{ path string }

// New is the store in this folder, which is made when something is written first.
func New(path string) *Store { return &Store{path} }

const (
	suffix = ".json"
	digits = 12 // of a name, so that a folder's names are sorted by what they say
)

func (s *Store) name(before int) string {
	return filepath.Join(s.path, fmt.Sprintf("%0*d%s", digits, before, suffix))
}

// Read implements ledger.Store. A folder that is not there is empty. Errors are a
// *ledger.StorageError of the file system, a *ledger.DamageError where files are missing or are no
// lists of entries, and ledger.ErrConflict for more entries than there are.
func (s *Store) Read(ctx context.Context, after int) ([]string, error) {
	starts, err := s.starts()
	if err != nil {
		return nil, err
	}
	out, length := []string{}, 0
	for i, start := range starts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if i+1 < len(starts) && starts[i+1] <= after {
			length = starts[i+1] // all of this file is known
			continue
		}
		entries, err := s.file(start)
		if err != nil {
			return nil, err
		}
		if start != length {
			return nil, damaged(s.name(start), "does not follow the one before it")
		}
		length += len(entries)
		out = append(out, entries[min(len(entries), max(0, after-start)):]...)
	}
	if after > length {
		return nil, ledger.ErrConflict
	}
	return out, nil
}

// starts are the numbers of entries before each file, in order.
func (s *Store) starts() ([]int, error) {
	files, err := os.ReadDir(s.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, broken(err)
	}
	var starts []int
	for _, file := range files {
		text, is := strings.CutSuffix(file.Name(), suffix)
		if !is || len(text) != digits {
			continue // one that is being written, or another's
		}
		start, err := strconv.Atoi(text)
		if err != nil || start < 0 {
			return nil, damaged(s.path, "has a file that is not named by a number: "+file.Name())
		}
		starts = append(starts, start)
	}
	return starts, nil
}

func (s *Store) file(start int) ([]string, error) {
	text, err := os.ReadFile(s.name(start))
	if err != nil {
		return nil, broken(err)
	}
	var entries []string
	if err := json.Unmarshal(text, &entries); err != nil || len(entries) == 0 {
		return nil, damaged(s.name(start), "is no list of entries")
	}
	return entries, nil
}

// Append implements ledger.Store. Errors besides ledger.ErrConflict are those of Read.
func (s *Store) Append(ctx context.Context, after int, entries ...string) error {
	if len(entries) == 0 {
		return nil
	}
	if later, err := s.Read(ctx, after); err != nil {
		return err
	} else if len(later) > 0 {
		return ledger.ErrConflict
	}
	text, err := json.Marshal(entries)
	if err != nil {
		return broken(err)
	}
	if err := os.MkdirAll(s.path, 0o700); err != nil {
		return broken(err)
	}
	part, err := os.CreateTemp(s.path, ".part-*") // for its owner alone
	if err != nil {
		return broken(err)
	}
	defer os.Remove(part.Name())
	_, err = part.Write(text)
	if err := errors.Join(err, part.Sync(), part.Close()); err != nil {
		return broken(err)
	}
	switch err := os.Link(part.Name(), s.name(after)); {
	case errors.Is(err, os.ErrExist):
		return ledger.ErrConflict
	case err != nil:
		return broken(err)
	}
	return s.sync()
}

// sync has the disk know the folder's names.
func (s *Store) sync() error {
	folder, err := os.Open(s.path)
	if err != nil {
		return broken(err)
	}
	if err := errors.Join(folder.Sync(), folder.Close()); err != nil {
		return broken(err)
	}
	return nil
}

func broken(err error) error { return &ledger.StorageError{Kind: ledger.Broken, Cause: err} }

func damaged(where, what string) error { return &ledger.DamageError{Where: where, What: what} }
