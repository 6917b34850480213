package fitting

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/pld"
	"cloister/core/audit"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

const (
	placing      = 200 // runs on either data set that tell where lines are, and do not count
	attackPoints = 40  // of the curve, besides that at 0
	aimPoints    = 20
	mostLines    = 100

	// attackSeconds is how long the runs may take in one worker, unless the caller says.
	attackSeconds = 60
)

// suspects are the faults that an audit may look for, as factors of the noise.
var suspects = []float64{1. / 2, 1. / 4, 1. / 8, 1. / 16}

// attacked is a fit that is chosen, and what is promised of it.
type attacked struct {
	asking
	fit     learn.Chosen
	promise learn.Promise
}

// readAttacked reads {schema, method?, …} (see readMethod), and returns what chooses the
// fit, which is for after the call's other fields have been read.
func readAttacked(call *api.Call) (read func() (attacked, error), err error) {
	schema, err := readSchema(call.Fields)
	if err != nil || schema == nil {
		return nil, err
	}
	asked := readMethod(call.Fields, schema)
	return func() (attacked, error) {
		fit, err := asked.choose()
		if err != nil {
			return attacked{}, err
		}
		price, err := account.Of(fit.Event, fit.Price, pld.Options{Bound: fit.Bound})
		return attacked{asked, fit, learn.Remembered(func(epsilon float64) (float64, error) {
			return curve.DeltaUpper(price, epsilon)
		})}, err
	}, nil
}

func (a attacked) against(suspect float64) (learn.Attack, error) {
	return a.fit.Attack(learn.Suspect{
		Noise: suspect, Promise: a.promise,
		Epsilons: audit.Grid(a.Guarantee.Epsilon, aimPoints),
	})
}

// planAttack answers {schema, method?, loss?, huberWidth?, adjacency, epsilon, delta, …}
// (see readMethod) and seconds? with the least fault in the noise of such a fit that an
// audit finds in that time, and what it takes. No data is needed, and none can be given.
func (s *Session) planAttack(call *api.Call) (map[string]any, error) {
	read, err := readAttacked(call)
	if err != nil || read == nil {
		return nil, err
	}
	seconds := call.Fields.NumberOr("seconds", attackSeconds)
	if !(seconds > 0) {
		call.Fields.Fail(&privacy.ParameterError{
			Field: "seconds", Value: privacy.Number(seconds), Want: "above 0",
		})
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	a, err := read()
	if err != nil {
		return nil, err
	}
	var best map[string]any
	least := math.Inf(1)
	for _, suspect := range suspects {
		attack, err := a.against(suspect)
		if err != nil {
			return nil, err
		}
		pair, err := attack.Pair(context.Background(), 1)
		if err != nil {
			return nil, err
		}
		rounds := float64(attack.Test.Aim.Rounds)
		each, err := s.timeOf(pair, 1000*seconds/rounds)
		if err != nil {
			return nil, err
		}
		milliseconds := rounds * each
		if milliseconds >= least {
			continue
		}
		least = milliseconds
		test := attack.Test
		if !attack.Placed {
			test, err = audit.Place(context.Background(), pair, test.Aim, placing, s.source)
			if err != nil {
				return nil, err
			}
		}
		best = map[string]any{
			"event": privacy.EncodeEvent(a.fit.Event), "suspect": suspect,
			"rounds": test.Aim.Rounds, "milliseconds": milliseconds,
			"records": attack.With.Data.X.Rows(), "test": testTree(test),
		}
		if milliseconds <= 1000*seconds {
			break
		}
	}
	return best, nil
}

// testTree and readTest are a test on the way to the caller and back.
func testTree(t audit.Test) map[string]any {
	lines := make([]any, len(t.Lines))
	for k, line := range t.Lines {
		lines[k] = line
	}
	return map[string]any{
		"epsilon": t.Aim.Epsilon, "line": t.Aim.Line, "below": t.Aim.Below, "lines": lines,
	}
}

func readTest(f *privacy.Fields) audit.Test {
	t := audit.Test{
		Aim: audit.Aim{
			Epsilon: f.Number("epsilon"), Line: f.Number("line"), Below: f.Bool("below"),
		},
		Lines: f.Numbers("lines"),
	}
	if !(t.Aim.Epsilon >= 0) {
		f.Fail(&privacy.ParameterError{
			Field: f.Path("epsilon"), Value: privacy.Number(t.Aim.Epsilon), Want: "0 or more",
		})
	}
	if n := len(t.Lines); n < 1 || n > mostLines {
		f.Fail(&privacy.ParameterError{
			Field: f.Path("lines"), Value: strconv.Itoa(n) + " of them",
			Want: "from 1 to " + strconv.Itoa(mostLines),
		})
	}
	return t
}

// countsTree and readCounts are the rounds of one worker.
func countsTree(c audit.Counts) map[string]any {
	list := func(counts []int) []any {
		out := make([]any, len(counts))
		for i, n := range counts {
			out[i] = float64(n)
		}
		return out
	}
	return map[string]any{
		"runs": list(c.Runs[:]), "aim": list(c.AboveAim[:]),
		"without": list(c.Above[0]), "with": list(c.Above[1]),
	}
}

func readCounts(f *privacy.Fields, test audit.Test) audit.Counts {
	c := audit.Counts{Test: test}
	read := func(field string, count int, most func(i int) int) []int {
		given := f.Numbers(field)
		out := make([]int, count)
		for i := range out {
			if len(given) != count || !(given[i] >= 0 && given[i] <= float64(most(i))) ||
				given[i] != math.Trunc(given[i]) {
				f.Fail(&privacy.ParameterError{
					Field: f.Path(field), Value: "not counts of these runs",
					Want: "as an attack with this test gave them",
				})
				return make([]int, count)
			}
			out[i] = int(given[i])
		}
		return out
	}
	copy(c.Runs[:], read("runs", 2, func(int) int { return audit.MaxRounds }))
	copy(c.AboveAim[:], read("aim", 2, func(i int) int { return c.Runs[i] }))
	for side, field := range []string{"without", "with"} {
		c.Above[side] = read(field, len(test.Lines), func(int) int { return c.Runs[side] })
	}
	return c
}

// timeOf is about how many milliseconds a run takes, by the quickest of some batches: the
// first are slow where code is compiled as it runs, and any where others keep the
// processor. It ends with a batch that is quick enough, or after so much time.
func (s *Session) timeOf(pair audit.Pair, enough float64) (float64, error) {
	const most, batch = 500 * time.Millisecond, 50 * time.Millisecond
	quickest := math.Inf(1)
	for start := time.Now(); time.Since(start) < most && quickest > enough; {
		begun, runs := time.Now(), 0
		for ; time.Since(begun) < batch; runs += 2 {
			for _, trial := range []audit.Trial{pair.Without, pair.With} {
				if _, err := trial(s.source); err != nil {
					return 0, err
				}
			}
		}
		each := float64(time.Since(begun)) / float64(runs) / float64(time.Millisecond)
		quickest = math.Min(quickest, each)
	}
	return quickest, nil
}

// attack answers what planAttack does, with {suspect, noise, rounds, test, counts?}: it
// runs the fit so often, on either of two made-up neighbours, with its noise multiplied
// by noise, and says whether what came out breaks the promise. counts are of other
// workers with the same plan, and are added; with them rounds may be 0.
func (s *Session) attack(call *api.Call) (map[string]any, error) {
	read, err := readAttacked(call)
	if err != nil || read == nil {
		return nil, err
	}
	f := call.Fields
	suspect, noise, rounds := f.Number("suspect"), f.Number("noise"), f.Int("rounds")
	inner := privacy.NewFields(f.Path("test"), f.Any("test"))
	test := readTest(inner)
	f.Fail(inner.Done())
	var others []audit.Counts
	if f.Has("counts") {
		for i, tree := range f.List("counts") {
			inner := privacy.NewFields(f.Path("counts["+strconv.Itoa(i)+"]"), tree)
			others = append(others, readCounts(inner, test))
			f.Fail(inner.Done())
		}
	}
	f.Fail(checkAttack(suspect, noise, rounds, len(others) == 0))
	if err := f.Done(); err != nil {
		return nil, err
	}
	a, err := read()
	if err != nil {
		return nil, err
	}
	counts, err := s.play(call, a, suspect, noise, rounds, test)
	if err != nil {
		return nil, err
	}
	for _, other := range others {
		counts.Add(other)
	}
	return a.verdict(counts, noise)
}

func (s *Session) play(
	call *api.Call, a attacked, suspect, noise float64, rounds int, test audit.Test,
) (audit.Counts, error) {
	var pair audit.Pair
	if rounds > 0 {
		attack, err := a.against(suspect)
		if err != nil {
			return audit.Counts{}, err
		}
		if pair, err = attack.Pair(context.Background(), noise); err != nil {
			return audit.Counts{}, err
		}
	}
	told := time.Now()
	return audit.Play(context.Background(), pair, test, rounds, s.source, func(done int) {
		if time.Since(told) > 100*time.Millisecond {
			told = time.Now()
			call.Progress(map[string]any{
				"phase": "attacking", "iteration": done,
				"fraction": float64(done) / float64(rounds),
			})
		}
	})
}

func checkAttack(suspect, noise float64, rounds int, alone bool) error {
	switch {
	case !(suspect >= 1./1024 && suspect < 1):
		return &privacy.ParameterError{
			Field: "suspect", Value: privacy.Number(suspect), Want: "from 1/1024 to below 1",
		}
	case !(noise >= 1./1024 && noise <= 1):
		return &privacy.ParameterError{
			Field: "noise", Value: privacy.Number(noise), Want: "from 1/1024 to 1",
		}
	case rounds < 0 || rounds > audit.MaxRounds || alone && rounds == 0:
		return &privacy.ParameterError{
			Field: "rounds", Value: strconv.Itoa(rounds), Want: "from 1 to 2^30",
		}
	}
	return nil
}

// verdict holds the counts against the promise, and says it in numbers.
func (a attacked) verdict(counts audit.Counts, noise float64) (map[string]any, error) {
	aim := counts.Test.Aim
	epsilons := append(audit.Grid(a.Guarantee.Epsilon, attackPoints), aim.Epsilon)
	slices.Sort(epsilons)
	points, err := counts.Measure().Against(a.promise, slices.Compact(epsilons))
	if err != nil {
		return nil, err
	}
	var list []any
	for _, p := range points {
		list = append(list, map[string]any{
			"epsilon": p.Epsilon, "promised": p.Promised, "lower": p.Lower, "seen": p.Seen,
		})
	}
	promised, err := a.promise(aim.Epsilon)
	if err != nil {
		return nil, err
	}
	speaksFor := "with"
	if aim.Below {
		speaksFor = "without"
	}
	p, q := counts.Shares()
	return map[string]any{
		"noise": noise, "rounds": counts.Runs[0] + counts.Runs[1], "points": list,
		"broken":     slices.ContainsFunc(points, audit.Point.Broken),
		"falseAlarm": audit.FalseAlarm,
		"counts":     countsTree(counts),
		"sign": map[string]any{
			"of": speaksFor, "share": p, "elsewhere": q, "epsilon": aim.Epsilon,
			"allowed": counts.Allowed(promised),
		},
	}, nil
}
