package main

import (
	"encoding/xml"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/lab"
)

// run is a result made up for a test.
func run(set, method, setting string, epsilon float64, trial int, accuracy float64) timed {
	m, err := lab.FindMethod(method)
	if err != nil {
		panic(err)
	}
	return timed{Result: lab.Result{
		Cell: lab.Cell{
			Set:     set,
			Method:  method,
			Setting: setting,
			Epsilon: epsilon,
			Delta:   1e-5,
			Trial:   trial,
			Effort:  lab.Full,
		},
		Standing: m.Standing, Accuracy: accuracy, Baseline: 0.75, Tested: 9045, Trained: 36177,
	}, Seconds: 60}
}

// hand is a small set of results whose report was worked out by hand:
//
//	our default   0.82, 0.83, 0.84   mean 0.83, s = 0.01, 1.96 s/√3 = 0.0113161
//	the paper's   0.81, 0.82, 0.82   mean 0.816667, s = 0.0057735, 0.0065333
//	DP-SGD, PLD   a: 0.82, 0.83, 0.81   mean 0.82
//	              b: 0.80, 0.81, 0.86   mean 0.823333: picked here
//	momentum      0.835, 0.835, 0.835
//
// Leads over b: 0.02, 0.02, −0.02, mean 0.0066667, s = 0.0230940, 0.0261333.
// Picked elsewhere: for trial 1, b (0.835 against 0.82), for 2, b (0.83 against
// 0.815), for 3, a (0.825 against 0.805): leads 0.02, 0.02, 0.03, mean
// 0.0233333, s = 0.0057735, 0.0065333.
// Leads over momentum: −0.015, −0.005, 0.005, mean −0.005, s = 0.01, 0.0113161.
func hand() findings {
	var f findings
	f.plan = lab.Plan{Delta: 1e-5, Trials: 3, Effort: lab.Full}
	for i, a := range []float64{0.82, 0.83, 0.84} {
		f.results = append(f.results, run("adult", "amp", "", 0.1, i+1, a))
	}
	for i, a := range []float64{0.81, 0.82, 0.82} {
		f.results = append(f.results, run("adult", "amp-paper", "", 0.1, i+1, a))
	}
	for i, a := range []float64{0.82, 0.83, 0.81} {
		f.results = append(f.results, run("adult", "dpsgd-dishonest-pld", "rate=0.01", 0.1, i+1, a))
	}
	for i, a := range []float64{0.80, 0.81, 0.86} {
		f.results = append(f.results, run("adult", "dpsgd-dishonest-pld", "rate=0.1", 0.1, i+1, a))
	}
	for i := range 3 {
		f.results = append(
			f.results, run("adult", "dpgd-momentum", "steps=10 rate=1", 0.1, i+1, 0.835),
		)
	}
	f.results = append(f.results, run("adult", "plain", "", math.Inf(1), 1, 0.85))
	return f
}

func TestReportIsWhatItWasByHand(t *testing.T) {
	f := hand()
	text := f.report(lab.Summaries(plain(f.results)))
	for _, line := range []string{
		"16 runs, 16 minutes of computing",
		"is taken for public by all methods that say so below",
		"The seed of Synthetic-L is the one of five",
		"Honest DP-SGD is priced by a theorem of this library's own",
		"| AMP, our default | private | 83.00 ± 1.13 % |",
		"| DP-SGD, finer grid, PLD (dishonest) | dishonest | 82.33 ± ",
		"| No privacy | not private | 85.00 % |",
		"| Adult | AMP, the paper's | 0.1 | 81.37 % | 81.67 ± 0.65 % | +0.30 | within 0.6 points |",
		"| Adult | DP-SGD, finer grid, PLD (dishonest) | picked here | +0.67 ± 2.61 |",
		"| Adult | DP-SGD, finer grid, PLD (dishonest) | picked elsewhere | +2.33 ± 0.65 |",
		"| Adult | DP-GD, momentum, grid (dishonest) | picked here | -0.50 ± 1.13 |",
		"or such that it may be explained | not run | only 0 of 9 numbers were run in full, with 10 trials or more: 1 of 1 within 0.6 points, 0 may be explained, 0 neither |",
		"at every ε (on the means) | not run | 18 comparisons were not run in full; of the others: above in 1 of 2, in 0 by more than its error; smallest lead -0.50 ± 1.13 (DP-GD, momentum, grid (dishonest), ε = 0.1); picked elsewhere, above in 1 of 2, in 1 by more than its error; smallest lead -0.50 ± 1.13",
		"more than 0.3 points below either (on the means) | not run | 108 comparisons were not run in full; of the others: below in 1 of 2 comparisons (Adult, DP-GD, momentum, grid (dishonest), ε = 0.1: -0.50 ± 1.13)",
		"Fitted to 36177, tested on 9045; the commoner label is right 75.0 % of the time.",
	} {
		assert.Contains(t, text, line)
	}
}

// everything is a made-up run of all that the claims speak of: our default at
// 0.83, 0.84, … in ten trials, rivals below it by lead(set, rival, ε).
func everything(lead func(set, rival string, epsilon float64) float64) findings {
	f := findings{plan: lab.Plan{Delta: 1e-5, Trials: 10, Effort: lab.Full}}
	for _, set := range lab.Sets() {
		for _, epsilon := range lab.Epsilons {
			for trial := 1; trial <= 10; trial++ {
				ours := 0.82 + 0.01*float64(trial)
				f.results = append(f.results, run(set.Name, "amp", "", epsilon, trial, ours))
				for _, rival := range rivals {
					m, err := lab.FindMethod(rival)
					if err != nil {
						panic(err)
					}
					for _, setting := range m.Settings(lab.Full) {
						f.results = append(
							f.results,
							run(
								set.Name, rival, setting, epsilon, trial,
								ours-lead(set.Name, rival, epsilon),
							),
						)
					}
				}
			}
		}
	}
	for _, p := range lab.PublishedAccuracies() {
		if p.Set != "adult" {
			continue
		}
		m, err := lab.FindMethod(p.Method)
		if err != nil {
			panic(err)
		}
		for _, setting := range m.Settings(lab.Full) {
			for trial := 1; trial <= 10; trial++ {
				f.results = append(
					f.results, run(p.Set, p.Method, setting, p.Epsilon, trial, p.Accuracy+0.005),
				)
			}
		}
	}
	return f
}

func (f findings) verdicts() []verdict {
	var out []verdict
	for _, c := range f.claims(lab.Summaries(plain(f.results)))[:4] {
		out = append(out, c.Verdict)
	}
	return out
}

func TestClaimsCanHold(t *testing.T) {
	f := everything(func(string, string, float64) float64 { return 0.002 })
	assert.Equal(t, []verdict{holds, holds, holds, holds}, f.verdicts())
	all := f.claims(lab.Summaries(plain(f.results)))
	assert.Contains(
		t, all[1].Detail,
		"above in 18 of 18, in 18 by more than its error; smallest lead +0.20 ± 0.00",
	)

	// One number that only an assumption explains makes the verdict no stronger.
	g := f
	g.results = append([]timed(nil), f.results...)
	for i, r := range g.results {
		if r.Cell.Method == "amp-paper" && r.Cell.Epsilon == 1 {
			g.results[i].Accuracy += 0.002
		}
	}
	assert.Equal(t, explains, g.verdicts()[0])

	// One rival ahead at one ε: by 0.1 points on Adult, by 0.4 on two others and
	// then on three.
	behind := func(by map[string]float64) findings {
		return everything(func(set, rival string, epsilon float64) float64 {
			if lead, ok := by[set]; ok && rival == "dpgd-momentum" && epsilon == 8 {
				return lead
			}
			return 0.002
		})
	}
	assert.Equal(
		t, []verdict{holds, fails, holds, holds},
		behind(map[string]float64{"adult": -0.001}).verdicts(),
	)
	assert.Equal(
		t, []verdict{holds, holds, holds, fails},
		behind(map[string]float64{"iris": -0.004, "synthetic-2d": 0}).verdicts(),
	)
	assert.Equal(
		t, []verdict{holds, holds, fails, holds},
		behind(map[string]float64{"iris": 0, "synthetic-2d": 0, "synthetic-l": -0.001}).verdicts(),
	)
}

// What a claim speaks of and was not run leaves it without a verdict: a rival, an
// ε, a set, a point of a rival's grid, a trial of it, a published number.
func TestPartialRunsHaveNoVerdict(t *testing.T) {
	f := everything(func(string, string, float64) float64 { return 0.002 })
	without := func(drop func(lab.Cell) bool) []verdict {
		g := f
		g.results = nil
		for _, r := range f.results {
			if !drop(r.Cell) {
				g.results = append(g.results, r)
			}
		}
		assert.Less(t, len(g.results), len(f.results))
		return g.verdicts()
	}
	momentum, err := lab.FindMethod("dpgd-momentum")
	require.NoError(t, err)
	point := momentum.Settings(lab.Full)[7]
	assert.Equal(
		t, []verdict{holds, unknown, unknown, unknown},
		without(func(c lab.Cell) bool { return c.Method == "dpgd-momentum" }),
	)
	assert.Equal(
		t,
		[]verdict{holds, unknown, holds, unknown},
		without(
			func(c lab.Cell) bool { return c.Set == "adult" && c.Method == "amp" && c.Epsilon == 2 },
		),
	)
	assert.Equal(
		t, []verdict{holds, holds, unknown, unknown},
		without(func(c lab.Cell) bool { return c.Set == "synthetic-h" }),
	)
	assert.Equal(
		t,
		[]verdict{holds, unknown, holds, unknown},
		without(
			func(c lab.Cell) bool { return c.Set == "adult" && c.Setting == point && c.Epsilon == 1 },
		),
	)
	assert.Equal(t, []verdict{holds, unknown, holds, unknown}, without(func(c lab.Cell) bool {
		return c.Set == "adult" && c.Setting == point && c.Epsilon == 1 && c.Trial == 3
	}))
	assert.Equal(
		t, []verdict{unknown, holds, holds, holds},
		without(func(c lab.Cell) bool { return c.Method == "dpsgd-honest" && c.Epsilon == 8 }),
	)
	none := []verdict{unknown, unknown, unknown, unknown}
	assert.Equal(t, none, without(func(c lab.Cell) bool { return c.Trial > 1 }))
	assert.Equal(t, none, without(func(c lab.Cell) bool { return c.Trial == 10 }))
	grid, err := lab.FindMethod("dpsgd-dishonest")
	require.NoError(t, err)
	assert.Equal(t, []verdict{unknown, holds, holds, holds}, without(func(c lab.Cell) bool {
		return c.Setting == grid.Settings(lab.Full)[0] && c.Epsilon == 8 && c.Set == "adult" &&
			c.Method == grid.Name
	}))
	quick := f
	quick.plan.Effort, quick.results = lab.Quick, nil
	for _, r := range f.results {
		r.Cell.Effort = lab.Quick
		quick.results = append(quick.results, r)
	}
	assert.Equal(t, none, quick.verdicts())
	// One whole comparison refutes what is said of all, however many are missing.
	f = everything(func(set, rival string, epsilon float64) float64 {
		if set == "iris" && rival == "dpgd-momentum" && epsilon == 8 {
			return -0.004
		}
		return 0.002
	})
	assert.Equal(
		t, []verdict{holds, holds, unknown, fails},
		without(func(c lab.Cell) bool { return c.Set == "synthetic-h" }),
	)
	assert.Equal(
		t, []verdict{holds, holds, unknown, unknown},
		without(func(c lab.Cell) bool { return c.Set == "iris" && c.Trial == 10 }),
	)
	other := f
	other.plan.Delta = 1e-6
	assert.Equal(t, unknown, other.verdicts()[0], "the paper's δ is another")
}

// The claims about paths: with nine repetitions of everything there is a verdict,
// without one schedule, one set or one repetition there is none.
func TestPartialPathsHaveNoVerdict(t *testing.T) {
	verdicts := func(keep func(lab.Path) bool) []verdict {
		var f findings
		for _, path := range pathPlan(lab.PathSets(), 9, 0) {
			if !keep(path) {
				continue
			}
			r := lab.PathResult{Path: path}
			for k, epsilon := range lab.PathEpsilons() {
				point := lab.PathPoint{
					Epsilon:  epsilon,
					Steps:    1,
					Gradient: 1 / float64(k+1),
					Risk:     0.3,
				}
				if k%2 == 0 && path.Schedule == cheapest {
					point.Gradient /= 1.2
				}
				for _, p := range printed {
					if p.set == path.Set && p.epsilon == epsilon {
						point.Risk = math.Max(p.constant, p.adaptive)
						if path.Schedule == lab.PathAdaptive {
							point.Risk = p.adaptive
						}
					}
				}
				r.Points = append(r.Points, point)
			}
			f.paths = append(f.paths, r)
		}
		var out []verdict
		for _, c := range f.pathClaims() {
			out = append(out, c.Verdict)
		}
		return out
	}
	full := verdicts(func(lab.Path) bool { return true })
	assert.Equal(t, holds, full[1])
	assert.Equal(t, holds, full[2])
	// breast cancer at ε = 0.1, where the constant is given the adaptive one's risk
	assert.Equal(t, fails, full[0])
	none := []verdict{unknown, unknown, unknown}
	assert.Equal(t, none, verdicts(func(p lab.Path) bool { return p.Schedule != cheapest }))
	// That of breast cancer refutes the first claim, whatever else is missing; without it none.
	refuted := []verdict{fails, unknown, unknown}
	assert.Equal(
		t, refuted, verdicts(func(p lab.Path) bool { return p.Repetition < 9 || p.Set != "iris" }),
	)
	assert.Equal(t, refuted, verdicts(func(p lab.Path) bool { return p.Set != "iris" }))
	assert.Equal(t, none, verdicts(func(p lab.Path) bool {
		return p.Repetition < 9 || p.Set == "synthetic-2d"
	}))
	assert.Equal(t, none, verdicts(func(p lab.Path) bool { return p.Set == "synthetic-2d" }))
}

// A difference is explained by its size alone, against a size that was computed.
func TestExplanationsAreSizes(t *testing.T) {
	f := hand()
	// s = 0.01: 1.96 √2 s = 0.0277
	f.redrawn = map[string]draws{"synthetic-l": {[]float64{0.94, 0.95, 0.96}}}
	adult := lab.Published{Set: "adult", Method: "dpsgd-honest", Epsilon: 1, Accuracy: 0.83}
	synthetic := lab.Published{Set: "synthetic-l", Method: "amp-paper", Epsilon: 1, Accuracy: 0.9}
	for _, c := range []struct {
		of         lab.Published
		difference float64
		want       verdict
		text       string
	}{
		{adult, -0.0059, holds, "within 0.6"},
		{adult, 0.0077, explains, "±0.24. Here every trial"},
		{adult, 0.0077, explains, "±0.77 points, 1.96 standard errors of such an accuracy on one choice of 9045"}, // 1.96 √(0.83 · 0.17/9045) = 0.00774
		{adult, 0.0079, fails, "not explained"},
		{adult, -0.0079, fails, "not explained"},
		{synthetic, -0.027, explains, "±2.77 points"},
		{synthetic, 0.028, fails, "not explained"},
	} {
		v, text := f.judge(c.of, c.difference)
		assert.Equal(t, c.want, v, "%v", c)
		assert.Contains(t, text, c.text)
	}
	f.results, f.redrawn = nil, nil
	v, _ := f.judge(synthetic, 0.01)
	assert.Equal(t, fails, v)

	f.redrawnLeast = map[string]draws{"synthetic-2d": {[]float64{0.50, 0.51, 0.52}}} // 0.0277
	f.firstStep = func(lab.Path, float64) (float64, float64, error) { return 0.00049, 0.0011, nil }
	assert.Equal(t, "reproduced", f.riskText(0.505, 0.51, 3, "synthetic-2d", cheapest, 20))
	assert.Contains(
		t, f.riskText(0.53, 0.51, 3, "synthetic-2d", cheapest, 20), "explained: within ±0.0277",
	)
	assert.Contains(
		t, f.riskText(0.54, 0.51, 3, "synthetic-2d", cheapest, 20),
		"not reproduced: not explained: more than the ±0.0277",
	)
	assert.Contains(t, f.riskText(0.69, 0.51, 0, "synthetic-2d", cheapest, 20), "not reproduced: ")
	assert.Equal(
		t,
		"not reproduced: not explained; here not one step is paid for: the budget is ρ = 0.00049, the first step (constant 1) costs 0.0011, and the paper's risk is above 0.6931, that of θ = 0",
		f.riskText(math.Ln2, 1.1656, 0, "breast-cancer", cheapest, 0.1),
	)
}

// Plots are well-formed, in one piece, and their names do not lie on each other.
func TestPlotsAreDrawn(t *testing.T) {
	f := hand()
	set, err := lab.FindSet("adult")
	require.NoError(t, err)
	drawings := []string{plot(set, lab.Summaries(plain(f.results)), 0.75, 3)}
	var paths []lab.PathResult
	for _, schedule := range lab.PathSchedules() {
		r := lab.PathResult{
			Path: lab.Path{Set: "iris", Lambda: 0.1, Schedule: schedule, Repetition: 1},
		}
		for k, epsilon := range lab.PathEpsilons() {
			r.Points = append(
				r.Points,
				lab.PathPoint{Epsilon: epsilon, Steps: k, Gradient: 1 / float64(k+1), Risk: 0.5},
			)
		}
		paths = append(paths, r)
	}
	iris, err := lab.FindSet("iris")
	require.NoError(t, err)
	drawings = append(drawings, pathPlot(iris, 0.1, tracks(paths, "iris", 0.1)))
	for _, drawing := range drawings {
		decoder := xml.NewDecoder(strings.NewReader(drawing))
		for {
			if _, err := decoder.Token(); err == io.EOF {
				break
			} else {
				require.NoError(t, err)
			}
		}
		assert.NotContains(t, drawing, "NaN")
		assert.NotContains(t, drawing, "Inf")
		assert.Contains(t, drawing, "prefers-color-scheme: dark")
	}
	assert.Contains(t, drawings[0], "DP-SGD, finer grid, PLD (dishonest)")
	heights := spread([]float64{100, 101, 100, 400, 1e6, 90})
	for i, a := range heights {
		assert.True(t, a >= plotTop && a <= plotTop+innerHeight+1e-9)
		for _, b := range heights[:i] {
			assert.GreaterOrEqual(t, math.Abs(a-b), labelGap-1e-9)
		}
	}
}

func TestQuartiles(t *testing.T) {
	assert.Equal(t, quartiles{2, 3, 4}, quartilesOf([]float64{5, 1, 3, 2, 4}))
	// numpy.percentile
	assert.Equal(t, quartiles{1.75, 2.5, 3.25}, quartilesOf([]float64{4, 1, 3, 2}))
	assert.Equal(t, quartiles{7, 7, 7}, quartilesOf([]float64{7}))
}

// Paths are kept whole or not at all, and go on.
func TestPathsAreKeptAndGoOn(t *testing.T) {
	out := t.TempDir()
	probe, err := lab.PathProbe(t.Context(), "constant 0.001")
	require.NoError(t, err)
	probes := map[string]string{"constant 0.001": probe}
	s, err := openPaths(out+"/paths.csv", probes)
	require.NoError(t, err)
	laboratory := lab.New(nil)
	first := lab.Path{Set: "synthetic-2d", Lambda: 0.1, Schedule: "constant 0.001", Repetition: 1}
	result, err := laboratory.Follow(t.Context(), first)
	require.NoError(t, err)
	require.NoError(t, s.Add(result))
	torn := result
	torn.Path.Repetition = 2
	torn.Key, err = torn.Path.Key()
	require.NoError(t, err)
	torn.Points = torn.Points[:5]
	require.NoError(t, s.Add(torn))
	require.NoError(t, s.Close())

	s, err = openPaths(out+"/paths.csv", probes)
	require.NoError(t, err)
	assert.Equal(t, 1, s.Stale)
	assert.True(t, s.Has(first))
	assert.False(t, s.Has(torn.Path))
	assert.Equal(t, []lab.PathResult{result}, s.Of([]lab.Path{first, torn.Path}))
	require.NoError(t, s.Close())

	// A schedule that does something else today, its revision forgotten.
	s, err = openPaths(out+"/paths.csv", map[string]string{"constant 0.001": "0.5 0.5"})
	require.NoError(t, err)
	assert.Equal(t, 2, s.Stale)
	assert.False(t, s.Has(first))
	require.NoError(t, s.Close())

	// A file from before there were probes: its paths do not count, what is added
	// to it does, and that is found again.
	text, err := os.ReadFile(out + "/paths.csv")
	require.NoError(t, err)
	require.Equal(t, len(result.Points)+5, strings.Count(string(text), ","+probe+","))
	old := strings.ReplaceAll(strings.Replace(string(text), ",probe,", ",", 1), ","+probe+",", ",")
	require.NoError(t, os.WriteFile(out+"/paths.csv", []byte(old), 0o644))
	s, err = openPaths(out+"/paths.csv", probes)
	require.NoError(t, err)
	assert.Equal(t, 2, s.Stale)
	assert.False(t, s.Has(first))
	require.NoError(t, s.Add(result))
	require.NoError(t, s.Close())
	s, err = openPaths(out+"/paths.csv", probes)
	require.NoError(t, err)
	assert.Equal(t, 1, s.Stale)
	assert.True(t, s.Has(first))
	require.NoError(t, s.Close())
}

// Every schedule has a probe of its own, the same twice.
func TestPathProbes(t *testing.T) {
	seen := map[string]bool{}
	for _, schedule := range lab.PathSchedules() {
		first, err := lab.PathProbe(t.Context(), schedule)
		require.NoError(t, err)
		again, err := lab.PathProbe(t.Context(), schedule)
		require.NoError(t, err)
		assert.Equal(t, first, again)
		seen[first] = true
	}
	assert.Len(t, seen, len(lab.PathSchedules()))
}
