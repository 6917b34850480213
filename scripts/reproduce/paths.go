package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"cloister/core/lab"
	"cloister/scripts/resume"
)

// pathColumns are those of paths.csv, which has a line for each ε of a path.
// The key names the path and the revisions behind it, and the probe what the
// schedule did at the time.
var pathColumns = []string{
	"set",
	"lambda",
	"schedule",
	"repetition",
	"seed",
	"epsilon",
	"steps",
	"gradient",
	"risk",
	"probe",
	"key",
}

// earlierPathColumns are those of files from before there were probes.
var earlierPathColumns = slices.Delete(slices.Clone(pathColumns), 9, 10)

// lambdas are the two objectives of Fay et al., Figure 1.
var lambdas = []float64{0, 0.1}

// pathPlan lists the paths of so many repetitions, repetition by repetition.
func pathPlan(sets []string, repetitions, seed int) []lab.Path {
	var out []lab.Path
	for repetition := 1; repetition <= repetitions; repetition++ {
		for _, set := range sets {
			for _, lambda := range lambdas {
				for _, schedule := range lab.PathSchedules() {
					out = append(
						out,
						lab.Path{
							Set:        set,
							Lambda:     lambda,
							Schedule:   schedule,
							Repetition: repetition,
							Seed:       seed,
						},
					)
				}
			}
		}
	}
	return out
}

// pathStore is paths.csv.
type pathStore struct {
	Stale int // paths of an earlier revision or computation, or not whole

	log     *resume.Log
	probes  map[string]string // by schedule, as of today
	mu      sync.Mutex
	results map[string]lab.PathResult
}

// openPaths reads what is there and gets ready to append. Paths of a schedule
// whose probe is another today do not count, nor do those without a probe.
func openPaths(path string, probes map[string]string) (*pathStore, error) {
	if err := widen(path); err != nil {
		return nil, err
	}
	log, records, err := resume.Open(path, pathColumns)
	if err != nil {
		return nil, err
	}
	s := &pathStore{log: log, probes: probes, results: map[string]lab.PathResult{}}
	old := map[string]bool{}
	for i, record := range records {
		p, point, key, err := pathFromRecord(record)
		if err != nil {
			log.Close()
			return nil, log.Broken(fmt.Errorf("line %d: %w", i+2, err))
		}
		if probe, known := probes[p.Schedule]; record[9] == "" || known && probe != record[9] {
			old[key] = true
			continue
		}
		r := s.results[key]
		r.Path, r.Key, r.Points = p, key, append(r.Points, point)
		s.results[key] = r
	}
	for key, r := range s.results {
		if now, err := r.Path.Key(); err != nil || now != key ||
			len(r.Points) != len(lab.PathEpsilons()) {
			delete(s.results, key)
			s.Stale++
		}
	}
	for key := range old {
		if _, ok := s.results[key]; !ok {
			s.Stale++
		}
	}
	return s, nil
}

// widen gives a file from before there were probes an empty probe for each line.
func widen(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	header, rest, _ := strings.Cut(string(text[:bytes.LastIndexByte(text, '\n')+1]), "\n")
	if header != strings.Join(earlierPathColumns, ",") {
		return nil
	}
	records, err := csv.NewReader(strings.NewReader(rest)).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w; move it away to begin anew", path, err)
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(pathColumns)
	for _, record := range records {
		w.Write(slices.Insert(record, 9, ""))
	}
	w.Flush()
	if err := os.WriteFile(path+".new", b.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func pathFromRecord(record []string) (p lab.Path, point lab.PathPoint, key string, err error) {
	numbers, wholes := map[int]float64{}, map[int]int{}
	for _, i := range []int{1, 5, 7, 8} {
		if numbers[i], err = strconv.ParseFloat(record[i], 64); err != nil {
			return p, point, "", fmt.Errorf(
				"%s is %q: it must be a number", pathColumns[i], record[i],
			)
		}
	}
	for _, i := range []int{3, 4, 6} {
		if wholes[i], err = strconv.Atoi(record[i]); err != nil {
			return p, point, "", fmt.Errorf(
				"%s is %q: it must be a whole number", pathColumns[i], record[i],
			)
		}
	}
	p = lab.Path{
		Set:        record[0],
		Lambda:     numbers[1],
		Schedule:   record[2],
		Repetition: wholes[3],
		Seed:       wholes[4],
	}
	point = lab.PathPoint{
		Epsilon:  numbers[5],
		Steps:    wholes[6],
		Gradient: numbers[7],
		Risk:     numbers[8],
	}
	return p, point, record[10], nil
}

func (s *pathStore) Add(r lab.PathResult) error {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	var records [][]string
	for _, point := range r.Points {
		records = append(records, []string{
			r.Path.Set, number(r.Path.Lambda), r.Path.Schedule, strconv.Itoa(r.Path.Repetition),
			strconv.Itoa(r.Path.Seed),
			number(
				point.Epsilon,
			), strconv.Itoa(point.Steps), number(point.Gradient), number(point.Risk),
			s.probes[r.Path.Schedule], r.Key,
		})
	}
	s.mu.Lock()
	s.results[r.Key] = r
	s.mu.Unlock()
	return s.log.Append(records...)
}

func (s *pathStore) Has(p lab.Path) bool {
	key, err := p.Key()
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.results[key]
	return err == nil && ok
}

// Of returns the results of these paths that are there, in their order.
func (s *pathStore) Of(paths []lab.Path) []lab.PathResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []lab.PathResult
	for _, p := range paths {
		if key, err := p.Key(); err == nil {
			if r, ok := s.results[key]; ok {
				out = append(out, r)
			}
		}
	}
	return out
}

func (s *pathStore) Close() error { return s.log.Close() }

// quartiles of the values at one ε.
type quartiles struct{ Low, Median, High float64 }

// quartilesOf interpolates between order statistics (Hyndman & Fan's type 7).
func quartilesOf(values []float64) quartiles {
	sorted := append([]float64(nil), values...)
	sort.Float64s(sorted)
	at := func(p float64) float64 {
		h := p * float64(len(sorted)-1)
		k := int(h)
		if k+1 >= len(sorted) {
			return sorted[len(sorted)-1]
		}
		return sorted[k] + (h-float64(k))*(sorted[k+1]-sorted[k])
	}
	return quartiles{at(0.25), at(0.5), at(0.75)}
}

// track is a schedule's course over ε, the paths of all repetitions together.
type track struct {
	Schedule    string
	Repetitions int
	Epsilon     []float64
	Steps       []float64 // median
	Gradient    []quartiles
	Risk        []quartiles
}

// tracks puts the paths of a set and λ together.
func tracks(results []lab.PathResult, set string, lambda float64) []track {
	var out []track
	for _, schedule := range lab.PathSchedules() {
		var of []lab.PathResult
		for _, r := range results {
			if r.Path.Set == set && r.Path.Lambda == lambda && r.Path.Schedule == schedule {
				of = append(of, r)
			}
		}
		if len(of) == 0 {
			continue
		}
		t := track{Schedule: schedule, Repetitions: len(of)}
		for k, epsilon := range lab.PathEpsilons() {
			var steps, gradient, risk []float64
			for _, r := range of {
				steps = append(steps, float64(r.Points[k].Steps))
				gradient = append(gradient, r.Points[k].Gradient)
				risk = append(risk, r.Points[k].Risk)
			}
			t.Epsilon = append(t.Epsilon, epsilon)
			t.Steps = append(t.Steps, quartilesOf(steps).Median)
			t.Gradient = append(t.Gradient, quartilesOf(gradient))
			t.Risk = append(t.Risk, quartilesOf(risk))
		}
		out = append(out, t)
	}
	return out
}

// best is the constant schedule that is best in hindsight at the k-th ε, by a
// figure's median; nil without any.
func best(all []track, k int, figure func(track) []quartiles) *track {
	var found *track
	for i := range all {
		if t := &all[i]; t.Schedule != lab.PathAdaptive && t.Schedule != lab.PathOracle {
			if found == nil || figure(*t)[k].Median < figure(*found)[k].Median {
				found = t
			}
		}
	}
	return found
}

func find(all []track, schedule string) *track {
	for i := range all {
		if all[i].Schedule == schedule {
			return &all[i]
		}
	}
	return nil
}
