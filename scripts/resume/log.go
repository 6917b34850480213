// Package resume is for programs that measure for hours and go on where they were
// interrupted: results are kept as they come, and what is kept is not computed again.
package resume

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

// Log is a CSV file that is only ever appended to, records of one thing in
// one write, so that a process that is killed tears the end of the file at most.
type Log struct {
	path string
	mu   sync.Mutex
	file *os.File
}

// Open returns the records that are there, without the header, after cutting
// off a line that was not finished.
func Open(path string, columns []string) (*Log, [][]string, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	l := &Log{path: path, file: file}
	records, err := l.load(columns)
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return l, records, nil
}

func (l *Log) load(columns []string) ([][]string, error) {
	text, err := io.ReadAll(l.file)
	if err != nil {
		return nil, err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	if err := l.file.Truncate(int64(len(whole))); err != nil {
		return nil, err
	}
	if _, err := l.file.Seek(int64(len(whole)), io.SeekStart); err != nil {
		return nil, err
	}
	if len(whole) == 0 {
		return nil, l.Append(columns)
	}
	reader := csv.NewReader(bytes.NewReader(whole))
	reader.FieldsPerRecord = len(columns)
	records, err := reader.ReadAll()
	if err != nil {
		return nil, l.Broken(err)
	}
	if !slices.Equal(records[0], columns) {
		return nil, l.Broken(fmt.Errorf("its columns are not those of this version"))
	}
	return records[1:], nil
}

// Broken is the error of a file that holds something else.
func (l *Log) Broken(err error) error {
	return fmt.Errorf("%s: %w; move it away to begin anew", l.path, err)
}

// Append writes records in one write.
func (l *Log) Append(records ...[]string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(records); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.file.Write(b.Bytes())
	return err
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
