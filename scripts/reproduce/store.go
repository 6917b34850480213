package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"

	"cloister/core/lab"
)

// columns of results.csv. The key names the cell and the revisions of its data
// set and method.
var columns = []string{
	"set", "method", "setting", "standing", "epsilon", "delta", "trial", "seed", "effort",
	"accuracy", "loss", "baseline", "tested", "trained", "seconds", "detail", "key",
}

// timed is a result and how long it took.
type timed struct {
	lab.Result
	Seconds float64
}

// store is results.csv: every line is written at once and never changed.
type store struct {
	Stale int // lines of an earlier revision

	mu      sync.Mutex
	file    *os.File
	results map[string]timed // by key
}

// openStore reads what is there, cuts off a line that was not finished, and
// gets ready to append.
func openStore(path string) (*store, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	s := &store{file: file, results: map[string]timed{}}
	if err := s.load(path); err != nil {
		file.Close()
		return nil, err
	}
	return s, nil
}

func (s *store) load(path string) error {
	text, err := io.ReadAll(s.file)
	if err != nil {
		return err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	if err := s.file.Truncate(int64(len(whole))); err != nil {
		return err
	}
	if _, err := s.file.Seek(int64(len(whole)), io.SeekStart); err != nil {
		return err
	}
	if len(whole) == 0 {
		return s.line(columns)
	}
	reader := csv.NewReader(bytes.NewReader(whole))
	reader.FieldsPerRecord = len(columns)
	records, err := reader.ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w; move it away to begin anew", path, err)
	}
	for i, record := range records[1:] {
		result, err := fromRecord(record)
		if err != nil {
			return fmt.Errorf("%s, line %d: %w; move it away to begin anew", path, i+2, err)
		}
		key, err := result.Cell.Key()
		if err != nil || key != result.Key {
			s.Stale++
			continue
		}
		s.results[key] = result
	}
	return nil
}

func fromRecord(record []string) (timed, error) {
	var failed error
	number := func(i int) float64 {
		x, err := strconv.ParseFloat(record[i], 64)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s is %q: it must be a number", columns[i], record[i]))
		}
		return x
	}
	whole := func(i int) int {
		n, err := strconv.Atoi(record[i])
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s is %q: it must be a whole number", columns[i], record[i]))
		}
		return n
	}
	r := timed{
		Result: lab.Result{
			Cell: lab.Cell{
				Set: record[0], Method: record[1], Setting: record[2],
				Epsilon: number(4), Delta: number(5), Trial: whole(6), Seed: whole(7), Effort: lab.Effort(record[8]),
			},
			Standing: lab.Standing(record[3]),
			Accuracy: number(9), Loss: number(10), Baseline: number(11), Tested: whole(12), Trained: whole(13),
			Detail: record[15], Key: record[16],
		},
		Seconds: number(14),
	}
	return r, failed
}

func (r timed) record() []string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	c := r.Cell
	return []string{
		c.Set, c.Method, c.Setting, string(r.Standing), number(c.Epsilon), number(c.Delta), strconv.Itoa(c.Trial), strconv.Itoa(c.Seed), string(c.Effort),
		number(r.Accuracy), number(r.Loss), number(r.Baseline), strconv.Itoa(r.Tested), strconv.Itoa(r.Trained), strconv.FormatFloat(r.Seconds, 'f', 4, 64), r.Detail, r.Key,
	}
}

// Add writes a result down.
func (s *store) Add(r timed) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results[r.Key] = r
	return s.line(r.record())
}

// line appends one line in one write, so that only the last can be torn.
func (s *store) line(record []string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(record); err != nil {
		return err
	}
	w.Flush()
	_, err := s.file.Write(b.Bytes())
	return err
}

// Has reports whether the cell's result is there.
func (s *store) Has(cell lab.Cell) bool {
	key, err := cell.Key()
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.results[key]
	return err == nil && ok
}

// Of returns the results of these cells that are there, in their order.
func (s *store) Of(cells []lab.Cell) []timed {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []timed
	for _, cell := range cells {
		if key, err := cell.Key(); err == nil {
			if r, ok := s.results[key]; ok {
				out = append(out, r)
			}
		}
	}
	return out
}

// All returns everything that is there.
func (s *store) All() []timed {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []timed
	for _, r := range s.results {
		out = append(out, r)
	}
	return out
}

func (s *store) Close() error { return s.file.Close() }
