package passes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"cloister/core/privacy"
)

// rowFolder keeps the rows of each block in a file of a folder: a data.RowStore. One process at a
// time uses the folder. A file is there whole or not at all, after a crash too.
type rowFolder struct {
	ctx  context.Context
	path string
	lock *os.File
}

// maker is what kept rows are bound to besides the file and its schema: the same text makes the
// same rows on machines of one kind.
var maker = privacy.LibraryVersion + " " + runtime.GOARCH

// openRows takes the folder, which is made if it is not there, for this process alone. What a kill
// has left half written is removed.
func openRows(ctx context.Context, path string) (*rowFolder, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	f := &rowFolder{ctx: ctx, path: path}
	var err error
	if f.lock, err = os.OpenFile(f.name("lock"), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	if err = lock(f.lock); err == nil {
		err = f.removeAll(".part")
	}
	if err != nil {
		return nil, errors.Join(err, f.lock.Close())
	}
	return f, nil
}

// prefix is what the names of all files of ours begin with.
const prefix = "cloister-rows-"

func (f *rowFolder) name(what string) string { return filepath.Join(f.path, prefix+what) }

func (f *rowFolder) block(k int) string { return f.name(fmt.Sprintf("%02d", k)) }

// Open implements data.RowStore.
func (f *rowFolder) Open(k int) (io.ReadCloser, error) {
	file, err := os.Open(f.block(k))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return stoppable{f.ctx, file}, nil
}

// stoppable is a file that cannot be read any more once the context has ended.
type stoppable struct {
	ctx  context.Context
	file *os.File
}

func (s stoppable) Read(text []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	return s.file.Read(text)
}

func (s stoppable) Close() error { return s.file.Close() }

// Keep implements data.RowStore.
func (f *rowFolder) Keep(k int, write func(to io.Writer) error) error {
	part, err := os.OpenFile(f.block(k)+".part", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = write(part); err == nil {
		err = part.Sync()
	}
	if closed := part.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(part.Name(), f.block(k))
	}
	if err != nil {
		_ = os.Remove(part.Name()) // else by openRows
	}
	return err
}

// remove removes what was kept, and the folder if nothing else is in it.
func (f *rowFolder) remove() error {
	err := f.removeAll("")
	_ = os.Remove(f.path) // it stays with what others have put there
	return err
}

// removeAll removes the files of ours whose names end so. It reads the folder, and looks for no
// pattern: the path may hold what would be one.
func (f *rowFolder) removeAll(suffix string) error {
	files, err := os.ReadDir(f.path)
	for _, file := range files {
		if strings.HasPrefix(file.Name(), prefix) && strings.HasSuffix(file.Name(), suffix) {
			err = errors.Join(err, os.Remove(filepath.Join(f.path, file.Name())))
		}
	}
	return err
}

func (f *rowFolder) close() { _ = f.lock.Close() }
