package main

import (
	"errors"
	"fmt"
	"strconv"
	"sync"

	"cloister/core/lab"
	"cloister/scripts/resume"
)

// columns of results.csv. The key names the cell and the revisions of its data
// set and method, and the probe what the method did at the time.
var columns = []string{
	"set", "method", "setting", "standing", "epsilon", "delta", "trial", "seed", "effort",
	"accuracy", "loss", "baseline", "tested", "trained", "seconds", "detail", "probe", "key",
}

// timed is a result and how long it took.
type timed struct {
	lab.Result
	Seconds float64
	Probe   string // lab.Probe of the method
}

// store is results.csv: a line a run.
type store struct {
	Stale int // lines of an earlier revision

	log     *resume.Log
	probes  map[string]string // by method, as of today
	mu      sync.Mutex
	results map[string]timed // by key
}

// openStore reads what is there and gets ready to append. Results of a method
// whose probe is another today do not count.
func openStore(path string, probes map[string]string) (*store, error) {
	log, records, err := resume.Open(path, columns)
	if err != nil {
		return nil, err
	}
	s := &store{log: log, probes: probes, results: map[string]timed{}}
	for i, record := range records {
		result, err := fromRecord(record)
		if err != nil {
			log.Close()
			return nil, log.Broken(fmt.Errorf("line %d: %w", i+2, err))
		}
		key, err := result.Cell.Key()
		probe, known := probes[result.Cell.Method]
		if err != nil || key != result.Key || known && probe != result.Probe {
			s.Stale++
			continue
		}
		s.results[key] = result
	}
	return s, nil
}

func fromRecord(record []string) (timed, error) {
	var failed error
	number := func(i int) float64 {
		x, err := strconv.ParseFloat(record[i], 64)
		if err != nil {
			failed = errors.Join(
				failed, fmt.Errorf("%s is %q: it must be a number", columns[i], record[i]),
			)
		}
		return x
	}
	whole := func(i int) int {
		n, err := strconv.Atoi(record[i])
		if err != nil {
			failed = errors.Join(
				failed, fmt.Errorf("%s is %q: it must be a whole number", columns[i], record[i]),
			)
		}
		return n
	}
	r := timed{
		Result: lab.Result{
			Cell: lab.Cell{
				Set: record[0], Method: record[1], Setting: record[2],
				Epsilon: number(
					4,
				), Delta: number(5), Trial: whole(6), Seed: whole(7), Effort: lab.Effort(record[8]),
			},
			Standing: lab.Standing(record[3]),
			Accuracy: number(
				9,
			), Loss: number(10), Baseline: number(11), Tested: whole(12), Trained: whole(13),
			Detail: record[15], Key: record[17],
		},
		Probe:   record[16],
		Seconds: number(14),
	}
	return r, failed
}

func (r timed) record() []string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	c := r.Cell
	return []string{
		c.Set, c.Method, c.Setting, string(r.Standing), number(c.Epsilon), number(c.Delta),
		strconv.Itoa(c.Trial), strconv.Itoa(c.Seed), string(c.Effort),
		number(
			r.Accuracy,
		), number(r.Loss), number(r.Baseline), strconv.Itoa(r.Tested), strconv.Itoa(r.Trained),
		strconv.FormatFloat(r.Seconds, 'f', 4, 64), r.Detail, r.Probe, r.Key,
	}
}

// Add writes a result down.
func (s *store) Add(r timed) error {
	r.Probe = s.probes[r.Cell.Method]
	s.mu.Lock()
	s.results[r.Key] = r
	s.mu.Unlock()
	return s.log.Append(r.record())
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

func (s *store) Close() error { return s.log.Close() }
