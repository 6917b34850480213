package main

import (
	"fmt"
	"strconv"
	"sync"

	"cloister/scripts/resume"
)

// cell is one fit.
type cell struct {
	set, method string
	epsilon     float64 // 0 of what spends nothing
	split       int     // from 1
}

// result is what came of a cell, in percent.
type result struct {
	cell
	score float64 // accuracy, or R² of a number
	auc   float64 // of two classes, else 0
}

var columns = []string{"set", "method", "epsilon", "split", "score", "auc"}

// store is results.csv: a line a fit.
type store struct {
	log   *resume.Log
	mu    sync.Mutex
	there map[cell]result
	order []result
}

func openStore(path string) (*store, error) {
	log, records, err := resume.Open(path, columns)
	if err != nil {
		return nil, err
	}
	s := &store{log: log, there: map[cell]result{}}
	for i, record := range records {
		r, err := fromRecord(record)
		if err != nil {
			log.Close()
			return nil, log.Broken(fmt.Errorf("line %d: %w", i+2, err))
		}
		s.keep(r)
	}
	return s, nil
}

func fromRecord(record []string) (r result, err error) {
	r.set, r.method = record[0], record[1]
	if r.split, err = strconv.Atoi(record[3]); err != nil {
		return r, err
	}
	for i, x := range map[int]*float64{2: &r.epsilon, 4: &r.score, 5: &r.auc} {
		if *x, err = strconv.ParseFloat(record[i], 64); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (s *store) keep(r result) {
	if _, ok := s.there[r.cell]; !ok {
		s.order = append(s.order, r)
	}
	s.there[r.cell] = r
}

func (s *store) has(c cell) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.there[c]
	return ok
}

func (s *store) add(r result) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(r)
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	return s.log.Append([]string{
		r.set, r.method, number(r.epsilon), strconv.Itoa(r.split), number(r.score), number(r.auc),
	})
}

// all are the results in the order in which they came.
func (s *store) all() []result { return s.order }
